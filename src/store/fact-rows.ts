import { findRoot } from '../facts/call/describe-call.ts';
import { type CallFact, type Facts, facts } from '../facts/facts.ts';
import { taskWords } from '../facts/request.ts';
import { textHash } from '../record/id.ts';
import { getOrAdd } from '../record/once.ts';
import type { Attempt } from '../record/record.ts';
import type { SqlValue } from '../sqlite/database.ts';
import { causeId, causeText } from './cause-id.ts';
import type { Connection } from './connection.ts';
import { removeChanges, saveChanges } from './file-rows.ts';
import { saveFixes } from './fix-rows.ts';
import { isAttempt, type Searchable } from './searchable.ts';
import { shortBranch } from './session-rows.ts';

/** A record in the store. */
interface Place {
  /** Row of the project, its own id, and row of the session. */
  readonly project: number;
  readonly projectId: string;
  readonly session: number;
  readonly document: number;
  readonly time: number;
}

interface NewFacts extends Place {
  readonly record: Searchable;
  readonly found: Facts;
}

interface ProofSpan {
  readonly cause: number;
  readonly session: number;
  first: number;
  last: number;
}

/**
 * The facts of records as rows, until they are saved. Every row says what one record shows or is the first and the last
 * time of that in its session, so that it does not matter in which order records are added.
 */
export class FactRows {
  readonly #added: NewFacts[] = [];
  readonly #proofs = new Map<string, ProofSpan>();
  /** By session. */
  readonly #branches = new Map<number, Set<string>>();
  /** By session, the earliest time of a new call. */
  readonly #callsSince = new Map<number, number>();

