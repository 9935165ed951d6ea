import type { TimeSpan } from '../../memory/index.ts';
import { failuresAbout, failureText, type KnownFailure, knownFailures } from './known-failures.ts';
import type { Asked, MemorySource } from './memory-source.ts';
import { nothingRecorded } from './memory-text.ts';
import { recentWork } from './recent-work.ts';

const MOST_OPEN = 6;
const MOST_SOLVED = 3;
const MOST_TOLD = 3;

/** What failed: what may fail again first, then what has worked since. */
export function answerFailures(span: TimeSpan, asked: Asked, source: MemorySource): string {
  const known = knownFailures(asked, source).filter(({ at }) => isWithin(at, span));
  if (known.length === 0) return nothingFailed(span, asked, source);
  const open = known.filter(({ isOpen }) => isOpen).slice(0, MOST_OPEN);
  const solved = known.filter(({ isOpen }) => !isOpen).slice(0, MOST_SOLVED);
  const more = known.length - open.length - solved.length;
  return [
    ...section('Failed, and has not worked since:', open),
    ...section('Failed, and worked later:', solved),
    ...(more > 0 ? [`${more} more: \`yore failures --all\` and \`yore recap\`.`] : []),
  ]
    .join('\n')
    .trim();
}

/** Why something failed; the last failure when nothing is named. Undefined when no known failure is meant. */
export function answerWhy(words: readonly string[], asked: Asked, source: MemorySource): string | undefined {
  const known = knownFailures(asked, source);
  const meant = words.length === 0 ? known.slice(0, 1) : failuresAbout(words, known).slice(0, MOST_TOLD);
  return meant.length === 0 ? undefined : meant.map((failure) => `- ${failureText(failure)}`).join('\n');
}

function nothingFailed(span: TimeSpan, asked: Asked, source: MemorySource): string {
  if (recentWork(asked, source).length === 0) return nothingRecorded(source.project.info.displayName);
  const then = span.since === undefined ? '' : ' in that time';
  return `No failure is remembered${then}. \`yore recap\` tells what was worked on.`;
}

function section(title: string, failures: readonly KnownFailure[]): readonly string[] {
  return failures.length === 0 ? [] : [title, '', ...failures.map((each) => `- ${failureText(each)}`), ''];
}

function isWithin(at: string, { since = 0, until = Number.POSITIVE_INFINITY }: TimeSpan): boolean {
  const time = Date.parse(at);
  return time >= since && time < until;
}
