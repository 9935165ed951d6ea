import { classifyCommand, READ_ONLY } from '../facts/call/action.ts';
import { omitUndefined } from '../record/object.ts';
import type { ProjectRows } from '../store/project-rows.ts';
import { findFix } from './fix.ts';
import { FailureRows } from './guard/failure-rows.ts';
import { isMemory, type KnownFailure, kindOf, latestOccurrence } from './guard/known-failure.ts';
import { describeNote, readNotes } from './notes.ts';

/** Something that fails in this project. */
export interface AntiPattern {
  /** Command or path; or a note. */
  readonly pattern: string;
  readonly reason: string;
  /** When it last failed. */
  readonly occurredAt: string;
  readonly count: number;
  /** What worked instead. */
  readonly fix?: string;
  /** min(count / 3, 1); 1 for notes. */
  readonly confidence: number;
  /** Of a note: by whom, and when. */
  readonly evidence?: string;
}

/** Options of {@link findAntiPatterns}. */
export interface AntiPatternOptions {
  /** Epoch milliseconds. */
  readonly now: number;
  /** Whether a path of the project exists now. */
  readonly exists: (path: string) => boolean;
}

const MAX_ANTI_PATTERNS = 10;
/** A failure that happened this often is certain. */
const CERTAIN_FAILURES = 3;
const DAY_MS = 86_400_000;
/** Older failures say little about the project as it is now. */
const MAX_AGE_DAYS = 30;
/** A check that fails, an outdated edit and the network are nothing to avoid. */
const OF_THE_MOMENT: readonly string[] = ['state', 'stale', 'transient'];
/** The most frequent causes among which those to avoid are looked for. */
const MAX_CAUSES = 40;

/**
 * What to avoid in the project, or what colleagues share of that: notes, then what worked only after a setup, then what failed
 * repeatedly for a reason that lasts and has not worked since, that of the most sessions first. Something missing counts the first
 * time if it is known what worked instead.
 */
export function findAntiPatterns(
  rows: ProjectRows,
  options: AntiPatternOptions,
  isTeam = false,
): readonly AntiPattern[] {
  const found = new Map<string, AntiPattern>();
  for (const note of readNotes(rows, isTeam)) {
    if (note.isWarning === 0) continue;
    const { pattern, description: reason, at } = note;
    const evidence = describeNote(note);
    found.set(pattern, { pattern, reason, occurredAt: new Date(at).toISOString(), count: 1, confidence: 1, evidence });
  }
  const failures = new FailureRows(rows, { isTeam });
  const failed = [
    ...listSetupFailures(rows, failures, options, isTeam),
    ...listStanding(rows, failures, options, isTeam).map(toFailedCommand),
  ];
  for (const { what, line, at, count, fix } of failed) {
    if (found.has(what)) continue;
    found.set(what, {
      pattern: what,
      reason: line,
      occurredAt: new Date(at).toISOString(),
      count,
      ...omitUndefined({ fix }),
      confidence: Math.min(count / CERTAIN_FAILURES, 1),
    });
  }
  return [...found.values()].slice(0, MAX_ANTI_PATTERNS);
}

/** A command that failed, and what worked instead. */
interface FailedCommand {
  readonly what: string;
  readonly line: string;
  readonly at: number;
  readonly count: number;
  readonly fix?: string | undefined;
}

function toFailedCommand(failure: KnownFailure): FailedCommand {
  const { what = '', line = '' } = latestOccurrence(failure) ?? {};
  const { count, lastAt, fix } = failure;
  return { what, line, at: lastAt, count, fix };
}

/**
 * What a setup step solved, or another environment of the same command, whatever the error: it comes back in each checkout or
 * sandbox that lacks them. Until the command itself has worked without.
 */
