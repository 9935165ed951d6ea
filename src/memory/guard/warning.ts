import { textHash } from '../../record/index.ts';
import { oneLine } from '../one-line.ts';
import type { FailureMatch } from './check-call.ts';
import { type KnownFailure, kindOf } from './hazard.ts';

/** A warning before a call: when, what, why, and what worked instead. */
export interface FailureWarning {
  /** Names the hazard, for `dismiss` and `pin`. */
  readonly hazardId: string;
  readonly key: string;
  readonly signature: string;
  /** The earlier failure it rests on. */
  readonly attemptId: string;
  /** When that was. ISO 8601, UTC. */
  readonly failedAt: string;
  /** The command or path that failed then. */
  readonly failed: string;
  /** Why it failed then. */
  readonly reason: string;
  readonly class: KnownFailure['class'];
  /** How often and in how many sessions, as far as is known. */
  readonly count: number;
  readonly sessions: number;
  /** A session in which it failed. */
  readonly sessionId: string;
  /** What is in the way of this call, where that is not the call itself. */
  readonly cause?: string;
  /** What worked instead. */
  readonly instead?: string;
  readonly confidence: number;
  /** The project it failed in, where that is another one. */
  readonly project?: string;
  /** The whole as one text. */
  readonly text: string;
}

const LONGEST = 160;

/** Puts a verdict into words. */
export function warningOf(
  { hazard, evidence, confidence, signature }: FailureMatch,
  project?: string,
): FailureWarning {
  const kind = kindOf(hazard.key);
  const cause = SUBJECTS[kind]?.(hazard.key.slice(kind.length + 1));
  const instead = hazard.resolution?.what ?? hazard.suggestion;
  const failedAt = new Date(evidence.at).toISOString();
  const parts = {
    hazardId: failureId(hazard.key),
    key: hazard.key,
    signature,
    attemptId: evidence.attemptId,
    failedAt,
    failed: oneLine(evidence.what, LONGEST),
    reason: oneLine(evidence.line, LONGEST),
    class: hazard.class,
    count: hazard.count,
    sessions: hazard.sessions.length,
    sessionId: hazard.sessions.at(-1) ?? '',
    ...(cause === undefined ? {} : { cause }),
    ...(instead === undefined ? {} : { instead: oneLine(instead, LONGEST) }),
    confidence,
    ...(project === undefined ? {} : { project }),
  };
  return { ...parts, text: textOf(parts) };
}

/** A short name of a hazard that people can type. */
export function failureId(key: string): string {
  return `f-${textHash(key).toString(36).padStart(7, '0').slice(-7)}`;
}

function textOf(warning: Omit<FailureWarning, 'text'>): string {
  const times =
    warning.count > 1
      ? ` (${warning.count} times${warning.sessions > 1 ? ` in ${warning.sessions} sessions` : ''})`
      : '';
  const where = warning.project === undefined ? '' : ` in ${warning.project}`;
  const lines = [
    `This failed${where} on ${warning.failedAt.slice(0, 10)}${times}: \`${warning.failed}\``,
    `Reason: ${warning.reason === '' ? 'no output' : warning.reason}`,
  ];
  if (warning.cause !== undefined) lines.push(`Same cause here: ${warning.cause}`);
  if (warning.instead !== undefined) lines.push(`What worked instead: \`${warning.instead}\``);
  return lines.join('\n');
}

/** What is expected to be in the way of this call, where that is not the call itself. */
const SUBJECTS: Readonly<Record<string, (name: string) => string>> = {
  path: (name) => `${name} does not exist`,
  file: (name) => `${name} is a folder`,
  whole: (name) => `${name} is too large to be read at once`,
  program: (name) => `${name} is not installed`,
  option: (name) =>
    `${name.slice(0, name.lastIndexOf(' '))} has no option ${name.slice(name.lastIndexOf(' ') + 1)}`,
  package: (name) => `there is no package ${name}`,
  version: (name) => `there is no version ${name}`,
  stage: (name) => `${name} is ignored by .gitignore`,
  merge: (name) => `merging ${name} ended in a conflict`,
  field: (name) => `there is no field ${name.slice(name.lastIndexOf(' ') + 1)}`,
};
