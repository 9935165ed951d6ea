/** A value of a YAML file with its path; list items are numbered: `['steps', '0', 'run']`. */
export interface YamlEntry {
  readonly path: readonly string[];
  /** Empty for a key that only contains other keys. */
  readonly value: string;
}

const KEY = /^("[^"]*"|'[^']*'|[^\s#'"[{&*!|>-][^#]*?|-[^\s#][^#]*?)\s*:(?:\s+(.*))?$/;
const BLOCK = /^[|>][+-]?\d?[+-]?\s*(?:#.*)?$/;

/** Longer lines are skipped, which keeps the regular expressions fast for any file. */
const MAX_LINE_LENGTH = 2_000;

interface Level {
  readonly indent: number;
  readonly path: readonly string[];
  items: number;
}

/**
 * Reads the YAML of configuration files: maps, lists, block and flow scalars, flow lists of scalars. Anchors, tags and
 * flow maps stay text. Never throws; what it cannot read is skipped.
 */
export function readYaml(text: string): readonly YamlEntry[] {
  const entries: YamlEntry[] = [];
  const levels: Level[] = [{ indent: -1, path: [], items: 0 }];
  const lines = text.split(/\r?\n/);
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? '';
    let content = line.trim();
    if (line.length > MAX_LINE_LENGTH || content === '' || content.startsWith('#') || content === '---') continue;
    let indent = line.length - line.trimStart().length;
    // A list may have the indentation of its key, so its items do not end that key.
    while (levels.length > 1 && closes(levels.at(-1), indent, isItem(content))) levels.pop();
    while (isItem(content)) {
      const holder = levels.at(-1);
      if (!holder) break;
      const path = [...holder.path, String(holder.items++)];
      const rest = content.slice(1).trimStart();
      levels.push({ indent: indent + 0.5, path, items: 0 });
      indent += content.length - rest.length;
      content = rest;
    }
    const path = levels.at(-1)?.path ?? [];
    const pair = KEY.exec(content);
    const written = pair ? (pair[2] ?? '') : content;
    const at = pair ? [...path, unquoted(pair[1] ?? '')] : path;
    if (pair) levels.push({ indent, path: at, items: 0 });
    if (!BLOCK.test(written)) {
      entries.push(...scalars(at, written));
      continue;
    }
    const [block, last] = readBlock(lines, index, line.length - line.trimStart().length);
    entries.push({ path: at, value: block });
    index = last;
  }
  return entries;
}

/** The keys directly below `path`, in the order of the file. */
export function yamlKeys(entries: readonly YamlEntry[], ...path: readonly string[]): readonly string[] {
  const keys = new Set<string>();
  for (const entry of entries) {
    const key = entry.path[path.length];
    if (key !== undefined && path.every((part, index) => entry.path[index] === part)) keys.add(key);
  }
  return [...keys];
}

function isItem(content: string): boolean {
  return content === '-' || content.startsWith('- ');
}

function closes(level: Level | undefined, indent: number, item: boolean): boolean {
  if (!level) return false;
  const isItemLevel = !Number.isInteger(level.indent);
  return isItemLevel || !item ? level.indent >= indent : level.indent > indent;
}

function readBlock(lines: readonly string[], start: number, indent: number): readonly [string, number] {
  const block: string[] = [];
  let index = start + 1;
  for (; index < lines.length; index++) {
    const line = lines[index] ?? '';
    if (line.trim() !== '' && line.length - line.trimStart().length <= indent) break;
    block.push(line.trim());
  }
  return [block.join('\n').trim(), index - 1];
}

function scalars(path: readonly string[], written: string): YamlEntry[] {
  const value = written.replace(/(^|\s)#.*$/, '').trim();
  if (!/^\[.*\]$/.test(value)) return [{ path, value: unquoted(value) }];
  const items = value.slice(1, -1).split(',');
  return items.map((item, index) => ({ path: [...path, String(index)], value: unquoted(item.trim()) }));
}

function unquoted(value: string): string {
  return /^(["']).*\1$/.test(value) && value.length >= 2 ? value.slice(1, -1) : value;
}
