import type { RequestEntry } from '../request-table.ts';
import { contentWords } from '../words.ts';
import type { BoundedTally, Counted } from './bounded-tally.ts';

/** Two telling words that requests have in common; their stems are the key. */
export interface CountedTask extends Counted {
  /** The words as they were last written. */
  name: string;
  /** The last request with both. */
  example: string;
}

/** What a request is about stands at its beginning. */
const WORDS_READ = 12;
const EXAMPLE_CHARACTERS = 120;
/** Words of a pair stand at most this far apart. */
const REACH = 2;

/** Counts the pairs of telling words in a request, to see what is asked for again and again. */
export function countTask(tally: BoundedTally<CountedTask>, sessionId: string, request: RequestEntry): void {
  const words = contentWords(request.text, WORDS_READ);
  const seen = new Set<string>();
  for (const [at, word] of words.entries()) {
    for (const other of words.slice(at + 1, at + 1 + REACH)) {
      if (word.stem === other.stem) continue;
      const key = word.stem < other.stem ? `${word.stem} ${other.stem}` : `${other.stem} ${word.stem}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const name = `${word.text} ${other.text}`;
      const example = request.text.slice(0, EXAMPLE_CHARACTERS);
      const entry = tally.count(key, request.at, sessionId, (counted) => ({ ...counted, name, example }));
      entry.name = name;
      entry.example = example;
    }
  }
}
