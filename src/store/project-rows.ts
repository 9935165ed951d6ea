import type { Connection } from './connection.ts';

/** What the store has of one project. All questions about a project are asked of it. */
export interface ProjectRows {
  readonly connection: Pick<Connection, 'get' | 'all' | 'arrays' | 'cached'>;
  /** The row of the project in the table `project`. */
  readonly project: number;
  /** The project's own id. */
  readonly projectId: string;
}

/** Asks the rows of a project. */
export interface RowSource {
  /** Runs `work` on one consistent state of the rows. Undefined when they cannot be read. */
  ask<T>(work: (rows: ProjectRows) => T): T | undefined;
}
