import { classifyCommand } from '../../facts/call/action.ts';
import { omitUndefined } from '../../record/object.ts';
import { compareText } from '../../text/compare-text.ts';
import { oneLine } from '../../text/one-line.ts';
import { type CountedCommand, isLasting } from '../digest/counts/call-counts.ts';
import type { ProjectCounts } from '../digest/counts/project-counts.ts';
import { formatDay } from '../digest/digest-text.ts';
import type { SessionDigest } from '../digest/session-digest.ts';
import type { AntiPattern, BestPractice, WorkflowStep } from './knowledge-file.ts';

const MAX_PRACTICES = 10;
/** A practice that was seen this often is certain. */
const CERTAIN_COUNT = 5;
const MIN_CONFIDENCE = 0.6;
const MIN_SESSIONS = 2;
const MAX_HOOK_COMMANDS = 3;
const MAX_PATTERN_LENGTH = 160;

const PURPOSES: Readonly<Record<string, string>> = {
  test: 'Runs the tests',
  build: 'Builds the project',
  lint: 'Lints the code',
  format: 'Formats the code',
  install: 'Installs dependencies',
};
const CHECKS: Readonly<Record<string, string>> = {
  test: 'run the tests',
  lint: 'lint the code',
  build: 'build the project',
  format: 'format the code',
};

/**
 * What works in the project, the most certain first: notes, what git hooks run, the usual workflow, then
 * commands that worked repeatedly in several sessions.
 */
export function findBestPractices(
  counts: ProjectCounts,
  workflow: readonly WorkflowStep[],
  beforeCommit: readonly string[],
): readonly BestPractice[] {
  const noted = counts.practices.toReversed().map(
    (note): BestPractice => ({
      pattern: note.pattern,
      reason: note.description,
      confidence: 1,
      evidence: describeNote(note),
    }),
  );
  const habits = workflow.map(
    (step): BestPractice => ({
      pattern: `${capitalise(formatCheck(step))} (${step.command}) before each ${step.before}`,
      reason: 'Usual workflow',
      confidence: toConfidence(step.count),
      evidence: `before ${step.count} of ${step.total} ${step.before === 'push' ? 'pushes' : 'commits'}`,
    }),
  );
  const commands = counts.commands
    .ranked()
    .filter((command) => command.sessions >= MIN_SESSIONS && toConfidence(command.count) > MIN_CONFIDENCE)
    .map(toPractice);
  return [...noted, ...hookPractices(beforeCommit), ...habits, ...commands].slice(0, MAX_PRACTICES);
}

/** Who made a note, and when. What an agent notes may come from anything that it has read. */
function describeNote({ at, isByAgent }: { readonly at: string; readonly isByAgent: boolean }): string {
  return `noted ${isByAgent ? 'by an agent ' : ''}on ${formatDay(at)}`;
}

/** A check of the workflow as an instruction: `run the tests`. */
export function formatCheck({ check }: WorkflowStep): string {
  return CHECKS[check] ?? check;
}

