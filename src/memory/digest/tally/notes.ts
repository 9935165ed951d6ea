import type { Attempt } from '../../../record/index.ts';
import { oneLine } from '../../../text/one-line.ts';

/** Something the user asked to remember. */
export interface Note {
  readonly pattern: string;
  readonly description: string;
  readonly at: string;
  readonly sessionId: string;
}

const MOST_NOTES = 50;
const PATTERN_CHARACTERS = 160;
const DESCRIPTION_CHARACTERS = 240;

/** Whether an attempt is something that the user asked to remember, and no call of a tool. */
export function isNote({ pattern }: Attempt): boolean {
  return pattern !== undefined;
}

/** The note that an attempt holds; undefined for a call of a tool. */
export function noteOf(attempt: Attempt): Note | undefined {
  if (attempt.pattern === undefined) return undefined;
  const pattern = oneLine(attempt.pattern, PATTERN_CHARACTERS);
  if (pattern === '') return undefined;
  return {
    pattern,
    description: oneLine(attempt.description ?? '', DESCRIPTION_CHARACTERS),
    at: attempt.timestamp,
    sessionId: attempt.sessionId,
  };
}

/** Adds a note; a later one of the same pattern replaces it. */
export function rememberNote(notes: Note[], note: Note): void {
  const known = notes.findIndex(({ pattern }) => pattern === note.pattern);
  if (known >= 0) notes.splice(known, 1);
  notes.push(note);
  if (notes.length > MOST_NOTES) notes.shift();
}
