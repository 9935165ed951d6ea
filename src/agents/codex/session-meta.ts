import { asFields, asName, asPath, defined, type Fields } from '../transcript/fields.ts';
import type { SessionEvent } from '../transcript/transcript-event.ts';

/** What the head of a rollout says of its session; undefined when it names none. */
export function sessionOf(meta: Fields): (SessionEvent & { readonly model?: string }) | undefined {
  const sessionId = asName(meta.id) ?? asName(meta.session_id);
  if (sessionId === undefined) return undefined;
  const git = asFields(meta.git);
  const subAgent = asFields(asFields(meta.source)?.subagent);
  const starter = asName(meta.parent_thread_id) ?? asName(asFields(subAgent?.thread_spawn)?.parent_thread_id);
  const forkedFrom = asName(meta.forked_from_id);
  const isSubAgent = starter !== undefined || meta.thread_source === 'subagent';
  return {
    type: 'session',
    sessionId,
    ...defined({
      parentSessionId: starter ?? forkedFrom,
      cwd: asPath(meta.cwd),
      branch: asName(git?.branch),
      commit: asName(git?.commit_hash),
    }),
    ...(forkedFrom !== undefined && !isSubAgent ? { isFork: true } : {}),
  };
}
