import type { Attempt } from '../record/record.ts';
import type { ReadConnection } from './connection.ts';

/** What the store has of one project. All questions about a project are asked of it. */
export interface ProjectRows {
  readonly connection: ReadConnection;
  /** The row of the project in the table `project`. */
  readonly project: number;
  /** The project's own id. */
  readonly projectId: string;
}

/** A call that ended and is not in the store yet. */
export interface PendingCall {
  /** Epoch milliseconds. */
  readonly time: number;
  readonly hasFailed: boolean;
  /** Its record, which may have to be built first. */
  readonly toAttempt: () => Attempt;
}

/** Asks the rows of a project. */
export interface RowSource {
  /**
   * Runs `work` on one consistent state of the rows. Undefined when they cannot be read. A source that lays pending calls
   * over the rows lays those that failed first, and the others only if `needsAll` says so of these rows. Default: always.
   */
  ask<T>(work: (rows: ProjectRows) => T, needsAll?: (rows: ProjectRows) => boolean): T | undefined;
}

/** The rows of a project by its own id. Nothing belongs to the row 0 of a project that the store does not know. */
export function rowsOfProject(connection: ProjectRows['connection'], projectId: string): ProjectRows {
  const row = connection.get<{ readonly id: number }>('SELECT id FROM project WHERE name = ?', projectId);
  return { connection, project: row?.id ?? 0, projectId };
}
