import type { Home, Project } from '../../project/index.ts';

/** What an answer is made from. */
export interface MemorySource {
  readonly home: Home;
  readonly project: Project;
  readonly now: () => number;
}
