import { causeId } from '../store/cause-id.ts';
import type { ProjectRows } from '../store/project-rows.ts';

/** The user's own attempts that blame a cause, the latest first. */
export function attemptsBlaming(
  { connection, projectId }: ProjectRows,
  cause: string,
): readonly { readonly id: string; readonly sessionId: string }[] {
  return connection.all(
    `SELECT call.id AS id, session.name AS sessionId FROM blamed
     JOIN call ON call.document = blamed.document JOIN session ON session.id = call.session
     WHERE blamed.cause = ? ORDER BY blamed.document`,
    causeId({ project: projectId, isTeam: false }, cause),
  );
}

/** The causes that none but these attempts blame. */
export function causesOnlyOf({ connection, project }: ProjectRows, attemptIds: readonly string[]): readonly string[] {
  const isWanted = 'call.id IN (SELECT value FROM json_each(?2))';
  const rows = connection.all<{ readonly key: string }>(
    `SELECT DISTINCT blamed.key AS key FROM session JOIN failure ON failure.session = session.id
     JOIN call ON call.document = failure.document JOIN blamed ON blamed.document = failure.document
     WHERE session.project = ?1 AND failure.author IS NULL AND ${isWanted} AND NOT EXISTS (
       SELECT 1 FROM blamed AS other JOIN call ON call.document = other.document
       WHERE other.cause = blamed.cause AND NOT ${isWanted})`,
    project,
    JSON.stringify(attemptIds),
  );
  return rows.map(({ key }) => key);
}
