import type { ProjectRows } from '../store/project-rows.ts';
import { compareText } from '../text/compare-text.ts';
import { formatCount } from '../text/format-count.ts';
import { oneLine } from '../text/one-line.ts';
import { FRAME_LENGTH, quote, quoteCode } from '../text/recorded-text.ts';
import { type AntiPattern, findAntiPatterns } from './anti-patterns.ts';
import { CONCLUSIONS_HEADING, conclusionLines } from './conclusion-lines.ts';
import { listConclusions } from './conclusions.ts';
import { type Knowledge, type KnowledgeOptions, readKnowledge } from './knowledge.ts';
import { hasNotes } from './notes.ts';
import type { BestPractice } from './practices.ts';
import type { WorkFailure } from './session-failures.ts';
import {
  CLOCK_TOLERANCE_MS,
  countWork,
  readLatestWork,
  readSessionWork,
  type SessionWork,
  type WorkRequest,
  type WorkStep,
} from './session-work.ts';
import { formatDay, formatStep } from './step-text.ts';

/** Options of a briefing. */
export interface BriefingOptions extends KnowledgeOptions {
  /** Maximum number of characters. */
  readonly maxSize: number;
  /** `start`: what the project's history teaches. `compact`: also what a compaction loses of the current session. */
  readonly variant: 'start' | 'compact';
  /** The current session. */
  readonly sessionId?: string;
  /** The current git branch. */
  readonly branch?: string | undefined;
}

/** The text for the agent and the line for the person; both may be empty. */
export interface ProjectBriefing {
  readonly text: string;
  readonly line: string;
}

/** What a briefing is made from. */
interface BriefingInput {
  /** Number of sessions before the current one. */
  readonly previousSessions: number;
  /** Without history there is nothing to say: the agent can read the project's files itself. */
  readonly hasHistory: boolean;
  readonly knowledge: Knowledge;
  /** What failed for colleagues, as far as they share it. */
  readonly team: readonly AntiPattern[];
  /** What was decided, and what agents were told to do otherwise; of the current session after a compaction. */
  readonly decisions: readonly string[];
  /** The latest sessions before the current one, the latest first. */
  readonly recent: readonly SessionWork[];
  /** The current session, for the variant after a compaction. */
  readonly current?: SessionWork | undefined;
}

const MAX_RECENT_SESSIONS = 3;

/** The briefing of a project. */
export function briefProject(rows: ProjectRows, options: BriefingOptions): ProjectBriefing {
  const { sessionId, now } = options;
  const current = sessionId === undefined ? undefined : readSessionWork(rows, sessionId);
  const previous = { isStarted: true, except: sessionId };
  const recent = readLatestWork(rows, { ...previous, count: MAX_RECENT_SESSIONS, now });
  const previousSessions = countWork(rows, previous);
  const knowledge = readKnowledge(rows, options);
  const team = findAntiPatterns(rows, options, true);
  const hasHistory = previousSessions + team.length > 0 || hasNotes(rows);
  const decisions = readDecisions(rows, recent, options);
  const text = formatBriefing({ previousSessions, hasHistory, knowledge, team, decisions, recent, current }, options);
  return { text, line: formatGreeting(previousSessions, knowledge) };
}

/** After a compaction those of the session itself, otherwise those that hold beyond the session in which they were said. */
function readDecisions(
  rows: ProjectRows,
  recent: readonly SessionWork[],
  { variant, sessionId, branch }: BriefingOptions,
): readonly string[] {
  const isCompact = variant === 'compact' && sessionId !== undefined;
  const known = isCompact
    ? listConclusions(rows, { sessionId })
    : listConclusions(rows).filter(({ life }) => life === 'durable');
  return conclusionLines(known, { branch, files: recent.flatMap(({ files }) => files) });
}

/**
 * What an agent should know at the start of a session or after a compaction: facts with their evidence, the most useful
 * first, in whole lines and at most `maxSize` characters, with the frame that `frameRecorded()` adds. Empty when there is
 * nothing to say. Deterministic.
 */
function formatBriefing(input: BriefingInput, options: BriefingOptions): string {
  const maxSize = options.maxSize - FRAME_LENGTH;
  const { decisions } = input;
  const decided = { heading: CONCLUSIONS_HEADING, lines: decisions, first: decisions.length };
  const current = options.variant === 'compact' && input.current ? [decided, ...sessionSections(input.current)] : [];
  const session = fitSections('## This session so far (recorded by yore)', current, maxSize);
  const gap = session === '' ? 0 : 2;
  const taught = session !== '' || input.hasHistory ? projectSections(input, options.now) : [];
  const sections = current.length === 0 && taught.length > 0 ? [decided, ...taught] : taught;
  const project = fitSections(formatTitle(input.previousSessions), sections, maxSize - session.length - gap);
  return [session, project].filter((part) => part !== '').join('\n\n');
}

