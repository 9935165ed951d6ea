import type { CallAnalysis } from '../../facts/call/analyse-call.ts';
import { type CheckoutEvent, eventCause, likenessOf } from '../../facts/facts.ts';
import type { FailureClass } from '../../facts/failure/failure-kinds.ts';
import { omitUndefined } from '../../record/object.ts';
import { causeId, causeText } from '../../store/cause-id.ts';
import type { ProjectRows } from '../../store/project-rows.ts';
import { findFix } from '../fix.ts';
import type { FailedRequest, FailureChoice, FailureOccurrence, KnownFailure, TrackRecord } from './known-failure.ts';

/** Of a cause that is blamed again and again, so many of the latest failures are looked at; all of them count. */
const MAX_DESCRIBED = 60;
/** The newest failures that are compared with a prompt. */
const MAX_REQUESTS = 300;
/** Sessions, checkouts, agents and similar calls listed with a failure. */
const MAX_NAMES = 6;
/** Failed calls that a similar one is looked for among. */
const MAX_SIMILAR = 60;

/** The known failures of a project, of its own records or of those that colleagues share of it. */
export class FailureRows {
  readonly #rows: ProjectRows;
  readonly #isTeam: boolean;
  readonly #failures = new Map<string, KnownFailure | undefined>();

  constructor(rows: ProjectRows, { isTeam = false }: { readonly isTeam?: boolean } = {}) {
    this.#rows = rows;
    this.#isTeam = isTeam;
  }

  /** Looks up many failures at once. */
  load(keys: readonly string[]): void {
    const missing = keys.filter((key) => !this.#failures.has(key));
    for (const key of missing) this.#failures.set(key, undefined);
    for (const failure of readFailures(this.#rows, this.#isTeam, missing)) this.#failures.set(failure.key, failure);
  }

  /** The failure with a cause. */
  failure(key: string): KnownFailure | undefined {
    this.load([key]);
    return this.#failures.get(key);
  }

  /**
   * The causes of failures, those that failed last first. `standingSince`: only those that have not worked since they failed,
   * and that failed after this time or were pinned.
   */
  causes({ standingSince }: { readonly standingSince?: number } = {}): readonly string[] {
    const hasAuthor = this.#isTeam ? 'NOT NULL' : 'NULL';
    const found = this.#rows.connection.all<{ readonly key: string }>(
      `SELECT blamed.key AS key, blamed.cause AS cause, max(blamed.at) AS last
       FROM session JOIN failure ON failure.session = session.id JOIN blamed ON blamed.document = failure.document
       WHERE session.project = ?1 AND failure.author IS ${hasAuthor} GROUP BY blamed.cause
       HAVING ?2 IS NULL OR (
         (last >= ?2 OR blamed.key IN (SELECT cause FROM choice WHERE project = ?1 AND kind = 'pin'))
         AND last > coalesce((SELECT max(proved.last) FROM proved WHERE proved.cause = blamed.cause), 0))
       ORDER BY last DESC, key`,
      this.#rows.project,
      standingSince ?? null,
    );
    return found.map(({ key }) => key);
  }

  /** The requests of those of the newest failures that stand, the latest first. */
  newestRequests(): readonly FailedRequest[] {
    // Ids of documents decrease with time, so that only the newest failures are read.
    return this.#rows.connection.all<FailedRequest>(
      `SELECT blamed.key AS key, call.what AS what, newest.context AS context, max(blamed.at) AS lastAt
       FROM (
         SELECT failure.document, failure.context FROM failure CROSS JOIN session ON session.id = failure.session
         WHERE session.project = ? AND failure.author IS ${this.#isTeam ? 'NOT NULL' : 'NULL'} AND failure.context IS NOT NULL
         ORDER BY failure.document LIMIT ?
       ) AS newest
       CROSS JOIN blamed ON blamed.document = newest.document CROSS JOIN call ON call.document = newest.document
       GROUP BY blamed.cause
       HAVING lastAt > coalesce((SELECT max(proved.last) FROM proved WHERE proved.cause = blamed.cause), 0)
       ORDER BY lastAt DESC, key`,
      this.#rows.project,
      MAX_REQUESTS,
    );
  }

  /** How many warnings a session has overridden with success. */
  goodOverrides(session: string): number {
    const row = this.#rows.connection.get<{ readonly count: number }>(
      'SELECT count(*) AS count FROM override WHERE project = ? AND session = ? AND succeeded = 1',
      this.#rows.project,
      session,
    );
    return row?.count ?? 0;
  }

  /** When something last happened in a checkout; 0 for never. */
  lastEvent(event: CheckoutEvent, checkout: string): number {
    return this.lastProof(eventCause(event, checkout));
  }

  /** When something was last done in the project that is not only reading; 0 for never. */
  lastStepAt(): number {
    const sql = 'SELECT at FROM call WHERE project = ? AND stepKind IS NOT NULL ORDER BY document LIMIT 1';
    return this.#rows.connection.get<{ readonly at: number }>(sql, this.#rows.project)?.at ?? 0;
  }

