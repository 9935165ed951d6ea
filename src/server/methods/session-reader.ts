import { resumeCommand } from '../../agents/registry.ts';
import {
  buildSessionRows,
  callsOf,
  changedFiles,
  type ReaderRow,
  recordIds,
  type SessionView,
} from '../../project/index.ts';
import { omitUndefined } from '../../record/index.ts';
import { markWords } from '../../text/line-diff.ts';
import { oneLine } from '../../text/one-line.ts';
import { projectById } from '../find-project.ts';
import type {
  Methods,
  ReaderMethods,
  SessionAnchor,
  SessionFindings,
  SessionOutline,
  SessionRowsPage,
  UsageSums,
} from '../rpc/api.ts';
import { byteSize, MAX_RESPONSE_BYTES } from '../rpc/json-rpc.ts';
import { indexStamp } from '../workers/log-cache.ts';
import type { WorkerContext } from '../workers/tasks.ts';
import { readSessionUsage } from './history.ts';
import type { MethodTable } from './method.ts';
import { count, optional, projectId, text, time } from './parameters.ts';

const MAX_OFFSET = 1_000_000_000;
const WAIT_MS = 200;
const MAX_ID_LENGTH = 300;
const MAX_QUERY_LENGTH = 500;
const DEFAULT_PAGE_SIZE = 200;
/** Characters of a prompt or failure in the outline. */
const MAX_ANCHOR_LENGTH = 200;
const MAX_MATCHES = 5000;

const ofSession = { id: text(MAX_ID_LENGTH), project: optional(projectId) } as const;

/** One session as it is read: its rows, its outline, and what is found in it. */
export const readerMethods: MethodTable<keyof ReaderMethods> = {
  'history.readSession': {
    parameters: {
      ...ofSession,
      offset: optional(count(0, MAX_OFFSET)),
      limit: optional(count(1, 500)),
      around: optional(text(MAX_ID_LENGTH)),
    },
    runsIn: 'index',
    indexWaitMs: WAIT_MS,
    run: (params, context) => readPage(openSession(params, context), params),
  },
  'history.outline': {
    parameters: ofSession,
    runsIn: 'index',
    indexWaitMs: WAIT_MS,
    run: (params, context) => {
      const session = openSession(params, context);
      const { project, sessionId } = session.view.summary;
      return outlineSession(session, readSessionUsage(context.home, projectById(context.home, project), sessionId));
    },
  },
  'history.findInSession': {
    parameters: { ...ofSession, query: text(MAX_QUERY_LENGTH) },
    runsIn: 'index',
    isReplaceable: true,
    run: (params, context) => findInRows(openSession(params, context).rows, params.query),
  },
};

/** A session with its rows. */
export interface ReadSession {
  readonly view: SessionView;
  readonly rows: readonly ReaderRow[];
}

/** Finds a session and builds its rows, unless it is the one that was read last. */
function openSession(
  params: { readonly id: string; readonly project?: string },
  { home, sessions, rows: cache, now }: WorkerContext,
): ReadSession {
  const { project, sessionId } =
    params.project === undefined
      ? home.findSession(params.id)
      : { project: projectById(home, params.project), sessionId: params.id };
  const key = `${project.info.projectHash} ${sessionId}`;
  const stamp = indexStamp(home, project.directory, now());
  const view = sessions.get(key, stamp, () => project.session(sessionId));
  return { view, rows: cache.get(key, stamp, () => buildSessionRows(view)) };
}

/** One page of the rows of a session. */
export function readPage(
  { view, rows }: ReadSession,
  { offset = 0, limit = DEFAULT_PAGE_SIZE, around }: Omit<Parameters<Methods['history.readSession']>[0], 'id'>,
): SessionRowsPage {
  const found = around === undefined ? undefined : findAround(view, rows, around);
  const start = found === undefined ? offset : Math.floor(found.row / limit) * limit;
  const page = takeWithinSize(rows.slice(start, start + limit));
  const isReached = found === undefined || found.row < start + page.length;
  return {
    summary: view.summary,
    rows: isReached ? page : takeWithinSize(rows.slice(found.row, found.row + limit)),
    offset: isReached ? start : found.row,
    total: rows.length,
    ...(found === undefined ? {} : { around: found.id }),
  };
}

