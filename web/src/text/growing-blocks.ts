/** Lists are kept in one piece up to this length; what is longer is cut at the next empty line. */
const LONGEST_KEPT = 8_000;
/** Many small pieces cost more than a few larger ones. */
const SHORTEST = 400;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const LIST_ITEM = /^(?:[-*+]|\d{1,9}[.)])\s/;

/** The pieces of a text that grows. All but the last stay as they are, so that each is drawn once. */
export class GrowingBlocks {
  readonly #shortest: number;
  #done: readonly string[] = [];
  /** How much of the text is in `#done`. */
  #taken = 0;
  /** The end of what was taken: another text does not have it there. */
  #seam = '';

  /** `shortest`: pieces are at least that long. */
  constructor(shortest: number = SHORTEST) {
    this.#shortest = shortest;
  }

  /** The pieces of `text`. Only what came since the last time is looked at. */
  of(text: string): readonly string[] {
    if (!text.startsWith(this.#seam, this.#taken - this.#seam.length)) this.#forget();
    const ends = blockEnds(text, this.#taken, this.#shortest);
    if (ends.length > 0) {
      const starts = [this.#taken, ...ends];
      const found = ends.map((end, index) => text.slice(starts[index], end));
      this.#done = [...this.#done, ...found];
      this.#taken = ends.at(-1) ?? this.#taken;
      this.#seam = text.slice(Math.max(this.#taken - 64, 0), this.#taken);
    }
    const tail = text.slice(this.#taken);
    return tail.trim() === '' ? this.#done : [...this.#done, tail];
  }

  #forget(): void {
    this.#done = [];
    this.#taken = 0;
    this.#seam = '';
  }
}

/** Where pieces end from `from` on: at empty lines that are not within code, and not within a list. */
function blockEnds(text: string, from: number, shortest: number): readonly number[] {
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
    const isEnd = isAfterEmpty && !isEmpty && newline >= 0 && at - start >= shortest;
    if (isEnd && endsBefore(line, first, at - start)) {
      ends.push(at);
      start = at;
      first = '';
    }
    if (first === '' && !isEmpty) first = line;
    const mark = FENCE.exec(line)?.[1];
    const isFenced = fence !== undefined;
    if (mark !== undefined && fence === undefined) fence = mark;
    else if (fence !== undefined && mark?.startsWith(fence) === true && line.trim() === mark)
      fence = undefined;
    isAfterEmpty = isEmpty && !isFenced;
    at = next;
  }
  return ends;
}

/** Does a piece that began with `first` end before this line, which follows an empty one? */
function endsBefore(line: string, first: string, length: number): boolean {
  if (length > LONGEST_KEPT) return true;
  if (/^\s/.test(line)) return false;
  return !(LIST_ITEM.test(first) && LIST_ITEM.test(line));
}
