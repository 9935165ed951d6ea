/** Lists are kept in one block up to this length; longer ones are split at the next empty line. */
const MAX_LIST_LENGTH = 8_000;
/** Many small blocks cost more than a few larger ones. */
const MIN_BLOCK_LENGTH = 400;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const LIST_ITEM = /^(?:[-*+]|\d{1,9}[.)])\s/;

/** Splits a growing text into blocks. All but the last stay the same, so that each is rendered once. */
export class StreamedBlocks {
  readonly #minLength: number;
  #complete: readonly string[] = [];
  /** Length of the text in `#complete`. */
  #end = 0;
  /** The last characters before `#end`, by which another text is recognised. */
  #seam = '';

  constructor(minLength: number = MIN_BLOCK_LENGTH) {
    this.#minLength = minLength;
  }

  /** Returns the blocks of `text`. Only what was added since the last call is parsed. */
  split(text: string): readonly string[] {
    if (!text.startsWith(this.#seam, this.#end - this.#seam.length)) this.#reset();
    const ends = findBlockEnds(text, this.#end, this.#minLength);
    if (ends.length > 0) {
      const starts = [this.#end, ...ends];
      const found = ends.map((end, index) => text.slice(starts[index], end));
      this.#complete = [...this.#complete, ...found];
      this.#end = ends.at(-1) ?? this.#end;
      this.#seam = text.slice(Math.max(this.#end - 64, 0), this.#end);
    }
    const tail = text.slice(this.#end);
    return tail.trim() === '' ? this.#complete : [...this.#complete, tail];
  }

  #reset(): void {
    this.#complete = [];
    this.#end = 0;
    this.#seam = '';
  }
}

/** The ends of blocks after `from`: empty lines outside of code and lists. */
function findBlockEnds(text: string, from: number, minLength: number): readonly number[] {
  const ends: number[] = [];
  let start = from;
  let fence: string | undefined;
  let isAfterEmpty = false;
  let first = '';
  for (let at = from; at < text.length; ) {
    const newline = text.indexOf('\n', at);
    const next = newline < 0 ? text.length : newline + 1;
    const line = text.slice(at, newline < 0 ? text.length : newline);
    const isEmpty = line.trim() === '';
    const mayEnd = isAfterEmpty && !isEmpty && newline >= 0 && at - start >= minLength;
    if (mayEnd && endsBefore(line, first, at - start)) {
      ends.push(at);
      start = at;
      first = '';
    }
    if (first === '' && !isEmpty) first = line;
    const mark = FENCE.exec(line)?.[1];
    const isFenced = fence !== undefined;
    if (mark !== undefined && fence === undefined) fence = mark;
    else if (fence !== undefined && mark?.startsWith(fence) === true && line.trim() === mark) fence = undefined;
    isAfterEmpty = isEmpty && !isFenced;
    at = next;
  }
  return ends;
}

/** Whether a block that starts with the line `first` ends before `line`, which follows an empty line. */
function endsBefore(line: string, first: string, length: number): boolean {
  if (length > MAX_LIST_LENGTH) return true;
  if (/^\s/.test(line)) return false;
  return !(LIST_ITEM.test(first) && LIST_ITEM.test(line));
}

/** Longer texts are shown as plain text: parsing them would block the page. */
const MAX_MARKDOWN_LENGTH = 20_000;
const MAX_LINE_LENGTH = 5_000;
/** Emphasis marks in one paragraph. The time to pair them is more than quadratic. */
const MAX_EMPHASIS_MARKS = 400;
/** A line that starts with eight nested quotes or list items. */
const DEEP_NESTING = /^(?:[ \t]*(?:>|[-+*][ \t]|\d{1,9}[.)][ \t])){8}/;

/** Whether a text is short and simple enough to be parsed as Markdown. */
export function isSafeMarkdown(text: string): boolean {
  if (text.length > MAX_MARKDOWN_LENGTH) return false;
  let lineStart = 0;
  while (text.length - lineStart > MAX_LINE_LENGTH) {
    const lineEnd = text.indexOf('\n', lineStart);
    if (lineEnd < 0 || lineEnd - lineStart > MAX_LINE_LENGTH) return false;
    lineStart = lineEnd + 1;
  }
  return !isPathological(text);
}

/** Whether a text would keep the parser busy. Code may contain anything. */
function isPathological(text: string): boolean {
  let marks = 0;
  let isCode = false;
  for (const line of text.split('\n')) {
    if (FENCE.test(line)) isCode = !isCode;
    if (isCode || line.trim() === '') marks = 0;
    else marks += line.match(/[*_~]/g)?.length ?? 0;
    if (marks > MAX_EMPHASIS_MARKS || (!isCode && DEEP_NESTING.test(line))) return true;
  }
  return false;
}
