import { findTags } from '../../facts/tags/tags.ts';
import { omitUndefined } from '../../record/object.ts';
import { isAscii } from '../../text/is-ascii.ts';
import { editDistance } from '../../text/nearest.ts';
import { splitWords } from '../../text/words.ts';
import type { AskedCall } from './asked-call.ts';
import {
  type CandidateOptions,
  type FailureCandidate,
  findCandidates,
  isSameCallAgain,
  isUntouched,
  type MachineState,
  mayRecur,
  UNKNOWN_MACHINE,
} from './candidates.ts';
import { estimateConfidence } from './confidence.ts';
import type { FailureRows } from './failure-rows.ts';
import { type FailureOccurrence, type KnownFailure, kindOf, latestOccurrence } from './known-failure.ts';

const DAY_MS = 86_400_000;

/** A known failure that a call is expected to run into. */
export interface FailureMatch {
  readonly failure: KnownFailure;
  /** The occurrence that a warning is based on. */
  readonly occurrence: FailureOccurrence;
  /** The estimated probability that the call fails again with the same error. */
  readonly confidence: number;
  /** The call's signature. */
  readonly signature: string;
}

/** What {@link matchFailure} needs to know besides the call. */
export interface MatchOptions extends CandidateOptions {
  /** The request that the call serves; called only when it matters. */
  readonly request?: () => string | undefined;
}

/** The failure that a call is most likely to run into, whatever its confidence; undefined when there is none. */
export function matchFailure(rows: FailureRows, asked: AskedCall, options: MatchOptions): FailureMatch | undefined {
  const candidates = findCandidates(rows, asked, options);
  let best: FailureMatch | undefined;
  for (const candidate of candidates) {
    if (!candidate.isSimilarCall) best = mostConfident(best, toMatch(candidate, rows, options));
  }
  const similar = candidates.filter(({ isSimilarCall }) => isSimilarCall);
  return similar.length === 0 ? best : mostConfident(best, matchSimilar(similar, rows, asked, options));
}

/** The confidence in a similar call is lower the less similar it is. */
function matchSimilar(
  candidates: readonly FailureCandidate[],
  rows: FailureRows,
  { analysis, fields }: AskedCall,
  options: MatchOptions,
): FailureMatch | undefined {
  const { tool, command, path } = fields;
  const request = options.request?.();
  const rate = rateSimilarity({
    signature: analysis.signature,
    context: request,
    tags: findTags({ tool, ...omitUndefined({ text: request, command, path }) }),
  });
  let best: FailureMatch | undefined;
  for (const candidate of candidates) {
    const similarity = rate(candidate.occurrence);
    if (similarity <= MIN_SIMILARITY || isAboutDifference(candidate, analysis.signature)) continue;
    const match = toMatch(candidate, rows, options);
    best = mostConfident(best, { ...match, confidence: match.confidence * similarity * SIMILAR_FACTOR });
  }
  return best;
}

/** A similar call is another call: that it fails too needs more evidence. */
const SIMILAR_FACTOR = 0.9;

/** Whether the error names a word that only the call that failed has: another region, another table. */
function isAboutDifference({ occurrence }: FailureCandidate, signature: string): boolean {
  const words = occurrence.signature.split(/[\s=]+/);
  return words.some(
    (word) => word.length >= MIN_WORD_CHARS && occurrence.line.includes(word) && !signature.includes(word),
  );
}

function mostConfident(a: FailureMatch | undefined, b: FailureMatch | undefined): FailureMatch | undefined {
  return a === undefined || (b !== undefined && b.confidence > a.confidence) ? b : a;
}

function toMatch(candidate: FailureCandidate, rows: FailureRows, { machine }: MatchOptions): FailureMatch {
  const { failure, occurrence, signature, choice } = candidate;
  const confidence = choice === 'pin' ? 1 : confidenceIn(candidate, rows, machine);
  return { failure, occurrence, confidence, signature };
}

function confidenceIn(candidate: FailureCandidate, rows: FailureRows, machine?: MachineState): number {
  return estimateConfidence(candidate, {
    isUntouched: isUntouched(candidate, rows, machine),
    isSameCallAgain: isSameCallAgain(candidate, rows, machine),
    record: rows.trackRecord(kindOf(candidate.failure.key)),
  });
}

/**
 * The probability that a failure happens again if the call that failed last is repeated under the same conditions; 0 if
 * something rules that out.
 */
export function estimateRecurrence(
  rows: FailureRows,
  failure: KnownFailure,
  options: Pick<MatchOptions, 'now' | 'lookbackDays' | 'machine'>,
): number {
  const { now, lookbackDays, machine } = options;
  const occurrence = latestOccurrence(failure);
  if (occurrence === undefined) return 0;
  const candidate: FailureCandidate = {
    failure,
    occurrence,
    choice: 'none',
    isSimilarCall: false,
    sessionId: '',
    worktree: failure.worktrees.at(-1) ?? '',
    agent: failure.agents.at(-1) ?? '',
    circumstances: failure.circumstances,
    signature: failure.editSignature ?? occurrence.signature,
    what: occurrence.what,
    now,
  };
  if (!mayRecur(candidate, rows, machine ?? UNKNOWN_MACHINE, lookbackDays * DAY_MS)) return 0;
  return confidenceIn(candidate, rows, machine);
}

/** Calls that are less similar than this are different calls. */
export const MIN_SIMILARITY = 0.85;

/** Signatures are compared up to this length. */
const MAX_COMPARED_CHARS = 240;
const MIN_WORD_CHARS = 3;

/** What two calls of the same similarity group are compared by. */
interface ComparedCall {
  readonly signature: string;
  /** The request that the call serves. */
  readonly context?: string | undefined;
  readonly tags?: readonly string[];
}

/**
 * Rates how similar calls that failed are to a call, from 0 to 1: 0.3 for being of the same similarity group, up to 0.4
 * for the signature, and up to 0.3 for the words of the request or the tags, whichever have more in common. Signatures
 * are compared only if the rest leaves a chance of {@link MIN_SIMILARITY}.
 */
export function rateSimilarity(call: ComparedCall): (failed: ComparedCall) => number {
  const signature = call.signature.slice(0, MAX_COMPARED_CHARS);
  const words = contentWords(call.context);
  const tags = new Set(call.tags);
  return (failed) => {
    const common = Math.max(overlap(words, contentWords(failed.context)), overlap(tags, new Set(failed.tags)));
    const rest = 0.3 + 0.3 * common;
    const needed = (MIN_SIMILARITY - rest) / 0.4;
    return rest + 0.4 * textSimilarity(signature, failed.signature.slice(0, MAX_COMPARED_CHARS), needed);
  };
}

function contentWords(text = ''): ReadonlySet<string> {
  const parts = splitWords(text).flatMap((word) => word.parts);
  return new Set(parts.filter((part) => part.length >= MIN_WORD_CHARS || !isAscii(part)));
}

/** The Jaccard index of two sets; 0 when one of them is empty. */
function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let shared = 0;
  for (const item of a) if (b.has(item)) shared++;
  return shared / (a.size + b.size - shared);
}

/** 1 minus the edit distance as a share of the longer text; 0 when it is certain to be less than `needed`. */
function textSimilarity(a: string, b: string, needed: number): number {
  if (a === b) return 1;
  const longest = Math.max(a.length, b.length);
  // The edit distance is at least the difference in length.
  if (needed >= 1 || Math.abs(a.length - b.length) > longest * (1 - needed)) return 0;
  return 1 - editDistance(a, b) / longest;
}
