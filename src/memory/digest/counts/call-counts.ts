import { shortHash } from '../../../record/id.ts';
import { omitUndefined } from '../../../record/object.ts';
import type { Attempt } from '../../../record/record.ts';
import { earlierOf } from '../../../text/compare-text.ts';
import { MAX_PATH_LENGTH, signatureHash } from '../aggregate/activity.ts';
import type { FailureText } from '../aggregate/failures.ts';
import type { SuccessText } from '../aggregate/successes.ts';
import { isReadOnlyCommand } from '../build-digest.ts';
import type { BoundedCounts, Counted } from './bounded-counts.ts';

/** A command that worked; its text is the key. */
export interface CountedCommand extends Counted {
  readonly kind: string;
}

/** Longer commands are written for one occasion. */
const MAX_COMMAND_LENGTH = 120;
const KINDS: ReadonlySet<string> = new Set(['test', 'build', 'lint', 'format', 'install', 'run']);
/** Commands that are used everywhere: that they work says nothing about a project. */
const EVERYDAY: ReadonlySet<string> = new Set(
  (
    'awk bash cat cd chmod cp curl cut date diff echo env export find gh git grep head jq kill killall ln ls mkdir ' +
    'mv open pgrep pkill printf ps pwd read rg rm sed seq set sh sleep sort source stat sudo tail tar tee test time ' +
    'tmux touch tr true type unset unzip wait wc wget which xargs zip zsh for if while until case { ( [ [[ . :'
  ).split(' '),
);
/** Commands that ask a program about itself or its state. */
const QUESTION =
  /(?:^|\s)(?:--?help|-h|--?version|-[vV]|help|version|status|list|ls|show|info|ps|logs?|doctor)(?:\s|$)/;

/** Inline programs: `python -c`, `node -e`. */
const INLINE_PROGRAM = /^(?:python[\d.]*|node|ruby|perl|php|deno|bun) (?:-[ceprE]|eval|-)(?: |$)|<<|…$/;

/** Counts a command that worked, unless it is used everywhere. */
export function countCommand(
  counts: BoundedCounts<CountedCommand>,
  attempt: Attempt,
  { kind, text }: SuccessText,
): void {
  if (!KINDS.has(kind) || text.length > MAX_COMMAND_LENGTH || INLINE_PROGRAM.test(text)) return;
  if (kind === 'run' && QUESTION.test(text)) return;
  const program = text.replace(/^(?:[A-Z_][A-Z0-9_]*=\S*\s+)+/, '').split(' ', 1)[0] ?? '';
  if (program === '' || EVERYDAY.has(program)) return;
  counts.count(text, attempt.timestamp, attempt.sessionId, (counted) => ({ ...counted, kind }));
}

/** A call that failed, with one cause of its failures. */
export interface CountedFailure extends Counted {
  /** When it failed first. */
  first: string;
  readonly what: string;
  readonly isCommand: boolean;
  /** Of a call without a command. */
  readonly path?: string;
  /** Hash of the call's signature. */
  readonly signature?: number;
  /** The class of the failure. */
  readonly kind: string;
  /** Of the last time. */
  error: string;
  sessionId: string;
}

/** Classes of failures that say something about the project, not about the state of the work. */
const LASTING: ReadonlySet<string> = new Set(['missing', 'usage', 'environment']);

/** Whether a failure says something about the project: why it failed lasts, and failing was no answer. */
export function isLasting(failure: CountedFailure): boolean {
  return LASTING.has(failure.kind) && !isReadOnlyCommand(failure);
}

/**
 * Counts a failure by call and cause. A lasting cause is recognised by its error. Errors of other classes are different
 * each time, so that the class is the cause: a command whose tests fail is counted once.
 */
export function countFailure(
  counts: BoundedCounts<CountedFailure>,
  attempt: Attempt,
  { what, error }: FailureText,
): void {
  const { kind = 'unknown', signature, timestamp } = attempt;
  const cause = LASTING.has(kind) ? (attempt.errorSignature ?? error) : kind;
  const key = shortHash(`${signature ?? what}\n${cause}`);
  const entry = counts.count(key, timestamp, attempt.sessionId, (counted) => ({
    ...counted,
    first: timestamp,
    what,
    isCommand: attempt.command !== undefined,
    ...omitUndefined({
      path: attempt.command === undefined ? attempt.path?.slice(0, MAX_PATH_LENGTH) : undefined,
      signature: signature === undefined ? undefined : signatureHash(signature),
    }),
    kind,
    error,
    sessionId: attempt.sessionId,
  }));
  entry.first = earlierOf(entry.first, timestamp);
  if (timestamp < entry.last) return;
  entry.error = error;
  entry.sessionId = attempt.sessionId;
}
