import { findLabels } from './assignment.ts';
import { findHostCredentials, isUserAndPassword } from './credentials.ts';
import { nameLevel } from './name.ts';
import { findPrinted, maskPrinted, printsSecret } from './printed.ts';
import { isMasked, LETTER_BEYOND_ASCII, maskOf, type Span } from './rule.ts';
import { RULES } from './rules.ts';
import { lazyScanner, type Scan } from './scanner.ts';
import { DATA_SYNTAX, isSecret } from './secret-value.ts';
import { viewsOf } from './view.ts';

const scan: Scan = lazyScanner(RULES);

const MAX_PASSES = 5;

/**
 * Cache of texts without anything to mask. What is redacted to build a record is redacted again when the record is
 * written.
 */
let cleanTexts = new Set<string>();
const MAX_CACHED = 64;
const MIN_CACHED_LENGTH = 24;
const MAX_CACHED_LENGTH = 16_384;

/**
 * Masks secrets as `[redacted:<kind>]` and the names of home folders as `*`, and leaves the text around them unchanged. A
 * text without either is returned as it is. Idempotent.
 */
export function redact(text: string): string {
  if (!isCacheable(text)) return redactUncached(text);
  if (cleanTexts.has(text)) return text;
  const redacted = redactUncached(text);
  cacheClean(redacted);
  return redacted;
}

function isCacheable({ length }: string): boolean {
  return length >= MIN_CACHED_LENGTH && length <= MAX_CACHED_LENGTH;
}

function cacheClean(text: string): void {
  if (!isCacheable(text)) return;
  if (cleanTexts.size >= MAX_CACHED) cleanTexts = new Set();
  cleanTexts.add(text);
}

function redactUncached(text: string): string {
  let current = text;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const spans = findSecrets(current);
    if (spans.length === 0) return current;
    current = apply(current, spans);
    // A mask may bring a name and a value together that were apart; the mask of a home folder cannot.
    if (spans.every((span) => span.mask === '*')) return current;
  }
  return current;
}

/** What is found in a text, and in its parts with colour codes and escapes as they look without them. */
function findSecrets(text: string): readonly Span[] {
  const spans = scanAll(text);
  for (const { text: shown, toOriginal } of viewsOf(text)) {
    for (const span of scanAll(shown)) {
      const [start, end] = toOriginal(span.start, span.end);
      spans.push({ ...span, start, end });
    }
  }
  return spans;
}

/** Most texts are ruled out without the code that looks closer, so that most hooks need not load it. */
function scanAll(text: string): Span[] {
  const spans = [...scan(text)];
  findPrinted(text, 0, spans);
  if (text.search(LETTER_BEYOND_ASCII) >= 0) findLabels(text, spans);
  if (text.includes('@')) findHostCredentials(text, spans);
  return spans.filter(({ decoded }) => decoded === undefined || hasSecret(decoded));
}

/** Whether a decoded text contains a secret, and not just a home folder. */
function hasSecret(decoded: string): boolean {
  return findSecrets(decoded).some(({ mask }) => mask !== '*');
}

function apply(text: string, spans: readonly Span[]): string {
  const pieces: string[] = [];
  let done = 0;
  for (const { start, end, mask } of merge(spans)) {
    pieces.push(text.slice(done, start), mask);
    done = end;
  }
  pieces.push(text.slice(done));
  return pieces.join('');
}

/** Sorts spans and merges overlapping ones, whose mask is that of the rule that knows the format. */
function merge(spans: readonly Span[]): readonly Span[] {
  const merged: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1);
    if (last === undefined || span.start >= last.end) {
      merged.push(span);
      continue;
    }
    const better = last.isSoft === true && span.start === last.start ? span : last;
    merged[merged.length - 1] = { ...better, start: last.start, end: Math.max(last.end, span.end) };
  }
  return merged;
}

/** How many characters of a long text to keep. */
export interface Bounds {
  readonly head: number;
  readonly tail: number;
}

/** Longer than a secret with its name on the lines at a cut. A longer word is left out as a whole. */
const OVERLAP = 1024;
/** Longer than a document that is recognised as a secret only at its end. */
const DOCUMENT_OVERLAP = 4096;
/** Longer than any private key block. */
const KEY_OVERLAP = 16_384;

/**
 * Redacts a text and keeps only its head and tail, with a line between them that says how many characters are missing.
 * More than that is redacted, up to the end of a line, and truncated afterwards, so that no secret is split at a cut. The
 * cost depends on the bounds, not on the length of the text.
 */
export function redactBounded(text: string, bounds: Bounds): string {
  if (text.length <= bounds.head + bounds.tail) return shorten(redact(text), text.length, bounds);
  const ends = redactEnds(text, bounds);
  // It is redacted again when it is written.
  cacheClean(ends);
  return ends;
}

