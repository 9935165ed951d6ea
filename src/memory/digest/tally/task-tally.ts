import { shorter } from '../../one-line.ts';
import type { RequestEntry } from '../request-table.ts';
import { contentWords } from '../words.ts';
import type { BoundedTally, Counted } from './bounded-tally.ts';

/** Two telling words in a row that requests have in common; their stems are the key. */
export interface CountedTask extends Counted {
  /** The words as they were last written. */
  name: string;
  /** The last request with both; empty while there is one session only. */
  example: string;
}

/** What a request is about stands at its beginning. */
const WORDS_READ = 7;
const CHARACTERS_READ = 120;
const EXAMPLE_CHARACTERS = 80;
/** Words of a pair are neighbours, or have one word between that says nothing (`sort the users`). */
const FARTHEST = 2;
/** Addresses, paths and identifiers: they name things, not tasks. */
const NAME = /[/\\_@#<>{}()[\]=\d]|\w\.\w/;
/** Words of working with any repository. */
const COMMON: ReadonlySet<string> = new Set(
  'following plan branch main master origin git github pr current latest base repo repository project'.split(
    ' ',
  ),
);

/** Counts the pairs of telling words in a request, to see what is asked for again and again. */
export function countTask(tally: BoundedTally<CountedTask>, sessionId: string, request: RequestEntry): void {
  for (const [key, name] of pairsOf(request.text)) {
    const entry = tally.count(key, request.at, sessionId, (counted) => ({
      ...counted,
      name,
      example: '',
    }));
    entry.name = name;
    // Most pairs never come up again: they need no example.
    if (entry.sessions > 1) entry.example = shorter(request.text, EXAMPLE_CHARACTERS);
  }
}

function pairsOf(text: string): ReadonlyMap<string, string> {
  const pairs = new Map<string, string>();
  let left = WORDS_READ;
  for (const piece of piecesOf(text.slice(0, CHARACTERS_READ))) {
    if (left <= 0) break;
    const words = contentWords(piece, left);
    left -= words.length;
    for (const [at, word] of words.entries()) {
      const next = words[at + 1];
      if (!next || next.index - word.index > FARTHEST || word.stem === next.stem) continue;
      if (!COMMON.has(word.text) && !COMMON.has(next.text)) {
        pairs.set(`${word.stem} ${next.stem}`, `${word.text} ${next.text}`);
      }
    }
  }
  return pairs;
}

/** The stretches of a text between names. */
function piecesOf(text: string): readonly string[] {
  if (!NAME.test(text)) return [text];
  const pieces = [''];
  for (const word of text.split(/\s+/)) {
    if (NAME.test(word)) pieces.push('');
    else pieces[pieces.length - 1] += ` ${word}`;
  }
  return pieces;
}
