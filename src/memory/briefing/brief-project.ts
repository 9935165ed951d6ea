import { DigestStore } from '../digest/digest-store.ts';
import { readKnowledge } from '../knowledge/knowledge-file.ts';
import type { ProjectStack } from '../stack/project-stack.ts';
import { type BriefingOptions, briefing } from './briefing.ts';
import { personLine } from './person-line.ts';

/** What {@link briefProject} gives: the text for the agent and the line for the person; both may be empty. */
export interface ProjectBriefing {
  readonly text: string;
  readonly line: string;
}

const RECENT = 3;

/**
 * The briefing of the project whose logs are in `directory`, as it was last synthesised. Reads the head of the
 * digests, the knowledge and a few digests, never the logs. `sessionId` is the current session.
 */
export function briefProject(
  directory: string,
  options: BriefingOptions & { readonly sessionId?: string; readonly stack?: ProjectStack },
): ProjectBriefing {
  const { sessionId, stack, ...rest } = options;
  const store = DigestStore.open(directory);
  const current = sessionId === undefined ? undefined : store.digest(sessionId);
  const previousSessions = store.sessionCount - (current ? 1 : 0);
  const recent = store
    .recent(RECENT + 1, options.now)
    .filter((digest) => digest.sessionId !== sessionId)
    .slice(0, RECENT);
  const knowledge = readKnowledge(directory);
  const text = briefing({ previousSessions, knowledge, stack, recent, current }, rest);
  return { text, line: personLine(previousSessions, knowledge) };
}
