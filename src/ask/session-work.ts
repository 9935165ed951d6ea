import type { Action } from '../facts/call/action.ts';
import { findRecapQuestion } from '../facts/recap-question.ts';
import { omitUndefined } from '../record/object.ts';
import { getOrAdd } from '../record/once.ts';
import { CHAT_AGENT } from '../record/record.ts';
import type { SqlValue } from '../sqlite/database.ts';
import type { ProjectRows } from '../store/project-rows.ts';
import { IS_ANSWERED, IS_OWN_WORK } from '../store/session-rows.ts';
import { compareText } from '../text/compare-text.ts';
import { type CallRow, groupFailures, readCalls, selectFailures, type WorkFailure } from './session-failures.ts';

/** What was done in a session: what was asked for, how it was done, what failed. Bounded in size. */
export interface SessionWork {
  readonly sessionId: string;
  /** As in lists of sessions. */
  readonly title?: string;
  readonly agent?: string;
  /** The last branch. */
  readonly branch?: string;
  /** Times of the first and the last record; ISO 8601, UTC. */
  readonly startedAt: string;
  readonly endedAt: string;
  /** In order of time; of many, the first and the latest. */
  readonly requests: readonly WorkRequest[];
  /** The most informative failures, in order of time. */
  readonly failures: readonly WorkFailure[];
  /** Commands that worked, the latest last. */
  readonly commands: readonly WorkStep[];
  /** Files changed, relative to the project, the latest first. */
  readonly files: readonly string[];
  readonly commits: readonly WorkCommit[];
  /** Tool calls that worked and that failed. */
  readonly counts: { readonly successes: number; readonly failures: number };
}

/** A request and the steps that served it. */
export interface WorkRequest {
  readonly at: string;
  /** On one line, at most 300 characters. Empty for work without a recorded request. */
  readonly text: string;
  /** The decisive steps that served it, in order of time. */
  readonly steps: readonly WorkStep[];
  /** The user's feedback. */
  readonly outcome?: 'worked' | 'failed';
  /** The decisive line of a commit message or else of the assistant's reply. */
  readonly decision?: string;
}

/** A step that worked. */
export interface WorkStep {
  /** When it last happened. */
  readonly at: string;
  readonly kind: Action;
  /** Command, path, or the message of a commit; on one line. */
  readonly text: string;
  readonly count: number;
}

/** A commit made in the session. */
export interface WorkCommit {
  readonly at: string;
  /** The first line of its message, or else the command that made it. */
  readonly message: string;
  /** Or its beginning, where git printed that and its repository could not be asked. */
  readonly hash?: string;
  readonly branch?: string;
}

interface SessionRow {
  readonly id: number;
  readonly name: string;
  readonly title: string | null;
  readonly agent: string | null;
  readonly branch: string | null;
  readonly timestamp: string | null;
  readonly lastActivity: string | null;
  readonly failures: number;
  readonly successes: number;
}

const SELECT = `SELECT session.id, session.name, title, coalesce(firstAgent, lastAgent) AS agent,
  coalesce(lastBranch, firstBranch) AS branch, timestamp, lastActivity, failures, successes FROM session`;

/** The work of one session; undefined if it is unknown or only asks for something. */
export function readSessionWork(rows: ProjectRows, sessionId: string): SessionWork | undefined {
  const sql = `${SELECT} WHERE session.project = ? AND session.name = ? AND ${IS_ANSWERED}`;
  const session = rows.connection.get<SessionRow>(sql, rows.project, sessionId);
  return session && readWork(rows, session);
}

/** The work of some sessions, by the rows of the sessions. */
export function readWorkOf(rows: ProjectRows, sessions: readonly number[]): readonly SessionWork[] {
  return sessions.flatMap((id) => {
    const session = rows.connection.get<SessionRow>(`${SELECT} WHERE session.id = ?`, id);
    return session === undefined ? [] : [readWork(rows, session)];
  });
}

/** A session that ends later than this after the present was recorded with a wrong clock. */
export const CLOCK_TOLERANCE_MS: number = 24 * 60 * 60 * 1000;

