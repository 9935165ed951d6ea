import { crc32, deflateSync } from 'node:zlib';
import { GLYPHS } from './glyphs.ts';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Colour type of a picture whose pixels are places in a palette. */
const PALETTE_TYPE = 3;
const GLYPH = { width: 4, height: 5 };

/** Pixels to draw on; colours are `#rrggbb`. */
export class Canvas {
  readonly width: number;
  readonly height: number;
  readonly #pixels: Uint8Array;
  readonly #palette: string[];

  constructor(width: number, height: number, background: string) {
    this.width = width;
    this.height = height;
    this.#pixels = new Uint8Array(width * height);
    this.#palette = [background];
  }

  rectangle(left: number, top: number, width: number, height: number, colour: string): void {
    const value = this.#valueOf(colour);
    for (let y = Math.max(0, top); y < Math.min(this.height, top + height); y++) {
      this.#pixels.fill(
        value,
        y * this.width + Math.max(0, left),
        y * this.width + Math.min(this.width, left + width),
      );
    }
  }

  circle(x: number, y: number, radius: number, colour: string): void {
    for (let dy = -radius; dy <= radius; dy++) {
      const reach = Math.floor(Math.sqrt(radius * radius - dy * dy));
      this.rectangle(x - reach, y + dy, 2 * reach + 1, 1, colour);
    }
  }

  /** Capital letters, digits and a few signs, each pixel `scale` wide. */
  text(text: string, left: number, top: number, colour: string, scale = 2): void {
    for (const [index, character] of Array.from(text).entries()) {
      for (const [row, line] of (GLYPHS[character] ?? '').split(' ').entries()) {
        for (const [column, dot] of Array.from(line).entries()) {
          if (dot !== '#') continue;
          const x = left + (index * GLYPH.width + column) * scale;
          this.rectangle(x, top + row * scale, scale, scale, colour);
        }
      }
    }
  }

  /** The picture as a PNG file in a data URI. */
  toDataUri(): string {
    const rows = Array.from({ length: this.height }, (_, y) =>
      Buffer.from([0, ...this.#pixels.subarray(y * this.width, (y + 1) * this.width)]),
    );
    const head = Buffer.alloc(13);
    head.writeUInt32BE(this.width, 0);
    head.writeUInt32BE(this.height, 4);
    head.set([8, PALETTE_TYPE, 0, 0, 0], 8);
    const palette = Buffer.from(this.#palette.map((colour) => colour.slice(1)).join(''), 'hex');
    const file = Buffer.concat([
      SIGNATURE,
      chunk('IHDR', head),
      chunk('PLTE', palette),
      chunk('IDAT', deflateSync(Buffer.concat(rows))),
      chunk('IEND', Buffer.alloc(0)),
    ]);
    return `data:image/png;base64,${file.toString('base64')}`;
  }

  #valueOf(colour: string): number {
    const known = this.#palette.indexOf(colour);
    return known >= 0 ? known : this.#palette.push(colour) - 1;
  }
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}
