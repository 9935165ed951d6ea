import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE_LENGTH = 8;
/** PNG colour types: indexed, and the channels of RGB and RGBA. */
const PALETTE = 3;
const CHANNELS = { 2: 3, 6: 4 };
/** Rare colours closer than this, in their most different channel, are merged. */
const MIN_DISTANCE = 12;
/** A colour that covers more than this share of the picture is never merged. */
const MIN_AREA = 0.0005;

/**
 * Reduces a screenshot to a palette of at most `maxColours`: about a third of the size, and no visible difference for text
 * and flat areas. The PNG must have 8 bits per channel and no interlacing, as browsers write it.
 */
export function withPalette(png, maxColours = 128) {
  const { width, height, pixels } = decode(png);
  const palette = choosePalette(pixels, maxColours);
  return encode(width, height, toIndices(pixels, palette), palette);
}

function decode(png) {
  const parts = [];
  let head;
  for (let at = SIGNATURE_LENGTH; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    const data = png.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') head = data;
    if (type === 'IDAT') parts.push(data);
    at += length + 12;
  }
  const [width, height, channels] = [head.readUInt32BE(0), head.readUInt32BE(4), CHANNELS[head[9]]];
  if (head[8] !== 8 || channels === undefined || head[12] !== 0)
    throw new Error('Unsupported PNG: it must have 8 bits per channel and no interlacing.');
  return {
    width,
    height,
    pixels: toColours(unfilter(inflateSync(Buffer.concat(parts)), width * channels, channels), channels),
  };
}

/** Undoes the filters of the rows. */
function unfilter(data, stride, channels) {
  const rows = data.length / (stride + 1);
  const out = Buffer.alloc(rows * stride);
  for (let row = 0; row < rows; row++) {
    const filter = data[row * (stride + 1)];
    for (let index = 0; index < stride; index++) {
      const at = row * stride + index;
      const left = index >= channels ? out[at - channels] : 0;
      const up = row > 0 ? out[at - stride] : 0;
      const corner = row > 0 && index >= channels ? out[at - stride - channels] : 0;
      out[at] = data[row * (stride + 1) + 1 + index] + predict(filter, left, up, corner);
    }
  }
  return out;
}

function predict(filter, left, up, corner) {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

function toColours(bytes, channels) {
  const pixels = new Uint32Array(bytes.length / channels);
  for (let index = 0; index < pixels.length; index++) {
    const at = index * channels;
    pixels[index] = (bytes[at] << 16) | (bytes[at + 1] << 8) | bytes[at + 2];
  }
  return pixels;
}

/** The colours of large areas, then the most frequent of the others that differ visibly. */
function choosePalette(pixels, maxColours) {
  const counts = new Map();
  for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const chosen = [];
  for (const [colour, count] of [...counts].sort((a, b) => b[1] - a[1])) {
    if (chosen.length >= maxColours) break;
    const isArea = count > pixels.length * MIN_AREA;
    if (isArea || chosen.every((other) => distance(colour, other) > MIN_DISTANCE)) chosen.push(colour);
  }
  return chosen;
}

function toIndices(pixels, palette) {
  const known = new Map();
  return Uint8Array.from(pixels, (colour) => {
    let index = known.get(colour);
    if (index === undefined) {
      const distances = palette.map((other) => distance(colour, other));
      index = distances.indexOf(Math.min(...distances));
      known.set(colour, index);
    }
    return index;
  });
}

function distance(a, b) {
  return Math.max(
    Math.abs((a >> 16) - (b >> 16)),
    Math.abs(((a >> 8) & 255) - ((b >> 8) & 255)),
    Math.abs((a & 255) - (b & 255)),
  );
}

function encode(width, height, indices, palette) {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, PALETTE, 0, 0, 0], 8);
  const rows = Buffer.alloc(height * (width + 1));
  for (let row = 0; row < height; row++)
    rows.set(indices.subarray(row * width, (row + 1) * width), row * (width + 1) + 1);
  const colourBytes = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('PLTE', colourBytes),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}
