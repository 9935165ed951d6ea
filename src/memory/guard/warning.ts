import { textHash } from '../../record/id.ts';
import { omitUndefined } from '../../record/object.ts';
import { oneLine } from '../../text/one-line.ts';
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
  readonly resolution?: string;
  readonly confidence: number;
  /** The name of the project it failed in, if that is another one. */
  readonly project?: string;
  /** The whole warning as text. */
  readonly text: string;
}

const MAX_LINE_CHARS = 160;

/** Makes a warning of a match. `project`: the name of the project it failed in, if that is another one. */
export function toWarning(match: FailureMatch, project?: string): FailureWarning {
  const { failure, occurrence, confidence, signature } = match;
  const cause = describeCause(failure.key);
  const resolution = failure.resolution?.what ?? failure.suggestion;
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
    ...omitUndefined({ cause, resolution: resolution && oneLine(resolution, MAX_LINE_CHARS) }),
    confidence,
    ...omitUndefined({ project }),
  };
  return { ...warning, text: formatText(warning) };
}

/** The short id of a failure, for people to type. */
export function failureId(key: string): string {
  return `f-${textHash(key).toString(36).padStart(7, '0').slice(-7)}`;
}

function formatText(warning: Omit<FailureWarning, 'text'>): string {
  const { count, sessions, project, cause, resolution, reason } = warning;
  const times = count > 1 ? ` (${count} times${sessions > 1 ? ` in ${sessions} sessions` : ''})` : '';
  const where = project === undefined ? '' : ` in ${project}`;
  const lines = [
    `This failed${where} on ${warning.failedAt.slice(0, 10)}${times}: \`${warning.failed}\``,
    `Reason: ${reason === '' ? 'no output' : reason}`,
  ];
  if (cause !== undefined) lines.push(`Same cause here: ${cause}`);
  if (resolution !== undefined) lines.push(`What worked instead: \`${resolution}\``);
  return lines.join('\n');
}

/** Why a call is expected to fail, unless its own error says so. */
function describeCause(key: string): string | undefined {
  const kind = kindOf(key);
  const name = key.slice(kind.length + 1);
  const [command, last] = [name.slice(0, name.lastIndexOf(' ')), name.slice(name.lastIndexOf(' ') + 1)];
  switch (kind) {
    case 'path':
      return `${name} does not exist`;
    case 'file':
      return `${name} is a folder`;
    case 'whole':
      return `${name} is too large to be read at once`;
    case 'program':
      return `${name} is not installed`;
    case 'option':
      return `${command} has no option ${last}`;
    case 'package':
      return `there is no package ${name}`;
    case 'version':
      return `there is no version ${name}`;
    case 'stage':
      return `${name} is ignored by .gitignore`;
    case 'merge':
      return `merging ${name} ended in a conflict`;
    case 'field':
      return `there is no field ${last}`;
    case 'text':
    case 'subcommand':
    case 'setting':
    case 'tool':
    case 'regex':
    case 'shape':
    case 'head':
    case 'call':
    case 'rule':
      return undefined;
  }
}
