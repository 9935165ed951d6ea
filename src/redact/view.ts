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
const PERCENT = '%(?:2[0-9a-f]|3[a-f]|40|5[bcd]|7[bcd])';
const UNICODE = '\\\\u00(?:2[267]|3[cde])';
const ESCAPE = new RegExp(`${COLOUR}|${ENTITY}|${PERCENT}|${UNICODE}`, 'gi');
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

/** The view of a text; undefined for a text without colour codes or escapes. */
export function viewOf(text: string): View | undefined {
  if (!SIGNS.some((sign) => text.includes(sign))) return undefined;
  const edits: Edit[] = [];
  const pieces: string[] = [];
  let length = 0;
  let done = 0;
  for (const match of text.matchAll(ESCAPE)) {
    const character = decode(match[0]);
    pieces.push(text.slice(done, match.index), character);
    length += match.index - done + character.length;
    done = match.index + match[0].length;
    edits.push({ viewEnd: length, isCharacter: character !== '', start: match.index, end: done });
  }
  if (edits.length === 0) return undefined;
  pieces.push(text.slice(done));
  return {
    text: pieces.join(''),
    toOriginal: (start, end) => [toOriginal(edits, start).start, toOriginal(edits, end - 1).end],
  };
}

function decode(sequence: string): string {
  if (sequence.startsWith('%')) return String.fromCharCode(Number.parseInt(sequence.slice(1), 16));
  if (sequence.startsWith('\\u00')) return sequence.includes('[') ? '' : decode(`%${sequence.slice(4)}`);
  if (!sequence.startsWith('&')) return '';
  const name = sequence.slice(1, -1).toLowerCase();
  if (!name.startsWith('#')) return NAMED_ENTITIES[name] ?? '';
  return String.fromCharCode(name[1] === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1)));
}

/** The range in the original of one character of the view. */
function toOriginal(edits: readonly Edit[], at: number): { readonly start: number; readonly end: number } {
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
  const start = last === undefined ? at : last.end + at - last.viewEnd;
  return { start, end: start + 1 };
}
