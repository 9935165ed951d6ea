import type { ProjectRows } from '../store/project-rows.ts';

/**
 * What worked instead of a call that failed, if that is known: the fix of the latest of these failures that has one, given
 * the latest first, else of the same call when it failed for another reason.
 */
export function findFix(rows: ProjectRows, failed: readonly number[]): string | undefined {
  const own = firstFix(rows, failed);
  const [latest] = failed;
  if (own !== undefined || latest === undefined) return own;
  const { connection, project } = rows;
  const same = connection.all<{ readonly document: number }>(
    `SELECT call.document AS document FROM call JOIN session ON session.id = call.session
     WHERE call.outcome = 'failure' AND call.signature = (SELECT signature FROM call WHERE document = ?)
       AND session.project = ? ORDER BY call.document LIMIT ?`,
    latest,
    project,
    MAX_SAME_CALLS,
  );
  return firstFix(
    rows,
    same.map(({ document }) => document),
  );
}

/** The latest failures of a call among which one with a fix is looked for. */
const MAX_SAME_CALLS = 100;

function firstFix({ connection }: ProjectRows, failed: readonly number[]): string | undefined {
  if (failed.length === 0) return undefined;
  const fix = connection.get<{ readonly worked: number }>(
    `SELECT worked FROM fix WHERE failed IN (${placeholders(failed)}) ORDER BY failed LIMIT 1`,
    ...failed,
  );
  if (fix === undefined) return undefined;
  return connection.get<{ readonly what: string }>('SELECT what FROM call WHERE document = ?', fix.worked)?.what;
}

/** `?, ?` for two values. */
export function placeholders(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ');
}
