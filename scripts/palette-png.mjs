import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE_LENGTH = 8;
/** Colour types of PNG. */
const PALETTE = 3;
const CHANNELS = { 2: 3, 6: 4 };
/** Of what there is little, colours nearer than this look the same. */
const NEAR = 12;
/** A colour of more than this share of the picture is an area: it stays as it is. */
const AREA = 0.0005;

/**
 * A screenshot with at most `most` colours: a third of the size, and the same to the eye where the picture is text and
 * flat areas. Takes 8 bits per channel, not interlaced, as browsers write them.
 */
export function withPalette(png, most = 128) {
  const { width, height, pixels } = decode(png);
  const palette = choose(pixels, most);
  return encode(width, height, replaced(pixels, palette), palette);
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
    throw new Error('This PNG is of another kind.');
  return {
    width,
    height,
    pixels: colours(unfiltered(inflateSync(Buffer.concat(parts)), width * channels, channels), channels),
  };
}

/** Undoes what makes rows compress better. */
function unfiltered(data, stride, channels) {
  const rows = data.length / (stride + 1);
  const out = Buffer.alloc(rows * stride);
  for (let row = 0; row < rows; row++) {
    const filter = data[row * (stride + 1)];
    for (let index = 0; index < stride; index++) {
      const place = row * stride + index;
      const left = index >= channels ? out[place - channels] : 0;
      const up = row > 0 ? out[place - stride] : 0;
      const corner = row > 0 && index >= channels ? out[place - stride - channels] : 0;
      out[place] = data[row * (stride + 1) + 1 + index] + predicted(filter, left, up, corner);
    }
  }
  return out;
}

function predicted(filter, left, up, corner) {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

function colours(bytes, channels) {
  const pixels = new Uint32Array(bytes.length / channels);
  for (let index = 0; index < pixels.length; index++) {
    const at = index * channels;
    pixels[index] = (bytes[at] << 16) | (bytes[at + 1] << 8) | bytes[at + 2];
  }
  return pixels;
}

/** Those of areas, and the most frequent of the others that differ visibly. */
function choose(pixels, most) {
  const counts = new Map();
  for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const chosen = [];
  for (const [colour, count] of [...counts].sort((a, b) => b[1] - a[1])) {
    if (chosen.length >= most) break;
    const isArea = count > pixels.length * AREA;
    if (isArea || chosen.every((other) => distance(colour, other) > NEAR)) chosen.push(colour);
  }
  return chosen;
}

function replaced(pixels, palette) {
  const known = new Map();
  return Uint8Array.from(pixels, (colour) => {
    let place = known.get(colour);
    if (place === undefined) {
      const distances = palette.map((other) => distance(colour, other));
      place = distances.indexOf(Math.min(...distances));
      known.set(colour, place);
    }
    return place;
  });
}

function distance(a, b) {
  return Math.max(
    Math.abs((a >> 16) - (b >> 16)),
    Math.abs(((a >> 8) & 255) - ((b >> 8) & 255)),
    Math.abs((a & 255) - (b & 255)),
  );
}

function encode(width, height, places, palette) {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, PALETTE, 0, 0, 0], 8);
  const rows = Buffer.alloc(height * (width + 1));
  for (let row = 0; row < height; row++)
    rows.set(places.subarray(row * width, (row + 1) * width), row * (width + 1) + 1);
  const colourBytes = Buffer.from(
    palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]),
  );
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
