import { isUserAndPassword } from './credentials.ts';
import { nameLevel } from './name.ts';
import { compilePattern, isMasked, maskOf, type Span } from './rule.ts';
import { RULES } from './rules.ts';
import { lazyScanner, type Scan } from './scanner.ts';
import { DATA, isSecret } from './secret-value.ts';

/** Made when it is first needed: much of yore only reads. */
const scan: Scan = lazyScanner(() =>
  RULES.flatMap((rule) => {
    const find = 'find' in rule ? rule.find : compilePattern(rule);
    return rule.keywords.map((keyword) => ({ keyword, find }));
  }),
);

const MOST_PASSES = 5;

/** Texts that hold nothing more to mask, met last: what is redacted for one record is redacted again when it is written. */
let clean = new Set<string>();
const MOST_CLEAN = 64;
const SHORTEST_CLEAN = 64;
const LONGEST_CLEAN = 16_384;

/**
 * Masks secrets as `[redacted:<kind>]` and the names of home folders as `*`; what stands around them survives. A text
 * without either comes back as it is. Redacting twice changes nothing more.
 */
export function redact(text: string): string {
  if (text.length < SHORTEST_CLEAN || text.length > LONGEST_CLEAN) return redactAnew(text);
  if (clean.has(text)) return text;
  const redacted = redactAnew(text);
  noteClean(redacted);
  return redacted;
}

/** Notes that a text holds nothing more to mask: it was made of texts that were redacted. */
function noteClean(text: string): void {
  if (text.length < SHORTEST_CLEAN || text.length > LONGEST_CLEAN) return;
  if (clean.size >= MOST_CLEAN) clean = new Set();
  clean.add(text);
}

/** The same as {@link redact} for a text that is not met again: nothing is noted. */
function redactAnew(text: string): string {
  let current = text;
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const spans = scan(current);
    if (spans.length === 0) return current;
    current = apply(current, spans);
    // A mask may bring names and values together that were apart; a home folder cannot.
    if (spans.every((span) => span.mask === '*')) return current;
  }
  return current;
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

/** In order, without overlaps; of spans that overlap, the one whose rule knows the format names the mask. */
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

/** How much of a long text is kept, in characters. */
export interface Bounds {
  readonly head: number;
  readonly tail: number;
}

/** Longer than a secret and its name on the lines at a cut. What is one long word there is left out as a whole. */
const OVERLAP = 1024;
/** Longer than a document that says only at its end that it is a secret. */
const DOCUMENT_OVERLAP = 4096;
/** Longer than any block of a private key. */
const KEY_OVERLAP = 16_384;

/**
 * Redacts a text and keeps its head and its tail, with a line between them that says how many characters were left out.
 * What is cut away is cut with room to spare and at line ends, and redacted before it is shortened, so no secret is
 * split at a cut. The cost depends on the bounds, not on the length of the text.
 */
export function redactBounded(text: string, bounds: Bounds): string {
  if (text.length <= bounds.head + bounds.tail) return shorten(redact(text), text.length, bounds);
  const kept = keepEnds(text, bounds);
  // It will be redacted again when it is written.
  noteClean(kept);
  return kept;
}

function keepEnds(text: string, { head, tail }: Bounds): string {
  const overlap = overlapOf(text);
  if (text.length <= head + tail + 2 * overlap) return shorten(redactAnew(text), text.length, { head, tail });
  const first = redactAnew(text.slice(0, lineEnd(text, head + overlap, overlap / 2)));
  const last = redactAnew(text.slice(lineStart(text, text.length - tail - overlap, overlap / 2)));
  return join(keepHead(first, head), keepTail(last, tail), text.length);
}

