/** A JSON object of unknown content. */
export type Fields = Readonly<Record<string, unknown>>;

/** The value if it is an object (no array), else undefined. */
export function asFields(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

/** The value if it is text, else undefined. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The value if it is text and not empty, else undefined. For ids and names, which no agent writes longer than 400. */
export function asName(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= MAX_NAME_LENGTH ? value : undefined;
}

const MAX_NAME_LENGTH = 400;
const MAX_PATH_LENGTH = 4096;

/** The value if it is text that may be a path, else undefined. */
export function asPath(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= MAX_PATH_LENGTH ? value : undefined;
}

/** The value if it is a finite number, else undefined. */
export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** The value if it is a whole number (an exit code), else undefined. */
export function asInteger(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
}

/** The value if it is a whole number of at least zero (a count of tokens, milliseconds), else undefined. */
export function asCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** The values if it is an array, else none. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The objects in an array; what else is in it is left out. */
export function asObjects(value: unknown): readonly Fields[] {
  return asList(value).filter((item): item is Fields => asFields(item) !== undefined);
}

/** ISO 8601, UTC, from a date as text or milliseconds (seconds, when too small for those); undefined if it is none. */
export function asTime(value: unknown): string | undefined {
  if (typeof value === 'string') {
    if (CANONICAL_TIME.test(value)) return value;
    const time = Date.parse(value);
    // Most are written so already, and making them anew takes longer than all else.
    if (IS_CANONICAL.test(value) && !Number.isNaN(time)) return value;
    return Number.isNaN(time) ? undefined : new Date(time).toISOString();
  }
  const number = asNumber(value);
  if (number === undefined || number <= 0) return undefined;
  const date = new Date(number < SECONDS_BELOW ? number * 1000 : number);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

const IS_CANONICAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** How nearly all agents write times, on days that every month has: nothing to be made of it, and every line has one. */
const CANONICAL_TIME =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

/** As milliseconds this is in 1973, as seconds in the year 5138. */
const SECONDS_BELOW = 100_000_000_000;

/** The object that a text holds as JSON; undefined if it holds none. */
export function parseFields(text: string): Fields | undefined {
  try {
    return asFields(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** An object whose fields that may be undefined may be missing instead. */
export type Defined<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** A copy without the fields that are undefined. */
export function defined<T extends object>(fields: T): Defined<T> {
  const kept: Record<string, unknown> = {};
  for (const key of Object.keys(fields)) {
    const value = (fields as Fields)[key];
    if (value !== undefined) kept[key] = value;
  }
  return kept as Defined<T>;
}

const DEEPEST = 100;

/** What a tool was called with: the object, or none when it is no object or nested so deep that it cannot be written. */
export function asInput(value: unknown): Fields {
  const fields = asFields(value);
  return fields && isShallow(fields, DEEPEST) ? fields : {};
}

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  return Object.values(value).every((part) => isShallow(part, levels - 1));
}
