import { readFileSync, statSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { storageError } from '../../files/index.ts';
import { MAX_IMAGE_BYTES } from '../../history/index.ts';
import { userHomeFolder } from '../../project/index.ts';
import { YoreError } from '../../record/index.ts';

/** Media types by file extension. */
const TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
};

/** Words and quoted strings. Terminals paste a dropped file's path quoted, or with escaped spaces. */
const PATHS = /"([^"\n]+)"|'([^'\n]+)'|((?:[^\s\\]|\\.)+)/g;

/** Longer than any path. */
const MAX_PATH_LENGTH = 5000;
/** Punctuation around a path in a sentence. */
const PUNCTUATION = /^[(<[]+|[)>\],.;:!?]+$/g;

/** An image that a message names. */
export interface AttachedImage {
  readonly path: string;
  readonly dataUri: string;
}

/** Reads the images whose paths are in a text; paths without a file are ignored. Throws LIMIT if one is too large. */
export function findAttachedImages(text: string, folder: string): readonly AttachedImage[] {
  const found = new Map<string, AttachedImage>();
  for (const [whole, double, single, plain = ''] of text.matchAll(PATHS)) {
    if (whole.length > MAX_PATH_LENGTH) continue;
    const named = double ?? single ?? plain.replace(PUNCTUATION, '').replace(/\\(.)/g, '$1');
    const type = TYPES[extname(named).toLowerCase()];
    const path = type === undefined ? undefined : toFullPath(named, folder);
    if (type === undefined || path === undefined || found.has(path)) continue;
    const dataUri = readImage(path, type);
    if (dataUri !== undefined) found.set(path, { path, dataUri });
  }
  return [...found.values()];
}

function toFullPath(named: string, folder: string): string | undefined {
  if (!named.startsWith('file:')) return resolve(folder, named.replace(/^~(?=[/\\])/, userHomeFolder()));
  try {
    return fileURLToPath(named);
  } catch {
    return undefined;
  }
}

function readImage(path: string, type: string): string | undefined {
  const size = readFileSize(path);
  if (size === undefined) return undefined;
  if (size > MAX_IMAGE_BYTES) {
    const maxMegabytes = Math.round(MAX_IMAGE_BYTES / 1024 / 1024);
    throw new YoreError('LIMIT', `${path} is larger than ${maxMegabytes} MB. Make it smaller or leave it out.`);
  }
  try {
    return `data:${type};base64,${readFileSync(path).toString('base64')}`;
  } catch (error) {
    throw storageError('read', path, error);
  }
}

/** Undefined for what is not a file; also for text that cannot be a path at all. */
function readFileSize(path: string): number | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats?.isFile() === true ? stats.size : undefined;
  } catch {
    return undefined;
  }
}