/** Which of the user's sessions of work. */
export interface WorkFilter {
  /** Only those that the user started: sub-agents are parts of them. */
  readonly isStarted?: boolean;
  /** Epoch milliseconds: that were active then or later, and that had started before. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** Id of a session that is left out. */
  readonly except?: string | undefined;
}

/** The conditions of a filter on a row of `session`, and their values. */
function toCondition(
  { project }: ProjectRows,
  filter: WorkFilter,
): { readonly where: string; readonly values: SqlValue[] } {
  const { isStarted = false, since, until, except } = filter;
  return {
    where: `session.project = ? AND ${IS_OWN_WORK} ${isStarted ? 'AND startedBy IS NULL' : ''}
      AND lastTime >= ? AND coalesce(firstTime, lastTime) < ? AND session.name <> ?`,
    values: [project, since ?? Number.MIN_SAFE_INTEGER, until ?? Number.MAX_SAFE_INTEGER, except ?? ''],
  };
}

/** Which sessions of work, and how many. */
export interface LatestWork extends WorkFilter {
  readonly count: number;
}

/** The user's latest sessions of work before `now`, the latest first. */
export function readLatestWork(
  rows: ProjectRows,
  { count, now, ...filter }: LatestWork & { readonly now: number },
): readonly SessionWork[] {
  const { where, values } = toCondition(rows, filter);
  const sessions = rows.connection.all<SessionRow>(
    `${SELECT} WHERE ${where} ORDER BY lastTime > ?, lastTime DESC, session.name LIMIT ?`,
    ...values,
    now + CLOCK_TOLERANCE_MS,
    count,
  );
  return sessions.map((session) => readWork(rows, session));
}

/** When the user's sessions of work were last active, in milliseconds. */
export function lastWorkTime(rows: ProjectRows): number | undefined {
  const { where, values } = toCondition(rows, {});
  const sql = `SELECT max(lastTime) AS last FROM session WHERE ${where}`;
  return rows.connection.get<{ readonly last: number | null }>(sql, ...values)?.last ?? undefined;
}

/** Counts the user's sessions of work. */
export function countWork(rows: ProjectRows, filter: WorkFilter = {}): number {
  const { where, values } = toCondition(rows, filter);
  const sql = `SELECT count(*) AS count FROM session WHERE ${where}`;
  return rows.connection.get<{ readonly count: number }>(sql, ...values)?.count ?? 0;
}

function readWork(rows: ProjectRows, session: SessionRow): SessionWork {
  const { name, title, agent, branch, timestamp, lastActivity, failures, successes } = session;
  const calls = readCalls(rows, session.id);
  const failed = groupFailures(rows, calls);
  const fixes = new Set(failed.flatMap(({ fix, open, what }) => (open ? [] : [fix ?? what])));
  const steps = calls.flatMap((call) => (call.step === null ? [] : [toUse(call, call.step)]));
  return {
    sessionId: name,
    ...omitUndefined({ title: title ?? undefined, agent: agent ?? undefined, branch: branch ?? undefined }),
    startedAt: timestamp ?? lastActivity ?? '',
    endedAt: lastActivity ?? '',
    requests: findRequests(rows, session, calls, steps, fixes),
    failures: selectFailures(failed),
    commands: findCommands(steps, fixes),
    files: findFiles(rows, session.id, steps),
    commits: readCommits(rows, session.id),
    counts: { successes, failures },
  };
}

/** The same step taken once or several times for a request. */
interface StepUse {
  readonly kind: Action;
  readonly text: string;
  readonly request: string | null;
  readonly first: number;
  last: number;
  count: number;
}

function toUse({ at, stepKind, request }: CallRow, text: string): StepUse {
  return { kind: stepKind ?? 'run', text, request, first: at, last: at, count: 1 };
}

/** Adds up the same steps. An edit of a file that was created belongs to its creation. */
function mergeUses(steps: readonly StepUse[]): readonly StepUse[] {
  const merged = new Map<string, StepUse>();
  for (const step of steps) {
    const created = step.kind === 'edit' ? merged.get(`create ${step.text}`) : undefined;
    const known = created ?? getOrAdd(merged, `${step.kind} ${step.text}`, () => ({ ...step, count: 0 }));
    known.count++;
    if (step.last > known.last) known.last = step.last;
  }
  return [...merged.values()];
}