function overlapOf(text: string): number {
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

/** What no secret has inside: a long text without lines, such as JSON, is cut there. */
const BORDER = /[\s"'`,;{}()[\]<>|]/;

/** The end of the last whole line before `at`; where lines are longer than `room`, of the last whole word. */
function lineEnd(text: string, at: number, room: number): number {
  const newline = text.lastIndexOf('\n', at);
  if (newline > at - room) return newline;
  let end = at;
  while (end > 0 && !BORDER.test(text.charAt(end))) end--;
  return end;
}

/** The start of the next line or, where lines are longer than `room`, of the next word. */
function lineStart(text: string, at: number, room: number): number {
  const newline = text.indexOf('\n', at);
  if (newline >= 0 && newline < at + room) return newline + 1;
  let start = at;
  while (start < text.length && !BORDER.test(text.charAt(start))) start++;
  return start;
}

/** Cuts at `length`, before a mask that would be cut in two, and never inside a surrogate pair. */
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

/** Fields of yore's records that name, number or date them. Their values are made by programs and hold no secret. */
export const STRUCTURAL_KEYS: ReadonlySet<string> = new Set([
  'v',
  'id',
  'sessionId',
  'parentSessionId',
  'callId',
  'turnId',
  'keptFrom',
  'timestamp',
  'role',
  'kind',
  'outcome',
  'agent',
  'model',
  'exitCode',
  'durationMs',
  'usage',
  'signature',
  'errorSignature',
  'commit',
  'imageRefs',
]);

const MAX_DEPTH = 64;

/**
 * Redacts every string of a JSON-like value, keys included. A key counts: `{password: "…"}`, `{Authorization: "…"}`,
 * `{name: "API_KEY", value: "…"}` and `["--token", "…"]` are masked though their strings alone show nothing. Fields of
 * the outermost object in `structural` are left alone. Returns the same reference when nothing changed.
 */
export function redactValue<T>(value: T, structural: ReadonlySet<string> = STRUCTURAL_KEYS): T {
  return redactAny(value, structural, 0) as T;
}

const NONE: ReadonlySet<string> = new Set();

function redactAny(value: unknown, structural: ReadonlySet<string>, depth: number): unknown {
  if (typeof value === 'string') return redact(value);
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value;
  return Array.isArray(value) ? redactArray(value, depth) : redactObject(value, structural, depth);
}

function redactArray(array: readonly unknown[], depth: number): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (const [i, item] of array.entries()) {
    const before = array[i - 1];
    const isOption =
      typeof before === 'string' && typeof item === 'string' && /^--?[A-Za-z][\w-]*$/.test(before);
    const redacted = isOption ? redactNamed(before, item) : redactAny(item, NONE, depth + 1);
    if (redacted === item) continue;
    copy ??= [...array];
    copy[i] = redacted;
  }
  return copy ?? array;
}

function redactObject(object: object, structural: ReadonlySet<string>, depth: number): object {
  const fields = Object.entries(object);
  const pairName = nameOfPair(object);
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

/** Too short for a secret, and no path. */
function isPlainKey(key: string): boolean {
  return key.length < 16 && !key.includes('/') && !key.includes('\\');
}

/** `{name: "API_KEY", value: "…"}`, as containers and tag lists write it. */
function nameOfPair(object: object): string | undefined {
  if (!('value' in object || 'Value' in object)) return undefined;
  const { name, key, Name, Key } = object as Readonly<Record<string, unknown>>;
  return [name, key, Name, Key].find((candidate) => typeof candidate === 'string');
}

/** A list under a telling name is a list of secrets: `{passwords: ["…"]}`. */
function redactField(name: string, value: unknown, depth: number): unknown {
  if (!Array.isArray(value) || !value.some((item) => typeof item === 'string'))
    return redactAny(value, NONE, depth + 1);
  const redacted = value.map((item) => (typeof item === 'string' ? redactNamed(name, item) : item));
  const isSame = redacted.every((item, i) => item === value[i]);
  const list = isSame ? value : redacted;
  return list.every(isPlainText) ? list : redactAny(list, NONE, depth + 1);
}

/** Text that is no option, whose value would be the next one of its list. */
function isPlainText(item: unknown): boolean {
  return typeof item === 'string' && !item.startsWith('-');
}

function redactNamed(name: string, value: string): string {
  const redacted = redact(value);
  if (redacted !== value || isMasked(value, 0)) return redacted;
  const level = nameLevel(name);
  if (level === 'none') return value;
  const credential = redactCredential(name, value);
  if (credential !== value) return credential;
  const written = { ...DATA, isUpperCase: !/[a-z]/.test(name) };
  return isSecret(level, value, written) ? maskOf(level === 'weak' ? 'key' : level) : value;
}

const SCHEME = /^([A-Za-z][\w-]{1,30}) +(\S{8,})$/;

/** `Authorization: Token …`, `auth: <base64 of user:password>`. */
function redactCredential(name: string, value: string): string {
  if (/^_?auth$/i.test(name) && isUserAndPassword(value)) return maskOf('basic');
  const [, scheme, credential = ''] = /authorization$/i.test(name) ? (SCHEME.exec(value) ?? []) : [];
  if (scheme === undefined || !isSecret('token', credential, DATA)) return value;
  return `${scheme} ${maskOf('authorization')}`;
}