function formatTitle(sessions: number): string {
  if (sessions === 0) return '## Project context (recorded by yore)';
  return `## Project context (from ${formatCount(sessions, 'previous session')}, recorded by yore)`;
}

/**
 * The line for the person at session start: `📚 yore: 3 previous sessions · ✅ 8 successful patterns · ⚠️ 2 failed
 * attempts to avoid`. Empty for a project without previous sessions.
 */
function formatGreeting(previousSessions: number, knowledge: Knowledge): string {
  if (previousSessions === 0) return '';
  const practices = knowledge.successfulPatterns;
  const failures = knowledge.antiPatterns.length;
  return [
    `📚 yore: ${formatCount(previousSessions, 'previous session')}`,
    ...(practices === 0 ? [] : [`✅ ${formatCount(practices, 'successful pattern')}`]),
    ...(failures === 0 ? [] : [`⚠️ ${formatCount(failures, 'failed attempt')} to avoid`]),
  ].join(' · ');
}

const MAX_SUMMARY_LENGTH = 400;
const MAX_NAMES = 8;

/** What the history of a project teaches, the most useful first. */
function projectSections({ knowledge, team, recent }: BriefingInput, now: number): readonly Section[] {
  const known = new Set(knowledge.antiPatterns.map(({ pattern }) => pattern));
  const others = team.filter(({ pattern }) => !known.has(pattern));
  return [
    { heading: '', lines: summaryLines(knowledge), first: 1 },
    { heading: 'Known failures:', lines: knowledge.antiPatterns.map(failureLine), first: 4 },
    { heading: 'Failed on machines of colleagues:', lines: others.map(failureLine), first: 3 },
    { heading: 'What works:', lines: knowledge.bestPractices.map(practiceLine), first: 4 },
    { heading: '', lines: stackLines(knowledge.techStack), first: 1 },
    { heading: 'Previous sessions:', lines: recent.flatMap((session) => sessionLines(session, now)), first: 3 },
    { heading: '', lines: taskLines(knowledge), first: 0 },
  ];
}

function summaryLines(knowledge: Knowledge): readonly string[] {
  const summary = oneLine(knowledge.summary, MAX_SUMMARY_LENGTH);
  return summary === '' ? [] : [`Summary: ${quote(summary, MAX_SUMMARY_LENGTH)}`];
}

function failureLine({ pattern, reason, occurredAt, count, fix, evidence }: AntiPattern): string {
  if (evidence !== undefined) {
    const more = reason === '' || reason === pattern ? '' : `: ${quote(reason, 140)}`;
    return `- ${quote(pattern, 140)}${more} (${oneLine(evidence, 80)})`;
  }
  const why = reason === '' ? '' : ` failed: ${quote(reason, 140)}`;
  const often = count > 1 ? `${count} times, last on ` : '';
  const instead = fix === undefined ? '' : `; ${quoteCode(fix)} worked instead`;
  return `- ${quoteCode(pattern)}${why} (${often}${formatDay(occurredAt)})${instead}`;
}

function practiceLine({ pattern, reason, evidence }: BestPractice): string {
  const why = reason === '' || reason === pattern ? '' : `: ${quote(reason, 140)}`;
  return `- ${quote(pattern, 140)}${why} (${oneLine(evidence, 80)})`;
}

function stackLines({ languages, frameworks, tools }: Knowledge['techStack']): readonly string[] {
  const parts = [languages, frameworks, tools]
    .filter((names) => names.length > 0)
    .map((names) => names.slice(0, MAX_NAMES).join(', '));
  return parts.length === 0 ? [] : [`Tech stack: ${quote(parts.join(' | '), MAX_SUMMARY_LENGTH)}`];
}

