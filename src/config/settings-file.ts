import { readFileSync } from 'node:fs';
import { YoreError } from '../record/error.ts';
import { scanJson } from '../text/json-positions.ts';
import { findNearest } from '../text/nearest.ts';
import { checkValue, isSection, type Value, wrongValue } from './check-value.ts';
import type { Setting } from './setting.ts';
import { findSetting, SETTINGS } from './settings.ts';

/** Whose file it is. A project's may not hold every setting. */
export type Scope = 'home' | 'project';

/** What a configuration file says, and what is wrong with it. */
export interface FileSettings {
  readonly values: ReadonlyMap<string, Value>;
  readonly problems: readonly YoreError[];
}

/** Reads and checks a configuration file. A missing or blank one holds no settings. */
export function readSettingsFile(file: string, scope: Scope): FileSettings {
  let text: string;
  let content: Readonly<Record<string, unknown>>;
  try {
    text = readText(file);
    content = parseSettings(text, file);
  } catch (error) {
    if (error instanceof YoreError) return { values: new Map(), problems: [error] };
    throw error;
  }
  const values = new Map<string, Value>();
  const problems: YoreError[] = [];
  const placeOf = placesIn(file, text);
  for (const { key, value, nested } of leavesOf(content)) {
    const checked = checkSetting(key, value, { nested, scope, place: () => placeOf(key) });
    if (checked instanceof YoreError) problems.push(checked);
    else values.set(key, checked);
  }
  return { values, problems };
}

/** The text of a configuration file; empty when there is none. */
export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') return '';
    const reason =
      code === 'EISDIR' ? 'it is a folder' : error instanceof Error ? error.message : String(error);
    throw new YoreError(
      'STORAGE',
      `Cannot read the settings in ${file}: ${reason}. Make it a file that you can read, or move it away.`,
      { cause: error },
    );
  }
}

/** The object that a configuration file holds, or an error that names the line where it is not JSON. */
export function parseSettings(text: string, file: string): Record<string, unknown> {
  if (text.trim() === '') return {};
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (cause) {
    const { error } = scanJson(text);
    const where = error ? `${file}:${error.line}:${error.column}` : file;
    const problem = error ? `: ${error.problem}` : '';
    throw new YoreError(
      'CONFIG',
      `${where} is not valid JSON${problem}. Fix the file, or move it away to go back to the defaults.`,
      { cause },
    );
  }
  if (isSection(content)) return content;
  throw new YoreError('CONFIG', `${file} must hold a JSON object, e.g. {"retrieval": {"enabled": true}}.`);
}

interface Standing {
  readonly nested: boolean;
  readonly scope: Scope;
  readonly place: () => string;
}

function checkSetting(key: string, value: unknown, { nested, scope, place }: Standing): Value | YoreError {
  if (SECTIONS.includes(key)) return notSection(key, place());
  const setting = findSetting(key);
  if (!setting) return unknownKey(key, place());
  if (nested !== key.includes('.')) return notNested(key, place());
  if (setting.homeOnly && scope === 'project') return homeOnly(setting, place());
  return checkValue(setting, value) ?? wrongValue(setting, value, place());
}

function notNested(key: string, where: string): YoreError {
  const [section, name] = key.split('.');
  return new YoreError(
    'CONFIG',
    `"${key}" in ${where} must stand inside its section: {"${section}": {"${name}": …}}.`,
  );
}

/** The error for a setting that a project may not change. */
export function homeOnly(setting: Setting, where: string): YoreError {
  return new YoreError(
    'CONFIG',
    `"${setting.key}" in ${where} cannot be set for one project. Set it in config.json of yore's home.`,
  );
}

interface Leaf {
  readonly key: string;
  readonly value: unknown;
  readonly nested: boolean;
}

/** Keys with their values, one level below known sections; what is unknown is not looked into. */
function* leavesOf(content: Readonly<Record<string, unknown>>): Generator<Leaf> {
  for (const [name, value] of Object.entries(content)) {
    if (!SECTIONS.includes(name) || !isSection(value)) yield { key: name, value, nested: false };
    else
      for (const [key, leaf] of Object.entries(value))
        yield { key: `${name}.${key}`, value: leaf, nested: true };
  }
}

/** Says where a key stands, for messages; the text is scanned only when one is written. */
function placesIn(file: string, text: string): (key: string) => string {
  let lines: ReadonlyMap<string, number> | undefined;
  return (key) => {
    lines ??= scanJson(text).keyLines;
    const line = lines.get(key);
    return line === undefined ? file : `${file}:${line}`;
  };
}

const KEYS: readonly string[] = SETTINGS.map((setting) => setting.key);

/** Names of the sections of a configuration file: what stands before the dot of a setting's key. */
const SECTIONS: readonly string[] = [
  ...new Set(KEYS.filter((key) => key.includes('.')).map((key) => key.slice(0, key.indexOf('.')))),
];

const SECRET_NAME =
  /(?:api|access|secret|private|auth)[-_]?(?:key|token)|passw(?:or)?d|secret|credential|(?:^|[._-])(?:key|token)$/i;

/** The error for a key that is no setting. `where` is a file with its line, or the command line. */
export function unknownKey(key: string, where: string): YoreError {
  if (SECRET_NAME.test(key) && findNearest(key, KEYS, 2) === undefined) return secretKey(key, where);
  const meant = nearestKey(key);
  const advice = meant === undefined ? '' : ` Did you mean "${meant}"?`;
  return new YoreError('CONFIG', `"${key}" in ${where} is not a setting.${advice}${known(key)}`);
}

/** The error for a section that holds something other than settings. */
export function notSection(section: string, where: string): YoreError {
  return new YoreError(
    'CONFIG',
    `"${section}" in ${where} must be an object that holds settings.${known(`${section}.`)}`,
  );
}

/** Keys of models and services never go into a file that is backed up, shared or shown. */
function secretKey(key: string, where: string): YoreError {
  return new YoreError(
    'CONFIG',
    `"${key}" in ${where} looks like a secret, and secrets are not settings. ` +
      'Remove it and put the key into the environment instead, e.g. ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY.',
  );
}

/** Also finds a setting that was named without its section. */
function nearestKey(key: string): string | undefined {
  const direct = findNearest(key, [...KEYS, ...SECTIONS]);
  if (direct !== undefined) return direct;
  const bare = findNearest(lastPart(key), KEYS.map(lastPart));
  return KEYS.find((candidate) => lastPart(candidate) === bare);
}

function lastPart(key: string): string {
  return key.slice(key.lastIndexOf('.') + 1);
}

function known(key: string): string {
  const section = SECTIONS.find((name) => key.startsWith(`${name}.`));
  if (section === undefined) {
    const single = KEYS.filter((name) => !name.includes('.'));
    return ` Known are ${[...SECTIONS.map((name) => `"${name}.…"`), ...single.map((name) => `"${name}"`)].join(', ')}.`;
  }
  const names = KEYS.filter((name) => name.startsWith(`${section}.`)).map(lastPart);
  return ` Settings of "${section}": ${names.join(', ')}.`;
}
