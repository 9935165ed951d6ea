import { YoreError } from '../record/error.ts';
import { isObject } from '../record/object.ts';
import type { ModelPrices, Setting, TextLists } from './settings.ts';

/** A value that a setting can have. */
export type Value = boolean | number | string | readonly string[] | TextLists | ModelPrices;

/** The allowed values of a setting in words: `true or false`, `a number from 0 to 1`, `one of "home", "repo"`. */
export function describeAllowed(setting: Setting): string {
  switch (setting.type) {
    case 'boolean':
      return 'true or false';
    case 'integer':
      return `a whole number from ${setting.min} to ${setting.max}`;
    case 'number':
      return `a number from ${setting.min} to ${setting.max}`;
    case 'choice':
      return `one of ${Object.keys(setting.choices)
        .map((choice) => `"${choice}"`)
        .join(', ')}`;
    case 'text':
      return 'a non-empty text';
    case 'url':
      return 'an http or https URL without user name and password';
    case 'list':
      return 'a list of texts, e.g. ["one", "two"]';
    case 'map':
      return 'an object with lists of texts, e.g. {"messaging": ["kafka"]}';
    case 'prices':
      return 'an object with prices of models, e.g. {"my-model*": {"input": 3, "output": 15, "cacheRead": 0.3, "cacheWrite": 3.75}}';
  }
}

/** The value if it is allowed, else undefined. */
export function checkValue(setting: Setting, value: unknown): Value | undefined {
  switch (setting.type) {
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined;
    case 'integer':
    case 'number':
      return isNumberInRange(setting, value) ? value : undefined;
    case 'choice':
      return typeof value === 'string' && Object.hasOwn(setting.choices, value) ? value : undefined;
    case 'text':
      return isText(value) ? value : undefined;
    case 'url':
      return isWebUrl(value) ? value : undefined;
    case 'list':
      return isTextList(value) ? value : undefined;
    case 'map':
      return isTextLists(value) ? value : undefined;
    case 'prices':
      return isModelPrices(value) ? value : undefined;
  }
}

/**
 * Parses a value as it is typed on a command line: `on`, `0.8`, `one,two` or JSON, depending on the type of the setting.
 * Undefined if it is not allowed.
 */
export function parseValue(setting: Setting, text: string): Value | undefined {
  const trimmed = text.trim();
  switch (setting.type) {
    case 'boolean':
      if (TRUE_WORDS.includes(trimmed.toLowerCase())) return true;
      return FALSE_WORDS.includes(trimmed.toLowerCase()) ? false : undefined;
    case 'integer':
    case 'number':
      return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(trimmed) ? checkValue(setting, Number(trimmed)) : undefined;
    case 'list':
      if (trimmed.startsWith('[')) return checkValue(setting, parseJson(trimmed));
      return trimmed === '' ? [] : checkValue(setting, trimmed.split(/\s*,\s*/));
    case 'map':
    case 'prices':
      return checkValue(setting, parseJson(trimmed));
    case 'text':
      return checkValue(setting, text);
    default:
      return checkValue(setting, trimmed);
  }
}

/** The error for a value that is not allowed. `where` is a file with its line, or the command line. */
export function invalidValue(setting: Setting, value: unknown, where: string): YoreError {
  const wantsPostgres = setting.key === 'storage' && typeof value === 'string' && /^postgres/i.test(value);
  return new YoreError(
    'CONFIG',
    `"${setting.key}" in ${where} is ${formatValue(value)}, but must be ${describeAllowed(setting)}.${wantsPostgres ? NO_POSTGRES : ''}`,
  );
}

const NO_POSTGRES = ' PostgreSQL is not supported by this version.';

const TRUE_WORDS = ['true', 'on', 'yes'];
const FALSE_WORDS = ['false', 'off', 'no'];

function isNumberInRange(setting: Setting & { type: 'integer' | 'number' }, value: unknown): value is number {
  if (typeof value !== 'number' || !Number.isFinite(value)) return false;
  if (setting.type === 'integer' && !Number.isInteger(value)) return false;
  return value >= setting.min && value <= setting.max;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isText);
}

function isTextLists(value: unknown): value is TextLists {
  return isObject(value) && Object.values(value).every(isTextList);
}

const PRICE_KEYS = ['input', 'output', 'cacheRead', 'cacheWrite', 'cacheHour'];

function isModelPrices(value: unknown): value is ModelPrices {
  return isObject(value) && Object.entries(value).every(([name, price]) => isText(name) && isModelPrice(price));
}

function isModelPrice(value: unknown): boolean {
  if (!isObject(value) || value.input === undefined || value.output === undefined) return false;
  return Object.entries(value).every(
    ([key, price]) => PRICE_KEYS.includes(key) && typeof price === 'number' && Number.isFinite(price) && price >= 0,
  );
}

function isWebUrl(value: unknown): value is string {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const MAX_SHOWN = 40;

/** Short and on one line. URLs are not shown, because they may contain a password. */
function formatValue(value: unknown): string {
  if (typeof value === 'string' && value.includes('://')) return 'a URL';
  if (isObject(value)) return 'an object';
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`;
}
