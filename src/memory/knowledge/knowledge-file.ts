import { join } from 'node:path';
import { readIfExists, writeFileAtomic } from '../../files/file-access.ts';
import { isObject, type JsonObject, parseObject } from '../../record/object.ts';
import type { ProjectStack } from '../stack/project-stack.ts';

/** What the sessions of a project taught, derived from its logs. Stored in `knowledge.json`. */
export interface Knowledge {
  readonly v: number;
  /** Time of the last change; ISO 8601, UTC. */
  readonly updatedAt: string;
  /** One or two sentences. */
  readonly summary: string;
  /** At most 10, the most certain first. */
  readonly antiPatterns: readonly AntiPattern[];
  /** At most 10, the most certain first. */
  readonly bestPractices: readonly BestPractice[];
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
  readonly alternative?: string;
  /** min(count / 3, 1); 1 for notes. */
  readonly confidence: number;
  /** Of a note: by whom, and when. */
  readonly evidence?: string;
}

/** Something that works in this project. */
export interface BestPractice {
  /** Command or habit; or a note. */
  readonly pattern: string;
  readonly reason: string;
  /** min(count / 5, 1), over 0.6; 1 for notes. */
  readonly confidence: number;
  /** How often it was seen, and when last. */
  readonly evidence: string;
}

/** A check that precedes a commit or a push, learned from the order of calls in sessions. */
export interface WorkflowStep {
  readonly before: 'commit' | 'push';
  /** test, lint, build or format. */
  readonly check: string;
  /** The command that was used most often. */
  readonly command: string;
  /** In `count` of `total` cases. */
  readonly count: number;
  readonly total: number;
}

/** A task that was requested in several sessions. */
export interface RecurringTask {
  /** What its requests have in common. */
  readonly name: string;
  readonly sessions: number;
  readonly lastAt: string;
  /** The last request. */
  readonly example: string;
}

/** Version of the file. */
export const KNOWLEDGE_VERSION = 1;
const NAME = 'knowledge.json';

/** Reads the knowledge of the project whose logs are in `directory`; undefined if it is missing or malformed. */
export function readKnowledge(directory: string): Knowledge | undefined {
  const value = parseObject(readIfExists(join(directory, NAME)) ?? '');
  return value !== undefined && isKnowledge(value) ? value : undefined;
}

/** Writes the knowledge of a project. */
export function writeKnowledge(directory: string, knowledge: Knowledge): void {
  writeFileAtomic(join(directory, NAME), `${JSON.stringify(knowledge, null, 2)}\n`, { durable: false });
}

/** Validates all fields, because the file may have been edited by hand. */
function isKnowledge(value: JsonObject): value is JsonObject & Knowledge {
  return (
    value.v === KNOWLEDGE_VERSION &&
    hasTexts(value, ['updatedAt', 'summary']) &&
    isObject(value.conventions) &&
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
      (item) => isObject(item) && hasTexts(item, texts) && numbers.every((key) => typeof item[key] === 'number'),
    )
  );
}

function hasTexts(fields: JsonObject, keys: readonly string[]): boolean {
  return keys.every((key) => typeof fields[key] === 'string');
}
