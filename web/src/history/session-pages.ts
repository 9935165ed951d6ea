import { type ReadonlySignal, signal } from '@preact/signals';
import type { SessionFilters, SessionSummary } from '../../../src/server/rpc/api.ts';
import { oneAtATime } from '../lists/one-at-a-time.ts';
import { CHUNK, SparseList } from '../lists/sparse-list.ts';
import { messageOf } from '../rpc/rpc-error.ts';
import { server } from '../rpc/server.ts';
import { rowsMoved } from './rows-moved.ts';

/** How long a list is good enough to be shown again. */
const FRESH_MS = 10_000;
/** Rows beyond what is in view that are fetched before they are needed. */
const AHEAD = 150;

/** The sessions that fit some filters, fetched as they come into view. */
export interface SessionList {
  readonly key: string;
  readonly rows: SparseList<SessionSummary>;
  /** How many rows have come in above those in view. */
  readonly shift: number;
  readonly isLoaded: boolean;
  /** False: there are more that the server has not read yet. */
  readonly isComplete: boolean;
  readonly error?: string;
}

interface Place {
  readonly offset: number;
  readonly limit: number;
}

const NOTHING: SessionList = { key: '', rows: new SparseList(), shift: 0, isLoaded: false, isComplete: true };
const list = signal<SessionList>(NOTHING);
let filters: SessionFilters = {};
let fetchedAt = 0;
let visible = { first: 0, last: 0 };
let isStale = false;
let fill = (): void => undefined;

export const sessionList: ReadonlySignal<SessionList> = list;

/** Shows the sessions that fit; those that are shown already stay as they are. */
export function showSessions(wanted: SessionFilters, firstRow: number, now: number): void {
  const key = JSON.stringify(wanted);
  if (key === list.value.key) return;
  filters = wanted;
  fetchedAt = now;
  list.value = { ...NOTHING, key };
  visible = { first: firstRow, last: firstRow };
  fill = oneAtATime(() => nextStep(key));
  refresh();
}

/** Fetches a list that is shown again, unless that was done within the last seconds. */
export function freshen(now: number): void {
  if (now - fetchedAt < FRESH_MS) return;
  fetchedAt = now;
  refresh();
}

/** Fetches what is in view again, because sessions may have come or grown. */
export function refresh(): void {
  isStale = true;
  fill();
}

/** The next time the list is shown it is fetched, however young it is. */
export function forgetFreshness(): void {
  fetchedAt = 0;
}

/** Fetches what rows need that are coming into view. */
export function sessionsInView(first: number, last: number): void {
  visible = { first, last };
  fill();
}

function nextStep(key: string): Promise<void> | undefined {
  if (list.value.key !== key) return undefined;
  if (isStale) {
    isStale = false;
    return fetchRows({ offset: Math.max(visible.first - CHUNK / 4, 0), limit: CHUNK }, true);
  }
  if (list.value.error !== undefined) return undefined;
  const place = list.value.rows.missing(visible.first, visible.last, AHEAD);
  return place === undefined ? undefined : fetchRows(place, false);
}

/** A list that is fetched anew keeps nothing of what it was: all its rows may have moved. */
async function fetchRows({ offset, limit }: Place, isAnew: boolean): Promise<void> {
  const { key } = list.value;
  try {
    const answer = await server.call('history.listSessions', { ...filters, limit, offset });
    if (list.value.key !== key) return;
    const { sessions } = answer;
    const total = sessions.length === 0 ? Math.min(answer.total, offset) : answer.total;
    const { rows, shift } = list.value;
    const next = (isAnew ? new SparseList<SessionSummary>() : rows).with(offset, sessions, total);
    const moved = isAnew ? rowsMoved(rows, next, visible) : 0;
    visible = { first: visible.first + moved, last: visible.last + moved };
    list.value = { key, rows: next, shift: shift + moved, isLoaded: true, isComplete: answer.complete };
  } catch (error) {
    if (list.value.key === key) list.value = { ...list.value, isLoaded: true, error: messageOf(error) };
  }
}