  /** When a warning of a failure was last overridden with success; 0 for never. */
  lastOverride(key: string): number {
    const row = this.#rows.connection.get<{ readonly at: number | null }>(
      'SELECT max(at) AS at FROM override WHERE project = ? AND cause = ? AND succeeded = 1',
      this.#rows.project,
      causeText(key),
    );
    return row?.at ?? 0;
  }

  /** How the warnings about a kind of failure turned out so far. */
  trackRecord(kind: string): TrackRecord {
    const row = this.#rows.connection.get<{ readonly wrong: number | null; readonly all: number }>(
      'SELECT sum(succeeded) AS wrong, count(*) AS "all" FROM override WHERE project = ? AND cause GLOB ?',
      this.#rows.project,
      `${kind}:*`,
    );
    const wrong = row?.wrong ?? 0;
    return { right: (row?.all ?? 0) - wrong, wrong };
  }

  /** What the user decided about a failure. */
  choice(key: string): FailureChoice {
    const row = this.#rows.connection.get<{ readonly kind: FailureChoice | 'reset' }>(
      'SELECT kind FROM choice WHERE project = ? AND cause = ? ORDER BY at DESC, position DESC LIMIT 1',
      this.#rows.project,
      causeText(key),
    );
    return row === undefined || row.kind === 'reset' ? 'none' : row.kind;
  }

  /** The causes of failed calls that are compared with a call, the latest first. */
  similarCalls(call: CallAnalysis): readonly string[] {
    const likeness = causeId({ project: this.#rows.projectId, isTeam: this.#isTeam }, likenessOf(call));
    const { connection } = this.#rows;
    const documents = connection.all<{ readonly document: number }>(
      'SELECT document FROM failure WHERE likeness = ? ORDER BY document LIMIT ?',
      likeness,
      MAX_SIMILAR,
    );
    const keys = documents.flatMap(({ document }) =>
      connection
        .all<{ readonly key: string }>('SELECT key FROM blamed WHERE document = ?', document)
        .flatMap(({ key }) => (key.startsWith('call:') ? [key] : [])),
    );
    return [...new Set(keys)].slice(0, MAX_NAMES);
  }

  /** When a call last showed that a cause is absent; 0 for never. */
  lastProof(cause: string): number {
    const id = causeId({ project: this.#rows.projectId, isTeam: this.#isTeam }, cause);
    const sql = 'SELECT max(last) AS at FROM proved WHERE cause = ?';
    return this.#rows.connection.get<{ readonly at: number | null }>(sql, id)?.at ?? 0;
  }
}

interface Blamed {
  readonly cause: number;
  readonly document: number;
  readonly session: number;
  readonly at: number;
}

interface FailedCall {
  readonly document: number;
  readonly class: FailureClass;
  readonly line: string;
  readonly errorSignature: string;
  readonly signature: string;
  readonly context: string | null;
  readonly tags: string | null;
  readonly checkout: string;
  readonly agent: string;
  readonly branch: string | null;
  readonly circumstances: string;
  readonly subjects: string;
  readonly missing: string | null;
  readonly suggestion: string | null;
  readonly author: string | null;
}

interface Tried {
  readonly document: number;
  readonly id: string;
  readonly family: string;
  readonly what: string;
}

/** The failures with some causes, from a few queries however many there are. */
function readFailures(rows: ProjectRows, isTeam: boolean, keys: readonly string[]): readonly KnownFailure[] {
  const { connection, projectId } = rows;
  const keyOf = new Map(keys.map((key) => [causeId({ project: projectId, isTeam }, key), key]));
  const blamed = new Map<number, Blamed[]>();
  for (const cause of keyOf.keys()) {
    const sql = 'SELECT cause, document, session, at FROM blamed WHERE cause = ? ORDER BY document LIMIT ?';
    const found = connection.all<Blamed>(sql, cause, MAX_DESCRIBED);
    if (found.length > 0)
      blamed.set(
        cause,
        [...found].sort((a, b) => a.at - b.at || b.document - a.document),
      );
  }
  if (blamed.size === 0) return [];
  const documents = [...blamed.values()].flat().map(({ document }) => document);
  const failed = byDocument(readAll<FailedCall>(rows, 'SELECT * FROM failure', documents));
  const tried = byDocument(readAll<Tried>(rows, 'SELECT document, id, family, what FROM call', documents));
  const sessions = new Map(
    connection
      .all<{ readonly id: number; readonly name: string }>(
        'SELECT id, name FROM session WHERE id IN (SELECT value FROM json_each(?))',
        JSON.stringify([...new Set([...blamed.values()].flat().map(({ session }) => session))]),
      )
      .map(({ id, name }) => [id, name]),
  );
  return [...blamed].flatMap(([cause, found]) => {
    const proofs = connection.all<{ readonly first: number; readonly last: number }>(
      'SELECT first, last FROM proved WHERE cause = ?',
      cause,
    );
    const history = found.flatMap((each) => {
      const failure = failed.get(each.document);
      const call = tried.get(each.document);
      return failure === undefined || call === undefined
        ? []
        : [{ at: each.at, session: sessions.get(each.session) ?? '', failure, call }];
    });
    const known = toKnownFailure(keyOf.get(cause) ?? '', history, proofs);
    const count = found.length < MAX_DESCRIBED ? 0 : countStanding(rows, cause);
    const fix = findFix(rows, found.at(-1)?.document ?? 0)?.text;
    return known === undefined ? [] : { ...known, count: Math.max(known.count, count), ...omitUndefined({ fix }) };
  });
}

/** How often a cause was blamed since it was last absent. */
function countStanding({ connection }: ProjectRows, cause: number): number {
  const row = connection.get<{ readonly count: number }>(
    `SELECT count(*) AS count FROM blamed
     WHERE cause = ?1 AND at > coalesce((SELECT max(last) FROM proved WHERE cause = ?1), 0)`,
    cause,
  );
  return row?.count ?? 0;
}

function readAll<T>({ connection }: ProjectRows, select: string, documents: readonly number[]): readonly T[] {
  const sql = `${select} WHERE document IN (SELECT value FROM json_each(?))`;
  return connection.all<T>(sql, JSON.stringify([...new Set(documents)]));
}

function byDocument<T extends { readonly document: number }>(found: readonly T[]): ReadonlyMap<number, T> {
  return new Map(found.map((each) => [each.document, each]));
}

interface Occurrence {
  readonly at: number;
  readonly session: string;
  readonly failure: FailedCall;
  readonly call: Tried;
}

/** Sums up the history of a cause: the failures in order of time, and when calls proved that it was absent. */
function toKnownFailure(
  key: string,
  history: readonly Occurrence[],
  proofs: readonly { readonly first: number; readonly last: number }[],
): KnownFailure | undefined {
  const times = proofs.flatMap(({ first, last }) => [first, last]).sort((a, b) => a - b);
  let relapses = 0;
  let open: Occurrence[] = [];
  let next = 0;
  for (const occurrence of history) {
    const before = open.at(-1);
    while (next < times.length && (times[next] as number) <= (before?.at ?? 0)) next++;
    if (before !== undefined && (times[next] ?? Number.POSITIVE_INFINITY) < occurrence.at) {
      relapses++;
      open = [];
    }
    open.push(occurrence);
  }
  const last = open.at(-1);
  if (last === undefined) return undefined;
  const endedAt = times.find((time) => time > last.at);
  const { failure } = last;
  const existedBefore = key.startsWith('path:') && (times[0] ?? Number.POSITIVE_INFINITY) < last.at;
  const suggestion = open.findLast((each) => each.failure.suggestion !== null)?.failure.suggestion;
  return {
    key,
    class: failure.class,
    occurrences: Object.fromEntries(open.map((each) => [each.call.family, toOccurrence(each)])),
    lastAt: last.at,
    count: open.length,
    calls: new Set(open.map((each) => each.failure.signature)).size,
    sessions: lastNames(withSameError(open)),
    worktrees: lastNames(open.map((each) => each.failure.checkout)),
    agents: lastNames(open.map((each) => each.failure.agent)),
    circumstances: splitNames(failure.circumstances),
    relapses,
    ...(existedBefore ? { existedBefore } : {}),
    subjects: splitNames(failure.subjects),
    ...(key.startsWith('text:') ? { editSignature: failure.signature } : {}),
    ...omitUndefined({
      endedAt,
      branch: failure.branch ?? undefined,
      missing: failure.missing ?? undefined,
      suggestion: suggestion ?? undefined,
    }),
  };
}

/** The sessions of the latest failures that had the same error, or were the first of their tool family. */
function withSameError(open: readonly Occurrence[]): readonly string[] {
  const errors = new Map<string, string>();
  let sessions: string[] = [];
  for (const { failure, call, session } of open) {
    const known = errors.get(call.family);
    sessions = known === undefined || known === failure.errorSignature ? [...sessions, session] : [session];
    errors.set(call.family, failure.errorSignature);
  }
  return sessions;
}

function toOccurrence({ at, failure, call }: Occurrence): FailureOccurrence {
  return {
    attemptId: call.id,
    at,
    line: failure.line,
    errorSignature: failure.errorSignature,
    what: call.what,
    signature: failure.signature,
    ...omitUndefined({
      context: failure.context ?? undefined,
      tags: failure.tags?.split(' '),
      author: failure.author ?? undefined,
    }),
  };
}

/** The last names without duplicates, the latest last. */
function lastNames(names: readonly string[]): readonly string[] {
  return [...new Set(names.toReversed())].slice(0, MAX_NAMES).reverse();
}

function splitNames(text: string): readonly string[] {
  return text === '' ? [] : text.split(' ');
}
