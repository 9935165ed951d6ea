import type { ProjectRows } from '../store/project-rows.ts';

/** Whether the user or an agent asked to remember something. */
export function hasNotes({ connection, project }: ProjectRows): boolean {
  return connection.get('SELECT 1 FROM note WHERE project = ? LIMIT 1', project) !== undefined;
}

/** What the user or an agent asked to remember. */
export interface Note {
  readonly pattern: string;
  readonly description: string;
  readonly at: number;
  readonly isWarning: number;
  readonly isByAgent: number;
}

/** What the user or an agent asked to remember, the latest first. A later note replaces one with the same text. */
export function readNotes({ connection, project }: ProjectRows, isTeam = false): readonly Note[] {
  return connection.all<Note>(
    `SELECT pattern, description, max(note.at) AS at, isWarning, isByAgent
     FROM note JOIN session ON session.id = note.session WHERE note.project = ? AND session.author IS ${isTeam ? 'NOT NULL' : 'NULL'}
     GROUP BY pattern, isWarning ORDER BY at DESC, note.document`,
    project,
  );
}

/** Who made a note, and when. What an agent notes may come from anything that it has read. */
export function describeNote({ at, isByAgent }: Note): string {
  return `noted ${isByAgent === 1 ? 'by an agent ' : ''}on ${new Date(at).toISOString().slice(0, 10)}`;
}
