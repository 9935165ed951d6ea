import type { TextLists } from '../../config/setting.ts';
import { once } from '../../record/once.ts';
import { stem } from '../../text/stem.ts';
import { tokenize } from '../../text/words.ts';
import { areaTags } from './area-tags.ts';
import { TagIndex } from './tag-index.ts';
import { SUBJECTS } from './tag-table.ts';

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

const plain: () => TagIndex = once(
  () => new TagIndex(SUBJECTS.map(({ tag, words, implies }) => ({ tag, words: list(words), implies }))),
);
const inCommands: () => TagIndex = once(
  () => new TagIndex(SUBJECTS.map(({ tag, commands, implies }) => ({ tag, words: list(commands), implies }))),
);
const extras = new WeakMap<TextLists, TagIndex>();

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
  return plain().get(stem(word));
}

function collect(text: string, indexes: readonly TagIndex[], tags: Set<string>): void {
  let before = '';
  for (const token of tokenize(text.slice(0, READ))) {
    let own = '';
    for (const index of indexes) {
      const found = index.lookUp(token);
      own = found.stem;
      if (found.isSecond) for (const tag of index.get(`${before} ${own}`)) tags.add(tag);
      for (const tag of found.tags) tags.add(tag);
    }
    before = own;
  }
}

function list(words: string | undefined): readonly string[] {
  return words === undefined ? [] : words.split(', ');
}

function extraIndex(extra: TextLists): TagIndex {
  const known = extras.get(extra);
  if (known !== undefined) return known;
  const index = new TagIndex(Object.entries(extra).map(([tag, words]) => ({ tag, words })));
  extras.set(extra, index);
  return index;
}

/** The words of a command that are no paths: a file's name says little about what a command does. */
function withoutPaths(command: string): string {
  return command.slice(0, READ).replace(/\S*[\\/]\S*/g, ' ');
}