function toStep({ kind, text, last, count }: StepUse): WorkStep {
  return { at: toIso(last), kind, text, count };
}

interface RequestRow {
  readonly key: string;
  readonly at: number;
  readonly text: string;
  readonly isMessage: number;
  readonly isFollowUp: number;
}

/** The first requests tell the purpose of a session, the latest its state. */
const FIRST_KEPT = 10;
const LAST_KEPT = 30;

function findRequests(
  rows: ProjectRows,
  session: SessionRow,
  calls: readonly CallRow[],
  steps: readonly StepUse[],
  fixes: ReadonlySet<string>,
): readonly WorkRequest[] {
  const requests = readRequests(rows, session, calls);
  const byRequest = new Map<string, StepUse[]>(requests.map(({ key }) => [key, []]));
  const unexplained: StepUse[] = [];
  for (const step of steps) {
    const last = findRequestAt(requests, step.first);
    const key = last?.text === '' ? last.key : step.request;
    (byRequest.get(key ?? '') ?? byRequest.get(last?.key ?? '') ?? unexplained).push(step);
  }
  if (requests.length === 0) {
    const work = selectSteps(unexplained, fixes);
    const [first] = work;
    return first === undefined ? [] : [{ at: first.at, text: '', steps: work }];
  }
  const replies = rows.connection.all<{ readonly at: number; readonly text: string }>(
    'SELECT at, text FROM reply WHERE session = ? ORDER BY at, document DESC',
    session.id,
  );
  const feedback = readFeedback(rows, session.id);
  const found = requests.map((request, index): WorkRequest => {
    const { at, key, text } = request;
    const uses = byRequest.get(key) ?? [];
    const until = requests[index + 1]?.at ?? Number.POSITIVE_INFINITY;
    const reply = replies.findLast((each) => each.at >= at && each.at < until)?.text;
    return omitUndefined({
      at: toIso(at),
      text,
      steps: selectSteps(uses, fixes),
      outcome: feedback.get(key),
      decision: uses.findLast(({ kind }) => kind === 'commit')?.text ?? reply,
    });
  });
  const shown = found.filter(({ text, steps }) => text !== '' || steps.length > 0);
  if (shown.length <= FIRST_KEPT + LAST_KEPT) return shown;
  return [...shown.slice(0, FIRST_KEPT), ...shown.slice(-LAST_KEPT)];
}

/**
 * The requests of a session. One that only continues another is left out, what asks about earlier work, and in yore's own
 * chat what no command served.
 * A question without a subject ends a request: what follows serves none that is known.
 */
function readRequests(
  { connection }: ProjectRows,
  session: SessionRow,
  calls: readonly CallRow[],
): readonly RequestRow[] {
  const all = connection.all<RequestRow>(
    'SELECT key, at, text, isMessage, isFollowUp FROM request WHERE session = ? ORDER BY at, key',
    session.id,
  );
  const served = new Set(calls.map(({ request }) => request));
  const asked = all.filter(
    ({ key, text }) => (session.agent !== CHAT_AGENT || served.has(key)) && findRecapQuestion(text) === undefined,
  );
  if (asked.every(({ isFollowUp }) => isFollowUp === 1)) return asked.slice(0, 1);
  return asked.flatMap((each) => {
    if (each.isFollowUp === 0) return [each];
    return each.isMessage === 1 ? [{ ...each, text: '' }] : [];
  });
}

/** The last request made before a time, or the first of all. */
function findRequestAt(requests: readonly RequestRow[], at: number): RequestRow | undefined {
  return requests.findLast((request) => request.at <= at) ?? requests[0];
}

function readFeedback({ connection }: ProjectRows, session: number): ReadonlyMap<string, 'worked' | 'failed'> {
  const feedback = connection.all<{ readonly request: string; readonly outcome: 'worked' | 'failed' }>(
    'SELECT request, outcome FROM feedback WHERE session = ? ORDER BY at, document DESC',
    session,
  );
  return new Map(feedback.map(({ request, outcome }) => [request, outcome]));
}

