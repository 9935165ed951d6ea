import type { Home, Project } from '../../project/index.ts';

/** What an answer is made from. */
export interface MemorySource {
  readonly home: Home;
  readonly project: Project;
  readonly now: () => number;
  /** Answers in another thread. Default: {@link answer}, here. */
  readonly answer?: (asked: Asked) => Promise<string>;
}

/** A question, and where it is asked: its session is not told of itself. */
export interface Asked {
  readonly question: string;
  readonly sessionId: string;
}
