import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { ChangesOfFile, RecordedChange } from '../../../src/server/rpc/api.ts';
import { AgentIcon } from '../history/session-row.tsx';
import { Placeholder, useLiveData } from '../project/live-data.tsx';
import { ChangeView, LineCounts } from '../reader/diff-view.tsx';
import { sessionHref } from '../reader/links.ts';
import { route, toHref } from '../router/router.ts';
import { server } from '../rpc/server.ts';
import { currentProjectId } from '../shell/project-store.ts';
import { EmptyState } from '../shell/states.tsx';
import { cleanText, formatQuantity } from '../text/format.ts';
import { Time } from '../text/time-view.tsx';
import { Choice } from '../usage/choice.tsx';
import { BlameView } from './blame-view.tsx';
import { baseName } from './file-tree.ts';

const VIEWS = { changes: 'Changes', lines: 'Lines' } as const;
const PAGE_SIZE = 30;

/** One file: its recorded changes, the latest first, or its lines with who wrote them. */
export function FileView({ path }: { readonly path: string }): VNode {
  const view = route.value.params.view === 'lines' ? 'lines' : 'changes';
  const name = baseName(path);
  const folder = path.slice(0, path.length - name.length);
  return (
    <section class="page file" aria-label={`File ${cleanText(path)}`}>
      <header class="page-head">
        <nav class="crumbs" aria-label="Folder">
          <a href={toHref({ page: 'files', params: {} })}>Files</a>
          {folder === '' ? null : (
            <a href={toHref({ page: 'files', params: { q: folder } })}>
              <bdi>{cleanText(folder)}</bdi>
            </a>
          )}
        </nav>
        <h1>
          <bdi>{cleanText(name)}</bdi>
        </h1>
        <span class="spacer" />
        <Choice label="Show" name="view" choices={VIEWS} value={view} />
      </header>
      {view === 'lines' ? <BlameView path={path} /> : <Changes path={path} />}
    </section>
  );
}

function Changes({ path }: { readonly path: string }): VNode {
  const project = currentProjectId.value;
  const [shown, setShown] = useState(PAGE_SIZE);
  const { value, error } = useLiveData(
    project,
    () => server.call('changes.file', { project, path, limit: Math.min(shown, 200) }),
    String(shown),
  );
  if (value === undefined) return <Placeholder error={error} />;
  if (value.total === 0) {
    return (
      <EmptyState title="No recorded change">
        No recorded session changed this file. It may have been written by hand, or before yore was set up.
      </EmptyState>
    );
  }
  return (
    <>
      <p class="fact" role="status">
        {describeChanges(value)}
      </p>
      <ol class="file-changes">
        {groupByRequest(value.changes).map((changes) => (
          <li key={changes[0].id}>
            <RequestChanges changes={changes} path={path} project={project} />
          </li>
        ))}
      </ol>
      {value.changes.length < value.total && shown < 200 ? (
        <button type="button" onClick={() => setShown(shown + PAGE_SIZE)}>
          Show earlier changes
        </button>
      ) : null}
    </>
  );
}

function describeChanges({ total, sessions, changes }: ChangesOfFile): string {
  const all = `${formatQuantity(total, 'change')} in ${formatQuantity(sessions, 'session')}`;
  return changes.length < total ? `${all}, the latest ${changes.length} of them` : `${all}, the latest first`;
}

type ChangeGroup = readonly [RecordedChange, ...RecordedChange[]];

/** Consecutive changes that were made for the same request of a session. */
function groupByRequest(changes: readonly RecordedChange[]): readonly ChangeGroup[] {
  const groups: [RecordedChange, ...RecordedChange[]][] = [];
  for (const change of changes) {
    const last = groups.at(-1);
    if (last !== undefined && last[0].sessionId === change.sessionId && last[0].request === change.request) {
      last.push(change);
    } else {
      groups.push([change]);
    }
  }
  return groups;
}

interface RequestChangesProps {
  readonly changes: ChangeGroup;
  readonly path: string;
  readonly project: string;
}

/** What was asked for, in which session, and the diffs. */
function RequestChanges({ changes, path, project }: RequestChangesProps): VNode {
  const { sessionId, id, at, agent, request, title, foreign, author } = changes[0];
  const asked = cleanText(request ?? title).split('\n', 1)[0] ?? '';
  const isTitleSaid = asked.startsWith(cleanText(title).replace(/…$/, ''));
  return (
    <article class="file-change">
      <header>
        <h2>
          <a data-row href={sessionHref(project, sessionId, id)}>
            <bdi>{asked || '(no request)'}</bdi>
          </a>
        </h2>
        <p class="change-facts">
          <Time at={at} />
          <span class="fact">
            <AgentIcon agent={agent} /> {foreign ? 'foreign ' : ''}
            {cleanText(agent ?? 'unknown agent')}
          </span>
          {author === undefined ? null : <bdi class="fact author">by {cleanText(author)}</bdi>}
          {isTitleSaid ? null : (
            <a class="fact" href={sessionHref(project, sessionId)}>
              <bdi>{cleanText(title)}</bdi>
            </a>
          )}
        </p>
      </header>
      {changes.map((change) =>
        change.hunks.length === 0 ? (
          <p key={change.id} class="fact">
            <LineCounts {...change} /> The record does not say what was changed.
          </p>
        ) : (
          <ChangeView key={change.id} change={{ ...change, path }} project={project} />
        ),
      )}
    </article>
  );
}
