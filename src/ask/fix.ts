import { CHECKS, FIX_WINDOW_MS } from '../facts/fix.ts';
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

/**
 * What worked instead of a call that failed, if that is known: in its session, or after the latest other failure with the
 * same cause and error; otherwise what was done when it was warned of, or before the same call worked again.
 */
export function findFix(rows: ProjectRows, failed: number): Fix | undefined {
  return (
    describe(rows, storedFix(rows, failed)) ??
    describe(rows, fixAfterWarning(rows, failed)) ??
    describe(rows, fixBeforeSuccess(rows, failed))
  );
}

/** The latest failures with the same cause, and the same error if the cause is a whole call or what it runs, among which one with a fix is looked for. */
const MAX_SAME = 100;
/** Checks fail of something else each time, so that what solved one failure solves no other. */
const CHECKED = [...CHECKS].map((action) => `'${action}'`).join(', ');

function storedFix({ connection }: ProjectRows, failed: number): readonly number[] {
  const found = connection.all<{ readonly failed: number; readonly worked: number }>(
    `SELECT fix.failed, fix.worked FROM (
       SELECT ?1 AS document UNION
       SELECT same.document FROM failure AS own
         JOIN call ON call.document = own.document AND call.action NOT IN (${CHECKED})
         JOIN blamed AS cause ON cause.document = own.document AND cause.key NOT GLOB 'head:*'
         JOIN blamed ON blamed.cause = cause.cause
         JOIN failure AS same ON same.document = blamed.document AND (
           same.errorSignature = own.errorSignature
           OR substr(cause.key, 1, instr(cause.key, ':') - 1) NOT IN ('call', 'tool', 'target', 'service', 'folder', 'shape'))
       WHERE own.document = ?1 ORDER BY document LIMIT ?2
     ) AS same JOIN fix ON fix.failed = same.document
     ORDER BY same.document <> ?1, same.document, fix.worked DESC`,
    failed,
    MAX_SAME,
  );
  return found.filter((each) => each.failed === found[0]?.failed).map(({ worked }) => worked);
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
    const fix = findLaterFix(connection, failed, { session, from: at, until: at + FIX_WINDOW_MS });
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
  return findLaterFix(connection, failed, { session, from: Math.max(failedAt, at - FIX_WINDOW_MS), until: at });
}

function describe({ connection }: ProjectRows, calls: readonly number[]): Fix | undefined {
  const steps = calls.flatMap(
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
