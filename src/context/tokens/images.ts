import type { ImageRule, ModelInfo } from './models.ts';

/** The cost of an image whose size, or whose model's rule, is not known. */
export const UNKNOWN_IMAGE_TOKENS = 1_000;

/** Tokens that an image of this size in pixels costs a model. An impossible size counts as unknown. */
export function imageTokens(model: Pick<ModelInfo, 'imageRule'>, width: number, height: number): number {
  if (!isSize(width) || !isSize(height)) return UNKNOWN_IMAGE_TOKENS;
  const rule = model.imageRule;
  switch (rule.kind) {
    case 'grid':
      return gridTokens(rule, width, height);
    case 'tiles':
      return tileTokens(rule, width, height);
    case 'patches':
      return patchTokens(rule, width, height);
    case 'crops':
      return cropTokens(rule, width, height);
    case 'flat':
      return rule.tokens;
  }
}

/** Anthropic: scaled down to fit, then one token per square. */
function gridTokens(rule: ImageRule & { kind: 'grid' }, width: number, height: number): number {
  const fit = Math.min(1, rule.maxSide / Math.max(width, height));
  return Math.min(rule.maxTokens, squares(width * fit, rule.side) * squares(height * fit, rule.side));
}

/** OpenAI up to GPT-5: scaled to fit 2,048 × 2,048, then to a shorter side of 768, then split into tiles of 512. */
function tileTokens(rule: ImageRule & { kind: 'tiles' }, width: number, height: number): number {
  const fit = Math.min(1, 2_048 / Math.max(width, height));
  const scale = fit * Math.min(1, 768 / (Math.min(width, height) * fit));
  return rule.base + rule.perTile * squares(width * scale, 512) * squares(height * scale, 512);
}

/** OpenAI's small and newer models: patches of 32, at most `maxPatches`, times a factor per model. */
function patchTokens(rule: ImageRule & { kind: 'patches' }, width: number, height: number): number {
  const fit = Math.min(1, rule.maxSide / Math.max(width, height));
  const patches = squares(width * fit, 32) * squares(height * fit, 32);
  return Math.ceil(Math.min(patches, rule.maxPatches) * rule.factor);
}

/** Gemini up to 2.5: one crop up to 384 × 384, otherwise crops whose side is two thirds of the image's shorter side. */
function cropTokens(rule: ImageRule & { kind: 'crops' }, width: number, height: number): number {
  if (width <= 384 && height <= 384) return rule.perCrop;
  const side = clamp(Math.floor(Math.min(width, height) / 1.5), 256, 768);
  return rule.perCrop * squares(width, side) * squares(height, side);
}

function squares(length: number, side: number): number {
  // Scaling may leave a length slightly above a whole number.
  return Math.max(1, Math.ceil(length / side - 1e-9));
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}

function isSize(pixels: number): boolean {
  return Number.isInteger(pixels) && pixels > 0 && pixels <= 1_000_000;
}

/** Width and height of an image in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

const HEADER_BYTES = 64;
/** In a JPEG, a thumbnail and colour profiles may precede the size. */
const MAX_JPEG_BYTES = 512 * 1024;
const MAX_DATA_URL_PREFIX = 200;

/**
 * Reads the size from the header of a PNG, JPEG, GIF or WebP, whatever its declared type; undefined for other formats and
 * broken headers. Takes base64 with or without a `data:…,` prefix and decodes at most half a megabyte.
 */
export function imageSize(base64: string): ImageSize | undefined {
  const comma = base64.startsWith('data:') ? base64.slice(0, MAX_DATA_URL_PREFIX).indexOf(',') : -1;
  const header = decode(base64, comma + 1, HEADER_BYTES);
  if (header.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n') return pngSize(header);
  if (header.toString('latin1', 0, 4) === 'GIF8') return gifSize(header);
  if (header.toString('latin1', 0, 4) === 'RIFF' && header.toString('latin1', 8, 12) === 'WEBP')
    return webpSize(header);
  if (header[0] === 0xff && header[1] === 0xd8) return jpegSize(decode(base64, comma + 1, MAX_JPEG_BYTES));
  return undefined;
}

function decode(base64: string, from: number, bytes: number): Buffer {
  return Buffer.from(base64.slice(from, from + Math.ceil(bytes / 3) * 4), 'base64');
}

function pngSize(header: Buffer): ImageSize | undefined {
  if (header.length < 24 || header.toString('latin1', 12, 16) !== 'IHDR') return undefined;
  return sizeOf(header.readUInt32BE(16), header.readUInt32BE(20));
}

function gifSize(header: Buffer): ImageSize | undefined {
  if (header.length < 10) return undefined;
  return sizeOf(header.readUInt16LE(6), header.readUInt16LE(8));
}

function webpSize(header: Buffer): ImageSize | undefined {
  if (header.length < 30) return undefined;
  switch (header.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return sizeOf(header.readUInt16LE(26) & 0x3fff, header.readUInt16LE(28) & 0x3fff);
    case 'VP8L': {
      const bits = header.readUInt32LE(21);
      return sizeOf((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
    }
    case 'VP8X':
      return sizeOf(header.readUIntLE(24, 3) + 1, header.readUIntLE(27, 3) + 1);
    default:
      return undefined;
  }
}

/** Skips segments until the start of a frame. */
function jpegSize(file: Buffer): ImageSize | undefined {
  let at = 2;
  while (at + 9 <= file.length && file[at] === 0xff) {
    const marker = file.readUInt8(at + 1);
    if (marker === 0xff) at += 1;
    else if (isFrame(marker)) return sizeOf(file.readUInt16BE(at + 7), file.readUInt16BE(at + 5));
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) at += 2;
    else if (marker === 0xd9 || marker === 0xda) return undefined;
    else at += 2 + Math.max(2, file.readUInt16BE(at + 2));
  }
  return undefined;
}

/** Start-of-frame markers of all codings; the three exceptions in the range are tables. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function sizeOf(width: number, height: number): ImageSize | undefined {
  return width > 0 && height > 0 ? { width, height } : undefined;
}
