import { createHash } from 'node:crypto';
import { type FailureOccurrence, isStanding, type KnownFailure } from '../ask/guard/known-failure.ts';
import type { Lessons } from '../postgres/index.ts';
import type { Project } from '../project/index.ts';
import { CHAT_AGENT } from '../record/index.ts';
import { redactValue } from '../redact/redact.ts';
import { type ShareLevel, withoutRoots } from './shared-records.ts';

const DAY_MS = 86_400_000;
/** Newer failures than these are enough for the guards of others. */
const MAX_FAILURES = 300;

const NOTHING: Lessons = { failures: [], antiPatterns: [], bestPractices: [] };

/** What this machine has learned from its own records of a project, as far as it is shared. */
export function collectLessons(project: Project, level: ShareLevel, now: number): Lessons {
  if (level === 'nothing') return NOTHING;
  const { memory, config, info } = project;
  const { antiPatterns, bestPractices } = memory.knowledge().knowledge;
  const oldest = now - config.get('retrieval.failureLookbackDays') * DAY_MS;
  const failures = memory
    .ownFailures()
    .filter((failure) => isStanding(failure) && failure.lastAt >= oldest && !failure.agents.includes(CHAT_AGENT))
    .slice(0, MAX_FAILURES);
  const roots = new Set([info.projectPath, ...failures.flatMap(({ worktrees }) => worktrees)]);
  const lessons = { failures: failures.map((each) => toShared(each, level)), antiPatterns, bestPractices };
  return redactValue(withoutRoots(lessons, [...roots]));
}

/** A hash by which lessons are compared with those published before. */
export function hashLessons(lessons: Lessons): string {
  return createHash('sha256').update(JSON.stringify(lessons)).digest('hex').slice(0, 16);
}

/** {@link hashLessons} of a machine that has learned nothing. */
export const NO_LESSONS: string = hashLessons(NOTHING);

/** Where checkouts are concerns nobody, and the requests that calls served are messages. */
function toShared(failure: KnownFailure, level: ShareLevel): KnownFailure {
  const withoutContext = ({ context: _, ...occurrence }: FailureOccurrence): FailureOccurrence => occurrence;
  const occurrences =
    level === 'messages'
      ? failure.occurrences
      : Object.fromEntries(Object.entries(failure.occurrences).map(([family, each]) => [family, withoutContext(each)]));
  return { ...failure, occurrences, worktrees: [] };
}
