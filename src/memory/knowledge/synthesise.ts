import type { Progress } from '../../files/file-access.ts';
import { omitUndefined } from '../../record/object.ts';
import type { ProjectCounts } from '../digest/counts/project-counts.ts';
import { DigestStore, type DigestUpdate } from '../digest/digest-store.ts';
import type { SessionDigest } from '../digest/session-digest.ts';
import { confirmStack } from '../stack/confirm-stack.ts';
import type { ProjectStack } from '../stack/project-stack.ts';
import {
  KNOWLEDGE_VERSION,
  type Knowledge,
  type RecurringTask,
  readKnowledge,
  type WorkflowStep,
  writeKnowledge,
} from './knowledge-file.ts';
import { capitalise, findAntiPatterns, findBestPractices, findWorkflow, formatCheck } from './practices.ts';

interface SynthesisOptions {
  /** Epoch milliseconds. */
  readonly now: number;
  /** Generation of the project; a new one means that its logs were rewritten. */
  readonly generation?: number;
  /** The tech stack detected in the project's files, which is corrected by commands that ran. */
  readonly stack?: ProjectStack;
  /** Whether a path of the project exists now. Default: unknown, as if it did not. */
  readonly exists?: (path: string) => boolean;
  /** Called with the bytes of the logs that were read and that are new. */
  readonly onProgress?: Progress;
}

/** The result of {@link synthesise}. */
export interface Synthesis {
  readonly store: DigestStore;
  readonly update: DigestUpdate;
  readonly knowledge: Knowledge;
  /** The tech stack, confirmed by commands that ran. */
  readonly stack: ProjectStack | undefined;
}

/**
 * Brings the digests and the knowledge of a project up to date with its logs. `knowledge.json` is written only when it
 * changes, and not for a project without logs.
 */
export function synthesise(directory: string, options: SynthesisOptions): Synthesis {
  const { now, generation, stack: detected, exists, onProgress } = options;
  const store = DigestStore.open(directory);
  const update = store.update(omitUndefined({ generation, onProgress }));
  const stack = detected && confirmStack(detected, store.counts.stack);
  const known = readKnowledge(directory);
  const at = new Date(now).toISOString();
  const fresh = buildKnowledge({ counts: store.counts, digest: (id) => store.digest(id), stack, at, exists });
  if (known && isSame(known, fresh)) return { store, update, knowledge: known, stack };
  const { practices, warnings } = store.counts;
  if (known || store.sessionCount + practices.length + warnings.length > 0) writeKnowledge(directory, fresh);
  return { store, update, knowledge: fresh, stack };
}

function isSame(known: Knowledge, fresh: Knowledge): boolean {
  return JSON.stringify({ ...known, updatedAt: '' }) === JSON.stringify({ ...fresh, updatedAt: '' });
}

interface KnowledgeInput {
  readonly counts: ProjectCounts;
  readonly digest: (sessionId: string) => SessionDigest | undefined;
  readonly stack?: ProjectStack | undefined;
  /** Becomes `updatedAt`; ISO 8601, UTC. */
  readonly at: string;
  readonly exists?: SynthesisOptions['exists'] | undefined;
}

/** Builds the knowledge of a project. Deterministic. */
export function buildKnowledge({ counts, digest, stack, at, exists }: KnowledgeInput): Knowledge {
  const workflow = findWorkflow(counts);
  const recurringTasks = findRecurringTasks(counts);
  return {
    v: KNOWLEDGE_VERSION,
    updatedAt: at,
    summary: formatSummary(stack, workflow),
    antiPatterns: findAntiPatterns(counts, digest, at, exists ?? (() => false)),
    bestPractices: findBestPractices(counts, workflow, stack?.beforeCommit ?? []),
    conventions: stack?.conventions ?? {},
    workflow,
    recurringTasks,
  };
}

const MAX_TASKS = 10;
/** Two sessions may be chance, and several on one day are one piece of work. */
const MIN_TASK_SESSIONS = 3;
const MIN_TASK_DAYS = 3;

/** Tasks that were requested in several sessions and on several days, the most frequent first. */
function findRecurringTasks({ tasks }: ProjectCounts): readonly RecurringTask[] {
  return tasks
    .ranked()
    .filter(({ sessions, days }) => sessions >= MIN_TASK_SESSIONS && days >= MIN_TASK_DAYS)
    .slice(0, MAX_TASKS)
    .map(({ name, sessions, last, example }) => ({ name, sessions, lastAt: last, example }));
}

const MAX_NAMES = 4;

/** One or two sentences about the tech stack and the workflow of a project; empty when nothing is known. */
function formatSummary(stack: ProjectStack | undefined, workflow: readonly WorkflowStep[]): string {
  return [stackSentence(stack), commandSentence(stack), habitSentence(workflow)]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

function stackSentence(stack: ProjectStack | undefined): string {
  if (!stack) return '';
  const { languages, frameworks } = stack.techStack;
  if (languages.length === 0) return '';
  const used = frameworks.slice(0, MAX_NAMES);
  return `${joinNames(languages.slice(0, MAX_NAMES))} project${used.length > 0 ? ` with ${joinNames(used)}` : ''}.`;
}

function commandSentence(stack: ProjectStack | undefined): string {
  if (!stack) return '';
  const { packageManager, testCommand, buildCommand } = stack.commands;
  const parts = [
    ...(packageManager === undefined ? [] : [`packages with ${packageManager}`]),
    ...(testCommand === undefined ? [] : [`tests with \`${testCommand}\``]),
    ...(buildCommand === undefined ? [] : [`build with \`${buildCommand}\``]),
  ];
  const text = joinNames(parts);
  return text === '' ? '' : `${capitalise(text)}.`;
}

function habitSentence(workflow: readonly WorkflowStep[]): string {
  const checks = workflow.filter(({ before }) => before === 'commit').map(formatCheck);
  return checks.length === 0 ? '' : `Before commits, ${joinNames(checks)}.`;
}

function joinNames(items: readonly string[]): string {
  if (items.length <= 1) return items[0] ?? '';
  return `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}
