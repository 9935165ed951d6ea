import { posix } from 'node:path';
import { recogniseCommands } from '../facts/commands/recognise-commands.ts';
import type { ProjectInfo } from '../record/project-info.ts';
import { redact } from '../redact/redact.ts';
import { confirmStack, type RecordedRun } from '../stack/confirm-stack.ts';
import { detectStack } from '../stack/detect-stack.ts';
import { projectFiles } from '../stack/project-files.ts';
import type { ProjectStack } from '../stack/project-stack.ts';
import type { ProjectRows } from '../store/project-rows.ts';
import { IS_OWN_WORK } from '../store/session-rows.ts';
import { oneLine } from '../text/one-line.ts';
import { type AntiPattern, type AntiPatternOptions, findAntiPatterns } from './anti-patterns.ts';
import { describeNote, type Note, readNotes } from './notes.ts';
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

/** What {@link readKnowledge} needs to know besides the rows. */
export interface KnowledgeOptions extends AntiPatternOptions {
  /** The tech stack, confirmed by commands that ran. */
  readonly stack: ProjectStack;
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

/** How many requests the user said worked, and took nothing of it back. */
function countConfirmed({ connection, project }: ProjectRows): number {
  const sql = `SELECT count(*) AS count FROM (
      SELECT 1 FROM feedback JOIN session ON session.id = feedback.session
      WHERE session.project = ? AND ${IS_OWN_WORK} GROUP BY feedback.session, request
      HAVING max(feedback.at) = max(CASE feedback.outcome WHEN 'worked' THEN feedback.at END))`;
  return connection.get<{ readonly count: number }>(sql, project)?.count ?? 0;
}

function toPractice(note: Note): BestPractice {
  return { pattern: note.pattern, reason: note.description, confidence: 1, evidence: describeNote(note) };
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
