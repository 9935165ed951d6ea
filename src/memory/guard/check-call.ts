import { analyseCall, type CallAnalysis } from '../call/analyse-call.ts';
import { type CallFields, rootOf } from '../call/describe-call.ts';
import { tagsOf } from '../tags/index.ts';
import { confidenceIn } from './confidence.ts';
import type { FailureBook } from './failure-book.ts';
import { type Evidence, type Hazard, kindOf, latestEvidence } from './hazard.ts';
import { isUntouched, type Situation, whyEnded } from './liveness.ts';
import { isUnread } from './session-trace.ts';
import { type Comparable, LEAST_SIMILARITY, similarity } from './similarity.ts';
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
  /** Default: nothing can be seen. */
  readonly world?: World;
  /** The request that the call serves; asked for only when it matters. */
  readonly request?: () => string | undefined;
  /** Only these kinds of things that a call needs. Default: all. */
  readonly kinds?: ReadonlySet<string>;
  /** Calls of the session that are not in the book yet. Default 0. */
  readonly pendingCalls?: number;
}

const DAY_MS = 86_400_000;

/**
 * The most likely reason why a call would fail, however likely; undefined when nothing speaks for it. First what the
 * call needs and what was missing before; then calls of the same kind that were much like it.
 */
export function checkCall(book: FailureBook, fields: CallFields, options: CheckOptions): Verdict | undefined {
  const call = analyseCall(fields);
  if (call.isProbe || call.family === 'poll') return undefined;
  let best: Verdict | undefined;
  for (const key of [...call.needs, ...brokenRules(book, call, fields, options)]) {
    if (options.kinds?.has(kindOf(key)) === false) continue;
    best = better(best, judge(book, key, call, fields, options));
  }
  if (options.kinds !== undefined) return best;
  return better(best, judgeAlike(book, call, fields, options));
}

/** A call that is much like one that failed is as likely to fail as it is like it. */
function judgeAlike(
  book: FailureBook,
  call: CallAnalysis,
  fields: CallFields,
  options: CheckOptions,
): Verdict | undefined {
  // Arguments of other tools are mostly ids: much alike, and about different things.
  const keys = call.family === 'shell' ? book.alike(call) : [];
  const verdicts = keys
    .map((key) => judge(book, key, call, fields, options))
    .filter((verdict) => verdict !== undefined);
  if (verdicts.length === 0) return undefined;
  const compared = comparable(call, fields, options.request?.());
  let best: Verdict | undefined;
  for (const verdict of verdicts) {
    const likeness = similarity(compared, { ...verdict.evidence, family: call.family });
    if (likeness <= LEAST_SIMILARITY) continue;
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

function better(a: Verdict | undefined, b: Verdict | undefined): Verdict | undefined {
  return a === undefined || (b !== undefined && b.confidence > a.confidence) ? b : a;
}

function judge(
  book: FailureBook,
  key: string,
  call: CallAnalysis,
  fields: CallFields,
  options: CheckOptions,
): Verdict | undefined {
  const hazard = book.hazard(key);
  const choice = hazard === undefined ? 'none' : book.choice(key);
  if (hazard === undefined || choice === 'dismiss') return undefined;
  const evidence = latestEvidence(hazard, call.family);
  const world = options.world ?? UNSEEN;
  const situation: Situation = {
    hazard,
    sessionId: options.sessionId,
    worktree: rootOf(fields) ?? '',
    agent: fields.agent ?? '',
    ...(fields.branch === undefined ? {} : { branch: fields.branch }),
    circumstances: circumstancesOf(fields, call),
    signature: call.signature,
    now: options.now,
  };
  const lookbackMs = choice === 'pin' ? Number.POSITIVE_INFINITY : options.lookbackDays * DAY_MS;
  if (evidence === undefined || whyEnded(situation, book, world, lookbackMs) !== undefined) return undefined;
  const record = book.trackRecord(kindOf(key));
  const confidence =
    choice === 'pin' ? 1 : confidenceIn(situation, isUntouched(situation, book, world), record);
  return { hazard, evidence, confidence, signature: call.signature };
}

function circumstancesOf(fields: CallFields, call: CallAnalysis): readonly string[] {
  const own = (fields.circumstances ?? []).filter((item) => !item.startsWith('worktree:'));
  return [...new Set([...own, ...call.parts.flatMap((part) => part.command.circumstances)])];
}

/** Rules of the agent's own tools that the call breaks: edit only what was read, change something. */
function brokenRules(
  book: FailureBook,
  call: CallAnalysis,
  fields: CallFields,
  { sessionId, pendingCalls = 0 }: CheckOptions,
): string[] {
  const agent = fields.agent ?? '';
  const session = book.session(sessionId);
  const rules: string[] = [];
  if (call.isIdle) rules.push(`rule:idle ${agent}`);
  if (isUnread(call, session) && session.calls + pendingCalls > 0 && !session.editsUnread) {
    const shown = call.files.some((file) => session.shown.has(file));
    if (!shown || book.lastTime('shown-counts', agent) === 0) rules.push(`rule:read ${agent}`);
  }
  return rules;
}
