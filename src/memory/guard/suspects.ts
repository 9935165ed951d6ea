import type { CallAnalysis } from '../call/call-analysis.ts';
import { type CallFields, rootOf } from '../call/describe-call.ts';
import { type FailureOccurrence, type KnownFailure, kindOf, latestOccurrence } from './hazard.ts';
import type { FailureChoice, FailureLookup } from './known-failures.ts';
import { type Situation, whyEnded } from './liveness.ts';
import { isUnread } from './session-trace.ts';
import { type MachineState, UNKNOWN_MACHINE } from './world.ts';

/** Something that failed, that a call needs, and of which nothing shows that it is over. */
export interface FailureCandidate {
  readonly hazard: KnownFailure;
  /** The failure it rests on. */
  readonly evidence: FailureOccurrence;
  readonly situation: Situation;
  readonly choice: FailureChoice;
  /** The call does not need it: it is one of the same kind that failed. */
  readonly isOfAnother: boolean;
}

/** What is asked of a call, and what may be known for the answer. */
export interface CandidateOptions {
  readonly sessionId: string;
  readonly now: number;
  readonly lookbackDays: number;
  /** Default: nothing can be seen. */
  readonly world?: MachineState;
  /** Only these kinds of things that a call needs. Default: all. */
  readonly kinds?: ReadonlySet<string>;
  /** Calls of the session that are not in the book yet. Default 0. */
  readonly pendingCalls?: number;
}

const DAY_MS = 86_400_000;

/**
 * All that speaks against a call, mostly nothing: first what the call needs and what was missing before; then calls of
 * the same kind. How much it says is told by `checkCall`.
 */
export function findCandidates(
  book: FailureLookup,
  call: CallAnalysis,
  fields: CallFields,
  options: CandidateOptions,
): readonly FailureCandidate[] {
  if (call.family === 'poll') return [];
  const { kinds } = options;
  const needed = [...call.needs, ...brokenRules(book, call, fields, options)].filter(
    (key) => kinds === undefined || kinds.has(kindOf(key)),
  );
  // Arguments of other tools are mostly ids: much alike, and about different things.
  const alike = kinds === undefined && call.family === 'shell' ? book.alike(call) : [];
  const suspect = (isOfAnother: boolean) => (key: string) =>
    suspectIn(book, key, call, fields, options, isOfAnother) ?? [];
  const found = [...needed.flatMap(suspect(false)), ...alike.flatMap(suspect(true))];
  return found.length > 0 && call.isProbe ? [] : found;
}

function suspectIn(
  book: FailureLookup,
  key: string,
  call: CallAnalysis,
  fields: CallFields,
  options: CandidateOptions,
  isOfAnother: boolean,
): FailureCandidate | undefined {
  const hazard = book.hazard(key);
  const choice = hazard === undefined ? 'none' : book.choice(key);
  if (hazard === undefined || choice === 'dismiss') return undefined;
  const evidence = latestOccurrence(hazard, call.family);
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
  const isOver = whyEnded(situation, book, options.world ?? UNKNOWN_MACHINE, lookbackMs) !== undefined;
  return evidence === undefined || isOver ? undefined : { hazard, evidence, situation, choice, isOfAnother };
}

function circumstancesOf(fields: CallFields, call: CallAnalysis): readonly string[] {
  const own = (fields.circumstances ?? []).filter((item) => !item.startsWith('worktree:'));
  return [...new Set([...own, ...call.parts.flatMap((part) => part.command.circumstances)])];
}

/** Rules of the agent's own tools that the call breaks: edit only what was read, change something. */
function brokenRules(
  book: FailureLookup,
  call: CallAnalysis,
  fields: CallFields,
  { sessionId, pendingCalls = 0 }: CandidateOptions,
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
