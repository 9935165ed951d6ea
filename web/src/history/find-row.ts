import type { SessionFilters, SessionSummary } from '../../../src/server/rpc/api.ts';
import { server } from '../rpc/server.ts';

/** The row of a session in the list: so many were active later. -1 when the list does not have it. */
export async function findRow(session: SessionSummary, filters: SessionFilters): Promise<number> {
  if (!isOf(session, filters)) return -1;
  const params = { ...filters, since: session.lastActivity, limit: 1 };
  const { total } = await server.call('history.listSessions', params);
  return total - 1;
}

/** Could the session be in the list? Whether it has such a role or outcome only the server knows. */
function isOf(
  session: SessionSummary,
  { project, agent, role, outcome, since, until }: SessionFilters,
): boolean {
  if (role !== undefined || outcome !== undefined) return false;
  if (project !== undefined && project !== session.project) return false;
  if (agent !== undefined && agent !== session.agent) return false;
  return (since ?? '') <= session.lastActivity && (until === undefined || until >= session.timestamp);
}
