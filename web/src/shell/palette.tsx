import { useComputed, useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import type { SessionSummary } from '../../../src/server/rpc/api.ts';
import { AgentIcon } from '../history/session-row.tsx';
import { EMPTY_BROWSER } from '../router/route.ts';
import { navigate } from '../router/router.ts';
import { server } from '../rpc/server.ts';
import { cleanText } from '../text/format.ts';
import { Time } from '../text/time-view.tsx';
import { ACTIONS, type AppAction, PAGE_ACTIONS } from './actions.ts';
import { Icon } from './icons.tsx';
import { Cover, overlay } from './overlays.tsx';
import { PAGES } from './pages.ts';
import { type PickGroup, type PickItem, PickList } from './pick-list.tsx';
import { currentProjectId, projectName, projects } from './project-store.ts';
import { chooseProject, matchingProjects, ProjectOption } from './switcher.tsx';
import { runSerially } from './timing.ts';

/** So many of a kind are offered; whoever wants more types more, or searches. */
const MAX_OFFERED = 6;

interface Found {
  readonly query: string;
  readonly sessions: readonly SessionSummary[];
  readonly files: readonly string[];
}

/** Jumps to a page, project, session or file, or runs an action. */
export function Palette(): VNode {
  const query = useSignal('');
  const found = useSignal<Found>({ query: '\0', sessions: [], files: [] });
  const ask = useComputed(() =>
    runSerially(() => {
      const wanted = query.peek().trim();
      if (wanted === found.peek().query) return undefined;
      return findOnServer(wanted).then((result) => {
        found.value = result;
      });
    }),
  );
  useEffect(() => ask.value(), []);
  const words = query.value;
  return (
    <Cover place="top">
      <section class="palette" role="dialog" aria-modal="true" aria-label="Jump to">
        <PickList
          label="Jump to"
          placeholder="Find a project, session, file, page or action…"
          query={words}
          none="Nothing found."
          isBusy={found.value.query !== words.trim()}
          groups={toGroups(words, found.value)}
          onQuery={(next) => {
            query.value = next;
            ask.value();
          }}
        />
        <footer class="pick-keys" aria-hidden="true">
          <span>
            <kbd>↑</kbd> <kbd>↓</kbd> move
          </span>
          <span>
            <kbd>Enter</kbd> open
          </span>
          <span>
            <kbd>Esc</kbd> close
          </span>
        </footer>
      </section>
    </Cover>
  );
}

/** Sessions and files that match; the latest sessions for an empty query. Never rejects. */
async function findOnServer(query: string): Promise<Found> {
  const project = currentProjectId.peek();
  const sessions = query === '' ? latestSessions() : sessionsByTitle(query);
  const files = query.length < 2 || project === '' ? [] : filesByName(project, query);
  const [foundSessions, foundFiles] = await Promise.all([sessions, files]);
  return { query, sessions: foundSessions, files: foundFiles };
}

async function sessionsByTitle(query: string): Promise<readonly SessionSummary[]> {
  const params = { query, limit: MAX_OFFERED };
  return server.call('history.findSessions', params).then(({ sessions }) => sessions, none);
}

async function latestSessions(): Promise<readonly SessionSummary[]> {
  return server.call('history.listSessions', { limit: MAX_OFFERED }).then(({ sessions }) => sessions, none);
}

/** Files that sessions have changed come first: they are known without a checkout, too. */
async function filesByName(project: string, text: string): Promise<readonly string[]> {
  const query = text.slice(0, 200);
  const [changed, present] = await Promise.all([
    server
      .call('changes.files', { project, query, limit: MAX_OFFERED })
      .then(({ files }) => files.map(({ path }) => path), none),
    server.call('files.list', { project, query }).then(({ files }) => files, none),
  ]);
  return [...new Set([...changed, ...present])].slice(0, MAX_OFFERED);
}

/** A newer call has replaced the call, or the server cannot be reached, which the page says already. */
function none(): readonly never[] {
  return [];
}

function toGroups(query: string, { sessions, files }: Found): readonly PickGroup[] {
  const isBlank = query.trim() === '';
  const pages = { title: 'Pages', items: actionItems(PAGE_ACTIONS, query) };
  const actions = { title: 'Actions', items: actionItems(ACTIONS, query) };
  const places = [
    {
      title: 'Projects',
      items: matchingProjects(projects.value ?? [], query)
        .slice(0, MAX_OFFERED)
        .map((project) => ({
          id: `project-${project.id}`,
          pick: () => chooseProject(project.id),
          content: <ProjectOption project={project} />,
        })),
    },
    { title: isBlank ? 'Latest sessions' : 'Sessions', items: sessions.map(sessionItem) },
    { title: 'Files', items: files.map(fileItem) },
  ];
  if (isBlank) return [...places, pages, actions];
  return [pages, actions, ...places, { title: 'Search', items: [searchItem(query.trim())] }];
}

function actionItems(actions: readonly AppAction[], query: string): readonly PickItem[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const matching = actions.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)));
  return matching.map(({ id, title, icon, keys, run }) => ({
    id,
    pick: () => closeAnd(run),
    content: (
      <>
        <Icon name={icon} />
        <span class="pick-main">{title}</span>
        <kbd>{keys}</kbd>
      </>
    ),
  }));
}

function sessionItem(session: SessionSummary): PickItem {
  const { sessionId, project, agent, lastActivity } = session;
  const title = cleanText(session.title) || '(no text)';
  const browser = { ...EMPTY_BROWSER, session: sessionId, sessionProject: project };
  return {
    id: `session-${project}-${sessionId}`,
    pick: () => closeAnd(() => navigate({ page: 'history', isBrowsing: false, project, browser })),
    content: (
      <>
        <AgentIcon agent={agent} />
        <span class="pick-text">
          <bdi class="pick-main" title={title}>
            {title}
          </bdi>
        </span>
        <span class="fact">{projectName(project)}</span>
        <Time at={lastActivity} />
      </>
    ),
  };
}

function fileItem(path: string): PickItem {
  const name = cleanText(path);
  return {
    id: `file-${path}`,
    pick: () => closeAnd(() => openFile(path)),
    content: (
      <>
        <Icon name="files" />
        <bdi class="pick-main pick-path" title={name}>
          {name}
        </bdi>
      </>
    ),
  };
}

/** Shows a file's page; without such a page, what was said about the file and done with it. */
function openFile(path: string): void {
  if (PAGES.some(({ id }) => id === 'files')) navigate({ page: 'files', isBrowsing: false, params: { path } });
  else navigate({ page: 'search', isBrowsing: false, params: { find: path } });
}

function searchItem(query: string): PickItem {
  return {
    id: 'search-for',
    pick: () => closeAnd(() => navigate({ page: 'search', isBrowsing: false, params: { find: query } })),
    content: (
      <>
        <Icon name="search" />
        <span class="pick-main">Search all sessions for “{query}”</span>
        <kbd>/</kbd>
      </>
    ),
  };
}

function closeAnd(run: () => void): void {
  overlay.value = 'none';
  run();
}
