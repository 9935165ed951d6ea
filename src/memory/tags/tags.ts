import type { TextLists } from '../../config/settings.ts';
import { once } from '../../record/once.ts';
import { stem } from '../../text/stem.ts';
import { splitWords, tokenize } from '../../text/words.ts';
import { TagIndex } from './tag-index.ts';
import { AREAS, SUBJECTS } from './tag-table.ts';

/** What can be tagged: the text of a request, a shell command, the name of a tool, a project-relative path. */
interface Taggable {
  readonly text?: string;
  readonly command?: string;
  readonly tool?: string;
  readonly path?: string;
}

/** Maximum number of tags. Those of the text come first, then command, tool and file. */
export const MAX_TAGS = 10;
/** Characters to read of a text or command: the subject of a request is at its beginning. */
const MAX_READ = 2000;

const subjects: () => TagIndex = once(
  () => new TagIndex(SUBJECTS.map(parseRow).map(({ first: words, ...row }) => ({ ...row, words }))),
);
const commands: () => TagIndex = once(
  () => new TagIndex(SUBJECTS.map(parseRow).map(({ second: words, ...row }) => ({ ...row, words }))),
);
const extras = new WeakMap<TextLists, TagIndex>();

/**
 * The tags of a request or tool call: intent, technology, tool and the area of the file. Words match as a whole, in any
 * simple inflection. `extra` is the setting `tags.extra`. At most {@link MAX_TAGS}, deterministic.
 */
export function findTags(what: Taggable, extra?: TextLists): readonly string[] {
  const indexes = extra === undefined ? [subjects()] : [subjects(), extraIndex(extra)];
  const tags = new Set<string>();
  if (what.text !== undefined) collect(what.text, indexes, tags);
  if (what.command !== undefined) collect(stripPaths(what.command), [commands(), ...indexes], tags);
  if (what.tool !== undefined) collect(what.tool, indexes, tags);
  if (what.path !== undefined) {
    for (const tag of findAreaTags(what.path, (name) => findWordTags(name)[0])) tags.add(tag);
    if (extra !== undefined) collect(what.path, [extraIndex(extra)], tags);
  }
  return Array.from(tags).slice(0, MAX_TAGS);
}

/** The tags of a single word in any inflection; none for most words. */
export function findWordTags(word: string): readonly string[] {
  return subjects().get(stem(word));
}

function collect(text: string, indexes: readonly TagIndex[], tags: Set<string>): void {
  let before = '';
  for (const token of tokenize(text.slice(0, MAX_READ))) {
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

/** Parses a row of a tag table: `tag > implied tags: first list | second list`. */
export function parseRow(row: string): {
  readonly tag: string;
  readonly implies: readonly string[];
  readonly first: readonly string[];
  readonly second: readonly string[];
} {
  const [head = '', lists = ''] = row.split(': ');
  const [tag = '', implied] = head.split(' > ');
  const [first, second] = lists.split(' | ');
  return { tag, implies: splitList(implied), first: splitList(first), second: splitList(second) };
}

function splitList(text: string | undefined): readonly string[] {
  return text === undefined ? [] : text.split(', ');
}

function extraIndex(extra: TextLists): TagIndex {
  const known = extras.get(extra);
  if (known !== undefined) return known;
  const index = new TagIndex(Object.entries(extra).map(([tag, words]) => ({ tag, words })));
  extras.set(extra, index);
  return index;
}

/** Removes paths from a command, because file names say little about what it does. */
function stripPaths(command: string): string {
  return command.slice(0, MAX_READ).replace(/\S*[\\/]\S*/g, ' ');
}

const byName = once(() => areaIndex('first'));
const byExtension = once(() => areaIndex('second'));

/**
 * The tags of a project-relative path: names in it that are subjects, then the areas it belongs to. `src/auth/jwt.ts`
 * has auth, jwt, backend. A name that only repeats its area is left out.
 */
function findAreaTags(path: string, subjectOf: (name: string) => string | undefined): readonly string[] {
  const segments = path.split(/[\\/]+/).filter((segment) => segment !== '' && segment !== '.');
  const file = segments.pop() ?? '';
  const [stemOfFile = '', ...endings] = file.startsWith('.') ? [file] : file.split('.');
  const whole = [...segments, stemOfFile, ...endings, file].map((name) => name.toLowerCase());
  const words = splitWords([...segments, stemOfFile].join('/')).flatMap(({ parts }) => parts);
  const areas = new Set(
    [
      ...[...words, ...whole].map((name) => byName().get(name)),
      byExtension().get(endings.at(-1)?.toLowerCase() ?? ''),
    ].filter((area) => area !== undefined),
  );
  const names = words.filter((word) => {
    const subject = word.length > 1 ? subjectOf(word) : undefined;
    return subject !== undefined && !areas.has(subject);
  });
  return Array.from(new Set([...names, ...areas]));
}

function areaIndex(list: 'first' | 'second'): ReadonlyMap<string, string> {
  return new Map(AREAS.map(parseRow).flatMap((row) => row[list].map((name) => [name, row.tag] as const)));
}
