import { type ReadonlySignal, signal } from '@preact/signals';
import type { SearchFilters, SessionSummary } from '../../../src/server/rpc/api.ts';
import { CHUNK, SparseList } from '../lists/sparse-list.ts';
import { messageOf } from '../rpc/rpc-error.ts';
import { server } from '../rpc/server.ts';

/** How long a list is good enough to be shown again. */
const FRESH_MS = 10_000;
/** Rows beyond what is in view that are fetched with it. */
const AHEAD = 50;

/** The sessions that fit some filters, fetched as they come into view. */
export interface SessionList {
  readonly key: string;
  readonly rows: SparseList<SessionSummary>;
  readonly isLoaded: boolean;
  readonly error?: string;
}

const NOTHING: SessionList = { key: '', rows: new SparseList(), isLoaded: false };
const list = signal<SessionList>(NOTHING);
const underWay = new Set<string>();
let filters: SearchFilters = {};
let fetchedAt = 0;
let visible = { first: 0, last: 0 };

export const sessionList: ReadonlySignal<SessionList> = list;

/** Shows the sessions that fit. What was fetched within the last seconds is not fetched again. */
export function showSessions(wanted: SearchFilters, firstRow: number, now: number): void {
  const key = JSON.stringify(wanted);
  if (key === list.value.key && now - fetchedAt < FRESH_MS) return;
  filters = wanted;
  fetchedAt = now;
  if (key !== list.value.key) {
    list.value = { ...NOTHING, key };
    visible = { first: firstRow, last: firstRow };
  }
  refresh();
}

/** Fetches what is in view again, for instance because sessions have grown. */
export function refresh(): void {
  void fetchRows(Math.max(visible.first - AHEAD, 0), CHUNK);
}

/** Fetches what rows need that are coming into view. */
export function sessionsInView(first: number, last: number): void {
  visible = { first, last };
  const gap = list.value.rows.gap(first - AHEAD, last + AHEAD);
  if (gap !== undefined) void fetchRows(gap.offset, gap.limit);
}

async function fetchRows(offset: number, limit: number): Promise<void> {
  const { key } = list.value;
  const name = `${key} ${offset}`;
  if (underWay.has(name)) return;
  underWay.add(name);
  try {
    const { sessions, total } = await server.call('history.listSessions', { ...filters, limit, offset });
    if (list.value.key !== key) return;
    list.value = { key, rows: list.value.rows.with(offset, sessions, total), isLoaded: true };
  } catch (error) {
    if (list.value.key === key) list.value = { ...list.value, isLoaded: true, error: messageOf(error) };
  } finally {
    underWay.delete(name);
  }
}
