import type { ProjectCounts } from '../digest/counts/project-counts.ts';
import type { SessionDigest } from '../digest/session-digest.ts';
import type { ProjectStack } from '../stack/project-stack.ts';
import { antiPatternsOf } from './anti-patterns.ts';
import { bestPracticesOf } from './best-practices.ts';
import { KNOWLEDGE_VERSION, type KnowledgeFile } from './knowledge-file.ts';
import { recurringTasksOf } from './recurring-tasks.ts';
import { summaryOf } from './summary.ts';
import { workflowOf } from './workflow.ts';

/** What knowledge is made of. */
export interface KnowledgeInput {
  readonly counts: ProjectCounts;
  /** The digest of a session. */
  readonly digest: (sessionId: string) => SessionDigest | undefined;
  readonly stack?: ProjectStack | undefined;
  /** Becomes `updatedAt`; ISO 8601, UTC. */
  readonly at: string;
}

/** The knowledge of a project. The same input gives the same bytes. */
export function knowledgeOf({ counts, digest, stack, at }: KnowledgeInput): KnowledgeFile {
  const workflow = workflowOf(counts);
  const recurringTasks = recurringTasksOf(counts);
  return {
    v: KNOWLEDGE_VERSION,
    updatedAt: at,
    summary: summaryOf(stack, workflow),
    antiPatterns: antiPatternsOf(counts, digest, at),
    bestPractices: bestPracticesOf(counts, workflow, stack?.beforeCommit ?? []),
    conventions: stack?.conventions ?? {},
    workflow,
    recurringTasks,
  };
}
