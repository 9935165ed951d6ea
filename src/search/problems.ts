import type { Problem } from '../record/index.ts';
import type { Connection } from './connection.ts';

/** Lines of the logs that could not be used, as they were found when they were read. */
export function knownProblems(connection: Connection): readonly Problem[] {
  return connection
    .all<{
      readonly path: string;
      readonly line: number;
      readonly reason: Problem['reason'];
      readonly detail: string;
    }>(
      'SELECT path, line, reason, detail FROM problem JOIN file ON file.id = problem.file ORDER BY path, line',
    )
    .map((row) => ({ ...row }));
}
