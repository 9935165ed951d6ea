import { isAbsolute } from 'node:path';
import { isObject } from '../../record/object.ts';
import type { TranscriptImage } from './transcript.ts';

/** A JSON object of unknown content. */
export type Fields = Readonly<Record<string, unknown>>;

/** The value if it is an object and not an array, else undefined. */
export function asFields(value: unknown): Fields | undefined {
  return isObject(value) ? value : undefined;
}

/** The value if it is text, else undefined. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The value if it is a non-empty text of at most 400 characters, as ids and names are, else undefined. */
export function asName(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= MAX_NAME_LENGTH ? value : undefined;
}

const MAX_NAME_LENGTH = 400;
const MAX_PATH_LENGTH = 4096;

/** The value if it is text that can be a path, else undefined. */
export function asPath(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= MAX_PATH_LENGTH ? value : undefined;
}

/** The value if it is an absolute path, else undefined. */
export function asAbsolutePath(value: unknown): string | undefined {
  const path = asPath(value);
  return path !== undefined && isAbsolute(path) ? path : undefined;
}

/** The value if it is a finite number, else undefined. */
export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** The value if it is an integer, such as an exit code, else undefined. */
export function asInteger(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
}

/** The value if it is an integer of at least zero, such as a token count or milliseconds, else undefined. */
export function asCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** The value if it is an array, else an empty one. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The objects in an array; other elements are left out. */
export function asObjects(value: unknown): readonly Fields[] {
  return asList(value).filter((item): item is Fields => asFields(item) !== undefined);
}

/** Pairs of texts in an array; other elements are left out. */
export function asPairs(value: unknown): readonly (readonly [string, string])[] {
  return asList(value).flatMap((pair) => {
    const [first, second] = asList(pair);
    return typeof first === 'string' && typeof second === 'string' ? [[first, second] as const] : [];
  });
}

/** The texts in the content of a message: the text itself, or those of its `text` blocks. */
export function listTexts(content: unknown): readonly string[] {
  if (typeof content === 'string') return [content];
  return asObjects(content).flatMap((block) => (block.type === 'text' ? (asText(block.text) ?? []) : []));
}

/** The image in a block of base64 `data` with its `mimeType`, as a list of one; empty if it is not an image. */
export function listImage(block: Fields | undefined): readonly TranscriptImage[] {
  const base64 = asText(block?.data);
  const mediaType = asName(block?.mimeType);
  return base64 && mediaType?.startsWith('image/') ? [{ mediaType, base64 }] : [];
}

/** ISO 8601 in UTC, from a date as text, milliseconds or seconds; undefined if it is no date. */
export function asTime(value: unknown): string | undefined {
  if (typeof value === 'string') {
    if (CANONICAL_TIME.test(value)) return value;
    const time = Date.parse(value);
    return Number.isNaN(time) ? undefined : new Date(time).toISOString();
  }
  const number = asNumber(value);
  if (number === undefined || number <= 0) return undefined;
  const date = new Date(number < SECONDS_BELOW ? number * 1000 : number);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** Fast path: almost every line has a time in this form. Limited to days that every month has, so it needs no check. */
const CANONICAL_TIME = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

/** In milliseconds this is in 1973, in seconds in the year 5138. */
const SECONDS_BELOW = 100_000_000_000;

const MAX_DEPTH = 100;

/** The input of a tool call; empty if it is not an object or nested too deeply to be written. */
export function asInput(value: unknown): Fields {
  const fields = asFields(value);
  return fields && isShallow(fields, MAX_DEPTH) ? fields : {};
}

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  return Object.values(value).every((part) => isShallow(part, levels - 1));
}
