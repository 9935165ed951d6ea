import { posix } from 'node:path';
import { classifyCommand, READ_ONLY } from '../facts/call/action.ts';
import { recogniseCommands } from '../facts/commands/recognise-commands.ts';
import { omitUndefined } from '../record/object.ts';
import type { ProjectInfo } from '../record/project-info.ts';
import { redact } from '../redact/redact.ts';
import { confirmStack, type RecordedRun } from '../stack/confirm-stack.ts';
import { detectStack } from '../stack/detect-stack.ts';
import { projectFiles } from '../stack/project-files.ts';
import type { ProjectStack } from '../stack/project-stack.ts';
import type { ProjectRows } from '../store/project-rows.ts';
import { IS_OWN_WORK } from '../store/session-rows.ts';
import { oneLine } from '../text/one-line.ts';
import { findFix } from './fix.ts';
import { FailureRows } from './guard/failure-rows.ts';
import { isMemory, type KnownFailure, kindOf, latestOccurrence } from './guard/known-failure.ts';
import {
  type BestPractice,
  findSetup,
  findWorkflow,
  formatCheck,
  practiceConfidence,
  readSteps,
  type SetupStep,
  type WorkflowStep,
} from './practices.ts';
import { findRecurringTasks, type RecurringTask } from './recurring-tasks.ts';

/** What the sessions of a project taught. */
export interface Knowledge {
  /** One or two sentences. */
  readonly summary: string;
  /** At most 10, the most certain first. */
  readonly antiPatterns: readonly AntiPattern[];
  /** At most 10, the most certain first. */
  readonly bestPractices: readonly BestPractice[];
  /** How many practices there are, commands of the project that worked, and requests that the user said worked. */
  readonly successfulPatterns: number;
  readonly techStack: ProjectStack['techStack'];
  /** Those of the project's files; unknown ones are absent. */
  readonly conventions: ProjectStack['conventions'];
  /** Checks that usually precede a commit or a push. */
  readonly workflow: readonly WorkflowStep[];
  readonly recurringTasks: readonly RecurringTask[];
}

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

/** What {@link readKnowledge} needs to know besides the rows. */
export interface KnowledgeOptions {
  /** Epoch milliseconds. */
  readonly now: number;
  /** The tech stack, confirmed by commands that ran. */
  readonly stack: ProjectStack;
  /** Whether a path of the project exists now. */
  readonly exists: (path: string) => boolean;
}

const MAX_PRACTICES = 10;
const MAX_HOOK_COMMANDS = 3;
const MAX_PATTERN_LENGTH = 160;

/** What is known about a project from the user's own sessions and notes. */
export function readKnowledge(rows: ProjectRows, options: KnowledgeOptions): Knowledge {
  const { stack } = options;
  const steps = readSteps(rows);
  const workflow = findWorkflow(steps).flatMap((step) => withProjectCommand(step, stack));
  const notes = readNotes(rows);
  const practices = [
    ...notes.filter(({ isWarning }) => !isWarning).map(toPractice),
    ...hookPractices(stack.beforeCommit),
    ...findSetup(steps).map(setupPractice),
    ...workflow.map(workflowPractice),
  ];
  const bestPractices = practices.slice(0, MAX_PRACTICES);
  const worked = new Set(stack.evidence.flatMap((one) => ('runs' in one ? [one.fact] : [])));
  return {
    summary: formatSummary(stack, workflow),
    antiPatterns: findAntiPatterns(rows, options),
    bestPractices,
    successfulPatterns: bestPractices.length + worked.size + countConfirmed(rows),
    techStack: stack.techStack,
    conventions: stack.conventions,
    workflow,
    recurringTasks: findRecurringTasks(rows),
  };
}

/** What is known of a project's files, confirmed by what ran. */
export function describeProject(rows: ProjectRows, project: NamedProject, now: number): KnowledgeOptions {
  const files = projectFiles(project.projectPath);
  return {
    now,
    stack: confirmStack(detectStack(files), readCommandRuns(rows, project)),
    exists: (name) => name !== '' && files.modified?.(name) !== undefined,
  };
}

type NamedProject = Pick<ProjectInfo, 'projectPath' | 'displayName'>;

/** The latest runs of commands, by which a tech stack is confirmed. */
const MAX_RUNS = 2_000;

/** The commands that the user's calls used in checkouts of a project, in order of time. */
function readCommandRuns(
  { connection, project }: ProjectRows,
  { projectPath, displayName }: NamedProject,
): readonly RecordedRun[] {
  const runs = connection.all<
    Pick<RecordedRun, 'fact' | 'value' | 'ecosystem'> & {
      readonly at: number;
      readonly isScript: number;
      readonly checkout: string | null;
    }
  >(
    `SELECT used.* FROM used JOIN session ON session.id = used.session
     WHERE used.project = ? AND session.author IS NULL ORDER BY document, position LIMIT ?`,
    project,
    MAX_RUNS,
  );
  const folder = redact(projectPath);
  const names = [displayName, posix.basename(folder)];
  return runs
    .filter(({ checkout }) => {
      return checkout === null || checkout === folder || names.some((name) => isCheckout(checkout, name));
    })
    .map((run) => ({ ...run, at: new Date(run.at).toISOString(), isScript: run.isScript === 1 }))
    .reverse();
}

/** Whether a folder is a clone or a worktree of a project with a name: agents also visit other repositories. */
function isCheckout(folder: string, name: string): boolean {
  const names = folder.split('/');
  const worktrees = names.findIndex((each) => each.endsWith('worktrees'));
  return (
    names.at(-1) === name || (worktrees > 0 && names.slice(0, worktrees + 1).some((each) => each.startsWith(name)))
  );
}