const MAX_STEPS = 12;

/** Of many steps, those of the highest weight are kept. */
const STEP_WEIGHTS: Readonly<Partial<Record<Action, number>>> = {
  commit: 6,
  push: 6,
  install: 5,
  create: 4,
  test: 3,
  build: 3,
  run: 3,
  edit: 2,
  lint: 1,
};

const CHECKS: ReadonlySet<Action> = new Set(['test', 'build', 'lint']);

/**
 * The decisive steps of a request, in order of time: installs, created and edited files, commits, checks that passed at
 * its end or after a failure, and other commands if they solved a failure (`fixes`).
 */
function selectSteps(steps: readonly StepUse[], fixes: ReadonlySet<string>): readonly WorkStep[] {
  const uses = mergeUses(steps);
  const lastOfKind = new Map<Action, StepUse>();
  for (const use of uses) {
    const known = lastOfKind.get(use.kind);
    if (known === undefined || use.last >= known.last) lastOfKind.set(use.kind, use);
  }
  const isDecisive = (use: StepUse): boolean => {
    const { kind, text } = use;
    if (CHECKS.has(kind)) return lastOfKind.get(kind) === use || fixes.has(text);
    return kind !== 'format' && (kind !== 'run' || fixes.has(text));
  };
  return uses
    .filter(isDecisive)
    .map(toStep)
    .sort((a, b) => weightOf(b) - weightOf(a) || compareText(b.at, a.at) || compareText(a.text, b.text))
    .slice(0, MAX_STEPS)
    .sort((a, b) => compareText(a.at, b.at) || compareText(a.text, b.text));
}

function weightOf({ kind }: WorkStep): number {
  return STEP_WEIGHTS[kind] ?? 0;
}

const MAX_COMMANDS = 12;
/** Commands worth running again. */
const COMMANDS: ReadonlySet<Action> = new Set(['install', 'test', 'build', 'lint', 'format', 'run']);

/** The latest checks, installs, commands that solved a failure, and repeated ones. */
function findCommands(steps: readonly StepUse[], fixes: ReadonlySet<string>): readonly WorkStep[] {
  return mergeUses(steps.filter(({ kind }) => COMMANDS.has(kind)))
    .filter(({ kind, text, count }) => CHECKS.has(kind) || kind === 'install' || fixes.has(text) || count > 1)
    .map(toStep)
    .sort((a, b) => compareText(a.at, b.at) || compareText(a.text, b.text))
    .slice(-MAX_COMMANDS);
}

const MAX_COMMITS = 30;

/** The latest commits, in order of time. */
function readCommits({ connection }: ProjectRows, session: number): readonly WorkCommit[] {
  const commits = connection.all<Record<'hash' | 'branch', string | null> & { at: number; message: string }>(
    `SELECT call.at, coalesce(message, call.what) AS message, hash, call.branch
     FROM gitCommit JOIN call ON call.document = gitCommit.document WHERE gitCommit.session = ?
     ORDER BY call.at DESC, call.document LIMIT ${MAX_COMMITS}`,
    session,
  );
  return commits.toReversed().map(({ at, message, hash, branch }) => ({
    at: toIso(at),
    message,
    ...omitUndefined({ hash: hash ?? undefined, branch: branch ?? undefined }),
  }));
}

const MAX_FILES = 60;

/** The files that calls changed, or, for those without calls, the commits or replies of the session. */
function findFiles({ connection }: ProjectRows, session: number, steps: readonly StepUse[]): readonly string[] {
  const edited = steps.filter(({ kind }) => kind === 'edit' || kind === 'create').map(({ text }) => text);
  const said = connection.all<{ readonly name: string }>(
    `SELECT path.name AS name FROM change JOIN path ON path.id = change.path
     WHERE change.session = ? AND isCall = 0 ORDER BY change.document`,
    session,
  );
  return [...new Set([...edited.toReversed(), ...said.map(({ name }) => name)])].slice(0, MAX_FILES);
}

function toIso(time: number): string {
  return new Date(time).toISOString();
}
