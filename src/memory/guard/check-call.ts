import { analyseCall, type CallAnalysis } from '../call/analyse-call.ts';
import type { CallFields } from '../call/describe-call.ts';
import { tagsOf } from '../tags/tags-of.ts';
import { confidenceIn } from './confidence.ts';
import { type FailureOccurrence, type KnownFailure, kindOf } from './hazard.ts';
import type { FailureLookup } from './known-failures.ts';
import { isUntouched } from './liveness.ts';
import { type Comparable, LEAST_SIMILARITY, similarity } from './similarity.ts';
import { type CandidateOptions, type FailureCandidate, findCandidates } from './suspects.ts';
import { UNKNOWN_MACHINE } from './world.ts';

/** Why a call is expected to fail. */
export interface FailureMatch {
  readonly hazard: KnownFailure;
  /** The failure it rests on. */
  readonly evidence: FailureOccurrence;
  /** The probability that the call fails again with the same error. */
  readonly confidence: number;
  readonly signature: string;
}

/** What is asked, and what may be known for the answer. */
export interface CheckOptions extends CandidateOptions {
  /** The request that the call serves; asked for only when it matters. */
  readonly request?: () => string | undefined;
}

/** The most likely reason why a call would fail, however likely; undefined when nothing speaks for it. */
export function checkCall(
  book: FailureLookup,
  fields: CallFields,
  options: CheckOptions,
): FailureMatch | undefined {
  const call = analyseCall(fields);
  const suspects = findCandidates(book, call, fields, options);
  let best: FailureMatch | undefined;
  for (const suspect of suspects) {
    if (!suspect.isOfAnother) best = better(best, verdictOn(suspect, book, options));
  }
  const others = suspects.filter(({ isOfAnother }) => isOfAnother);
  return others.length === 0 ? best : better(best, judgeAlike(others, book, call, fields, options));
}

/** A call that is much like one that failed is as likely to fail as it is like it. */
function judgeAlike(
  suspects: readonly FailureCandidate[],
  book: FailureLookup,
  call: CallAnalysis,
  fields: CallFields,
  options: CheckOptions,
): FailureMatch | undefined {
  const compared = comparable(call, fields, options.request?.());
  let best: FailureMatch | undefined;
  for (const suspect of suspects) {
    const likeness = similarity(compared, { ...suspect.evidence, family: call.family });
    if (likeness <= LEAST_SIMILARITY) continue;
    const verdict = verdictOn(suspect, book, options);
    best = better(best, { ...verdict, confidence: verdict.confidence * likeness });
  }
  return best;
}

function comparable(
  call: CallAnalysis,
  { tool, command, path }: CallFields,
  request: string | undefined,
): Comparable {
  const tags = tagsOf({
    tool,
    ...(request === undefined ? {} : { text: request }),
    ...(command === undefined ? {} : { command }),
    ...(path === undefined ? {} : { path }),
  });
  return { text: call.signature, family: call.family, context: request, tags };
}

function better(a: FailureMatch | undefined, b: FailureMatch | undefined): FailureMatch | undefined {
  return a === undefined || (b !== undefined && b.confidence > a.confidence) ? b : a;
}

function verdictOn(suspect: FailureCandidate, book: FailureLookup, options: CheckOptions): FailureMatch {
  const { hazard, evidence, situation, choice } = suspect;
  const record = book.trackRecord(kindOf(hazard.key));
  const confidence =
    choice === 'pin'
      ? 1
      : confidenceIn(situation, isUntouched(situation, book, options.world ?? UNKNOWN_MACHINE), record);
  return { hazard, evidence, confidence, signature: situation.signature };
}
