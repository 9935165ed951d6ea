import type { TextLists } from '../../config/index.ts';
import { once } from '../once.ts';
import { areaTags } from './area-tags.ts';
import { stem } from './stem.ts';
import { SUBJECTS } from './tag-table.ts';
import { type Word, wordsOf } from './words.ts';

/** What is tagged: any of a request's text, a shell command, the name of a tool and a project-relative path. */
export interface Taggable {
  readonly text?: string;
  readonly command?: string;
  readonly tool?: string;
  readonly path?: string;
}

/** Most tags of one thing. What the text says comes first, then command, tool and file. */
export const MOST_TAGS = 10;
/** Of a text or command, in characters: what a request is about stands at its beginning. */
const READ = 2000;
const WORDS_IN_ROW = 2;

/** Tags by the stem of a word, or of two in a row. */
type Index = Pick<ReadonlyMap<string, readonly string[]>, 'get'>;

/** The words that give a tag. */
interface Row {
  readonly tag: string;
  readonly words: readonly string[];
  readonly implies?: readonly string[] | undefined;
}

const plain: () => Index = once(() =>
  indexOf(SUBJECTS.map(({ tag, words, implies }) => ({ tag, words: list(words), implies }))),
);
const inCommands: () => Index = once(() =>
  indexOf(SUBJECTS.map(({ tag, commands, implies }) => ({ tag, words: list(commands), implies }))),
);
const extras = new WeakMap<TextLists, Index>();

/**
 * The tags of a request or tool call: its intent, technology, tool and the area of the file. Whole words count,
 * in any simple inflection. `extra` (the setting `tags.extra`) adds words of the project's own. The same input
 * has the same tags in the same order, at most `MOST_TAGS`.
 */
export function tagsOf(what: Taggable, extra?: TextLists): readonly string[] {
  const indexes = extra === undefined ? [plain()] : [plain(), extraIndex(extra)];
  const tags = new Set<string>();
  if (what.text !== undefined) collect(what.text, indexes, tags);
  if (what.command !== undefined) collect(withoutPaths(what.command), [inCommands(), ...indexes], tags);
  if (what.tool !== undefined) collect(what.tool, indexes, tags);
  if (what.path !== undefined) {
    for (const tag of areaTags(what.path, (name) => tagsOfWord(name)[0])) tags.add(tag);
    if (extra !== undefined) collect(what.path, [extraIndex(extra)], tags);
  }
  return Array.from(tags).slice(0, MOST_TAGS);
}

/** The tags that a single word gives, however it is inflected; none for most words. */
export function tagsOfWord(word: string): readonly string[] {
  return plain().get(stem(word)) ?? [];
}

function collect(text: string, indexes: readonly Index[], tags: Set<string>): void {
  let before = '';
  for (const word of wordsOf(text.slice(0, READ))) {
    const own = stem(word.text);
    const keys = word.parts.length === 0 ? [`${before} ${own}`, own] : keysOf(word, own, before);
    for (const index of indexes) {
      for (const key of keys) for (const tag of index.get(key) ?? []) tags.add(tag);
    }
    before = own;
  }
}

/** A word, its parts, and each two words in a row. */
function keysOf(word: Word, own: string, before: string): readonly string[] {
  const parts = word.parts.map(stem);
  const pairs = parts.slice(1).map((part, index) => `${parts[index]} ${part}`);
  return [`${before} ${own}`, own, ...pairs, ...parts];
}

/** Words are stemmed when one of the same first letter is looked up, which stems keep: a short process asks for few. */
function indexOf(rows: readonly Row[]): Index {
  const byLetter = new Map<string, [word: string, row: Row][]>();
  for (const row of rows) {
    for (const word of row.words) {
      const letter = letterOf(word);
      const known = byLetter.get(letter);
      if (known === undefined) byLetter.set(letter, [[word, row]]);
      else known.push([word, row]);
    }
  }
  const stemmed = new Map<string, ReadonlyMap<string, readonly string[]>>();
  return {
    get(key) {
      const letter = letterOf(key);
      let index = stemmed.get(letter);
      if (index === undefined) {
        index = stemmedIndex(byLetter.get(letter) ?? []);
        stemmed.set(letter, index);
      }
      return index.get(key);
    },
  };
}

function letterOf(word: string): string {
  return word.trimStart().charAt(0).toLowerCase();
}

function stemmedIndex(words: readonly (readonly [word: string, row: Row])[]): ReadonlyMap<string, string[]> {
  const index = new Map<string, string[]>();
  for (const [word, { tag, implies = [] }] of words) {
    const key = keyOf(word);
    const tags = index.get(key) ?? [];
    if (!index.has(key)) index.set(key, tags);
    for (const each of [tag, ...implies]) if (!tags.includes(each)) tags.push(each);
  }
  return index;
}

function keyOf(word: string): string {
  return word.toLowerCase().trim().split(/\s+/).slice(0, WORDS_IN_ROW).map(stem).join(' ');
}

function list(words: string | undefined): readonly string[] {
  return words === undefined ? [] : words.split(', ');
}

function extraIndex(extra: TextLists): Index {
  const known = extras.get(extra);
  if (known !== undefined) return known;
  const index = indexOf(Object.entries(extra).map(([tag, words]) => ({ tag, words })));
  extras.set(extra, index);
  return index;
}

/** The words of a command that are no paths: a file's name says little about what a command does. */
function withoutPaths(command: string): string {
  return command.slice(0, READ).replace(/\S*[\\/]\S*/g, ' ');
}