/** A text with its first letter in upper case. */
export function capitalise(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** The confidence in a practice that was seen `count` times. */
function toConfidence(count: number): number {
  return Math.min(count / CERTAIN_COUNT, 1);
}

function hookPractices(beforeCommit: readonly string[]): readonly BestPractice[] {
  if (beforeCommit.length === 0) return [];
  const commands = beforeCommit.slice(0, MAX_HOOK_COMMANDS).join(', ');
  return [
    {
      pattern: oneLine(`A git hook runs ${commands} before each commit`, MAX_PATTERN_LENGTH),
      reason: 'Commits that fail it are rejected',
      confidence: 1,
      evidence: "configured in the project's files",
    },
  ];
}

function toPractice(command: CountedCommand): BestPractice {
  return {
    pattern: command.key,
    reason: PURPOSES[command.kind] ?? 'Works in this project',
    confidence: toConfidence(command.count),
    evidence: `worked ${command.count} times in ${command.sessions} sessions, last on ${formatDay(command.last)}`,
  };
}

/** The share of cases from which a check counts as part of the workflow. */
const MIN_SHARE = 2 / 3;

/** The checks that usually precede a commit or a push, the most frequent first. */
export function findWorkflow({ workflow }: ProjectCounts): readonly WorkflowStep[] {
  const steps: WorkflowStep[] = [];
  for (const before of ['commit', 'push'] as const) {
    const { total, before: checks } = workflow[before];
    for (const [check, order] of Object.entries(checks)) {
      if (!order || order.sessions < MIN_SESSIONS || order.count < total * MIN_SHARE) continue;
      if (toConfidence(order.count) <= MIN_CONFIDENCE) continue;
      steps.push({ before, check, command: findMostUsed(order.commands), count: order.count, total });
    }
  }
  return steps
    .filter(
      (step) =>
        step.before === 'commit' || !steps.some((other) => other.before === 'commit' && other.check === step.check),
    )
    .sort((a, b) => b.count - a.count || compareText(a.check, b.check));
}

function findMostUsed(commands: Readonly<Record<string, number>>): string {
  const [first] = Object.entries(commands).sort(([a, x], [b, y]) => y - x || compareText(a, b));
  return first?.[0] ?? '';
}

const MAX_ANTI_PATTERNS = 10;
/** A failure that happened this often is certain. */
const CERTAIN_FAILURES = 3;
/** The most frequent failures are considered, and the digests of some sessions read to see how they ended. */
const MAX_CANDIDATES = 40;
const MAX_LOOKUPS = 15;
/** The time after which failures are archived. */
const RETENTION_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * What to avoid in the project, the most certain first: notes, then calls that failed repeatedly for a
 * lasting reason and have not worked since. Something missing counts the first time if there is a resolution. Failures
 * older than 30 days before `at` are left out.
 */
export function findAntiPatterns(
  counts: ProjectCounts,
  readDigest: (sessionId: string) => SessionDigest | undefined,
  at: string,
  exists: (path: string) => boolean,
): readonly AntiPattern[] {
  const noted = counts.warnings.toReversed().map(
    (note): AntiPattern => ({
      pattern: note.pattern,
      reason: note.description,
      occurredAt: note.at,
      count: 1,
      confidence: 1,
      evidence: describeNote(note),
    }),
  );
  const known = new Set(noted.map(({ pattern }) => pattern));
  const learned: AntiPattern[] = [];
  const since = new Date(Date.parse(at) - RETENTION_MS).toISOString();
  const digests = new Map<string, SessionDigest | undefined>();
  for (const failure of counts.failures.ranked().filter(isLasting).slice(0, MAX_CANDIDATES)) {
    if (learned.length >= MAX_ANTI_PATTERNS || known.has(failure.what) || failure.last < since) continue;
    if (failure.signature !== undefined && counts.succeeded.hasWorkedSince(failure.signature, failure.last)) continue;
    // A missing path matters only if it is looked for in several sessions and is still missing.
    if (!failure.isCommand && (failure.sessions < 2 || exists(failure.path ?? ''))) continue;
    if (failure.count < 2 && failure.kind !== 'missing') continue;
    const { sessionId } = failure;
    if (!digests.has(sessionId) && digests.size < MAX_LOOKUPS) digests.set(sessionId, readDigest(sessionId));
    const ended = digests.get(sessionId)?.failures.find(({ what }) => what === failure.what);
    if (ended?.open === false && ended.resolution === undefined) continue;
    const alternative = counts.resolutions.find(failure.signature, failure.what);
    if (failure.count < 2 && !isConclusive(failure.what, alternative)) continue;
    known.add(failure.what);
    learned.push({
      pattern: failure.what,
      reason: failure.error,
      occurredAt: failure.last,
      count: failure.count,
      ...omitUndefined({ alternative }),
      confidence: Math.min(failure.count / CERTAIN_FAILURES, 1),
    });
  }
  return [...noted, ...learned].slice(0, MAX_ANTI_PATTERNS);
}

/** Whether one case is enough: another package or another program worked instead. */
function isConclusive(what: string, resolution: string | undefined): boolean {
  if (resolution === undefined) return false;
  const words = what.split(' ');
  return classifyCommand(words) === 'install' || words[0] !== resolution.split(' ', 1)[0];
}
