import type { SessionDigest } from '../digest/session-digest.ts';
import type { KnowledgeFile } from '../knowledge/knowledge-file.ts';
import type { ProjectStack } from '../stack/project-stack.ts';
import { fitSections } from './fit-sections.ts';
import { projectSections } from './project-sections.ts';
import { sessionSections } from './session-sections.ts';

/** What a briefing is made of. */
export interface BriefingInput {
  /** Sessions before the current one. */
  readonly previousSessions: number;
  readonly knowledge?: KnowledgeFile | undefined;
  readonly stack?: ProjectStack | undefined;
  /** The latest sessions before the current one, the latest first. */
  readonly recent: readonly SessionDigest[];
  /** The current session; for the variant after a compaction. */
  readonly current?: SessionDigest | undefined;
}

/** How a briefing is made. */
export interface BriefingOptions {
  /** Most characters. */
  readonly maxSize: number;
  /** Epoch milliseconds; times after it are taken for a clock's mistake. */
  readonly now: number;
  /** `start`: what the project's history teaches. `compact`: first what compaction loses of the current session. */
  readonly variant: 'start' | 'compact';
}

/**
 * What an agent should know at the start of a session, or after its conversation was compacted: facts with
 * their evidence, the most useful first, in whole lines and never more than `maxSize` characters. Empty when
 * there is nothing to say. The same input gives the same text.
 */
export function briefing(input: BriefingInput, options: BriefingOptions): string {
  const { maxSize } = options;
  const ofSession = options.variant === 'compact' && input.current ? sessionSections(input.current) : [];
  const session = fitSections('## This session so far (recorded by yore)', ofSession, maxSize);
  const gap = session === '' ? 0 : 2;
  const sections = hasHistory(input) ? projectSections(input, options.now) : [];
  const project = fitSections(projectTitle(input.previousSessions), sections, maxSize - session.length - gap);
  return [session, project].filter((part) => part !== '').join('\n\n');
}

/** What files tell of a project the agent can see for itself. */
function hasHistory({ previousSessions, knowledge }: BriefingInput): boolean {
  return (
    previousSessions > 0 || (knowledge?.bestPractices.length ?? 0) + (knowledge?.antiPatterns.length ?? 0) > 0
  );
}

function projectTitle(sessions: number): string {
  if (sessions === 0) return '## Project context (recorded by yore)';
  return `## Project context (from ${sessions} previous ${sessions === 1 ? 'session' : 'sessions'}, recorded by yore)`;
}
