import { createHash } from 'node:crypto';
import type { AntiPattern } from '../ask/anti-patterns.ts';
import type { KnownFailure } from '../ask/guard/known-failure.ts';
import type { BestPractice } from '../ask/practices.ts';
import { isObject, parseObject, teamSessionId } from '../record/index.ts';
import { compareText } from '../text/compare-text.ts';

/** What a machine has learned from its own records of a project: redacted, and without what is not shared. */
export interface Lessons {
  /** Failures that the guard warns of, with what worked instead. */
  readonly failures: readonly KnownFailure[];
  readonly antiPatterns: readonly AntiPattern[];
  readonly bestPractices: readonly BestPractice[];
}

/** What all machines of a team have learned from a project, the most certain first. */
export interface TeamKnowledge {
  readonly antiPatterns: readonly (AntiPattern & Authors)[];
  readonly bestPractices: readonly (BestPractice & Authors)[];
}

interface Authors {
  /** The pseudonyms of the members who learned it. */
  readonly authors: readonly string[];
}

/** A lesson as it is stored. */
export interface LessonRow {
  readonly kind: 'failure' | 'avoid' | 'practice';
  readonly key: string;
  /** ISO 8601. */
  readonly at: string;
  readonly body: string;
}

const KEY_LENGTH = 32;
/** As in the knowledge of one machine: an anti-pattern that was seen this often is certain. */
const CERTAIN_COUNT = 3;

/** Lessons as rows. `now`: epoch milliseconds, for those that have no time of their own. */
export function toLessonRows({ failures, antiPatterns, bestPractices }: Lessons, now: number): readonly LessonRow[] {
  const toRow = (kind: LessonRow['kind'], name: string, time: number | string, lesson: object): LessonRow => ({
    kind,
    key: createHash('sha256').update(name).digest('hex').slice(0, KEY_LENGTH),
    at: new Date(time).toISOString(),
    body: JSON.stringify(lesson),
  });
  return [
    ...failures.map((failure) => toRow('failure', failure.key, failure.lastAt, failure)),
    ...antiPatterns.map((pattern) => toRow('avoid', pattern.pattern, pattern.occurredAt, pattern)),
    ...bestPractices.map((practice) => toRow('practice', practice.pattern, now, practice)),
  ];
}

/** A failure of a member; nothing for what cannot be read. */
export function parseFailure({ author, body }: { readonly author: string; readonly body: string }): KnownFailure[] {
  const failure: unknown = parseObject(body);
  if (!isKnownFailure(failure)) return [];
  const occurrences = Object.entries(failure.occurrences).map(([family, each]) => [family, { ...each, author }]);
  const sessions = failure.sessions.map((session) => teamSessionId(session, author));
  return [{ ...failure, sessions, occurrences: Object.fromEntries(occurrences) }];
}

/** Whether a value from another machine is a known failure. */
function isKnownFailure(value: unknown): value is KnownFailure {
  if (typeof value !== 'object' || value === null) return false;
  const { key, class: failureClass, occurrences, ...rest } = value as Partial<KnownFailure>;
  if (typeof key !== 'string' || typeof failureClass !== 'string') return false;
  if (typeof occurrences !== 'object' || occurrences === null || Object.keys(occurrences).length === 0) return false;
  return (
    [rest.sessions, rest.worktrees, rest.agents, rest.circumstances].every(Array.isArray) &&
    [rest.lastAt, rest.count, rest.relapses].every(Number.isFinite)
  );
}

/** Joins what several machines have learned: counts add up, and the latest evidence is shown. */
export function joinKnowledge(
  rows: readonly { readonly author: string; readonly kind: string; readonly body: string }[],
): TeamKnowledge {
  const antiPatterns = new Map<string, AntiPattern & Authors>();
  const bestPractices = new Map<string, BestPractice & Authors>();
  for (const { author, kind, body } of rows) {
    const lesson: unknown = parseObject(body);
    if (kind === 'avoid' && isAntiPattern(lesson)) {
      antiPatterns.set(lesson.pattern, joinAntiPatterns(lesson, author, antiPatterns.get(lesson.pattern)));
    }
    if (kind === 'practice' && isBestPractice(lesson)) {
      const known = bestPractices.get(lesson.pattern);
      const better = known === undefined || lesson.confidence > known.confidence ? lesson : known;
      bestPractices.set(lesson.pattern, { ...better, authors: addAuthor(known, author) });
    }
  }
  return { antiPatterns: rank(antiPatterns), bestPractices: rank(bestPractices) };
}

function joinAntiPatterns(
  lesson: AntiPattern,
  author: string,
  known: (AntiPattern & Authors) | undefined,
): AntiPattern & Authors {
  const count = lesson.count + (known?.count ?? 0);
  const [newer, older] =
    known === undefined || lesson.occurredAt > known.occurredAt ? [lesson, known] : [known, lesson];
  const fix = newer.fix ?? older?.fix;
  const confidence = Math.max(Math.min(count / CERTAIN_COUNT, 1), newer.confidence, older?.confidence ?? 0);
  const joined = { ...newer, count, confidence, authors: addAuthor(known, author) };
  return fix === undefined ? joined : { ...joined, fix };
}

function addAuthor(known: Authors | undefined, author: string): readonly string[] {
  return [...new Set([...(known?.authors ?? []), author])];
}

function rank<T extends { readonly confidence: number; readonly pattern: string }>(
  lessons: ReadonlyMap<string, T>,
): readonly T[] {
  return [...lessons.values()].sort((a, b) => b.confidence - a.confidence || compareText(a.pattern, b.pattern));
}

function isAntiPattern(value: unknown): value is AntiPattern {
  return hasPattern(value) && typeof value.occurredAt === 'string' && Number.isFinite(value.count);
}

function isBestPractice(value: unknown): value is BestPractice {
  return hasPattern(value) && typeof value.evidence === 'string';
}

function hasPattern(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    isObject(value) &&
    typeof value.pattern === 'string' &&
    typeof value.reason === 'string' &&
    Number.isFinite(value.confidence)
  );
}
