import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { extname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { storageError } from '../../files/index.ts';
import { MAX_IMAGE_BYTES } from '../../history/index.ts';
import { YoreError } from '../../record/index.ts';

/** Media types by the end of a file's name. */
const TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
};

/** A path as a terminal pastes a dropped file: quoted, or with backslashes before its spaces. */
const PATHS = /"([^"\n]+)"|'([^'\n]+)'|((?:[^\s\\]|\\.)+)/g;

/** Longer than a path can be. */
const LONGEST_PATH = 5000;
/** What may stand around a path in a sentence. */
const AROUND = /^[(<[]+|[)>\],.;:!?]+$/g;

/** An image that a message names. */
export interface AttachedImage {
  readonly path: string;
  readonly dataUri: string;
}

/**
 * The images whose paths are in a text. What only looks like a path of an image is left as text. LIMIT when one is too
 * large.
 */
export function attachedImages(text: string, folder: string): readonly AttachedImage[] {
  const found = new Map<string, AttachedImage>();
  for (const [whole, double, single, plain = ''] of text.matchAll(PATHS)) {
    if (whole.length > LONGEST_PATH) continue;
    const named = double ?? single ?? plain.replace(AROUND, '').replace(/\\(.)/g, '$1');
    const type = TYPES[extname(named).toLowerCase()];
    const path = type === undefined ? undefined : fullPath(named, folder);
    if (type === undefined || path === undefined || found.has(path)) continue;
    const dataUri = readImage(path, type);
    if (dataUri !== undefined) found.set(path, { path, dataUri });
  }
  return [...found.values()];
}

function fullPath(named: string, folder: string): string | undefined {
  if (!named.startsWith('file:')) return resolve(folder, named.replace(/^~(?=[/\\])/, homedir()));
  try {
    return fileURLToPath(named);
  } catch {
    return undefined;
  }
}

function readImage(path: string, type: string): string | undefined {
  const size = fileSize(path);
  if (size === undefined) return undefined;
  if (size > MAX_IMAGE_BYTES) {
    const most = Math.round(MAX_IMAGE_BYTES / 1024 / 1024);
    throw new YoreError('LIMIT', `${path} is larger than ${most} MB. Make it smaller, or leave it out.`);
  }
  try {
    return `data:${type};base64,${readFileSync(path).toString('base64')}`;
  } catch (error) {
    throw storageError('read', path, error);
  }
}

/** Undefined for what is no file: a text may hold anything, also what no file can be called. */
function fileSize(path: string): number | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats?.isFile() === true ? stats.size : undefined;
  } catch {
    return undefined;
  }
}
