import { oneLine } from '../../text/one-line.ts';
import { formatSteps } from '../digest/digest-text.ts';
import type { SessionDigest, SessionFailure } from '../digest/session-digest.ts';
import type { Episode } from './episode.ts';
import type { ActiveFailure } from './recall-memory.ts';

/**
 * What is remembered for a prompt: `done` the same was asked for and done, `pattern` steps that worked for
 * something like it, `failure` what failed and what worked instead, `session` where it was dealt with.
 */
export type RecollectionKind = 'done' | 'pattern' | 'failure' | 'session';

/** Something worth saying before the agent starts on a prompt. */
export interface Recollection {
  /** The same for the same thing; callers keep it to say it once per session. */
  readonly id: string;
  readonly kind: RecollectionKind;
  readonly confidence: number;
  readonly sessionId: string;
  /** Further sessions that the lines tell of, the likeliest first. */
  readonly otherSessionIds: readonly string[];
  /** The day it happened, e.g. `2025-11-12`, UTC. */
  readonly date: string;
  /** Facts with their evidence, together at most `LONGEST_TEXT` characters. */
  readonly lines: readonly string[];
}

/** Most characters of all lines of a recollection. */
export const LONGEST_TEXT = 1100;
const OPENING: Readonly<Record<RecollectionKind, string>> = {
  done: 'Already done',
  pattern: 'Done before',
  failure: 'Tried before',
  session: 'Dealt with before',
};
const SESSION = 40;
const REQUEST = 140;
const DECISION = 160;
const COMMAND = 90;
const ERROR = 90;
const STEPS = 260;
/** Of another session: what was asked and how it ended. */
const OTHER = 70;
const MOST_FAILURES = 2;
const DAY = 86_400_000;

/** A session and the part of it that is told. */
interface ToldSession {
  readonly digest: SessionDigest;
  readonly episode: Episode;
}

/** What a recollection is told from. */
export interface Telling {
  readonly kind: RecollectionKind;
  readonly told: ToldSession | undefined;
  /** Sessions that may be meant as well. */
  readonly others: readonly ToldSession[];
  /** Failures that still stand in the way, the newest last. */
  readonly failures: readonly ActiveFailure[];
  readonly now: Date;
}

/** The lines of a recollection: what still fails, what was done, how, and where else; as many as fit. */
export function recollectionLines({
  kind,
  told,
  others,
  failures,
  now,
}: Telling): Pick<Recollection, 'lines' | 'otherSessionIds'> {
  const standing = failures.slice(-MOST_FAILURES);
  const known = new Set(standing.map(({ what }) => what));
  const elsewhere = new Map(others.map((other) => [otherLine(other, now), other.digest.sessionId]));
  const lines = bounded([
    ...standing
      .toReversed()
      .map((failure) => `Failed before (${placeText(failure, now)}): ${failureText(failure)}`),
    ...(told === undefined ? [] : episodeLines(kind, told.digest, told.episode, known, now)),
    ...elsewhere.keys(),
  ]);
  const otherSessionIds = lines.flatMap((line) => elsewhere.get(line) ?? []);
  return { lines, otherSessionIds };
}

function otherLine({ digest, episode: { request, decision } }: ToldSession, now: Date): string {
  const place = placeText({ at: request?.at ?? digest.startedAt, sessionId: digest.sessionId }, now);
  const asked = oneLine(request?.text ?? '', OTHER);
  const told = [
    asked === '' ? [] : `“${asked}”`,
    decision === undefined ? [] : oneLine(decision, OTHER),
  ].flat();
  return `See also (${place}): ${told.length === 0 ? 'work without a recorded request' : told.join(' → ')}`;
}

function episodeLines(
  kind: RecollectionKind,
  { sessionId, startedAt }: SessionDigest,
  { request, decision, outcome, steps, failures }: Episode,
  known: ReadonlySet<string>,
  now: Date,
): readonly string[] {
  const place = placeText({ at: request?.at ?? startedAt, sessionId }, now);
  const asked = oneLine(request?.text ?? '', REQUEST);
  const judged = outcome === undefined ? '' : ` The user said it ${outcome}.`;
  const worked = oneLine(formatSteps(steps), STEPS);
  const solved = failures.filter(({ resolution, what }) => resolution !== undefined && !known.has(what));
  return [
    `${OPENING[kind]} (${place}): ${asked === '' ? 'work without a recorded request' : `“${asked}”`}.${judged}`,
    ...(decision === undefined ? [] : [`Outcome: ${oneLine(decision, DECISION)}`]),
    ...solved.slice(-MOST_FAILURES).map((failure) => `Failed there: ${failureText(failure)}`),
    ...(worked === '' ? [] : [`What worked: ${worked}`]),
  ];
}

/** The day of a time, as it is shown: `2025-11-12`. */
export function dayOf(at: string): string {
  return oneLine(at, 40).slice(0, 10);
}

function failureText({
  what,
  error,
  resolution,
}: Pick<SessionFailure, 'what' | 'error' | 'resolution'>): string {
  const reason = oneLine(error, ERROR);
  const instead = resolution === undefined ? '' : ` Worked instead: \`${oneLine(resolution, COMMAND)}\`.`;
  return `\`${oneLine(what, COMMAND)}\`${reason === '' ? '' : ` (${reason})`}.${instead}`;
}

function placeText(
  { at, sessionId }: { readonly at: string; readonly sessionId: string },
  now: Date,
): string {
  return `${whenText(at, now)}, session ${oneLine(sessionId, SESSION)}`;
}

function whenText(at: string, now: Date): string {
  const days = Math.floor(now.getTime() / DAY) - Math.floor(Date.parse(at) / DAY);
  if (Number.isNaN(days) || days < 0) return dayOf(at);
  return `${dayOf(at)}, ${days === 0 ? 'today' : days === 1 ? 'yesterday' : `${days} days ago`}`;
}

/** As many lines as fit; the first one always, cut if it must be. */
function bounded(lines: readonly string[]): readonly string[] {
  const kept: string[] = [];
  let left = LONGEST_TEXT;
  for (const line of lines) {
    const room = kept.length === 0 ? line.length : line.length + 1;
    if (room > left) continue;
    kept.push(line);
    left -= room;
  }
  return kept.length === 0 ? lines.slice(0, 1).map((line) => oneLine(line, LONGEST_TEXT)) : kept;
}
