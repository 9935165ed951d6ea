import { type ReadonlySignal, signal } from '@preact/signals';
import type { SessionFilters, SessionSummary } from '../../../src/server/rpc/api.ts';
import { countMovedRows, PAGE_SIZE, SparseList } from '../lists/sparse-list.ts';
import { errorMessage } from '../rpc/rpc-client.ts';
import { server } from '../rpc/server.ts';
import { runSerially } from '../shell/timing.ts';

/** A list that was fetched this recently is shown again without fetching it. */
const FRESH_MS = 10_000;
/** Rows beyond the visible ones that are fetched ahead. */
const AHEAD = 150;

/** The sessions that match the filters, loaded as they become visible. */
export interface SessionList {
  readonly key: string;
  readonly rows: SparseList<SessionSummary>;
  /** How many rows were inserted above the visible ones. */
  readonly shift: number;
  readonly isLoaded: boolean;
  /** False while the server is indexing. */
  readonly isComplete: boolean;
  readonly error?: string;
}

interface Place {
  readonly offset: number;
  readonly limit: number;
}

const EMPTY: SessionList = { key: '', rows: new SparseList(), shift: 0, isLoaded: false, isComplete: true };
const list = signal<SessionList>(EMPTY);
let filters: SessionFilters = {};
let fetchedAt = 0;
let visible = { first: 0, last: 0 };
let isStale = false;
let fill = (): void => undefined;

export const sessionList: ReadonlySignal<SessionList> = list;

/** Shows the sessions that match; does nothing when the filters are the same. */
export function showSessions(wanted: SessionFilters, firstRow: number, now: number): void {
  const key = JSON.stringify(wanted);
  if (key === list.value.key) return;
  filters = wanted;
  fetchedAt = now;
  list.value = { ...EMPTY, key };
  visible = { first: firstRow, last: firstRow };
  fill = runSerially(() => nextStep(key));
  refresh();
}

/** Fetches the list again, unless that was done within the last seconds. */
export function refreshIfOld(now: number): void {
  if (now - fetchedAt < FRESH_MS) return;
  fetchedAt = now;
  refresh();
}

/** Fetches the visible rows again. */
export function refresh(): void {
  isStale = true;
  fill();
}

/** Makes {@link refreshIfOld} fetch the list in any case. */
export function markStale(): void {
  fetchedAt = 0;
}

/** Loads the rows that become visible. */
export function showListRows(first: number, last: number): void {
  visible = { first, last };
  fill();
}

function nextStep(key: string): Promise<void> | undefined {
  if (list.value.key !== key) return undefined;
  if (isStale) {
    isStale = false;
    return fetchRows({ offset: Math.max(visible.first - PAGE_SIZE / 4, 0), limit: PAGE_SIZE }, true);
  }
  if (list.value.error !== undefined) return undefined;
  const gap = list.value.rows.missing(visible.first, visible.last, AHEAD);
  return gap === undefined ? undefined : fetchRows(gap, false);
}

/** With `isReset` all loaded rows are dropped, because they may have moved. */
async function fetchRows({ offset, limit }: Place, isReset: boolean): Promise<void> {
  const { key } = list.value;
  try {
    const page = await server.call('history.listSessions', { ...filters, limit, offset });
    if (list.value.key !== key) return;
    const { sessions } = page;
    const total = sessions.length === 0 ? Math.min(page.total, offset) : page.total;
    const { rows, shift } = list.value;
    const next = (isReset ? new SparseList<SessionSummary>() : rows).with(offset, sessions, total);
    const moved = isReset ? countMovedRows(rows, next, visible) : 0;
    visible = { first: visible.first + moved, last: visible.last + moved };
    list.value = { key, rows: next, shift: shift + moved, isLoaded: true, isComplete: page.complete };
  } catch (error) {
    if (list.value.key === key) list.value = { ...list.value, isLoaded: true, error: errorMessage(error) };
  }
}
