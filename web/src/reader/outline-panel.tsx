import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { SessionOutline } from '../../../src/server/rpc/api.ts';
import { VirtualList } from '../lists/virtual-list.tsx';
import { cleanText, formatQuantity } from '../text/format.ts';
import { LineCounts } from './diff-view.tsx';
import { fileHref } from './links.ts';
import { jumpTo } from './reader-store.ts';

interface OutlineProps {
  readonly outline: SessionOutline;
  readonly project: string;
  /** The first visible row. */
  readonly row: number;
}

type Prompt = SessionOutline['prompts'][number];
type OutlineEntry =
  | { readonly type: 'heading'; readonly text: string; readonly keys: readonly string[] }
  | { readonly type: 'prompt'; readonly prompt: Prompt; readonly failures: number }
  | { readonly type: 'file'; readonly file: SessionOutline['files'][number] };

const ENTRY_HEIGHT = 26;

/** The prompts of a session and the files it changed, to jump to. It follows the session as that is scrolled. */
export function OutlinePanel({ outline, project, row }: OutlineProps): VNode {
  const { sessionId } = outline.summary;
  const entries = useMemo(() => toEntries(outline), [outline]);
  const current = entries.findLastIndex((entry) => entry.type === 'prompt' && entry.prompt.row <= row);
  const target = useMemo(() => ({ row: current, align: 'auto' as const, request: current }), [current]);
  return (
    <nav class="outline" aria-label="Outline of the session">
      <VirtualList
        label="Prompts and changed files"
        count={entries.length}
        estimate={ENTRY_HEIGHT}
        positionId={`outline ${project} ${sessionId}`}
        target={target}
        keyOf={(index) => index}
        row={(index) => <Entry entry={entries[index]} project={project} isCurrent={index === current} />}
      />
    </nav>
  );
}

function toEntries({ prompts, failures, files }: SessionOutline): readonly OutlineEntry[] {
  let next = 0;
  const withFailures = prompts.map((prompt, index): OutlineEntry => {
    const end = prompts[index + 1]?.row ?? Number.POSITIVE_INFINITY;
    while ((failures[next]?.row ?? end) < prompt.row) next += 1;
    const first = next;
    while ((failures[next]?.row ?? end) < end) next += 1;
    return { type: 'prompt', prompt, failures: next - first };
  });
  const changed = files.map((file): OutlineEntry => ({ type: 'file', file }));
  return [
    { type: 'heading', text: 'Prompts', keys: ['n', 'p'] },
    ...withFailures,
    ...(changed.length === 0
      ? []
      : [{ type: 'heading' as const, text: `${formatQuantity(changed.length, 'file')} changed`, keys: [] }]),
    ...changed,
  ];
}

interface EntryProps {
  readonly entry: OutlineEntry | undefined;
  readonly project: string;
  readonly isCurrent: boolean;
}

function Entry({ entry, project, isCurrent }: EntryProps): VNode | null {
  if (entry === undefined) return null;
  if (entry.type === 'heading')
    return (
      <h3>
        {entry.text}{' '}
        {entry.keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </h3>
    );
  if (entry.type === 'file') {
    const { path } = entry.file;
    return (
      <a class="outline-entry" href={fileHref(project, path)} title={cleanText(path)}>
        <span class="file-name cut-at-start">
          <bdi dir="ltr">{fileName(path)}</bdi>
        </span>
        <LineCounts {...entry.file} />
      </a>
    );
  }
  const { prompt, failures } = entry;
  return (
    <button
      type="button"
      class="outline-entry"
      aria-current={isCurrent ? 'true' : undefined}
      title={cleanText(prompt.text)}
      onClick={() => jumpTo(prompt.id, prompt.row)}
    >
      <bdi>{cleanText(prompt.text) || 'Image'}</bdi>
      {failures === 0 ? null : (
        <span class="failure" title={formatQuantity(failures, 'failure')}>
          ✗<span class="hidden">Failures: </span> {failures}
        </span>
      )}
    </button>
  );
}

/** The name of a file and the folder it is in; the tooltip has the whole path. */
function fileName(path: string): string {
  return cleanText(path).split('/').slice(-2).join('/');
}
