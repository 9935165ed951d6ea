import type { SessionSummary } from '../../../src/server/rpc/api.ts';
import type { SparseList } from '../lists/sparse-list.ts';

/**
 * By how many rows the sessions in view have moved down in a list that was fetched anew. A list that is looked at from
 * its top moves by none: what is new shows there. Sessions that have grown are no measure, for they have jumped.
 */
export function rowsMoved(
  before: SparseList<SessionSummary>,
  after: SparseList<SessionSummary>,
  visible: { readonly first: number; readonly last: number },
): number {
  if (visible.first === 0) return 0;
  for (let row = visible.first; row <= visible.last; row += 1) {
    const session = before.at(row);
    if (session === undefined) continue;
    const now = after.rowOf(
      ({ sessionId, project, lastActivity }) =>
        sessionId === session.sessionId &&
        project === session.project &&
        lastActivity === session.lastActivity,
    );
    if (now >= 0) return now - row;
  }
  return 0;
}
