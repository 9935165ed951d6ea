import type { ProjectRows } from '../store/project-rows.ts';

/**
 * What worked instead of a call that failed, if that is known: the fix of the latest of these failures that has one, given
 * the latest first, else of the same call when it failed for another reason, else what its tool itself proposed.
 */
export function findFix(rows: ProjectRows, failed: readonly number[]): string | undefined {
  const own = firstFix(rows, failed);
  const [latest] = failed;
  if (own !== undefined || latest === undefined) return own;
  const { connection } = rows;
  const same = connection.all<{ readonly document: number }>(
    `SELECT same.document AS document FROM call JOIN call AS same
       ON same.project = call.project AND same.signature = call.signature AND same.outcome = 'failure'
     WHERE call.document = ? ORDER BY same.document LIMIT ?`,
    latest,
    MAX_SAME_CALLS,
  );
  return (
    firstFix(
      rows,
      same.map(({ document }) => document),
    ) ?? lastProposal(rows, failed)
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

/** What the tool itself proposed at the latest of some failures that has a proposal. */
function lastProposal({ connection }: ProjectRows, failed: readonly number[]): string | undefined {
  const sql = `SELECT suggestion FROM failure WHERE document IN (${placeholders(failed)}) AND suggestion IS NOT NULL`;
  return connection.get<{ readonly suggestion: string }>(`${sql} ORDER BY document LIMIT 1`, ...failed)?.suggestion;
}

/** `?, ?` for two values. */
function placeholders(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ');
}
