import { teamFolder } from '../../log/segments.ts';
import type { TechStack } from '../../record/project-info.ts';
import { isWork } from '../../record/record.ts';
import { formatCount } from '../../text/format-count.ts';
import { oneLine } from '../../text/one-line.ts';
import { FRAME_LENGTH, quote, quoteCode } from '../../text/recorded-text.ts';
import { DigestStore } from '../digest/digest-store.ts';
import { formatDay, formatStep } from '../digest/digest-text.ts';
import type { DigestRequest, DigestStep, SessionDigest } from '../digest/session-digest.ts';
import { type AntiPattern, type BestPractice, type Knowledge, readKnowledge } from '../knowledge/knowledge-file.ts';
import { fitSections, formatFailure, type Section, sessionSections } from './session-sections.ts';

/** What a briefing is made from. */
export interface BriefingInput {
  /** Number of sessions before the current one. */
  readonly previousSessions: number;
  readonly knowledge?: Knowledge | undefined;
  /** What the sessions of colleagues taught, as far as they share it. */
  readonly team?: Knowledge | undefined;
  /** As of the last synthesis. */
  readonly techStack?: TechStack | undefined;
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
  options: BriefingOptions & { readonly sessionId?: string; readonly techStack?: TechStack | undefined },
): ProjectBriefing {
  const { sessionId, techStack, ...rest } = options;
  const store = DigestStore.open(directory);
  const current = sessionId === undefined ? undefined : store.digest(sessionId);
  const isCounted = current !== undefined && !current.isSubAgent && isWork({ agent: current.agent, ...current.counts });
  const previousSessions = store.userSessionCount - (isCounted ? 1 : 0);
  const recent = store
    .recent(MAX_RECENT_SESSIONS + 1, options.now, { isOfUser: true })
    .filter((digest) => digest.sessionId !== sessionId)
    .slice(0, MAX_RECENT_SESSIONS);
  const knowledge = readKnowledge(directory);
  const team = readKnowledge(teamFolder(directory));
  const text = formatBriefing({ previousSessions, knowledge, team, techStack, recent, current }, rest);
  return { text, line: formatGreeting(previousSessions, knowledge) };
}

/**
 * What an agent should know at the start of a session or after a compaction: facts with their evidence, the most useful
 * first, in whole lines and at most `maxSize` characters, with the frame that `frameRecorded()` adds. Empty when there is
 * nothing to say. Deterministic.
 */
export function formatBriefing(input: BriefingInput, options: BriefingOptions): string {
  const maxSize = options.maxSize - FRAME_LENGTH;
  const current = options.variant === 'compact' && input.current ? sessionSections(input.current) : [];
  const session = fitSections('## This session so far (recorded by yore)', current, maxSize);
  const gap = session === '' ? 0 : 2;
  const sections = session !== '' || hasHistory(input) ? projectSections(input, options.now) : [];
  const project = fitSections(formatTitle(input.previousSessions), sections, maxSize - session.length - gap);
  return [session, project].filter((part) => part !== '').join('\n\n');
}

