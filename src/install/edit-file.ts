import { createHash } from 'node:crypto';
import { callsHook, findOurs, isServerCommand, SIGNATURE } from './ours.ts';
import type { JsonTarget, OwnTarget, Part, Target, TomlTarget } from './target.ts';
import { addToJson } from './text/add-to-json.ts';
import { type InsertedText, insertAt, type Span, withoutInserted } from './text/inserted-text.ts';
import { JsonTextError, parseJsonText } from './text/json-nodes.ts';
import { removeFromJson } from './text/remove-from-json.ts';
import {
  canHoldTable,
  TomlTextError,
  tomlTable,
  tomlTableText,
  withoutTomlTable,
} from './text/toml-table.ts';

/** What was put into a file, so that it can be taken out to the byte. */
export interface Footprint {
  /** Of the text that was written. */
  readonly hash: string;
  readonly inserted: readonly Span[];
  /** Objects and lists that were made. */
  readonly containers: readonly (readonly string[])[];
  /** The file was not there before. */
  readonly isNew: boolean;
}

/** What is to be done with a file. */
export type Edit =
  | { readonly kind: 'none'; readonly taken: readonly Part[] }
  | {
      readonly kind: 'write';
      readonly text: string;
      readonly footprint: Footprint;
      /** Parts that have to stay out, because something of somebody else is in their place. */
      readonly taken: readonly Part[];
    }
  | { readonly kind: 'delete' }
  /** The file cannot be changed, and why: a clause. */
  | { readonly kind: 'problem'; readonly problem: string };

/** What has to be done so that a file holds the target. `text` is undefined when there is none. */
export function planInstall(
  target: Target,
  text: string | undefined,
  footprint: Footprint | undefined,
): Edit {
  return careful(() => {
    if (target.kind === 'own') return installOwn(target, text);
    const isNew = text === undefined || (footprint?.isNew ?? false);
    const made =
      target.kind === 'json' ? installJson(target, text, footprint) : installToml(target, text, footprint);
    if (made.kind === 'problem') return made;
    const { document, containers, taken } = made;
    if (document.text === (text ?? '')) return { kind: 'none', taken };
    const { text: written, inserted } = document;
    return {
      kind: 'write',
      text: written,
      footprint: { hash: hashOf(written), inserted, containers, isNew },
      taken,
    };
  });
}

/** What has to be done so that nothing of yore's is left in a file; everything else in it stays. */
export function planRemoval(
  target: Target,
  text: string | undefined,
  footprint: Footprint | undefined,
): Edit {
  // A file that cannot be read and never mentions yore is nobody's problem.
  if (text === undefined || !text.includes('yore')) return { kind: 'none', taken: [] };
  return careful(() => {
    if (target.kind === 'own') return isOwn(target, text) ? { kind: 'delete' } : { kind: 'none', taken: [] };
    const rest = baseOf(target, text, footprint);
    if (footprint?.isNew && isBlank(target, rest)) return { kind: 'delete' };
    if (rest === text) return { kind: 'none', taken: [] };
    return {
      kind: 'write',
      text: rest,
      footprint: { hash: '', inserted: [], containers: [], isNew: false },
      taken: [],
    };
  });
}

/** A fingerprint of a text. */
function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

interface Made {
  readonly kind: 'made';
  readonly document: InsertedText;
  readonly containers: readonly (readonly string[])[];
  readonly taken: readonly Part[];
}

type Problem = Extract<Edit, { readonly kind: 'problem' }>;

function installJson(target: JsonTarget, text = '', footprint: Footprint | undefined): Made | Problem {
  const present = isInPlace(target, text);
  if (present)
    return { kind: 'made', document: { text, inserted: [] }, containers: [], taken: present.taken };
  return putInto(target, baseOf(target, text, footprint));
}

function putInto(target: JsonTarget, base: string): Made | Problem {
  let document: InsertedText = { text: base, inserted: [] };
  const containers: (readonly string[])[] = [];
  const taken = new Set<Part>();
  for (const addition of target.additions) {
    const added = addToJson(document, addition);
    if (added.kind === 'added') {
      document = added.document;
      containers.push(...added.containers);
    } else if (added.kind === 'taken') {
      if (addition.part === 'hooks' || added.path.length < addition.path.length) {
        const name = added.path.length === 0 ? 'it' : `"${added.path.join('.')}"`;
        return {
          kind: 'problem',
          problem: `${name} is not ${addition.kind === 'element' ? 'what hooks need' : 'an object'}`,
        };
      }
      taken.add(addition.part);
    }
  }
  return { kind: 'made', document, containers, taken: [...taken].filter((part) => part !== 'frame') };
}

