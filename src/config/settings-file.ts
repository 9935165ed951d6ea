import { errorCode, readBytes } from '../files/file-access.ts';
import { reasonOf, YoreError } from '../record/error.ts';
import { isObject, type JsonObject } from '../record/object.ts';
import { scanJson } from '../text/json-positions.ts';
import { findNearest } from '../text/nearest.ts';
import { checkValue, invalidValue, type Value } from './check-value.ts';
import { findSetting, SETTINGS, type Setting } from './settings.ts';

/** Whose settings file it is. Some settings are not allowed in a project's. */
export type SettingsScope = 'home' | 'project';

/** The settings of a file, and the problems with it. */
export interface FileSettings {
  readonly values: ReadonlyMap<string, Value>;
  readonly problems: readonly YoreError[];
}

/** Reads and validates a settings file. A missing or blank one has no settings. */
export function readSettingsFile(file: string, scope: SettingsScope): FileSettings {
  let text: string;
  let content: JsonObject;
  try {
    text = readText(file);
    content = parseSettings(text, file);
  } catch (error) {
    if (error instanceof YoreError) return { values: new Map(), problems: [error] };
    throw error;
  }
  const values = new Map<string, Value>();
  const problems: YoreError[] = [];
  const locate = keyLocator(file, text);
  for (const { key, value, isNested } of listEntries(content)) {
    const checked = checkSetting(key, value, isNested, scope, () => locate(key));
    if (checked instanceof YoreError) problems.push(checked);
    else values.set(key, checked);
  }
  return { values, problems };
}

/** The text of a settings file; empty if it is missing. */
export function readText(file: string): string {
  try {
    return readBytes(file)
      .toString('utf8')
      .replace(/^\uFEFF/, '');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return '';
    const reason = errorCode(error) === 'EISDIR' ? 'it is a folder' : reasonOf(error);
    throw new YoreError(
      'STORAGE',
      `Cannot read the settings in ${file}: ${reason}. Make it a readable file, or move it away.`,
      { cause: error },
    );
  }
}

/** Parses a settings file. Throws CONFIG with the position where it is not JSON. */
export function parseSettings(text: string, file: string): JsonObject {
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
      `${where} is not valid JSON${problem}. Fix the file, or move it away to use the defaults.`,
      { cause },
    );
  }
  if (isObject(content)) return content;
  throw new YoreError('CONFIG', `${file} must contain a JSON object, e.g. {"retrieval": {"enabled": true}}.`);
}

function checkSetting(
  key: string,
  value: unknown,
  isNested: boolean,
  scope: SettingsScope,
  where: () => string,
): Value | YoreError {
  if (SECTIONS.includes(key)) return notSection(key, where());
  const setting = findSetting(key);
  if (!setting) return unknownKey(key, where());
  if (isNested !== key.includes('.')) return notNested(key, where());
  const misplaced = checkScope(setting, scope, where);
  if (misplaced !== undefined) return misplaced;
  return checkValue(setting, value) ?? invalidValue(setting, value, where());
}

function notNested(key: string, where: string): YoreError {
  const [section, name] = key.split('.');
  return new YoreError('CONFIG', `"${key}" in ${where} must be inside its section: {"${section}": {"${name}": …}}.`);
}

/** The error for a setting that is not allowed in this file; undefined if it is. */
export function checkScope(setting: Setting, scope: SettingsScope, where: () => string): YoreError | undefined {
  if (setting.homeOnly && scope === 'project') {
    return new YoreError(
      'CONFIG',
      `"${setting.key}" in ${where()} cannot be set for a single project. Set it in config.json of yore's home.`,
    );
  }
  if (setting.projectOnly && scope === 'home') {
    return new YoreError(
      'CONFIG',
      `"${setting.key}" in ${where()} is chosen for each project. Set it there: yore config set --project . ${setting.key} VALUE`,
    );
  }
  return undefined;
}

/** The entries of a file: those within known sections, and everything else at the top level. */
function* listEntries(content: JsonObject) {
  for (const [name, value] of Object.entries(content)) {
    if (!SECTIONS.includes(name) || !isObject(value)) yield { key: name, value, isNested: false };
    else
      for (const [key, nested] of Object.entries(value)) yield { key: `${name}.${key}`, value: nested, isNested: true };
  }
}

/** Returns the file and line of a key for messages. The text is scanned only when it is needed. */
function keyLocator(file: string, text: string): (key: string) => string {
  let lines: ReadonlyMap<string, number> | undefined;
  return (key) => {
    lines ??= scanJson(text).keyLines;
    const line = lines.get(key);
    return line === undefined ? file : `${file}:${line}`;
  };
}

const KEYS: readonly string[] = SETTINGS.map((setting) => setting.key);

/** The sections of a settings file: what precedes the dot in the keys of settings. */
const SECTIONS: readonly string[] = [
  ...new Set(KEYS.filter((key) => key.includes('.')).map((key) => key.slice(0, key.indexOf('.')))),
];

const SECRET_NAME =
  /(?:api|access|secret|private|auth)[-_]?(?:key|token)|passw(?:or)?d|secret|credential|(?:^|[._-])(?:key|token)$/i;

/** The error for an unknown key. `where` is a file with its line, or the command line. */
export function unknownKey(key: string, where: string): YoreError {
  if (SECRET_NAME.test(key) && findNearest(key, KEYS, 2) === undefined) return secretKey(key, where);
  const nearest = findNearestKey(key);
  const suggestion = nearest === undefined || nearest === key ? '' : ` Did you mean "${nearest}"?`;
  return new YoreError('CONFIG', `"${key}" in ${where} is not a setting.${suggestion}${listKnownKeys(key)}`);
}

/** The error for a section that is not an object. */
export function notSection(section: string, where: string): YoreError {
  return new YoreError(
    'CONFIG',
    `"${section}" in ${where} must be an object with settings.${listKnownKeys(`${section}.`)}`,
  );
}

/** API keys must not be in a file that is backed up, shared or shown. */
function secretKey(key: string, where: string): YoreError {
  return new YoreError(
    'CONFIG',
    `"${key}" in ${where} looks like a secret, which must not be in a settings file. ` +
      'Remove it and set an environment variable instead, e.g. ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY.',
  );
}

/** Also finds a setting that is given without its section. */
function findNearestKey(key: string): string | undefined {
  const direct = findNearest(key, [...KEYS, ...SECTIONS]);
  if (direct !== undefined) return direct;
  const bare = findNearest(lastPart(key), KEYS.map(lastPart));
  return KEYS.find((candidate) => lastPart(candidate) === bare);
}

function lastPart(key: string): string {
  return key.slice(key.lastIndexOf('.') + 1);
}

function listKnownKeys(key: string): string {
  const section = SECTIONS.find((name) => key.startsWith(`${name}.`));
  if (section === undefined) {
    const single = KEYS.filter((name) => !name.includes('.'));
    return ` Known settings: ${[...SECTIONS.map((name) => `"${name}.…"`), ...single.map((name) => `"${name}"`)].join(', ')}.`;
  }
  const names = KEYS.filter((name) => name.startsWith(`${section}.`)).map(lastPart);
  return ` Settings of "${section}": ${names.join(', ')}.`;
}