/** Without history there is nothing to say: the agent can read the project's files itself. */
function hasHistory({ previousSessions, knowledge, team }: BriefingInput): boolean {
  const learned = [knowledge, team].some(
    (each) => each !== undefined && each.bestPractices.length + each.antiPatterns.length > 0,
  );
  return previousSessions > 0 || learned;
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

const MAX_SUMMARY_LENGTH = 400;
const MAX_NAMES = 8;

/** What the history of a project teaches, the most useful first. */
function projectSections(
  { knowledge, team, techStack, recent }: Pick<BriefingInput, 'knowledge' | 'team' | 'techStack' | 'recent'>,
  now: number,
): readonly Section[] {
  return [
    { heading: '', lines: summaryLines(knowledge), first: 1 },
    { heading: 'Known failures:', lines: (knowledge?.antiPatterns ?? []).map(failureLine), first: 4 },
    { heading: 'Failed on machines of colleagues:', lines: newTo(knowledge, team).map(failureLine), first: 3 },
    { heading: 'What works:', lines: (knowledge?.bestPractices ?? []).map(practiceLine), first: 4 },
    { heading: '', lines: stackLines(techStack), first: 1 },
    { heading: 'Previous sessions:', lines: recent.flatMap((digest) => sessionLines(digest, now)), first: 3 },
    { heading: '', lines: taskLines(knowledge), first: 0 },
  ];
}

/** What failed for colleagues and is not known here. */
function newTo(own: Knowledge | undefined, team: Knowledge | undefined): readonly AntiPattern[] {
  const known = new Set(own?.antiPatterns.map(({ pattern }) => pattern));
  return team?.antiPatterns.filter(({ pattern }) => !known.has(pattern)) ?? [];
}

function summaryLines(knowledge: Knowledge | undefined): readonly string[] {
  const summary = oneLine(knowledge?.summary ?? '', MAX_SUMMARY_LENGTH);
  return summary === '' ? [] : [`Summary: ${quote(summary, MAX_SUMMARY_LENGTH)}`];
}

function failureLine({ pattern, reason, occurredAt, count, alternative, evidence }: AntiPattern): string {
  if (evidence !== undefined) {
    const more = reason === '' || reason === pattern ? '' : `: ${quote(reason, 140)}`;
    return `- ${quote(pattern, 140)}${more} (${oneLine(evidence, 80)})`;
  }
  const why = reason === '' ? '' : ` failed: ${quote(reason, 140)}`;
  const often = count > 1 ? `${count} times, last on ` : '';
  const instead = alternative === undefined ? '' : `; ${quoteCode(alternative)} worked instead`;
  return `- ${quoteCode(pattern)}${why} (${often}${formatDay(occurredAt)})${instead}`;
}

function practiceLine({ pattern, reason, evidence }: BestPractice): string {
  const why = reason === '' || reason === pattern ? '' : `: ${quote(reason, 140)}`;
  return `- ${quote(pattern, 140)}${why} (${oneLine(evidence, 80)})`;
}

/** `index.json` is not validated when it is read, and may have been edited by hand. */
function stackLines(techStack: TechStack | undefined): readonly string[] {
  const { languages, frameworks, tools }: Partial<Record<keyof TechStack, unknown>> = techStack ?? {};
  const parts = [languages, frameworks, tools]
    .map((names) => (Array.isArray(names) ? names : []).filter((name) => typeof name === 'string').slice(0, MAX_NAMES))
    .filter((names) => names.length > 0)
    .map((names) => names.map((name) => oneLine(name, 40)).join(', '));
  return parts.length === 0 ? [] : [`Tech stack: ${quote(parts.join(' | '), MAX_SUMMARY_LENGTH)}`];
}

function taskLines(knowledge: Knowledge | undefined): readonly string[] {
  const tasks = (knowledge?.recurringTasks ?? []).slice(0, 5);
  if (tasks.length === 0) return [];
  return [
    `Recurring tasks: ${tasks.map(({ name, sessions }) => `${quote(name, 60)} (${sessions} sessions)`).join(', ')}`,
  ];
}

const MAX_REQUESTS = 3;
const MAX_STEPS = 4;
const MAX_FAILURES = 2;
const MAX_LINE_LENGTH = 360;
const MAX_STEP_LENGTH = 100;
/** Later times come from a wrong clock. */
const CLOCK_TOLERANCE_MS = 24 * 60 * 60 * 1000;

/** The last requests of a session with the steps that served them, and the failures that it left open. */
function sessionLines(digest: SessionDigest, now: number): readonly string[] {
  const known = digest.requests.filter((request) => request.text !== '' || request.steps.length > 0);
  const useful = known.filter((request) => request.steps.length > 0 || request.outcome !== undefined);
  const requests = (useful.length > 0 ? useful : known).slice(-MAX_REQUESTS).toReversed();
  const open = digest.failures
    .filter((failure) => failure.open)
    .slice(-MAX_FAILURES)
    .toReversed();
  return [
    ...requests.map((request) => oneLine(`- ${datePrefix(request.at, now)}${formatRequest(request)}`, MAX_LINE_LENGTH)),
    ...open.map((failure) => `- ${datePrefix(failure.at, now)}left open: ${formatFailure(failure)}`),
  ];
}

function formatRequest(request: DigestRequest): string {
  const text = request.text === '' ? 'work without a recorded request' : quote(request.text, 100);
  const steps = selectSteps(request.steps)
    .map((step) => ` → ${formatStep(step, MAX_STEP_LENGTH)}`)
    .join('');
  const feedback = request.outcome === undefined ? '' : ` (the user said it ${request.outcome})`;
  const decision =
    request.decision !== undefined && !steps.includes('committed') ? `; ${quote(request.decision, 120)}` : '';
  return `${text}${steps}${feedback}${decision}`;
}

/** The first steps and the last one. */
function selectSteps(steps: readonly DigestStep[]): readonly DigestStep[] {
  return steps.length <= MAX_STEPS ? steps : [...steps.slice(0, MAX_STEPS - 1), ...steps.slice(-1)];
}

/** The date with a colon; empty when the clock was wrong. */
function datePrefix(timestamp: string, now: number): string {
  const time = Date.parse(timestamp);
  if (Number.isNaN(time) || time > now + CLOCK_TOLERANCE_MS) return '';
  return `${new Date(time).toISOString().slice(0, 10)}: `;
}