/** Whether a text holds all of the target already, and nothing old of ours beside it. */
function isInPlace(target: JsonTarget, text: string): { readonly taken: readonly Part[] } | undefined {
  if (text.trim() === '') return undefined;
  const again = putInto(target, text);
  if (again.kind === 'problem' || again.document.text !== text) return undefined;
  const wanted = target.additions.filter(({ part }) => part !== 'frame' && !again.taken.includes(part));
  return countOurs(text) === wanted.length ? { taken: again.taken } : undefined;
}

function countOurs(text: string): number {
  let count = 0;
  removeFromJson(
    text,
    (root) => {
      const place = findOurs(root);
      if (place) count++;
      return place;
    },
    [],
  );
  return count;
}

function installToml(target: TomlTarget, text = '', footprint: Footprint | undefined): Made | Problem {
  const there = tomlTable(text, target.table);
  const isThere = there !== undefined && target.lines.every((line) => there.includes(line));
  const isForeign = there !== undefined && !isOurTable(there);
  if (isThere || isForeign) {
    const taken = isForeign && !isThere ? [target.part] : [];
    return { kind: 'made', document: { text, inserted: [] }, containers: [], taken };
  }
  const base = baseOf(target, text, footprint);
  if (!canHoldTable(base, target.table)) {
    return { kind: 'problem', problem: `"${target.table[0]}" is not a table that can be added to` };
  }
  const piece = tomlTableText(base, target.table, target.lines);
  const document = insertAt({ text: base, inserted: [] }, base.length, piece);
  return { kind: 'made', document, containers: [], taken: [] };
}

function installOwn(target: OwnTarget, text: string | undefined): Edit {
  if (text === target.text) return { kind: 'none', taken: [] };
  if (text !== undefined && !isOwn(target, text)) {
    return { kind: 'problem', problem: 'it is a file of that name which yore did not write' };
  }
  const footprint = { hash: hashOf(target.text), inserted: [], containers: [], isNew: true };
  return { kind: 'write', text: target.text, footprint, taken: [] };
}

function isOwn(target: OwnTarget, text: string): boolean {
  return text === target.text || text.includes(SIGNATURE) || callsHook(text);
}

/** The text without ours: to the byte when nobody changed it since, else by taking our parts out. */
function baseOf(target: JsonTarget | TomlTarget, text: string, footprint: Footprint | undefined): string {
  if (footprint && footprint.hash === hashOf(text))
    return withoutInserted({ text, inserted: footprint.inserted });
  if (target.kind === 'json') return removeFromJson(text, findOurs, footprint?.containers ?? []);
  const table = tomlTable(text, target.table);
  return table !== undefined && isOurTable(table) ? withoutTomlTable(text, target.table) : text;
}

function isOurTable(lines: readonly string[]): boolean {
  const words = lines.flatMap((line) => [...line.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'/g)]);
  return isServerCommand(words.map(([, one, other]) => (one ?? other ?? '').replaceAll('\\\\', '\\')));
}

/** Whether nothing is left but what the file needs to be one. */
function isBlank(target: JsonTarget | TomlTarget, text: string): boolean {
  if (text.replace('\uFEFF', '').trim() === '') return true;
  if (target.kind === 'toml') return false;
  const root = parseJsonText(text);
  if (root.kind !== 'object' || /\/[/*]/.test(text)) return false;
  const frame = target.additions.filter(({ part }) => part === 'frame').map(({ path }) => path[0]);
  return root.members.every(({ key }) => frame.includes(key));
}

function careful(plan: () => Edit): Edit {
  try {
    return plan();
  } catch (error) {
    if (error instanceof JsonTextError) {
      return { kind: 'problem', problem: `line ${error.line}, column ${error.column}: ${error.message}` };
    }
    if (error instanceof TomlTextError) return { kind: 'problem', problem: error.message };
    throw error;
  }
}
