import { analyseCall } from '../call/analyse-call.ts';
import { type CallFields, rootOf } from '../call/describe-call.ts';
import { confidenceIn, type TrackRecord } from './confidence.ts';
import type { Choice, FailureBook } from './failure-book.ts';
import { type Evidence, type Hazard, kindOf, latestEvidence } from './hazard.ts';
import { isUntouched, type Situation, whyEnded } from './liveness.ts';
import { isUnread } from './session-trace.ts';
import { UNSEEN, type World } from './world.ts';

/** Why a call is expected to fail. */
export interface Verdict {
  readonly hazard: Hazard;
  /** The failure it rests on. */
  readonly evidence: Evidence;
  /** The probability that the call fails again with the same error. */
  readonly confidence: number;
  readonly signature: string;
}

/** What is asked, and what may be known for the answer. */
export interface CheckOptions {
  readonly sessionId: string;
  readonly now: number;
  readonly lookbackDays: number;
  readonly world?: World;
  /** What the user decided about a hazard. */
  readonly choiceOf?: (key: string) => Choice;
  /** How the warnings of a kind ended so far. */
  readonly recordOf?: (kind: string) => TrackRecord;
}

const NO_RECORD: TrackRecord = { right: 0, wrong: 0 };
const DAY_MS = 86_400_000;

/** The most likely reason why a call would fail, however likely; undefined when nothing speaks for it. */
export function checkCall(book: FailureBook, fields: CallFields, options: CheckOptions): Verdict | undefined {
  const call = analyseCall(fields);
  if (call.isProbe || call.family === 'poll') return undefined;
  const world = options.world ?? UNSEEN;
  let best: Verdict | undefined;
  for (const key of [...call.needs, ...brokenRules(book, call, fields, options)]) {
    const hazard = book.hazard(key);
    if (hazard === undefined) continue;
    const situation: Situation = {
      hazard,
      sessionId: options.sessionId,
      worktree: rootOf(fields) ?? '',
      agent: fields.agent ?? '',
      ...(fields.branch === undefined ? {} : { branch: fields.branch }),
      circumstances: circumstancesOf(
        fields,
        call.parts.flatMap((part) => part.command.circumstances),
      ),
      signature: call.signature,
      family: call.family,
      now: options.now,
    };
    const choice = options.choiceOf?.(key) ?? 'none';
    if (choice === 'dismiss') continue;
    const lookbackMs = choice === 'pin' ? Number.POSITIVE_INFINITY : options.lookbackDays * DAY_MS;
    if (whyEnded(situation, book, world, lookbackMs) !== undefined) continue;
    const evidence = latestEvidence(hazard, call.family);
    if (evidence === undefined) continue;
    const record = options.recordOf?.(kindOf(key)) ?? NO_RECORD;
    const confidence =
      choice === 'pin' ? 1 : confidenceIn(situation, isUntouched(situation, book, world), record);
    if (best === undefined || confidence > best.confidence)
      best = { hazard, evidence, confidence, signature: call.signature };
  }
  return best;
}

function circumstancesOf(fields: CallFields, environment: readonly string[]): readonly string[] {
  const own = (fields.circumstances ?? []).filter((item) => !item.startsWith('worktree:'));
  return [...new Set([...own, ...environment])];
}

/** Rules of the agent's own tools that the call breaks: edit only what was read, change something. */
function brokenRules(
  book: FailureBook,
  call: ReturnType<typeof analyseCall>,
  fields: CallFields,
  { sessionId }: CheckOptions,
): string[] {
  const agent = fields.agent ?? '';
  const session = book.session(sessionId);
  const rules: string[] = [];
  if (call.isIdle) rules.push(`rule:idle ${agent}`);
  if (isUnread(call, session) && session.calls > 0 && !session.editsUnread) {
    const shown = call.files.some((file) => session.shown.has(file));
    if (!shown || book.lastTime('shown-counts', agent) === 0) rules.push(`rule:read ${agent}`);
  }
  return rules;
}