function listSetupFailures(
  rows: ProjectRows,
  failures: FailureRows,
  { now }: AntiPatternOptions,
  isTeam: boolean,
): readonly FailedCommand[] {
  const { connection, project } = rows;
  const failed = connection.all<Omit<FailedCommand, 'fix'> & { readonly document: number }>(
    `SELECT failed.what, failure.line, max(failed.at) AS at, count(DISTINCT failed.document) AS count, failed.document
     FROM session JOIN failure ON failure.session = session.id JOIN call AS failed ON failed.document = failure.document
       JOIN fix ON fix.failed = failed.document JOIN call AS worked ON worked.document = fix.worked
     WHERE session.project = ? AND session.author IS ${isTeam ? 'NOT NULL' : 'NULL'} AND failed.at >= ? AND worked.family = 'shell'
       AND CASE WHEN worked.signature = failed.signature THEN NOT EXISTS (
         SELECT 1 FROM call AS again WHERE again.project = failed.project AND again.signature = failed.signature
           AND again.outcome = 'success' AND again.at > failed.at AND again.what = failed.what)
       ELSE worked.action IN (${SETUPS}) AND failed.action NOT IN (${SETUPS}) END
     GROUP BY failed.what ORDER BY at DESC LIMIT ?`,
    project,
    now - MAX_AGE_DAYS * DAY_MS,
    MAX_ANTI_PATTERNS,
  );
  return failed
    .filter(({ document }) => {
      const keys = connection.all<{ readonly key: string }>('SELECT key FROM blamed WHERE document = ?', document);
      return !keys.some(({ key }) => failures.choice(key) === 'dismiss');
    })
    .map((each) => ({ ...each, fix: findFix(rows, each.document)?.text }));
}

/** What sets up a checkout; `mise trust` is an installation. */
const SETUPS = "'install', 'build'";

/** Failures that stand and say something about the project, those of the most sessions first. */
function listStanding(
  rows: ProjectRows,
  failures: FailureRows,
  { now, exists }: AntiPatternOptions,
  isTeam: boolean,
): readonly KnownFailure[] {
  const causes = findLastingCauses(rows, now - MAX_AGE_DAYS * DAY_MS, isTeam);
  failures.load(causes);
  return causes
    .flatMap((cause) => failures.failure(cause) ?? [])
    .filter((failure) => {
      const { key, class: failureClass, count, fix } = failure;
      const { what = '' } = latestOccurrence(failure) ?? {};
      if (!isMemory(failure) || failures.choice(key) === 'dismiss' || READ_ONLY.has(classifyCommand(what.split(' '))))
        return false;
      if (kindOf(key) === 'path' && exists(key.slice('path:'.length))) return false;
      return count > 1 || (failureClass === 'missing' && isConclusive(what, fix));
    });
}

/** Causes that were blamed repeatedly or have a fix, the last time after `since`, and that have not been absent since. */
function findLastingCauses({ connection, project }: ProjectRows, since: number, isTeam: boolean): readonly string[] {
  const causes = connection.all<{ readonly key: string }>(
    `SELECT blamed.key AS key, max(blamed.at) AS last, count(DISTINCT blamed.document) AS count, count(DISTINCT blamed.session) AS sessions,
       count(fix.failed) AS fixes
     FROM session JOIN failure ON failure.session = session.id JOIN blamed ON blamed.document = failure.document
       LEFT JOIN fix ON fix.failed = failure.document
     WHERE session.project = ? AND session.author IS ${isTeam ? 'NOT NULL' : 'NULL'} AND failure.class NOT IN (SELECT value FROM json_each(?))
     GROUP BY blamed.cause HAVING last >= ? AND (count > 1 OR fixes > 0) AND last > coalesce((SELECT max(last) FROM proved WHERE proved.cause = blamed.cause), 0)
     ORDER BY sessions DESC, count DESC, last DESC, key LIMIT ?`,
    project,
    JSON.stringify(OF_THE_MOMENT),
    since,
    MAX_CAUSES,
  );
  return causes.map(({ key }) => key);
}

/** Whether one case is enough: another package or another program worked instead. */
function isConclusive(what: string, fix: string | undefined): boolean {
  if (fix === undefined) return false;
  const words = what.split(' ');
  return classifyCommand(words) === 'install' || words[0] !== fix.split(' ', 1)[0];
}
