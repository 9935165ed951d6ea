import { type ReadonlySignal, signal } from '@preact/signals';
import type { ReaderRow, SessionSummary } from '../../../src/server/rpc/api.ts';
import { PAGE_SIZE, type RowGap, SparseList } from '../lists/sparse-list.ts';
import { errorMessage } from '../rpc/rpc-client.ts';
import { server } from '../rpc/server.ts';
import { runSerially } from '../shell/timing.ts';

/** The session in the right panel. Without a summary it is loading, or there is an error. */
export interface OpenSession {
  readonly id: string;
  readonly project: string;
  readonly summary?: SessionSummary;
  readonly rows: SparseList<ReaderRow>;
  /** The record or time to scroll to, and the id of the record that was found. */
  readonly match?: { readonly wanted: string; readonly id: string };
  readonly error?: string;
}

/** Rows beyond the visible ones that are fetched ahead. */
const AHEAD = 60;
const open = signal<OpenSession | undefined>(undefined);
let visible = { first: 0, last: 0 };
let wantedMatch = '';
let hasGrown = false;
let fill = (): void => undefined;

export const openSession: ReadonlySignal<OpenSession | undefined> = open;

/** Shows a session from a row on, or around a record (its id) or a time. Loaded rows are not fetched again. */
export function showSession(id: string, project: string, around: string, firstRow: number): void {
  if (id === '') {
    open.value = undefined;
    return;
  }
  const isShown = open.value?.id === id && open.value.project === project && open.value.error === undefined;
  if (!isShown) {
    const session = { id, project, rows: new SparseList<ReaderRow>() };
    open.value = session;
    visible = { first: firstRow, last: firstRow };
    hasGrown = false;
    fill = runSerially(() => nextStep(session));
  }
  wantedMatch = around;
  fill();
}

/** The row of the record to scroll to; -1 when there is none, or when it is not loaded yet. */
export function matchRow({ rows, match }: OpenSession, wanted: string): number {
  if (wanted === '') return -1;
  const id = match?.wanted === wanted ? match.id : wanted;
  return rows.rowOf((row) => hasRecord(row, id));
}

/** Whether a row shows the record of this id. */
function hasRecord(row: ReaderRow, id: string): boolean {
  if (row.type === 'lookups') return row.calls.some(({ attempt }) => attempt.id === id);
  return (row.type === 'call' ? row.call.attempt.id : row.message.id) === id;
}

/** The rows that are visible. */
export function visibleRows(): { readonly first: number; readonly last: number } {
  return visible;
}

/** Loads the rows that become visible. */
export function showRows(first: number, last: number): void {
  visible = { first, last };
  fill();
}

/** Fetches the visible rows again if the session has grown. Without ids, any session may have. */
export function refreshGrown(ids: readonly string[]): void {
  const shown = open.value;
  if (shown?.summary === undefined || (ids.length > 0 && !ids.includes(shown.id))) return;
  hasGrown = true;
  fill();
}

function nextStep({ id, project }: OpenSession): Promise<void> | undefined {
  const shown = open.value;
  if (shown === undefined || shown.id !== id || shown.project !== project || shown.error !== undefined)
    return undefined;
  if (wantedMatch !== '' && shown.match?.wanted !== wantedMatch) return fetchMatch(shown, wantedMatch);
  if (shown.summary === undefined)
    return fetchRows(shown, { offset: Math.max(visible.first - PAGE_SIZE / 4, 0), limit: PAGE_SIZE });
  if (hasGrown) {
    hasGrown = false;
    return fetchRows(shown, { offset: Math.max(visible.first - PAGE_SIZE / 4, 0), limit: PAGE_SIZE });
  }
  const gap = shown.rows.missing(visible.first, visible.last, AHEAD);
  return gap === undefined ? undefined : fetchRows(shown, gap);
}

function fetchMatch(shown: OpenSession, wanted: string): Promise<void> | undefined {
  const known = shown.rows.rowOf((row) => hasRecord(row, wanted));
  if (known < 0) return fetchRows(shown, { around: wanted, limit: PAGE_SIZE });
  open.value = { ...shown, match: { wanted, id: wanted } };
  return Promise.resolve();
}

async function fetchRows(
  { id, project }: OpenSession,
  position: RowGap | { readonly around: string; readonly limit: number },
): Promise<void> {
  const isShown = () => open.value?.id === id && open.value.project === project;
  try {
    const params = { id, ...(project === '' ? {} : { project }), ...position };
    const page = await server.call('history.readSession', params);
    const shown = open.value;
    if (!isShown() || shown === undefined) return;
    const { summary, rows, offset } = page;
    const total = rows.length === 0 ? Math.min(page.total, offset) : page.total;
    const match = 'around' in position ? { wanted: position.around, id: page.around ?? position.around } : shown.match;
    open.value = {
      id,
      project,
      summary,
      rows: shown.rows.with(offset, rows, total),
      ...(match === undefined ? {} : { match }),
    };
  } catch (error) {
    if (isShown() && open.value !== undefined) open.value = { ...open.value, error: errorMessage(error) };
  }
}
