import { DigestStore, type DigestUpdate } from '../digest/digest-store.ts';
import { confirmFromTally } from '../stack/confirm-stack.ts';
import type { ProjectStack } from '../stack/project-stack.ts';
import { type KnowledgeFile, readKnowledge, writeKnowledge } from './knowledge-file.ts';
import { knowledgeOf } from './knowledge-of.ts';

/** What {@link synthesise} needs besides the logs. */
export interface SynthesisOptions {
  /** Epoch milliseconds. */
  readonly now: number;
  /** Of the project; another than before means that logs were rewritten. */
  readonly generation?: number;
  /** The stack as the project's files tell it; what ran corrects it. Without one, knowledge says nothing of it. */
  readonly stack?: ProjectStack;
}

/** What {@link synthesise} made. */
export interface Synthesis {
  readonly store: DigestStore;
  readonly update: DigestUpdate;
  readonly knowledge: KnowledgeFile;
  /** The stack, confirmed by what ran successfully. */
  readonly stack: ProjectStack | undefined;
}

/**
 * Takes what is new in a project's logs into its digests and its knowledge. `knowledge.json` is written when it
 * changes, with `updatedAt` being the time of that. A project without logs gets no files.
 */
export function synthesise(directory: string, options: SynthesisOptions): Synthesis {
  const { now, generation, stack: detected } = options;
  const store = DigestStore.open(directory);
  const update = store.update(generation === undefined ? {} : { generation });
  const stack = detected && confirmFromTally(detected, store.counts.stack);
  const known = readKnowledge(directory);
  const at = new Date(now).toISOString();
  const fresh = knowledgeOf({ counts: store.counts, digest: (id) => store.digest(id), stack, at });
  if (known && isSame(known, fresh)) return { store, update, knowledge: known, stack };
  const { practices, warnings } = store.counts;
  if (known || store.sessionCount + practices.length + warnings.length > 0) writeKnowledge(directory, fresh);
  return { store, update, knowledge: fresh, stack };
}

function isSame(known: KnowledgeFile, fresh: KnowledgeFile): boolean {
  return JSON.stringify({ ...known, updatedAt: '' }) === JSON.stringify({ ...fresh, updatedAt: '' });
}
