import { createHash } from 'node:crypto';
import { getNodeValue, type Node } from 'jsonc-parser';
import {
  HOOK_FILE,
  type JsonTarget,
  type OwnTarget,
  type Part,
  SERVER_FILE,
  SIGNATURE,
  type Target,
  type TomlTarget,
} from '../agents/installation.ts';
import {
  addToJson,
  findValue,
  type InsertedText,
  insertAt,
  type JsonItem,
  type JsonSpan,
  JsonTextError,
  listProperties,
  parseJsonText,
  removeFromJson,
  removeInserted,
} from './json-edit.ts';
import { canAddTomlTable, formatTomlTable, readTomlTable, removeTomlTable, TomlTextError } from './toml-table.ts';

/** What was inserted into a file, so that it can be removed to the byte. */
export interface InsertionRecord {
  /** SHA-256 of the text that was written. */
  readonly hash: string;
  readonly inserted: readonly JsonSpan[];
  /** Paths of objects and lists that were created. */
  readonly containers: readonly (readonly string[])[];
  /** The file did not exist before. */
  readonly isNew: boolean;
}

/** What has to be done to a file. */
export type Edit =
  | { readonly kind: 'none'; readonly conflicts: readonly Part[] }
  | {
      readonly kind: 'write';
      readonly text: string;
      readonly record: InsertionRecord;
      /** Parts that are left out because somebody else's value has their place. */
      readonly conflicts: readonly Part[];
    }
  | { readonly kind: 'delete' }
  /** Why the file cannot be changed; a clause. */
  | { readonly kind: 'problem'; readonly problem: string };

/** Plans how a file gets what the target asks for. `text` is undefined when the file does not exist. */
export function planInstall(target: Target, text: string | undefined, record: InsertionRecord | undefined): Edit {
  return catchTextErrors(() => {
    if (target.kind === 'own') return installOwn(target, text);
    const isNew = text === undefined || (record?.isNew ?? false);
    const result = target.kind === 'json' ? installJson(target, text, record) : installToml(target, text, record);
    if (result.kind === 'problem') return result;
    const { document, containers, conflicts } = result;
    const { text: written, inserted } = document;
    if (written === (text ?? '')) return { kind: 'none', conflicts };
    const insertion = { hash: hash(written), inserted, containers, isNew };
    return { kind: 'write', text: written, record: insertion, conflicts };
  });
}

/** Plans how everything of yore is removed from a file; the rest of it stays. */
export function planRemoval(target: Target, text: string | undefined, record: InsertionRecord | undefined): Edit {
  // An invalid file that does not mention yore is not our problem.
  if (text === undefined || !text.includes('yore')) return NO_EDIT;
  return catchTextErrors(() => {
    if (target.kind === 'own') return isOwn(target, text) ? { kind: 'delete' } : NO_EDIT;
    const rest = removeOwn(target, text, record);
    if (record?.isNew && isBlank(target, rest)) return { kind: 'delete' };
    if (rest === text) return NO_EDIT;
    const removal = { hash: '', inserted: [], containers: [], isNew: false };
    return { kind: 'write', text: rest, record: removal, conflicts: [] };
  });
}

const NO_EDIT: Edit = { kind: 'none', conflicts: [] };

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

interface Installed {
  readonly kind: 'installed';
  readonly document: InsertedText;
  readonly containers: readonly (readonly string[])[];
  readonly conflicts: readonly Part[];
}

type Installation = Installed | Extract<Edit, { readonly kind: 'problem' }>;

function installJson(target: JsonTarget, text = '', record: InsertionRecord | undefined): Installation {
  return findInstalledJson(target, text) ?? addAll(target, removeOwn(target, text, record));
}

function addAll(target: JsonTarget, base: string): Installation {
  let document: InsertedText = { text: base, inserted: [] };
  const containers: (readonly string[])[] = [];
  const conflicts = new Set<Part>();
  for (const addition of target.additions) {
    const added = addToJson(document, addition);
    if (added.kind === 'added') {
      document = added.document;
      containers.push(...added.containers);
    } else if (added.kind === 'conflict') {
      if (addition.part === 'hooks' || added.path.length < addition.path.length) {
        const name = added.path.length === 0 ? 'it' : `"${added.path.join('.')}"`;
        const expected = addition.kind === 'element' ? 'what hooks need' : 'an object';
        return { kind: 'problem', problem: `${name} is not ${expected}` };
      }
      conflicts.add(addition.part);
    }
  }
  const reported = [...conflicts].filter((part) => part !== 'format');
  return { kind: 'installed', document, containers, conflicts: reported };
}

/** The text itself, if it already holds the whole target and no outdated entries of yore beside it. */
function findInstalledJson(target: JsonTarget, text: string): Installed | undefined {
  if (text.trim() === '') return undefined;
  const again = addAll(target, text);
  if (again.kind === 'problem' || again.document.text !== text) return undefined;
  const { conflicts } = again;
  const wanted = target.additions.filter(({ part }) => part !== 'format' && !conflicts.includes(part));
  return countOwnEntries(text) === wanted.length
    ? { kind: 'installed', document: { text, inserted: [] }, containers: [], conflicts }
    : undefined;
}

function countOwnEntries(text: string): number {
  let count = 0;
  const countEntry = (root: Node): JsonItem | undefined => {
    const entry = findOwnEntry(root);
    if (entry) count++;
    return entry;
  };
  removeFromJson(text, countEntry, []);
  return count;
}

