import { YoreError } from '../record/index.ts';
import { oneLine } from '../text/one-line.ts';

/** A note is one sentence: longer ones would be cut where agents read them. */
const MOST_CHARACTERS = 160;
/** Enough to say how much too long a text is. */
const LOOKED_AT = 100_000;

/** What is to be noted, on one line and without control characters. USAGE or LIMIT when it is nothing or too much. */
export function noteText(given: string): string {
  const line = oneLine(given, LOOKED_AT);
  if (line === '') throw new YoreError('USAGE', 'There is nothing to remember: the text is empty.');
  if (line.length > MOST_CHARACTERS) {
    throw new YoreError(
      'LIMIT',
      `The text has ${line.length} characters; a note has at most ${MOST_CHARACTERS}. Make it one sentence, or several notes.`,
    );
  }
  return line;
}
