import { formatCount } from '../../text/format-count.ts';
import { DigestStore } from '../digest/digest-store.ts';
import type { SessionDigest } from '../digest/session-digest.ts';
import { type Knowledge, readKnowledge } from '../knowledge/knowledge-file.ts';
import type { ProjectStack } from '../stack/project-stack.ts';
import { projectSections } from './project-sections.ts';
import { fitSections, sessionSections } from './session-sections.ts';

/** What a briefing is made from. */
export interface BriefingInput {
  /** Number of sessions before the current one. */
  readonly previousSessions: number;
  readonly knowledge?: Knowledge | undefined;
  readonly stack?: ProjectStack | undefined;
  /** The latest sessions before the current one, the latest first. */
  readonly recent: readonly SessionDigest[];
  /** The current session, for the variant after a compaction. */
  readonly current?: SessionDigest | undefined;
}

/** Options of a briefing. */
export interface BriefingOptions {
  /** Maximum number of characters. */
  readonly maxSize: number;
  /** Epoch milliseconds; later times come from a wrong clock. */
  readonly now: number;
  /** `start`: what the project's history teaches. `compact`: also what a compaction loses of the current session. */
  readonly variant: 'start' | 'compact';
}

/** The text for the agent and the line for the person; both may be empty. */
export interface ProjectBriefing {
  readonly text: string;
  readonly line: string;
}

const MAX_RECENT_SESSIONS = 3;

/**
 * The briefing of the project whose logs are in `directory`, as of the last synthesis. Reads the knowledge and a few
 * digests, never the logs. `sessionId` is the current session.
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
    .recent(MAX_RECENT_SESSIONS + 1, options.now)
    .filter((digest) => digest.sessionId !== sessionId)
    .slice(0, MAX_RECENT_SESSIONS);
  const knowledge = readKnowledge(directory);
  const text = formatBriefing({ previousSessions, knowledge, stack, recent, current }, rest);
  return { text, line: formatGreeting(previousSessions, knowledge) };
}

/**
 * What an agent should know at the start of a session or after a compaction: facts with their evidence, the most useful
 * first, in whole lines and at most `maxSize` characters. Empty when there is nothing to say. Deterministic.
 */
export function formatBriefing(input: BriefingInput, options: BriefingOptions): string {
  const { maxSize } = options;
  const current = options.variant === 'compact' && input.current ? sessionSections(input.current) : [];
  const session = fitSections('## This session so far (recorded by yore)', current, maxSize);
  const gap = session === '' ? 0 : 2;
  const sections = hasHistory(input) ? projectSections(input, options.now) : [];
  const project = fitSections(formatTitle(input.previousSessions), sections, maxSize - session.length - gap);
  return [session, project].filter((part) => part !== '').join('\n\n');
}

/** Without history there is nothing to say: the agent can read the project's files itself. */
function hasHistory({ previousSessions, knowledge }: BriefingInput): boolean {
  return previousSessions > 0 || (knowledge?.bestPractices.length ?? 0) + (knowledge?.antiPatterns.length ?? 0) > 0;
}

function formatTitle(sessions: number): string {
  if (sessions === 0) return '## Project context (recorded by yore)';
  return `## Project context (from ${formatCount(sessions, 'previous session')}, recorded by yore)`;
}

/**
 * The line for the person at session start: `📚 yore: 3 previous sessions · ✅ 8 successful patterns · ⚠️ 2 failed
 * attempts to avoid`. Empty for a project without previous sessions.
 */
export function formatGreeting(previousSessions: number, knowledge: Knowledge | undefined): string {
  if (previousSessions === 0) return '';
  const practices = knowledge?.bestPractices.length ?? 0;
  const failures = knowledge?.antiPatterns.length ?? 0;
  return [
    `📚 yore: ${formatCount(previousSessions, 'previous session')}`,
    ...(practices === 0 ? [] : [`✅ ${formatCount(practices, 'successful pattern')}`]),
    ...(failures === 0 ? [] : [`⚠️ ${formatCount(failures, 'failed attempt')} to avoid`]),
  ].join(' · ');
}
