import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, storageError, writeFileAtomic } from '../../files/index.ts';

/** `knowledge.json`: what the sessions of a project taught. Derived from its logs. */
export interface KnowledgeFile {
  readonly v: number;
  /** When something of it last changed; ISO 8601, UTC. */
  readonly updatedAt: string;
  /** One or two sentences. */
  readonly summary: string;
  /** At most 10, the surest first. */
  readonly antiPatterns: readonly AntiPattern[];
  /** At most 10, the surest first. */
  readonly bestPractices: readonly BestPractice[];
  readonly conventions: Conventions;
  /** Which checks come before which step. */
  readonly workflow: readonly WorkflowStep[];
  /** What is asked for again and again. */
  readonly recurringTasks: readonly RecurringTask[];
}

/** Something that fails in this project and will fail again. */
export interface AntiPattern {
  /** Command or path; or what the user asked to avoid. */
  readonly pattern: string;
  readonly reason: string;
  /** The last time. */
  readonly occurredAt: string;
  readonly count: number;
  /** What worked instead. */
  readonly alternative?: string;
  /** min(count / 3, 1); 1 for what the user said. */
  readonly confidence: number;
}

/** Something that works in this project. */
export interface BestPractice {
  /** Command or habit; or what the user asked to remember. */
  readonly pattern: string;
  readonly reason: string;
  /** min(count / 5, 1), over 0.6; 1 for what the user said. */
  readonly confidence: number;
  /** How often and when last. */
  readonly evidence: string;
}

/** How the project's files are written; unknown ones are left out. */
interface Conventions {
  readonly testPattern?: string;
  readonly importStyle?: string;
  readonly formatter?: string;
}

/** A check that comes before a step, learned from the order in sessions. */
export interface WorkflowStep {
  readonly before: 'commit' | 'push';
  /** test, lint, build or format. */
  readonly check: string;
  /** The command that was mostly used. */
  readonly command: string;
  /** In `count` of `total` cases. */
  readonly count: number;
  readonly total: number;
}

/** A task that came up in several sessions. */
export interface RecurringTask {
  /** The words that its requests share. */
  readonly name: string;
  readonly sessions: number;
  readonly lastAt: string;
  /** The last request. */
  readonly example: string;
}

/** Version of the file. */
export const KNOWLEDGE_VERSION = 1;
const NAME = 'knowledge.json';

/** Reads the knowledge of the project whose logs are in `directory`; undefined when there is none that can be read. */
export function readKnowledge(directory: string): KnowledgeFile | undefined {
  const path = join(directory, NAME);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return undefined;
    throw storageError('read', path, error);
  }
  try {
    const value: unknown = JSON.parse(text);
    return isKnowledge(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces the knowledge of a project. */
export function writeKnowledge(directory: string, knowledge: KnowledgeFile): void {
  writeFileAtomic(join(directory, NAME), `${JSON.stringify(knowledge, null, 2)}\n`, { durable: false });
}

/** Deep enough that readers can rely on the type: the file may have been edited by hand. */
function isKnowledge(value: unknown): value is KnowledgeFile {
  if (!isFields(value) || value.v !== KNOWLEDGE_VERSION) return false;
  return (
    hasTexts(value, ['updatedAt', 'summary']) &&
    isFields(value.conventions) &&
    isListOf(value.antiPatterns, ['pattern', 'reason', 'occurredAt'], ['count', 'confidence']) &&
    isListOf(value.bestPractices, ['pattern', 'reason', 'evidence'], ['confidence']) &&
    isListOf(value.workflow, ['before', 'check', 'command'], ['count', 'total']) &&
    isListOf(value.recurringTasks, ['name', 'lastAt', 'example'], ['sessions'])
  );
}

function isListOf(value: unknown, texts: readonly string[], numbers: readonly string[]): boolean {
  return (
    Array.isArray(value) &&
    value.every(
      (item) =>
        isFields(item) && hasTexts(item, texts) && numbers.every((key) => typeof item[key] === 'number'),
    )
  );
}

function hasTexts(fields: Readonly<Record<string, unknown>>, keys: readonly string[]): boolean {
  return keys.every((key) => typeof fields[key] === 'string');
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