/** The record of this id, or the first one from this time on (else the last), and its row. */
function findAround(
  { records }: SessionView,
  rows: readonly ReaderRow[],
  around: string,
): { readonly row: number; readonly id: string } | undefined {
  const isKnown = records.some(({ id }) => id === around);
  const since = !isKnown && time.isValid(around) ? Date.parse(around) : Number.NaN;
  const later = Number.isNaN(since)
    ? undefined
    : (records.find(({ timestamp }) => Date.parse(timestamp) >= since) ?? records.at(-1));
  const id = isKnown ? around : later?.id;
  const row = id === undefined ? -1 : rows.findIndex((each) => recordIds(each).includes(id));
  return id === undefined || row < 0 ? undefined : { row, id };
}

function takeWithinSize(rows: readonly ReaderRow[]): readonly ReaderRow[] {
  const page: ReaderRow[] = [];
  let bytes = 0;
  for (const each of rows) {
    const row = withWordMarks(each);
    bytes += byteSize(row);
    if (bytes > MAX_RESPONSE_BYTES && page.length > 0) break;
    page.push(row);
  }
  return page;
}

function withWordMarks(row: ReaderRow): ReaderRow {
  if (row.type !== 'call') return row;
  return { ...row, call: { ...row.call, changes: row.call.changes.map(markWords) } };
}

/** The outline of a session. */
export function outlineSession({ view, rows }: ReadSession, usage?: UsageSums): SessionOutline {
  const { summary, records } = view;
  const models = records.flatMap((record) => ('role' in record && record.model !== undefined ? [record.model] : []));
  return {
    summary,
    models: [...new Set(models)],
    ...omitUndefined({
      usage,
      resume: summary.foreign || summary.author !== undefined ? undefined : resumeCommand(summary),
    }),
    files: changedFiles(rows),
    prompts: rows.flatMap((row, index) =>
      row.type === 'prompt' ? [anchor(index, row.message, row.message.content)] : [],
    ),
    failures: rows.flatMap((row, index) =>
      callsOf(row)
        .filter(({ attempt }) => attempt.outcome === 'failure')
        .map(({ attempt, label, fix, workedAgain }) => ({
          ...anchor(index, attempt, label),
          isFixed: (fix ?? workedAgain) !== undefined,
        })),
    ),
  };
}

function anchor(
  row: number,
  record: { readonly id: string; readonly timestamp: string },
  label: string,
): SessionAnchor {
  const { id, timestamp: at } = record;
  return { row, id, at, text: oneLine(label.slice(0, 4 * MAX_ANCHOR_LENGTH), MAX_ANCHOR_LENGTH) };
}

/** The records that contain a text, whatever its case. */
export function findInRows(rows: readonly ReaderRow[], query: string): SessionFindings {
  const wanted = query.toLowerCase();
  if (wanted === '') return { matches: [], total: 0 };
  const matches: SessionFindings['matches'][number][] = [];
  const add = (row: number, id: string, ...texts: readonly (string | undefined)[]): void => {
    const found = texts.reduce((sum, each) => sum + (each?.toLowerCase().split(wanted).length ?? 1) - 1, 0);
    if (found > 0 && matches.length < MAX_MATCHES) matches.push({ row, id, count: found });
  };
  for (const [index, row] of rows.entries()) {
    if ('message' in row) add(index, row.message.id, row.message.content);
    for (const { attempt, label, changes } of callsOf(row)) {
      const lines = changes.flatMap(({ path, hunks }) => [
        path,
        ...hunks.flatMap((hunk) => hunk.lines.map((line) => line.text)),
      ]);
      add(index, attempt.id, label, attempt.error, attempt.result, ...lines.filter((line) => line !== label));
    }
  }
  return { matches, total: matches.reduce((sum, match) => sum + match.count, 0) };
}