function taskLines(knowledge: Knowledge): readonly string[] {
  const tasks = knowledge.recurringTasks.slice(0, 5);
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

/** The last requests of a session with the steps that served them, and what it left open that is worth telling. */
function sessionLines(work: SessionWork, now: number): readonly string[] {
  const known = work.requests.filter((request) => request.text !== '' || request.steps.length > 0);
  const useful = known.filter((request) => request.steps.length > 0 || request.outcome !== undefined);
  const requests = (useful.length > 0 ? useful : known).slice(-MAX_REQUESTS).toReversed();
  const open = work.failures
    .filter(({ isLeftOpen }) => isLeftOpen)
    .slice(-MAX_FAILURES)
    .toReversed();
  return [
    ...requests.map((request) => oneLine(`- ${datePrefix(request.at, now)}${formatRequest(request)}`, MAX_LINE_LENGTH)),
    ...open.map((failure) => `- ${datePrefix(failure.at, now)}left open: ${formatFailure(failure)}`),
  ];
}

function formatRequest(request: WorkRequest): string {
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
function selectSteps(steps: readonly WorkStep[]): readonly WorkStep[] {
  return steps.length <= MAX_STEPS ? steps : [...steps.slice(0, MAX_STEPS - 1), ...steps.slice(-1)];
}

/** The date with a colon; empty when the clock was wrong. */
function datePrefix(timestamp: string, now: number): string {
  const time = Date.parse(timestamp);
  if (Number.isNaN(time) || time > now + CLOCK_TOLERANCE_MS) return '';
  return `${new Date(time).toISOString().slice(0, 10)}: `;
}

/** A part of a briefing: a heading with lines below it, the most useful first. */
interface Section {
  /** Empty for lines without a heading. */
  readonly heading: string;
  readonly lines: readonly string[];
  /** Number of lines that take precedence over the remaining lines of other sections. */
  readonly first: number;
}

/**
 * Formats sections below a title with at most `limit` characters, in whole lines. Every section gets its first lines,
 * then the remaining ones as far as there is room. Empty when no line fits.
 */
function fitSections(title: string, sections: readonly Section[], limit: number): string {
  let room = limit - title.length;
  const taken = sections.map(() => 0);
  for (const round of ['first', 'rest'] as const) {
    for (const [index, { heading, lines, first }] of sections.entries()) {
      const end = round === 'first' ? Math.min(first, lines.length) : lines.length;
      for (let at = taken[index] ?? 0; at < end; at++) {
        const line = lines[at] ?? '';
        const cost = line.length + 1 + (at === 0 && heading !== '' ? heading.length + 1 : 0);
        if (cost > room) break;
        room -= cost;
        taken[index] = at + 1;
      }
    }
  }
  const text = sections.flatMap(({ heading, lines }, index) => {
    const kept = lines.slice(0, taken[index]);
    return kept.length === 0 || heading === '' ? kept : [heading, ...kept];
  });
  return text.length === 0 ? '' : [title, ...text].join('\n');
}

/** What a compaction loses of a session: requests, commands that worked, changed files, what came of them, failures. */
function sessionSections(work: SessionWork): readonly Section[] {
  const requests = work.requests.filter(({ text }) => text !== '');
  const open = work.failures.filter((failure) => failure.open);
  const resolved = work.failures.filter((failure) => failure.fix !== undefined);
  return [
    {
      heading: 'Requests (latest first):',
      lines: requests.map(({ text }) => `- ${quote(text, 160)}`).toReversed(),
      first: 3,
    },
    {
      heading: 'Open failures:',
      lines: open.map((failure) => `- ${formatFailure(failure)}`).toReversed(),
      first: 3,
    },
    {
      heading: 'Commands that worked:',
      lines: work.commands
        .map(({ text, count }) => `- ${quoteCode(text)}${count > 1 ? ` (${count} times)` : ''}`)
        .toReversed(),
      first: 4,
    },
    { heading: 'Files changed (latest first):', lines: fileLines(work.files), first: 4 },
    { heading: 'Outcomes:', lines: outcomeLines(work), first: 3 },
    {
      heading: 'Resolved failures:',
      lines: resolved.map((failure) => `- ${formatFailure(failure)}`).toReversed(),
      first: 2,
    },
  ];
}

/** A failure in words, with its fix. */
function formatFailure({ what, error, fix }: WorkFailure): string {
  const why = error === '' ? '' : ` failed with ${quote(error, 120)}`;
  const instead = fix === undefined ? '' : `; ${quoteCode(fix)} worked instead`;
  return `${quoteCode(what)}${why}${instead}`;
}

const FILES_PER_LINE = 4;

function fileLines(files: readonly string[]): readonly string[] {
  const lines: string[] = [];
  for (let at = 0; at < files.length; at += FILES_PER_LINE) {
    const names = files.slice(at, at + FILES_PER_LINE).map((file) => quoteCode(file));
    lines.push(`- ${names.join(', ')}`);
  }
  return lines;
}

/** Decisive lines of commits and replies, the latest first, without duplicates. */
function outcomeLines(work: SessionWork): readonly string[] {
  const decided = work.requests.flatMap(({ at, decision }) => (decision === undefined ? [] : [{ at, text: decision }]));
  const committed = work.commits.map(({ at, message }) => ({ at, text: message }));
  const sorted = [...decided, ...committed].sort((a, b) => compareText(b.at, a.at));
  return [...new Set(sorted.map(({ text }) => `- ${quote(text, 160)}`))];
}