function installToml(target: TomlTarget, text = '', record: InsertionRecord | undefined): Installation {
  const lines = readTomlTable(text, target.table);
  const isPresent = lines !== undefined && target.lines.every((line) => lines.includes(line));
  const isForeign = lines !== undefined && !isOwnTable(lines);
  if (isPresent || isForeign) {
    const conflicts = isForeign && !isPresent ? [target.part] : [];
    return { kind: 'installed', document: { text, inserted: [] }, containers: [], conflicts };
  }
  const base = removeOwn(target, text, record);
  if (!canAddTomlTable(base, target.table)) {
    return { kind: 'problem', problem: `"${target.table[0]}" is not a table that can be added to` };
  }
  const piece = formatTomlTable(base, target.table, target.lines);
  const document = insertAt({ text: base, inserted: [] }, base.length, piece);
  return { kind: 'installed', document, containers: [], conflicts: [] };
}

function installOwn(target: OwnTarget, text: string | undefined): Edit {
  if (text === target.text) return NO_EDIT;
  if (text !== undefined && !isOwn(target, text)) {
    return { kind: 'problem', problem: 'a file of that name exists that yore did not write' };
  }
  const record = { hash: hash(target.text), inserted: [], containers: [], isNew: true };
  return { kind: 'write', text: target.text, record, conflicts: [] };
}

/** The text without yore's entries: the original bytes if nobody has changed it since, else with the entries cut out. */
function removeOwn(target: JsonTarget | TomlTarget, text: string, record: InsertionRecord | undefined): string {
  if (record && record.hash === hash(text)) return removeInserted({ text, inserted: record.inserted });
  if (target.kind === 'json') return removeFromJson(text, findOwnEntry, record?.containers ?? []);
  const lines = readTomlTable(text, target.table);
  return lines !== undefined && isOwnTable(lines) ? removeTomlTable(text, target.table) : text;
}

/** Whether nothing is left but what the format requires. */
function isBlank(target: JsonTarget | TomlTarget, text: string): boolean {
  if (text.replace('\uFEFF', '').trim() === '') return true;
  if (target.kind === 'toml') return false;
  const root = parseJsonText(text);
  if (root.type !== 'object' || /\/[/*]/.test(text)) return false;
  const required = target.additions.filter(({ part }) => part === 'format').map(({ path }) => path[0]);
  return listProperties(root).every(({ key }) => required.includes(key));
}

function catchTextErrors(plan: () => Edit): Edit {
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

/** Finds the next entry in a settings file that `yore init` wrote, in any version and for any home of yore. */
function findOwnEntry(root: Node): JsonItem | undefined {
  return findOwnHook(root) ?? findOwnServer(root, 'mcpServers') ?? findOwnServer(root, 'mcp');
}

function findOwnHook(root: Node): JsonItem | undefined {
  const hooks = findValue(root, 'hooks');
  if (hooks?.type !== 'object') return undefined;
  for (const { value: groups } of listProperties(hooks)) {
    if (groups.type !== 'array') continue;
    for (const [index, group] of (groups.children ?? []).entries()) {
      if (isOwnHandler(group)) return { container: groups, index };
      const handlers = findValue(group, 'hooks');
      if (handlers?.type !== 'array') continue;
      const first = (handlers.children ?? []).findIndex(isOwnHandler);
      if (first < 0) continue;
      // The user may have put another handler beside ours.
      const isAlone = handlers.children?.every(isOwnHandler) === true;
      return isAlone ? { container: groups, index } : { container: handlers, index: first };
    }
  }
  return undefined;
}

function findOwnServer(root: Node, key: string): JsonItem | undefined {
  const servers = findValue(root, key);
  if (servers?.type !== 'object') return undefined;
  const index = listProperties(servers).findIndex(({ key: name, value }) => name === 'yore' && isOwnServer(value));
  return index < 0 ? undefined : { container: servers, index };
}

const HANDLER_KEYS = ['command', 'bash', 'powershell'];
const CALLS_HOOK = new RegExp(`bin[/\\\\]${HOOK_FILE}(?:\\.cmd)?(?:['"\\\\\\s]|$)`);
const STARTS_SERVER = new RegExp(`bin[/\\\\]${SERVER_FILE}(?:\\.cmd)?$`);

function isOwnHandler(node: Node): boolean {
  return HANDLER_KEYS.some((key) => {
    const value: unknown = findValue(node, key)?.value;
    return typeof value === 'string' && CALLS_HOOK.test(value);
  });
}

function isOwnServer(node: Node): boolean {
  const words = ['command', 'args'].flatMap((key) => {
    const value = findValue(node, key);
    return value === undefined ? [] : [getNodeValue(value) as unknown].flat().map(String);
  });
  return isServerCommand(words);
}

function isOwnTable(lines: readonly string[]): boolean {
  const words = lines.flatMap((line) => [...line.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'/g)]);
  return isServerCommand(words.map(([, one, other]) => (one ?? other ?? '').replaceAll('\\\\', '\\')));
}

/** Whether a command starts yore's MCP server: the file in yore's home, or `yore mcp`. */
function isServerCommand(words: readonly string[]): boolean {
  return words.some((word) => STARTS_SERVER.test(word)) || (words[0] === 'yore' && words[1] === 'mcp');
}

function isOwn(target: OwnTarget, text: string): boolean {
  return text === target.text || text.includes(SIGNATURE) || CALLS_HOOK.test(text);
}