/** Like {@link redactBounded}, for what a command printed: masked if the purpose of the command is to print a secret. */
export function redactOutput(command: string | undefined, output: string, bounds: Bounds): string {
  if (command === undefined || !printsSecret(command)) return redactBounded(output, bounds);
  return redactBounded(maskPrinted(output), bounds);
}

function redactEnds(text: string, { head, tail }: Bounds): string {
  const overlap = overlapFor(text);
  if (text.length <= head + tail + 2 * overlap) return shorten(redactUncached(text), text.length, { head, tail });
  const first = redactUncached(text.slice(0, lineEnd(text, head + overlap, overlap / 2)));
  const last = redactUncached(text.slice(lineStart(text, text.length - tail - overlap, overlap / 2)));
  return join(keepHead(first, head), keepTail(last, tail), text.length);
}

function overlapFor(text: string): number {
  if (text.includes('PRIVATE KEY')) return KEY_OVERLAP;
  return text.includes('Secret') || text.includes('Private-Lines') ? DOCUMENT_OVERLAP : OVERLAP;
}

function shorten(redacted: string, length: number, { head, tail }: Bounds): string {
  if (redacted.length <= head + tail) return redacted;
  return join(keepHead(redacted, head), keepTail(redacted, tail), Math.max(length, redacted.length));
}

function join(head: string, tail: string, length: number): string {
  return `${head}\n[${length - head.length - tail.length} characters left out]\n${tail}`;
}

/** Characters that no secret contains: a long text without lines, such as JSON, is cut there. */
const BORDER = /[\s"'`,;{}()[\]<>|]/;

/** The end of the last complete line before `at`; when lines are longer than `room`, of the last complete word. */
function lineEnd(text: string, at: number, room: number): number {
  const newline = text.lastIndexOf('\n', at);
  if (newline > at - room) return newline;
  let end = at;
  while (end > 0 && !BORDER.test(text.charAt(end))) end--;
  return end;
}

/** The start of the next line; when lines are longer than `room`, of the next word. */
function lineStart(text: string, at: number, room: number): number {
  const newline = text.indexOf('\n', at);
  if (newline >= 0 && newline < at + room) return newline + 1;
  let start = at;
  while (start < text.length && !BORDER.test(text.charAt(start))) start++;
  return start;
}

/** Cuts at `length`, or before a mask that would be split, and never within a surrogate pair. */
function keepHead(text: string, length: number): string {
  if (text.length <= length) return text;
  const open = text.lastIndexOf('[redacted:', length);
  const isSplit = open >= 0 && open < length && text.indexOf(']', open) >= length;
  const end = isSplit ? open : length;
  return text.slice(0, isLowSurrogate(text, end) ? end - 1 : end);
}

function keepTail(text: string, length: number): string {
  if (text.length <= length) return text;
  const from = text.length - length;
  const open = text.lastIndexOf('[redacted:', from);
  const close = text.indexOf(']', open);
  const start = open >= 0 && open < from && close >= from ? close + 1 : from;
  return text.slice(isLowSurrogate(text, start) ? start + 1 : start);
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}

/** Fields of yore's records with ids, numbers and dates. Programs write their values, which contain no secrets. */
export const STRUCTURAL_KEYS: ReadonlySet<string> = new Set(
  (
    'v id sessionId parentSessionId callId turnId keptFrom timestamp role ' +
    'kind outcome agent model exitCode durationMs usage signature errorSignature commit imageRefs'
  ).split(' '),
);

const MAX_DEPTH = 64;

/**
 * Redacts every string of a JSON-like value, including keys. Keys count as names: `{password: "…"}`,
 * `{Authorization: "…"}`, `{name: "API_KEY", value: "…"}` and `["--token", "…"]` are masked even if the value alone does
 * not look like a secret. Fields of the outermost object that are in `structural` are left alone. Returns the same
 * reference when nothing changed.
 */
export function redactValue<T>(value: T, structural: ReadonlySet<string> = STRUCTURAL_KEYS): T {
  return redactAny(value, structural, 0) as T;
}

const NONE: ReadonlySet<string> = new Set();

function redactAny(value: unknown, structural: ReadonlySet<string>, depth: number): unknown {
  if (typeof value === 'string') return redact(value);
  if (typeof value !== 'object' || value === null) return value;
  if (writesItself(value)) return redactAny(asWritten(value), structural, depth);
  if (depth > MAX_DEPTH) return redactNested(value);
  return Array.isArray(value) ? redactArray(value, depth) : redactObject(value, structural, depth);
}

/** Whether JSON has something else of an object than its fields, as of a URL and of `new String()`. */
function writesItself(value: object): boolean {
  return ('toJSON' in value && typeof value.toJSON === 'function') || value instanceof String;
}

function asWritten(value: object): unknown {
  const written = JSON.stringify(value);
  return written === undefined ? undefined : JSON.parse(written);
}

/** Redacts what is nested deeper than real values are, as text. It is masked as a whole if that cannot be parsed again. */
function redactNested(value: object): unknown {
  try {
    const text = JSON.stringify(value);
    const redacted = redact(text);
    return redacted === text ? value : JSON.parse(redacted);
  } catch {
    return maskOf('nested');
  }
}

function redactArray(array: readonly unknown[], depth: number): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (const [i, item] of array.entries()) {
    const before = array[i - 1];
    const isOption = typeof before === 'string' && typeof item === 'string' && /^--?[A-Za-z][\w-]*$/.test(before);
    const redacted = isOption ? redactNamed(before, item) : redactAny(item, NONE, depth + 1);
    if (redacted === item) continue;
    copy ??= [...array];
    copy[i] = redacted;
  }
  return copy ?? array;
}

