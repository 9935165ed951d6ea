import { type ReadonlySignal, signal } from '@preact/signals';
import type { SessionItem, SessionSummary } from '../../../src/server/rpc/api.ts';
import { CHUNK, SparseList } from '../lists/sparse-list.ts';
import { messageOf } from '../rpc/rpc-error.ts';
import { server } from '../rpc/server.ts';

/** The session on the right; without a summary it is being fetched, or there is an error. */
export interface OpenSession {
  readonly id: string;
  readonly project: string;
  readonly summary?: SessionSummary;
  readonly rows: SparseList<SessionItem>;
  readonly error?: string;
}

/** Rows beyond what is in view that are fetched with it. */
const AHEAD = 40;
const open = signal<OpenSession | undefined>(undefined);
const underWay = new Set<string>();
let visible = { first: 0, last: 0 };

export const openSession: ReadonlySignal<OpenSession | undefined> = open;

/** Shows a session, from a row on or around a record. What is known of it is not fetched again. */
export function showSession(id: string, project: string, around: string, firstRow: number): void {
  if (id === '') {
    open.value = undefined;
    return;
  }
  const isShown = open.value?.id === id && open.value.project === project && open.value.error === undefined;
  if (!isShown) {
    open.value = { id, project, rows: new SparseList() };
    visible = { first: firstRow, last: firstRow };
  }
  const isKnown = isShown && (around === '' || rowOf(around) >= 0);
  if (isKnown) return;
  const place = around === '' ? { offset: Math.max(firstRow - AHEAD, 0) } : { around };
  void fetchRows({ ...place, limit: CHUNK });
}

/** The row of a record in the shown session; -1 when it is not known. */
function rowOf(recordId: string): number {
  return open.value?.rows.rowOf((item) => idOf(item) === recordId) ?? -1;
}

/** Id of a message or an attempt. */
export function idOf(item: SessionItem): string {
  return item.type === 'message' ? item.message.id : item.attempt.id;
}

/** Fetches what rows need that are coming into view. */
export function contentInView(first: number, last: number): void {
  visible = { first, last };
  const gap = open.value?.rows.gap(first - AHEAD, last + AHEAD);
  if (gap !== undefined) void fetchRows(gap);
}

/** Fetches what is in view again when the shown session is among those that have grown; no ids: any may have. */
export function sessionsGrew(ids: readonly string[]): void {
  const shown = open.value;
  if (shown?.summary === undefined || (ids.length > 0 && !ids.includes(shown.id))) return;
  void fetchRows({ offset: Math.max(visible.first - AHEAD, 0), limit: CHUNK });
}

async function fetchRows(place: { offset?: number; around?: string; limit: number }): Promise<void> {
  const shown = open.value;
  if (shown === undefined) return;
  const { id, project } = shown;
  const name = JSON.stringify([id, project, place]);
  if (underWay.has(name)) return;
  underWay.add(name);
  const isShown = () => open.value?.id === id && open.value.project === project;
  try {
    const params = { id, ...(project === '' ? {} : { project }), ...place };
    const { summary, entries, offset, total } = await server.call('history.getSession', params);
    if (!isShown() || open.value === undefined) return;
    open.value = { id, project, summary, rows: open.value.rows.with(offset, entries, total) };
  } catch (error) {
    if (isShown() && open.value !== undefined) open.value = { ...open.value, error: messageOf(error) };
  } finally {
    underWay.delete(name);
  }
}
