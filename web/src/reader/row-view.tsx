import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ReaderRow } from '../../../src/server/rpc/api.ts';
import { MessageView, NoticeView } from '../history/message-view.tsx';
import { formatDuration, fullTime } from '../text/format.ts';
import { CallView, LookupsView } from './call-view.tsx';
import { endFocus, wantedFocus } from './reader-store.ts';

/** Longer breaks between two rows are shown. */
const MAX_BREAK_MS = 10 * 60_000;

interface RowProps {
  readonly row: ReaderRow;
  /** The row before it, if it is loaded. */
  readonly previous: ReaderRow | undefined;
  readonly project: string;
  /** The record to mark, or empty. */
  readonly match: string;
}

/** One row of a session, with its time, and what separates it from the row before. */
export function RowView({ row, previous, project, match }: RowProps): VNode {
  const element = useRef<HTMLDivElement>(null);
  const at = startOf(row);
  useLayoutEffect(() => {
    const wanted = wantedFocus.peek();
    if (wanted === '' || wanted !== match) return;
    const found = element.current?.querySelector<HTMLElement>(`[data-message="${CSS.escape(wanted)}"]`);
    if (found === undefined || found === null) return;
    endFocus();
    (found.querySelector<HTMLElement>(':scope > .attempt-line') ?? found).focus({ preventScroll: true });
  });
  return (
    <div class={`row-of-session is-${row.type}`} ref={element}>
      <Separator at={at} before={previous === undefined ? undefined : endOf(previous)} />
      <div class="row-line">
        <time class="clock" dateTime={at} title={fullTime(at)}>
          {clockTime(at)}
        </time>
        <Content row={row} project={project} match={match} />
      </div>
    </div>
  );
}

function Content({ row, project, match }: Omit<RowProps, 'previous'>): VNode {
  if (row.type === 'lookups') return <LookupsView row={row} project={project} match={match} />;
  if (row.type === 'call') {
    return <CallView call={row.call} project={project} isMatch={row.call.attempt.id === match} />;
  }
  const { message } = row;
  const isMatch = message.id === match;
  if (row.type === 'notice') return <NoticeView message={message} isMatch={isMatch} />;
  return <MessageView message={message} project={project} isMatch={isMatch} />;
}

/** The day when it has changed, and how long nothing happened when that was long. */
function Separator({ at, before }: { readonly at: string; readonly before: string | undefined }): VNode | null {
  const day = formatDay(at);
  if (before === undefined) return null;
  const ms = Date.parse(at) - Date.parse(before);
  const isOtherDay = formatDay(before) !== day;
  if (!isOtherDay && !(ms > MAX_BREAK_MS)) return null;
  return (
    <p class="separator">
      {ms > MAX_BREAK_MS ? <span>{formatDuration(ms)} later</span> : null}
      {isOtherDay ? <strong>{day}</strong> : null}
    </p>
  );
}

function startOf(row: ReaderRow): string {
  if ('message' in row) return row.message.timestamp;
  return (row.type === 'call' ? row.call : row.calls[0])?.attempt.timestamp ?? '';
}

function endOf(row: ReaderRow): string {
  if ('message' in row) return row.message.timestamp;
  return (row.type === 'call' ? row.call : row.calls.at(-1))?.attempt.timestamp ?? '';
}

/** `14:05` in the user's time zone. */
function clockTime(timestamp: string): string {
  const date = new Date(timestamp);
  if (Number.isNaN(date.getTime())) return '';
  return `${String(date.getHours()).padStart(2, '0')}:${String(date.getMinutes()).padStart(2, '0')}`;
}

/** `Tuesday, November 3, 2026`, in the words of the app. */
function formatDay(timestamp: string): string {
  const date = new Date(timestamp);
  if (Number.isNaN(date.getTime())) return '';
  return date.toLocaleDateString('en', { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' });
}
