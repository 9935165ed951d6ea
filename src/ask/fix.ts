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
function placeholders(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ');
}

/**
 * What worked instead of each call that failed, or what its tool itself proposed, by what was called: the fix of the latest
 * of its failures that has one.
 */
export function fixesOfCalls({ connection, project }: ProjectRows): ReadonlyMap<string, string> {
  const rows = connection.all<{
    readonly what: string;
    readonly fix: string | null;
    readonly suggestion: string | null;
  }>(
    `SELECT failed.what AS what, fixing.what AS fix, failure.suggestion AS suggestion
     FROM session JOIN failure ON failure.session = session.id JOIN call AS failed ON failed.document = failure.document
     LEFT JOIN fix ON fix.failed = failure.document LEFT JOIN call AS fixing ON fixing.document = fix.worked
     WHERE session.project = ? AND failure.author IS NULL AND (fix.worked IS NOT NULL OR failure.suggestion IS NOT NULL)
     ORDER BY failure.document DESC`,
    project,
  );
  const proposed = rows.flatMap(({ what, suggestion }) => (suggestion === null ? [] : [[what, suggestion] as const]));
  const worked = rows.flatMap(({ what, fix }) => (fix === null ? [] : [[what, fix] as const]));
  return new Map([...proposed, ...worked]);
}