function redactObject(object: object, structural: ReadonlySet<string>, depth: number): object {
  const fields = Object.entries(object);
  const pairName = pairNameOf(object);
  let isChanged = false;
  for (const field of fields) {
    const [key, value] = field;
    if (structural.has(key)) continue;
    const name = pairName !== undefined && /^value$/i.test(key) ? pairName : key;
    const redacted = typeof value === 'string' ? redactNamed(name, value) : redactField(name, value, depth);
    const newKey = isPlainKey(key) ? key : redact(key);
    if (redacted === value && newKey === key) continue;
    isChanged = true;
    field[0] = newKey;
    field[1] = redacted;
  }
  return isChanged ? Object.fromEntries(fields) : object;
}

/** Whether a key is too short for a secret and not a path. */
function isPlainKey(key: string): boolean {
  return key.length < 16 && !key.includes('/') && !key.includes('\\');
}

/** The name in `{name: "API_KEY", value: "…"}`, as in environment variables of containers and in tag lists. */
function pairNameOf(object: object): string | undefined {
  if (!('value' in object || 'Value' in object)) return undefined;
  const { name, key, Name, Key } = object as Readonly<Record<string, unknown>>;
  return [name, key, Name, Key].find((candidate) => typeof candidate === 'string');
}

/** Under a name of secrets, a list is a list of secrets: `{passwords: ["…"]}`. */
function redactField(name: string, value: unknown, depth: number): unknown {
  if (!Array.isArray(value) || !value.some((item) => typeof item === 'string'))
    return redactAny(value, NONE, depth + 1);
  const redacted = value.map((item) => (typeof item === 'string' ? redactNamed(name, item) : item));
  const isSame = redacted.every((item, i) => item === value[i]);
  const list = isSame ? value : redacted;
  return list.every(isPlainText) ? list : redactAny(list, NONE, depth + 1);
}

/** Whether an item is a text, but not an option, whose value would be the next item. */
function isPlainText(item: unknown): boolean {
  return typeof item === 'string' && !item.startsWith('-');
}

/** Fields of records and arguments of common tools that are no names of secrets, as {@link nameLevel} would say, too. */
export const PLAIN_NAMES: ReadonlySet<string> = new Set(
  (
    'content text tool command path cwd branch circumstances error result context ending tags files ' +
    'file_path old_string new_string pattern description'
  ).split(' '),
);

function redactNamed(name: string, value: string): string {
  if (isMasked(value, 0)) return redact(value);
  const credential = redactCredential(name, value);
  if (credential !== value) return credential;
  const redacted = redact(value);
  if (redacted !== value) return redacted;
  const level = PLAIN_NAMES.has(name) ? 'none' : nameLevel(name);
  if (level === 'none') return value;
  const syntax = { ...DATA_SYNTAX, isUpperCase: !/[a-z]/.test(name) };
  return isSecret(level, value, syntax) ? maskOf(level === 'weak' ? 'key' : level) : value;
}

const SCHEME = /^([A-Za-z][\w-]{1,30}) +(\S{8,})$/;

/** Redacts the value of `Authorization: Token …` or `auth: <Base64 of user:password>`. */
function redactCredential(name: string, value: string): string {
  if (!/auth/i.test(name)) return value;
  if (/^_?auth$/i.test(name) && isUserAndPassword(value)) return maskOf('basic');
  const [, scheme, credential = ''] = /authorization$/i.test(name) ? (SCHEME.exec(value) ?? []) : [];
  if (scheme === undefined || /^(?:bearer|basic)$/i.test(scheme)) return value; // Known in any text.
  if (!isSecret('token', credential, DATA_SYNTAX)) return value;
  return `${scheme} ${maskOf('authorization')}`;
}
