import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { extname, resolve } from 'node:path';
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
  for (const [, double, single, plain] of text.matchAll(PATHS)) {
    const named = double ?? single ?? plain?.replace(/\\(.)/g, '$1') ?? '';
    const type = TYPES[extname(named).toLowerCase()];
    if (type === undefined) continue;
    const path = resolve(folder, named.replace(/^~(?=\/)/, homedir()).replace(/^file:\/\//, ''));
    const dataUri = readImage(path, type);
    if (dataUri !== undefined) found.set(path, { path, dataUri });
  }
  return [...found.values()];
}

function readImage(path: string, type: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isFile() !== true) return undefined;
  if (stats.size > MAX_IMAGE_BYTES) {
    const most = Math.round(MAX_IMAGE_BYTES / 1024 / 1024);
    throw new YoreError('LIMIT', `${path} is larger than ${most} MB. Make it smaller, or leave it out.`);
  }
  try {
    return `data:${type};base64,${readFileSync(path).toString('base64')}`;
  } catch (error) {
    throw storageError('read', path, error);
  }
}
