import type { SessionDigest } from '../digest/session-digest.ts';
import type { ProjectTally } from '../digest/tally/project-tally.ts';
import type { ProjectStack } from '../stack/project-stack.ts';
import { antiPatternsOf } from './anti-patterns.ts';
import { bestPracticesOf } from './best-practices.ts';
import { KNOWLEDGE_VERSION, type KnowledgeFile } from './knowledge-file.ts';
import { recurringTasksOf } from './recurring-tasks.ts';
import { summaryOf } from './summary.ts';
import { workflowOf } from './workflow.ts';

/** What knowledge is made of. */
export interface KnowledgeInput {
  readonly tally: ProjectTally;
  /** The digest of a session. */
  readonly digest: (sessionId: string) => SessionDigest | undefined;
  readonly stack?: ProjectStack | undefined;
  /** Becomes `updatedAt`; ISO 8601, UTC. */
  readonly at: string;
}

/** The knowledge of a project. The same input gives the same bytes. */
export function knowledgeOf({ tally, digest, stack, at }: KnowledgeInput): KnowledgeFile {
  const workflow = workflowOf(tally);
  const recurringTasks = recurringTasksOf(tally);
  return {
    v: KNOWLEDGE_VERSION,
    updatedAt: at,
    summary: summaryOf(stack, workflow),
    antiPatterns: antiPatternsOf(tally, digest, at),
    bestPractices: bestPracticesOf(tally, workflow, stack?.beforeCommit ?? []),
    conventions: stack?.conventions ?? {},
    workflow,
    recurringTasks,
  };
}
