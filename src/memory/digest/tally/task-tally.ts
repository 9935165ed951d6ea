import { truncateLine } from '../../../text/one-line.ts';
import type { RequestEntry } from '../request-table.ts';
import { taskPhrases } from '../task-phrases.ts';
import type { BoundedTally, Counted } from './bounded-tally.ts';

/** Something that requests order: a verb and its object. */
export interface CountedTask extends Counted {
  /** As it was written; what the requests have in common when they differ. */
  name: string;
  /** On how many days it was asked for, and the last of them. */
  days: number;
  day: string;
  /** The last request; empty while there is one session only. */
  example: string;
}

const EXAMPLE_CHARACTERS = 80;
const DAY_LENGTH = 'YYYY-MM-DD'.length;

/** Counts the tasks of a request, to see what is asked for again and again. */
export function countTask(tally: BoundedTally<CountedTask>, sessionId: string, request: RequestEntry): void {
  const day = request.at.slice(0, DAY_LENGTH);
  for (const { key, name, short } of taskPhrases(request.text)) {
    const entry = tally.count(key, request.at, sessionId, (counted) => ({
      ...counted,
      name,
      days: 0,
      day: '',
      example: '',
    }));
    if (entry.name !== name) entry.name = short;
    if (day > entry.day) {
      entry.days++;
      entry.day = day;
    }
    // Most tasks never come up again: they need no example.
    if (entry.sessions > 1) entry.example = truncateLine(request.text, EXAMPLE_CHARACTERS);
  }
}
