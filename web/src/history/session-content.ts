import { type ReadonlySignal, signal } from '@preact/signals';
import type { SessionItem, SessionSummary } from '../../../src/server/rpc/api.ts';
import { oneAtATime } from '../lists/one-at-a-time.ts';
import { CHUNK, type Gap, SparseList } from '../lists/sparse-list.ts';
import { messageOf } from '../rpc/rpc-error.ts';
import { server } from '../rpc/server.ts';

/** The session on the right; without a summary it is being fetched, or there is an error. */
export interface OpenSession {
  readonly id: string;
  readonly project: string;
  readonly summary?: SessionSummary;
  readonly rows: SparseList<SessionItem>;
  /** What was asked for as the place to show, and the record that was found there. */
  readonly match?: { readonly wanted: string; readonly id: string };
  readonly error?: string;
}

/** Rows beyond what is in view that are fetched before they are needed. */
const AHEAD = 60;
const open = signal<OpenSession | undefined>(undefined);
let visible = { first: 0, last: 0 };
let wantedMatch = '';
let hasGrown = false;
let fill = (): void => undefined;

export const openSession: ReadonlySignal<OpenSession | undefined> = open;

/**
 * Shows a session, from a row on or around a record: its id, or a time. What is known of it is not fetched again.
 */
export function showSession(id: string, project: string, around: string, firstRow: number): void {
  if (id === '') {
    open.value = undefined;
    return;
  }
  const isShown = open.value?.id === id && open.value.project === project && open.value.error === undefined;
  if (!isShown) {
    const session = { id, project, rows: new SparseList<SessionItem>() };
    open.value = session;
    visible = { first: firstRow, last: firstRow };
    hasGrown = false;
    fill = oneAtATime(() => nextStep(session));
  }
  wantedMatch = around;
  fill();
}

/** The row of the record that is to be shown; -1 when there is none, or it is not known yet. */
export function matchRow({ rows, match }: OpenSession, wanted: string): number {
  if (wanted === '') return -1;
  const id = match?.wanted === wanted ? match.id : wanted;
  return rows.rowOf((item) => idOf(item) === id);
}

/** Id of a message or an attempt. */
export function idOf(item: SessionItem): string {
  return item.type === 'message' ? item.message.id : item.attempt.id;
}

/** Fetches what rows need that are coming into view. */
export function contentInView(first: number, last: number): void {
  visible = { first, last };
  fill();
}

/** Fetches what is in view again when the shown session is among those that have grown; no ids: any may have. */
export function sessionsGrew(ids: readonly string[]): void {
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
    return fetchRows(shown, { offset: Math.max(visible.first - CHUNK / 4, 0), limit: CHUNK });
  if (hasGrown) {
    hasGrown = false;
    return fetchRows(shown, { offset: Math.max(visible.first - CHUNK / 4, 0), limit: CHUNK });
  }
  const gap = shown.rows.missing(visible.first, visible.last, AHEAD);
  return gap === undefined ? undefined : fetchRows(shown, gap);
}

function fetchMatch(shown: OpenSession, wanted: string): Promise<void> | undefined {
  const known = shown.rows.rowOf((item) => idOf(item) === wanted);
  if (known < 0) return fetchRows(shown, { around: wanted, limit: CHUNK });
  open.value = { ...shown, match: { wanted, id: wanted } };
  return Promise.resolve();
}

async function fetchRows(
  { id, project }: OpenSession,
  place: Gap | { readonly around: string; readonly limit: number },
): Promise<void> {
  const isShown = () => open.value?.id === id && open.value.project === project;
  try {
    const params = { id, ...(project === '' ? {} : { project }), ...place };
    const answer = await server.call('history.getSession', params);
    const shown = open.value;
    if (!isShown() || shown === undefined) return;
    const { summary, entries, offset } = answer;
    const total = entries.length === 0 ? Math.min(answer.total, offset) : answer.total;
    const match =
      'around' in place ? { wanted: place.around, id: answer.around ?? place.around } : shown.match;
    open.value = {
      id,
      project,
      summary,
      rows: shown.rows.with(offset, entries, total),
      ...(match === undefined ? {} : { match }),
    };
  } catch (error) {
    if (isShown() && open.value !== undefined) open.value = { ...open.value, error: messageOf(error) };
  }
}
