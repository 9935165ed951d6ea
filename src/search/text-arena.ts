const FIRST_BYTES = 64 * 1024;
/** Of UTF-8, for one UTF-16 unit. */
const MOST_BYTES_PER_UNIT = 3;

/**
 * Holds many texts until they are written, in one piece of memory that is used again and again. As strings they
 * would outlive the short-lived ones around them, and the garbage collector would let them pile up.
 */
export class TextArena {
  #bytes: Buffer = Buffer.allocUnsafe(FIRST_BYTES);
  #used = 0;

  /** Adds a text; returns where it ends, which is where the next one begins. */
  add(text: string): number {
    const most = this.#used + text.length * MOST_BYTES_PER_UNIT;
    if (most > this.#bytes.length) this.#grow(most);
    this.#used += this.#bytes.write(text, this.#used);
    return this.#used;
  }

  /** Where the next text begins. */
  get end(): number {
    return this.#used;
  }

  /** The bytes from one place to another. Valid until something is added. */
  bytes(start: number, end: number): Uint8Array {
    return this.#bytes.subarray(start, end);
  }

  clear(): void {
    this.#used = 0;
  }

  #grow(most: number): void {
    const larger = Buffer.allocUnsafe(Math.max(most, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#used);
    this.#bytes = larger;
  }
}
