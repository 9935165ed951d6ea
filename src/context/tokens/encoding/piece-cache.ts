const WORDS = 4;
/** Two words more: the length and the count. A place takes 32 bytes, half a line of the processor's cache. */
const STRIDE = 8;
const LENGTH = WORDS;
const COUNT = WORDS + 1;
const PLACES = 16384;

/** The longest piece that is remembered. */
export const MAX_CACHED_BYTES: number = WORDS * 4;

/** By length: which bits of the four words belong to the piece. */
const MASKS = masks();

/**
 * Remembers the counts of short pieces, of which most of a text consists. Each has one place, from which the next that
 * belongs there drives it out, so that it stays small enough for the processor's cache.
 */
export class PieceCache {
  readonly #places = new Int32Array(PLACES * STRIDE);
  #vacant = COUNT;

  /** The count of a piece of up to `MAX_CACHED_BYTES`, 0 when it is not known. There are as many bytes after `start`. */
  find(view: DataView, start: number, length: number): number {
    const mask = length * WORDS;
    const first = view.getInt32(start, true) & (MASKS[mask] as number);
    const second = view.getInt32(start + 4, true) & (MASKS[mask + 1] as number);
    const third = view.getInt32(start + 8, true) & (MASKS[mask + 2] as number);
    const fourth = view.getInt32(start + 12, true) & (MASKS[mask + 3] as number);
    let hash = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b);
    hash ^= Math.imul(third, 0xc2b2ae35) ^ Math.imul(fourth, 0x27d4eb2f);
    const place = ((hash ^ (hash >>> 15)) & (PLACES - 1)) * STRIDE;
    const places = this.#places;
    if (
      places[place] === first &&
      places[place + 1] === second &&
      places[place + 2] === third &&
      places[place + 3] === fourth &&
      places[place + LENGTH] === length
    )
      return places[place + COUNT] as number;
    places[place] = first;
    places[place + 1] = second;
    places[place + 2] = third;
    places[place + 3] = fourth;
    places[place + LENGTH] = length;
    places[place + COUNT] = 0;
    this.#vacant = place + COUNT;
    return 0;
  }

  /** Remembers the count of the piece that was looked for last and not known. */
  add(count: number): void {
    this.#places[this.#vacant] = count;
  }
}

function masks(): Int32Array {
  const bytes = new Uint8Array((MAX_CACHED_BYTES + 1) * WORDS * 4);
  for (let length = 0; length <= MAX_CACHED_BYTES; length++) {
    const start = length * WORDS * 4;
    bytes.fill(0xff, start, start + length);
  }
  return new Int32Array(bytes.buffer);
}
