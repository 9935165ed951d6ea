/**
 * Finds byte sequences in a list of them. The sequences lie one after the other in one array and are found by hash,
 * which takes a fraction of the memory and the loading time that a map of as many strings would.
 */
export class ByteTable {
  readonly #bytes: Uint8Array;
  #used = 0;
  readonly #ends: Uint32Array;
  readonly #slots: Int32Array;
  #size = 0;

  /** A table with room for so many sequences, and so many bytes in all of them. */
  constructor(maxSequences: number, maxBytes: number) {
    this.#bytes = new Uint8Array(maxBytes);
    this.#ends = new Uint32Array(maxSequences + 1);
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(maxSequences * 2)));
  }

  /** How many sequences it holds. */
  get size(): number {
    return this.#size;
  }

  /** Adds a sequence that is not in the table; its number is the size before. There must be room for it. */
  add(source: Uint8Array, start: number, end: number, hash: number): void {
    let at = this.#used;
    for (let index = start; index < end; index++) this.#bytes[at++] = source[index] as number;
    this.#used = at;
    this.#size++;
    this.#ends[this.#size] = at;
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = this.#size;
  }

  /** The number of a sequence, -1 when it is not in the table. */
  find(source: Uint8Array, start: number, end: number, hash: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const number = (slots[slot] as number) - 1;
      if (number === -1 || this.#equals(number, source, start, end)) return number;
    }
  }

  #equals(number: number, source: Uint8Array, start: number, end: number): boolean {
    const bytes = this.#bytes;
    let at = this.#ends[number] as number;
    if ((this.#ends[number + 1] as number) - at !== end - start) return false;
    for (let index = start; index < end; index++) if (bytes[at++] !== source[index]) return false;
    return true;
  }
}

/** The hash by which a table wants a sequence to be added and looked for. */
export function hashOf(source: Uint8Array, start: number, end: number): number {
  let hash = end - start;
  for (let index = start; index < end; index++)
    hash = Math.imul(hash ^ (source[index] as number), 0x01000193);
  return hash ^ (hash >>> 15);
}
