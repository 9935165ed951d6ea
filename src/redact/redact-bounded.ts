import { noteClean, redact, redactAnew } from './redact.ts';

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
