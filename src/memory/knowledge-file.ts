import { join } from 'node:path';
import type { Knowledge } from '../ask/knowledge.ts';
import { tryReadText, writeFileAtomic } from '../files/file-access.ts';
import { parseObject } from '../record/object.ts';

const KNOWLEDGE_FILE = 'knowledge.json';

/**
 * Writes what is known about a project to a file for people and other tools. yore itself never reads it. `at` becomes
 * `updatedAt` if something has changed.
 */
export function writeKnowledge(directory: string, knowledge: Knowledge, at: string): void {
  const { summary, bestPractices, conventions, workflow, recurringTasks } = knowledge;
  const antiPatterns = knowledge.antiPatterns.map(({ fix: alternative, ...pattern }) => ({ ...pattern, alternative }));
  const known = { summary, antiPatterns, bestPractices, conventions, workflow, recurringTasks };
  const path = join(directory, KNOWLEDGE_FILE);
  const { updatedAt: _, ...before } = parseObject(tryReadText(path) ?? '') ?? {};
  if (JSON.stringify(before) === JSON.stringify(known)) return;
  writeFileAtomic(path, `${JSON.stringify({ updatedAt: at, ...known }, null, 2)}\n`, { durable: false });
}
