import type { FailureKind } from '../../facts/failure/failure-kinds.ts';
import { textHash } from '../../record/id.ts';
import { omitUndefined } from '../../record/object.ts';
import { oneLine } from '../../text/one-line.ts';
import { quote, quoteCode, quoteId } from '../../text/recorded-text.ts';
import { type KnownFailure, kindOf } from './known-failure.ts';
import type { FailureMatch } from './match-failure.ts';

/** A warning before a call: when it failed, why, and what worked instead. */
export interface FailureWarning {
  /** The id of the failure, for `dismiss` and `pin`. */
  readonly failureId: string;
  readonly key: string;
  readonly signature: string;
  /** The attempt that the warning is based on. */
  readonly attemptId: string;
  /** When that was. ISO 8601, UTC. */
  readonly failedAt: string;
  /** The command or path that failed then. */
  readonly failed: string;
  /** Why it failed then. */
  readonly reason: string;
  readonly class: KnownFailure['class'];
  /** How often it failed since it last worked. */
  readonly count: number;
  /** In how many sessions, as far as is known. */
  readonly sessions: number;
  /** The last session in which it failed. */
  readonly sessionId: string;
  /** Why this call is expected to fail, if it is not the call that failed. */
  readonly cause?: string;
  /** What worked instead. */
  readonly fix?: string;
  readonly confidence: number;
  /** The name of the project it failed in, if that is another one. */
  readonly project?: string;
  /** The colleague on whose machine it failed, if it was not this one. */
  readonly author?: string;
  /** The whole warning as text. */
  readonly text: string;
}

const MAX_LINE_CHARS = 160;

/** Makes a warning of a match. `project`: the name of the project it failed in, if that is another one. */
export function toWarning(match: FailureMatch, project?: string): FailureWarning {
  const { author } = match.occurrence;
  const { failure, occurrence, confidence, signature } = match;
  const kind = kindOf(failure.key);
  const cause = CAUSES[kind]?.(failure.key.slice(kind.length + 1));
  const warning = {
    failureId: failureId(failure.key),
    key: failure.key,
    signature,
    attemptId: occurrence.attemptId,
    failedAt: new Date(occurrence.at).toISOString(),
    failed: oneLine(occurrence.what, MAX_LINE_CHARS),
    reason: oneLine(occurrence.line, MAX_LINE_CHARS),
    class: failure.class,
    count: failure.count,
    sessions: failure.sessions.length,
    sessionId: failure.sessions.at(-1) ?? '',
    ...omitUndefined({ cause, fix: failure.fix && oneLine(failure.fix, MAX_LINE_CHARS) }),
    confidence,
    ...omitUndefined({ project, author }),
  };
  return { ...warning, text: formatText(warning, failure.suggestion) };
}

/** The short id of a failure, for people to type. */
export function failureId(key: string): string {
  return `f-${textHash(key).toString(36).padStart(7, '0').slice(-7)}`;
}

function formatText(warning: Omit<FailureWarning, 'text'>, proposal: string | undefined): string {
  const { count, sessions, project, author, cause, fix, reason } = warning;
  const times = count > 1 ? ` (${count} times${sessions > 1 ? ` in ${sessions} sessions` : ''})` : '';
  const where = project === undefined ? '' : ` in ${quoteId(project, 80)}`;
  const machine = author === undefined ? '' : ` on another machine (${quoteId(author, 80)})`;
  const lines = [
    `This failed${where}${machine} on ${warning.failedAt.slice(0, 10)}${times}: ${quoteCode(warning.failed, MAX_LINE_CHARS)}`,
    `Reason: ${reason === '' ? 'no output' : quote(reason, MAX_LINE_CHARS)}`,
  ];
  if (cause !== undefined) lines.push(`Same cause here: ${quote(cause, 2 * MAX_LINE_CHARS)}`);
  if (fix !== undefined) lines.push(`What worked instead: ${quoteCode(fix, MAX_LINE_CHARS)}`);
  else if (proposal !== undefined) lines.push(`The tool proposed: ${quoteCode(proposal, MAX_LINE_CHARS)}`);
  return lines.join('\n');
}

/** Why a call is expected to fail, by the kind of failure; the error itself says so for the other kinds. */
const CAUSES: Readonly<Partial<Record<FailureKind, (name: string) => string>>> = {
  path: (name) => `${name} does not exist`,
  file: (name) => `${name} is a folder`,
  whole: (name) => `${name} is too large to be read at once`,
  program: (name) => `${name} is not installed`,
  option: (name) => `${name.slice(0, name.lastIndexOf(' '))} has no option ${name.slice(name.lastIndexOf(' ') + 1)}`,
  package: (name) => `there is no package ${name}`,
  version: (name) => `there is no version ${name}`,
  stage: (name) => `${name} is ignored by .gitignore`,
  merge: (name) => `merging ${name} ended in a conflict`,
  access: (name) => `no permission to ${name}`,
  folder: (name) => name.replace(' ', ' cannot work in '),
  ref: (name) => `there is no branch or commit ${name}`,
  arity: (name) => `${name.slice(0, name.lastIndexOf(' '))} does not take so many arguments`,
  field: (name) => `there is no field ${name.slice(name.lastIndexOf(' ') + 1)}`,
};
