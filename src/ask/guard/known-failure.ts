import { type FailureClass, type FailureKind, isWorthTelling } from '../../facts/failure/failure-kinds.ts';

const DAY_MS = 86_400_000;

/** Kinds of failures that do not depend on a project's files. */
export const PORTABLE_KINDS: ReadonlySet<FailureKind> = new Set<FailureKind>([
  'option',
  'package',
  'version',
  'program',
  'field',
  'regex',
  'setting',
  'service',
  'arity',
]);

/**
 * Something that calls need and that was missing when one of them failed: a path, a program, an option, a package, or
 * the call as a whole.
 */
export interface KnownFailure {
  /** `path:src/a.ts`, `option:gh pr diff --stat`, `call:…` */
  readonly key: string;
  readonly class: FailureClass;
  /** The latest occurrence in each tool family (`shell`, `read`, `edit`, …). */
  readonly occurrences: Readonly<Record<string, FailureOccurrence>>;
  /** Epoch milliseconds. */
  readonly lastAt: number;
  /** Failures since it last worked. */
  readonly count: number;
  /** How many different calls these were. */
  readonly calls: number;
  /** The latest sessions in which it failed with the same error since it last worked, newest last. */
  readonly sessions: readonly string[];
  /** The latest checkouts and agents it failed in, newest last. */
  readonly worktrees: readonly string[];
  readonly agents: readonly string[];
  /** The branch it failed on last. */
  readonly branch?: string;
  /** Environment settings and wrappers of the call that failed last. */
  readonly circumstances: readonly string[];
  /** The signature of the edit, where only that very edit fails. */
  readonly editSignature?: string;
  /** Files that decide whether it fails again: those that the error names, or those of the call. */
  readonly subjects: readonly string[];
  /** What the error says is missing, if it is not what the key names: `python:dotenv`, `variable:API_TOKEN`. */
  readonly missing?: string;
  /** What the tool itself proposed. */
  readonly suggestion?: string;
  /** When it worked again for the first time, as far as that is known. */
  readonly endedAt?: number;
  /** It existed before it was missing: a path that other branches or checkouts have. */
  readonly existedBefore?: boolean;
  /** How often it failed again after it had worked. */
  readonly relapses: number;
  /** What worked instead. */
  readonly fix?: string;
}

/** One time that a failure happened. */
export interface FailureOccurrence {
  readonly attemptId: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** The line of the output that says what went wrong. */
  readonly line: string;
  readonly errorSignature: string;
  /** The command or path that failed. */
  readonly what: string;
  /** The call in canonical form. */
  readonly signature: string;
  /** The request that the call served, and its tags. */
  readonly context?: string;
  readonly tags?: readonly string[];
  /** The colleague whose agent made the call. */
  readonly author?: string;
}

/** What failed and the request that it served, to be compared with a prompt. The rest of the failure is under its key. */
export interface FailedRequest extends Pick<KnownFailure, 'key' | 'lastAt'> {
  readonly what: string;
  readonly context: string;
}

/** What the user decided about a failure: never warn, keep warning however old it is, or neither. */
export type FailureChoice = 'dismiss' | 'pin' | 'none';

/** How the warnings about one kind of failure turned out: the call failed after all (`right`), or it did not. */
export interface TrackRecord {
  readonly right: number;
  readonly wrong: number;
}

/** The kind of a failure: the part of its key before the colon. */
export function kindOf(key: string): FailureKind {
  return key.slice(0, key.indexOf(':')) as FailureKind;
}

/** Whether a failure does not depend on the files of its project. */
export function isPortable({ key }: Pick<KnownFailure, 'key'>): boolean {
  return PORTABLE_KINDS.has(kindOf(key));
}

/** Whether it has not worked since it failed. */
export function isStanding(failure: KnownFailure): boolean {
  return (failure.endedAt ?? 0) < failure.lastAt;
}

/** Whether a failure is worth telling to a new session, see {@link isWorthTelling}: not without an error that says why. */
export function isMemory(failure: KnownFailure): boolean {
  const { sessions, ...traits } = failure;
  const { what = '', line = '' } = latestOccurrence(failure) ?? {};
  return line !== '' && isWorthTelling({ ...traits, what, sessions: sessions.length });
}

/** Whether a failure is active: it has not ended, is not dismissed, and is pinned or within the lookback window. */
export function isActive(
  failure: KnownFailure,
  choice: FailureChoice,
  { now, lookbackDays }: { readonly now: number; readonly lookbackDays: number },
): boolean {
  if (choice !== 'none') return choice === 'pin' && isStanding(failure);
  const isRecent = now - failure.lastAt <= lookbackDays * DAY_MS;
  return isRecent && isStanding(failure) && isMemory(failure);
}

/** The latest occurrence; that of the given tool family, if there is one. */
export function latestOccurrence(failure: KnownFailure, family?: string): FailureOccurrence | undefined {
  const own = family === undefined ? undefined : failure.occurrences[family];
  return own ?? Object.values(failure.occurrences).reduce((a, b) => (b.at > a.at ? b : a));
}
