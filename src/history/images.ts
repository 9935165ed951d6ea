import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularFile, writeFileAtomic } from '../files/file-access.ts';
import { YoreError } from '../record/error.ts';

/** Maximum size of an image in bytes. */
export const MAX_IMAGE_BYTES: number = 5 * 1024 * 1024;
/** Maximum number of images in a message. */
export const MAX_IMAGES = 5;

const TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
};
const EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(TYPES).map(([extension, type]) => [type, extension] as const),
  ['image/jpg', 'jpg'],
]);
const NAME = /^[0-9a-f]{12}\.(png|jpg|gif|webp)$/;

/**
 * Stores images given as data URIs and returns their file names: 12 hexadecimal characters of the SHA-256 of the data
 * URI, plus an extension. The same image is stored once. Throws LIMIT or USAGE and stores none if one is not acceptable.
 */
export function saveImages(directory: string, dataUris: readonly string[]): readonly string[] {
  if (dataUris.length > MAX_IMAGES) {
    throw new YoreError(
      'LIMIT',
      `${dataUris.length} images in one message; at most ${MAX_IMAGES} are allowed. Send the rest in another message.`,
    );
  }
  const decoded = dataUris.map(decodeImage);
  for (const { name, bytes } of decoded) {
    const path = join(directory, name);
    if (!existsSync(path)) writeFileAtomic(path, bytes, { durable: false });
  }
  return decoded.map(({ name }) => name);
}

/** A stored image as a data URI; undefined when it does not exist or the name is not valid. */
export function readImage(directory: string, name: string): string | undefined {
  const extension = NAME.exec(name)?.[1];
  if (!extension) return undefined;
  try {
    return `data:${TYPES[extension]};base64,${readRegularFile(join(directory, name)).toString('base64')}`;
  } catch {
    return undefined;
  }
}

function decodeImage(dataUri: string, index: number): { readonly name: string; readonly bytes: Buffer } {
  const comma = dataUri.indexOf(',');
  const head = /^data:([a-z0-9.+/-]+)((?:;[^;,]*)*)$/i.exec(dataUri.slice(0, Math.max(0, comma)));
  if (!head?.[2]?.toLowerCase().endsWith(';base64')) {
    throw new YoreError('USAGE', `Image ${index + 1} is not a data URI. Give it as data:image/png;base64,…`);
  }
  const bytes = Buffer.from(dataUri.slice(comma + 1), 'base64');
  if (bytes.length > MAX_IMAGE_BYTES) {
    const megabytes = (bytes.length / 1024 / 1024).toFixed(1);
    throw new YoreError(
      'LIMIT',
      `Image ${index + 1} has ${megabytes} MB; at most 5 MB are allowed. Reduce its size and try again.`,
    );
  }
  // Loaded on demand, since most processes store no image.
  const { createHash } = process.getBuiltinModule('node:crypto');
  const hash = createHash('sha256').update(dataUri).digest('hex').slice(0, 12);
  return { name: `${hash}.${EXTENSIONS.get(head[1]?.toLowerCase() ?? '') ?? 'png'}`, bytes };
}
