import type { TimelineSession } from '../../../src/server/rpc/api.ts';
import { EMPTY_BROWSER } from '../router/route.ts';
import { hrefOf } from '../router/router.ts';
import { projectId } from '../shell/project-store.ts';
import type { LaneItem } from './timeline-items.ts';

/** Where a session is shown. */
export function hrefOfSession({ sessionId }: TimelineSession, match = ''): string {
  const browser = { ...EMPTY_BROWSER, session: sessionId, sessionProject: projectId.peek(), match };
  return hrefOf({ page: 'history', browser });
}

/** Where something is shown: its session at that time. Days of which only counts are known lead to their sessions. */
export function hrefOfItem({ session, mark, at }: LaneItem): string {
  if (session !== undefined) return hrefOfSession(session, mark?.at);
  const day = new Date(at).toISOString().slice(0, 10);
  return hrefOf({ page: 'history', browser: { ...EMPTY_BROWSER, since: day, until: day } });
}