  /** Adds a record of a session, and returns its facts. */
  add(place: Place, record: Searchable): Facts {
    const found = facts(record);
    this.#added.push({ ...place, record, found });
    const { session, time } = place;
    const branch = shortBranch(record);
    if (branch !== null) getOrAdd(this.#branches, session, () => new Set()).add(branch);
    const scope = { project: place.projectId, isTeam: record.author !== undefined };
    for (const cause of found.proved) this.#addProof(causeId(scope, cause), session, time);
    if (found.call !== undefined) this.#callsSince.set(session, Math.min(time, this.#callsSince.get(session) ?? time));
    return found;
  }

  /** Saves the rows, into tables whose names start with `into`. */
  save(connection: Connection, into = ''): void {
    for (const each of this.#added) saveRecord(connection, each, into);
    const proofs = [...this.#proofs.values()].sort((a, b) => a.cause - b.cause);
    const saveProof = `INSERT INTO ${into}proved VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET
      first = min(first, excluded.first), last = max(last, excluded.last)`;
    for (const { cause, session, first, last } of proofs) connection.run(saveProof, cause, session, first, last);
    for (const [session, time] of this.#callsSince) saveFixes(connection, session, time, into);
    if (into !== '') return;
    for (const [session, names] of this.#branches)
      for (const name of names) connection.run('INSERT OR IGNORE INTO branch VALUES (?, ?)', session, name);
    saveChanges(
      connection,
      this.#added.flatMap(({ found, record, project, session, document, time }) =>
        [
          ...found.changed.map((path) => ({ path, isCall: isAttempt(record) })),
          ...(found.commit?.files ?? []).map((path) => ({ path, isCall: false })),
        ].map((change) => ({ ...change, project, session, document, at: time })),
      ),
    );
  }

  #addProof(cause: number, session: number, time: number): void {
    const span = getOrAdd(this.#proofs, `${session} ${cause}`, () => ({ cause, session, first: time, last: time }));
    if (time < span.first) span.first = time;
    if (time > span.last) span.last = time;
  }
}

function saveRecord(
  connection: Connection,
  { project, session, document, time, record, found, projectId }: NewFacts,
  into: string,
): void {
  const { call, used, request, outcome, feedback, note, stated, proposed, commit } = found;
  if (request !== undefined && feedback === undefined) {
    const { key, text, isFollowUp } = request;
    const task = textHash(taskWords(text).join(' '));
    // The text of a message is longer than what calls repeat of it, and the first time is that of the message.
    const isBetter = 'excluded.isMessage > isMessage OR (excluded.isMessage = isMessage AND excluded.text < text)';
    connection.run(
      `INSERT INTO ${into}request VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET at = min(at, excluded.at),
         text = CASE WHEN ${isBetter} THEN excluded.text ELSE text END,
         task = CASE WHEN ${isBetter} THEN excluded.task ELSE task END,
         isMessage = max(isMessage, excluded.isMessage), isFollowUp = min(isFollowUp, excluded.isFollowUp)`,
      ...[session, key, time, text, isAttempt(record) ? 0 : 1, isFollowUp ? 1 : 0, task],
    );
  }
  if (outcome !== undefined)
    connection.run(`INSERT INTO ${into}reply VALUES (?, ?, ?, ?)`, document, session, time, outcome);
  if (feedback !== undefined && request !== undefined)
    connection.run(
      `INSERT INTO ${into}feedback VALUES (?, ?, ?, ?, ?)`,
      document,
      session,
      time,
      request.key,
      feedback,
    );
  if (note !== undefined) {
    const { pattern, description, isWarning, isByAgent } = note;
    const values = [document, session, project, time, pattern, description, isWarning ? 1 : 0, isByAgent ? 1 : 0];
    connection.run(`INSERT INTO ${into}note VALUES (?, ?, ?, ?, ?, ?, ?, ?)`, ...values);
  }
  for (const { kind, source, text, quote, life, position, needsContext, picks } of stated) {
    const place = [document, position, record.id, session, project, time];
    const values = [
      ...place,
      kind,
      source,
      text,
      quote,
      life,
      shortBranch(record),
      needsContext ? 1 : 0,
      picks ?? null,
    ];
    connection.run(`INSERT OR REPLACE INTO ${into}statement VALUES (${values.map(() => '?').join(', ')})`, ...values);
  }
  for (const { label, text } of proposed)
    connection.run(
      `INSERT OR REPLACE INTO ${into}proposal VALUES (?, ?, ?, ?, ?)`,
      session,
      time,
      document,
      label,
      text,
    );
  if (commit !== undefined)
    connection.run(
      `INSERT INTO ${into}gitCommit VALUES (?, ?, ?, ?, ?)`,
      ...[document, project, session, commit.hash?.toLowerCase() ?? null, commit.message ?? null],
    );
  for (const [position, use] of used.entries()) {
    const { fact, value, ecosystem, isScript } = use;
    const checkout = isAttempt(record) ? findRoot(record)?.slice(0, MAX_CHECKOUT_LENGTH) : undefined;
    const values = [
      project,
      document,
      position,
      session,
      time,
      fact,
      value,
      ecosystem,
      isScript ? 1 : 0,
      checkout ?? null,
    ];
    connection.run(`INSERT INTO ${into}used VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, ...values);
  }
  if (call === undefined || !isAttempt(record)) return;
  const checkout = findRoot(record);
  connection.run(
    `INSERT INTO ${into}call VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[
      document,
      project,
      record.id,
      session,
      time,
      call.outcome,
      call.action,
      call.family,
      call.what,
      call.path ?? null,
    ],
    ...[textHash(call.signature), request?.key ?? null],
    ...[call.step?.action ?? null, call.step?.text ?? null, shortBranch(record)],
    checkout === undefined ? null : textHash(checkout),
  );
  saveFailure(connection, { session, document, time, projectId }, call, record, into);
}

const MAX_CHECKOUT_LENGTH = 500;
const MAX_SIGNATURE_LENGTH = 300;
const MAX_CONTEXT_LENGTH = 160;
const MAX_NAMES_LENGTH = 500;

function saveFailure(
  connection: Connection,
  { session, document, time, projectId }: Pick<NewFacts, 'session' | 'document' | 'time' | 'projectId'>,
  call: CallFact,
  attempt: Attempt,
  into: string,
): void {
  const { failure } = call;
  if (failure === undefined) return;
  const scope = { project: projectId, isTeam: attempt.author !== undefined };
  const circumstances = (attempt.circumstances ?? []).filter((item) => !item.startsWith('worktree:'));
  const values: SqlValue[] = [
    ...[document, session, failure.class, failure.line, failure.errorSignature],
    ...[call.signature.slice(0, MAX_SIGNATURE_LENGTH), attempt.context?.slice(0, MAX_CONTEXT_LENGTH) ?? null],
    ...[
      attempt.tags === undefined ? null : joinNames(attempt.tags),
      findRoot(attempt) ?? '',
      attempt.agent ?? '',
      shortBranch(attempt),
    ],
    ...[joinNames(circumstances), joinNames(failure.subjects), failure.missing ?? null, failure.suggestion ?? null],
    ...[failure.likeness === undefined ? null : causeId(scope, failure.likeness), attempt.author ?? null],
  ];
  connection.run(`INSERT INTO ${into}failure VALUES (${values.map(() => '?').join(', ')})`, ...values);
  for (const cause of failure.causes)
    connection.run(
      `INSERT OR IGNORE INTO ${into}blamed VALUES (?, ?, ?, ?, ?)`,
      causeId(scope, cause),
      document,
      session,
      time,
      causeText(cause),
    );
}

/** As many of the names as fit into a column. */
function joinNames(names: readonly string[]): string {
  let text = '';
  for (const name of names) {
    if (text.length + name.length >= MAX_NAMES_LENGTH) break;
    text += text === '' ? name : ` ${name}`;
  }
  return text;
}

/** Removes all facts of some sessions, to be derived again from the records that are left. */
export function removeFacts(connection: Connection, sessions: ReadonlySet<number>): void {
  if (sessions.size === 0) return;
  const ids = JSON.stringify([...sessions]);
  for (const table of SESSION_TABLES)
    connection.run(`DELETE FROM ${table} WHERE session IN (SELECT value FROM json_each(?))`, ids);
  removeChanges(connection, ids);
}

/** The tables whose rows are derived from the records of a session. */
const SESSION_TABLES = [
  ...[
    'call',
    'used',
    'failure',
    'blamed',
    'proved',
    'request',
    'reply',
    'feedback',
    'note',
    'statement',
    'proposal',
    'fix',
    'gitCommit',
    'branch',
  ],
] as const;
