import { CHECKS } from '../facts/call/action.ts';
import { FIX_WINDOW_MS } from '../facts/fix.ts';
import { findLaterFix } from '../store/fix-rows.ts';
import type { ProjectRows } from '../store/project-rows.ts';

/** What worked instead of a call that failed. */
export interface Fix {
  /** The commands, or what was edited. */
  readonly text: string;
  /** The first of the calls, with the session that made it. */
  readonly call: FixingCall;
}

/** A call that solved a failure. */
interface FixingCall {
  /** The id of its record. */
  readonly id: string;
  readonly session: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Checks fail for another reason each time, so that what solved one failure solves no other. */
const CHECKED = [...CHECKS].map((action) => `'${action}'`).join(', ');

/**
 * What worked instead of a call that failed, if that is known: in its session, or after the latest other failure with the
 * same cause, and the same error where that has many reasons; otherwise what was done when it was warned of, or before the same call worked again.
 */
export function findFix(rows: ProjectRows, failed: number): Fix | undefined {
  return (
    describe(rows, storedFix(rows, failed)) ??
    describe(rows, fixAfterWarning(rows, failed)) ??
    describe(rows, fixBeforeSuccess(rows, failed))
  );
}

/** The latest failures with the same cause among which one with a fix is looked for. */
const MAX_SAME = 100;
/** Kinds of causes that one reason for failing shares with others: a whole call, or what it runs. */
const MANY_REASONS = /^(?:call|tool|target|service|folder|shape):/;

function storedFix({ connection }: ProjectRows, failed: number): readonly number[] {
  const own = connection.all<StoredFix>('SELECT failed, worked FROM fix WHERE failed = ? ORDER BY worked DESC', failed);
  if (own.length > 0) return own.map(({ worked }) => worked);
  const causes = connection.all<{ readonly cause: number; readonly key: string; readonly errorSignature: string }>(
    `SELECT blamed.cause, blamed.key, failure.errorSignature FROM blamed
       JOIN failure ON failure.document = blamed.document JOIN call ON call.document = blamed.document
     WHERE blamed.document = ? AND blamed.key NOT GLOB 'head:*' AND call.action NOT IN (${CHECKED})`,
    failed,
  );
  const found = causes.flatMap(({ cause, key, errorSignature }) =>
    connection.all<StoredFix>(
      `SELECT fix.failed, fix.worked FROM (SELECT document FROM blamed WHERE cause = ? ORDER BY document LIMIT ?) AS same
         JOIN fix ON fix.failed = same.document JOIN failure ON failure.document = same.document
       WHERE failure.errorSignature = ? OR ? ORDER BY fix.failed, fix.worked DESC`,
      ...[cause, MAX_SAME, errorSignature, MANY_REASONS.test(key) ? 0 : 1],
    ),
  );
  // Documents decrease with time.
  const latest = Math.min(...found.map((each) => each.failed));
  return found.filter((each) => each.failed === latest).map(({ worked }) => worked);
}

interface StoredFix {
  readonly failed: number;
  readonly worked: number;
}

/** What a session did that was warned of the failure, and heeded it. */
function fixAfterWarning({ connection, project }: ProjectRows, failed: number): readonly number[] {
  const warned = connection.all<{ readonly session: number; readonly at: number }>(
    `SELECT DISTINCT session.id AS session, warning.at FROM warning
       JOIN call ON call.document = ?2 AND warning.at > call.at
       JOIN session ON session.project = warning.project AND session.name = warning.session
     WHERE warning.project = ?1 AND warning.cause IN (SELECT key FROM blamed WHERE document = ?2)
       AND NOT EXISTS (SELECT 1 FROM override WHERE override.project = ?1 AND override.warning = warning.id)
     ORDER BY warning.at DESC`,
    project,
    failed,
  );
  for (const { session, at } of warned) {
    const fix = findLaterFix(connection, failed, { session, from: at, until: at + FIX_WINDOW_MS, hasMet: true });
    if (fix.length > 0) return fix;
  }
  return [];
}

/** What was done in the session in which the same call first worked again. */
function fixBeforeSuccess({ connection }: ProjectRows, failed: number): readonly number[] {
  const again = connection.get<{ readonly session: number; readonly at: number; readonly failedAt: number }>(
    `SELECT again.session, again.at, call.at AS failedAt FROM call JOIN call AS again
       ON again.project = call.project AND again.signature = call.signature AND again.outcome = 'success' AND again.at > call.at
     WHERE call.document = ? ORDER BY again.at LIMIT 1`,
    failed,
  );
  if (again === undefined) return [];
  const { session, at, failedAt } = again;
  const from = Math.max(failedAt, at - FIX_WINDOW_MS);
  return findLaterFix(connection, failed, { session, from, until: at, hasMet: false });
}

function describe({ connection }: ProjectRows, calls: readonly number[]): Fix | undefined {
  const steps = [...new Set(calls)].flatMap(
    (document) =>
      connection.get<FixingCall & { readonly what: string }>(
        `SELECT call.id, session.name AS session, call.at, call.what FROM call JOIN session ON session.id = call.session
         WHERE call.document = ?`,
        document,
      ) ?? [],
  );
  const [first] = steps;
  if (first === undefined) return undefined;
  const { id, session, at } = first;
  return { text: steps.map(({ what }) => what).join('; '), call: { id, session, at } };
}