/** Whether the user or an agent asked to remember something. */
export function hasNotes({ connection, project }: ProjectRows): boolean {
  return connection.get('SELECT 1 FROM note WHERE project = ? LIMIT 1', project) !== undefined;
}

/** How many requests the user said worked, and took nothing of it back. */
function countConfirmed({ connection, project }: ProjectRows): number {
  const sql = `SELECT count(*) AS count FROM (
      SELECT 1 FROM feedback JOIN session ON session.id = feedback.session
      WHERE session.project = ? AND ${IS_OWN_WORK} GROUP BY feedback.session, request
      HAVING max(feedback.at) = max(CASE feedback.outcome WHEN 'worked' THEN feedback.at END))`;
  return connection.get<{ readonly count: number }>(sql, project)?.count ?? 0;
}

interface Note {
  readonly pattern: string;
  readonly description: string;
  readonly at: number;
  readonly isWarning: number;
  readonly isByAgent: number;
}

/** What the user or an agent asked to remember, the latest first. A later note replaces one with the same text. */
function readNotes({ connection, project }: ProjectRows, isTeam = false): readonly Note[] {
  return connection.all<Note>(
    `SELECT pattern, description, max(note.at) AS at, isWarning, isByAgent
     FROM note JOIN session ON session.id = note.session WHERE note.project = ? AND session.author IS ${isTeam ? 'NOT NULL' : 'NULL'}
     GROUP BY pattern, isWarning ORDER BY at DESC, note.document`,
    project,
  );
}

function toPractice(note: Note): BestPractice {
  return { pattern: note.pattern, reason: note.description, confidence: 1, evidence: describeNote(note) };
}

/** Who made a note, and when. What an agent notes may come from anything that it has read. */
function describeNote({ at, isByAgent }: Note): string {
  return `noted ${isByAgent === 1 ? 'by an agent ' : ''}on ${new Date(at).toISOString().slice(0, 10)}`;
}

function hookPractices(beforeCommit: readonly string[]): readonly BestPractice[] {
  if (beforeCommit.length === 0) return [];
  const commands = beforeCommit.slice(0, MAX_HOOK_COMMANDS).join(', ');
  return [
    {
      pattern: oneLine(`A git hook runs ${commands} before each commit`, MAX_PATTERN_LENGTH),
      reason: 'Commits that fail it are rejected',
      confidence: 1,
      evidence: "configured in the project's files",
    },
  ];
}

/** A check with the project's command for it, or else the one that was used most, if that checks the whole project. */
function withProjectCommand(step: WorkflowStep, { commands }: ProjectStack): readonly WorkflowStep[] {
  const used = recogniseCommands(step.command).some(({ whole }) => whole) ? step.command : undefined;
  const command = commands[`${step.check as 'test' | 'lint' | 'build' | 'format'}Command`] ?? used;
  return command === undefined ? [] : [{ ...step, command }];
}

function setupPractice({ command, count, total }: SetupStep): BestPractice {
  return {
    pattern: oneLine(`In a new clone or worktree, first ${command}`, MAX_PATTERN_LENGTH),
    reason: 'Usual setup',
    confidence: practiceConfidence(count),
    evidence: `before the first check in ${count} of ${total} checkouts`,
  };
}

function workflowPractice(step: WorkflowStep): BestPractice {
  const { command, before, count, total } = step;
  return {
    pattern: `${capitalise(formatCheck(step))} (${command}) before a ${before}`,
    reason: 'Usual workflow',
    confidence: practiceConfidence(count),
    evidence: `before ${count} of ${total} ${before === 'push' ? 'pushes' : 'commits'}`,
  };
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
 * What to avoid in the project, the most certain first: notes, then what worked only after a setup, then what failed repeatedly
 * for a reason that lasts and has not worked since. Something missing counts the first time if it is known what worked instead.
 */
function findAntiPatterns(rows: ProjectRows, options: KnowledgeOptions, isTeam = false): readonly AntiPattern[] {
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

/** The same of what colleagues share. */
export function readTeamAntiPatterns(rows: ProjectRows, options: KnowledgeOptions): readonly AntiPattern[] {
  return findAntiPatterns(rows, options, true);
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
  { now }: KnowledgeOptions,
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
  { now, exists }: KnowledgeOptions,
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

const MAX_NAMES = 4;

/** One or two sentences about the tech stack and the workflow of a project; empty when nothing is known. */
function formatSummary(stack: ProjectStack, workflow: readonly WorkflowStep[]): string {
  return [stackSentence(stack), commandSentence(stack), habitSentence(workflow)]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

function stackSentence({ techStack: { languages, frameworks } }: ProjectStack): string {
  if (languages.length === 0) return '';
  const used = frameworks.slice(0, MAX_NAMES);
  return `${joinNames(languages.slice(0, MAX_NAMES))} project${used.length > 0 ? ` with ${joinNames(used)}` : ''}.`;
}

function commandSentence({ commands: { packageManager, testCommand, buildCommand } }: ProjectStack): string {
  const parts = [
    ...(packageManager === undefined ? [] : [`packages with ${packageManager}`]),
    ...(testCommand === undefined ? [] : [`tests with \`${testCommand}\``]),
    ...(buildCommand === undefined ? [] : [`build with \`${buildCommand}\``]),
  ];
  return parts.length === 0 ? '' : `${capitalise(joinNames(parts))}.`;
}

function habitSentence(workflow: readonly WorkflowStep[]): string {
  const checks = workflow.filter(({ before }) => before === 'commit').map(formatCheck);
  return checks.length === 0 ? '' : `Before commits, ${joinNames(checks)}.`;
}

function joinNames(items: readonly string[]): string {
  if (items.length <= 1) return items[0] ?? '';
  return `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}

function capitalise(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
