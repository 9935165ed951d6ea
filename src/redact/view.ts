import { once } from '../record/once.ts';

/** A text without colour codes and escapes, in which secrets look as they are typed. */
export interface View {
  readonly text: string;
  /** The range of the original text that a range of the view stands for. */
  readonly toOriginal: (start: number, end: number) => readonly [start: number, end: number];
}

/** Colour codes: raw, as a shell or JSON writes them, and as pagers show them. */
const COLOUR =
  '\\x1b\\[[0-?]{0,32}[@-~]|\\\\{1,4}(?:x1b|u001b|u\\{1b\\}|033|e)\\[[\\d;:?]{0,32}[A-Za-z]|\\^\\[\\[[\\d;]{0,32}[A-Za-z]';
const ENTITY = '&(?:quot|apos|lt|gt|amp|#\\d{2,3}|#x[\\da-f]{2});';
/** Punctuation that is escaped in URLs and forms, and in JSON that is embedded in HTML. */
const PERCENT = '%(?:25)?(?:2[0-9a-f]|3[a-f]|40|5[bcd]|7[bcd])';
const UNICODE = '\\\\u00(?:2[267]|3[cde])';
const escapes = once(() => new RegExp(`${COLOUR}|${ENTITY}|${PERCENT}|${UNICODE}`, 'gi'));
const NAMED_ENTITIES: Readonly<Record<string, string>> = { quot: '"', apos: "'", lt: '<', gt: '>', amp: '&' };
/** What every escape contains, for a quick look at texts without any. */
const SIGNS = ['\x1b[', '%2', '%3', '&quot;', '&lt;', '&#', '&amp;', '\\u00', '\\x1', '\\033[', '\\e[', '^[['];

/** One escape: what it stands for in the view, and where it is in the original. */
interface Edit {
  /** Where it ends in the view, and whether one character stands for it there. */
  readonly viewEnd: number;
  readonly isCharacter: boolean;
  readonly start: number;
  readonly end: number;
}

/** How much text around escapes is part of a view, and how far apart they may be in one view. */
const MARGIN = 600;
const MAX_GAP = 2 * MARGIN;

/** Views of the parts of a text with colour codes or escapes. */
export function viewsOf(text: string): readonly View[] {
  if (!SIGNS.some((sign) => text.includes(sign))) return [];
  const views: View[] = [];
  let group: RegExpExecArray[] = [];
  for (const match of text.matchAll(escapes())) {
    const last = group.at(-1);
    if (last !== undefined && match.index - last.index > MAX_GAP) {
      views.push(createView(text, group));
      group = [];
    }
    group.push(match);
  }
  return group.length === 0 ? views : [...views, createView(text, group)];
}

function createView(text: string, escapes: readonly RegExpExecArray[]): View {
  const first = borderBefore(text, (escapes[0]?.index ?? 0) - MARGIN);
  const end = borderBehind(text, (escapes.at(-1)?.index ?? 0) + MARGIN);
  const edits: Edit[] = [];
  const pieces: string[] = [];
  let length = 0;
  let done = first;
  for (const { 0: sequence, index } of escapes) {
    const character = decode(sequence);
    pieces.push(text.slice(done, index), character);
    length += index - done + character.length;
    done = index + sequence.length;
    edits.push({ viewEnd: length, isCharacter: character !== '', start: index, end: done });
  }
  pieces.push(text.slice(done, end));
  return {
    text: pieces.join(''),
    toOriginal: (from, to) => [toOriginal(edits, first, from).start, toOriginal(edits, first, to - 1).end],
  };
}

/** The last line end or blank before a position, at which no secret is split. */
function borderBefore(text: string, at: number): number {
  let start = Math.max(0, at);
  while (start > 0 && text.charCodeAt(start - 1) > 32) start--;
  return start;
}

function borderBehind(text: string, at: number): number {
  let end = Math.min(text.length, at);
  while (end < text.length && text.charCodeAt(end) > 32) end++;
  return end;
}

function decode(sequence: string): string {
  if (sequence.startsWith('%')) return String.fromCharCode(Number.parseInt(sequence.slice(-2), 16));
  if (sequence.startsWith('\\u00')) return sequence.includes('[') ? '' : decode(`%${sequence.slice(4)}`);
  if (!sequence.startsWith('&')) return '';
  const name = sequence.slice(1, -1).toLowerCase();
  if (!name.startsWith('#')) return NAMED_ENTITIES[name] ?? '';
  return String.fromCharCode(name[1] === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1)));
}

/** The range in the original of one character of the view. */
function toOriginal(
  edits: readonly Edit[],
  first: number,
  at: number,
): { readonly start: number; readonly end: number } {
  let low = 0;
  let high = edits.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((edits[middle]?.viewEnd ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  const next = edits[low];
  if (next?.isCharacter === true && next.viewEnd === at + 1) return next;
  const last = edits[low - 1];
  const start = last === undefined ? first + at : last.end + at - last.viewEnd;
  return { start, end: start + 1 };
}
