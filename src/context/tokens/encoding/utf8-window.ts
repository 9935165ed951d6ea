import { FIRST_KINDS, kindOf, NOTHING } from './character-kind.ts';
import { MAX_CACHED_BYTES } from './piece-cache.ts';

const FIRST_SIZE = 64 * 1024;
const MAX_BYTES_OF_A_CHARACTER = 3;
const SMALL_A = 0x61;
const SMALL_Z = 0x7a;
const FIRST_OF_TWO_BYTES = 0x80;
const FIRST_OF_THREE_BYTES = 0xe0;
const FIRST_OF_FOUR_BYTES = 0xf0;

/** The stretch of a text, in UTF-8, that is being split and counted. It moves over texts of any length. */
export class Utf8Window {
  /** The stretch, and after it as much as may be read of a piece at once. */
  bytes: Uint8Array = new Uint8Array(FIRST_SIZE);
  /** The same bytes. */
  view: DataView = new DataView(this.bytes.buffer);
  /** Where the stretch ends in `bytes`. */
  limit = 0;
  /** Was something asked for beyond the end? Then the answer may be another when more of the text is there. */
  touchedEnd = false;
  /** Bytes of the character whose kind was asked for last. */
  width = 0;
  readonly #encoder = new TextEncoder();

  /**
   * Takes in as much of the text from `from` as there is room for; returns how far it got. Half a surrogate pair
   * becomes a replacement character.
   */
  fill(text: string, from: number): number {
    const room = Math.floor((this.bytes.length - MAX_CACHED_BYTES - this.limit) / MAX_BYTES_OF_A_CHARACTER);
    let to = Math.min(text.length, from + room);
    if (to < text.length && isHighSurrogate(text.charCodeAt(to - 1))) to--;
    const part = from === 0 && to === text.length ? text : text.slice(from, to);
    const target = this.limit === 0 ? this.bytes : this.bytes.subarray(this.limit);
    this.limit += this.#encoder.encodeInto(part, target).written;
    return to;
  }

  /** Is it so full that only a larger one could take in much more? */
  get isFull(): boolean {
    return this.limit * 2 > this.bytes.length;
  }

  /** Lets go of what lies before a place; where that is nothing and the window full, it becomes twice as large. */
  moveTo(start: number): void {
    const kept = this.bytes.subarray(start, this.limit);
    if (start === 0 && this.isFull) {
      this.bytes = new Uint8Array(this.bytes.length * 2);
      this.view = new DataView(this.bytes.buffer);
    }
    this.bytes.set(kept);
    this.limit = kept.length;
  }

  /** The byte at a place, -1 beyond the end. */
  byteAt(at: number): number {
    if (at < this.limit) return this.bytes[at] as number;
    this.touchedEnd = true;
    return -1;
  }

  /** The kind of the character that begins at a place, NOTHING beyond the end. */
  kindAt(at: number): number {
    const byte = this.byteAt(at);
    if (byte >= FIRST_OF_TWO_BYTES) return this.#longKindAt(at, byte);
    if (byte === -1) return NOTHING;
    this.width = 1;
    return FIRST_KINDS[byte] as number;
  }

  /** Where the letters from a to z end that begin at a place: what words mostly consist of, in the shortest time. */
  afterSmallLetters(from: number): number {
    const { bytes, limit } = this;
    let at = from;
    while (at < limit && (bytes[at] as number) >= SMALL_A && (bytes[at] as number) <= SMALL_Z) at++;
    return at;
  }

  #longKindAt(at: number, byte: number): number {
    const bytes = this.bytes;
    const second = (bytes[at + 1] as number) & 0x3f;
    if (byte < FIRST_OF_THREE_BYTES) {
      this.width = 2;
      return kindOf(((byte & 0x1f) << 6) | second);
    }
    const third = (bytes[at + 2] as number) & 0x3f;
    if (byte < FIRST_OF_FOUR_BYTES) {
      this.width = 3;
      return kindOf(((byte & 0x0f) << 12) | (second << 6) | third);
    }
    this.width = 4;
    return kindOf(((byte & 0x07) << 18) | (second << 12) | (third << 6) | ((bytes[at + 3] as number) & 0x3f));
  }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}
