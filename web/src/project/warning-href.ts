import type { MemoryWarning } from '../../../src/server/rpc/api.ts';
import { EMPTY_BROWSER } from '../router/route.ts';
import { hrefOf } from '../router/router.ts';
import { projectId } from '../shell/project-store.ts';

/** The session in which a warning was given, at that time. */
export function warningHref({ sessionId, at }: MemoryWarning): string {
  const place = { session: sessionId, sessionProject: projectId.peek(), match: at };
  return hrefOf({ page: 'history', browser: { ...EMPTY_BROWSER, ...place } });
}
