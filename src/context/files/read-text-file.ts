import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../../files/index.ts';
import { isWithin } from './project-path.ts';

const CHUNK_BYTES = 1 << 16;
/** Windows knows none of them. Without waiting: a pipe that nobody writes to would be waited for forever. */
const OPEN_FLAGS =
  constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);
const GONE: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG']);

/** The text of a file, or why there is none. */
type TextFile = { readonly content: string } | FileProblem;

/**
 * Reads a text file below a root, at most `maxBytes` of it. Never waits, never throws, never follows a symlink out of the
 * root, and holds no more than the limit in memory, whatever the file says of its size.
 */
export function readTextFile(root: string, path: string, maxBytes: number): TextFile {
  const problem = (reason: FileProblemReason, message: string): FileProblem => ({ path, reason, message });
  let file: number | undefined;
  try {
    const realRoot = realpathSync.native(root);
    const real = realpathSync.native(join(realRoot, path));
    if (!isWithin(realRoot, real)) {
      return problem(
        'outside',
        `${path} is a symlink to something outside the project. Give a file inside it.`,
      );
    }
    // Looked at before it is opened, as opening some devices does something; and after, as it may be another by then.
    if (!lstatSync(real).isFile()) return problem('not-a-file', notAFile(path));
    file = openSync(real, OPEN_FLAGS);
    const found = fstatSync(file);
    if (!found.isFile()) return problem('not-a-file', notAFile(path));
    const bytes = found.size > maxBytes ? undefined : readAtMost(file, maxBytes);
    if (bytes === undefined) return problem('too-large', tooLargeMessage(path, found.size, maxBytes));
    if (isBinary(bytes)) return problem('binary', binaryMessage(path));
    return { content: bytes.toString('utf8') };
  } catch (error) {
    const code = errorCode(error);
    if (GONE.has(code)) return problem('missing', `There is no file ${path} in the project.`);
    return problem('unreadable', `${path} cannot be read (${code ?? String(error)}). Check its permissions.`);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** What to say of a file that is larger than allowed. */
export function tooLargeMessage(path: string, bytes: number, maxBytes: number): string {
  const size = bytes > maxBytes ? `${bytes} bytes` : `more than ${maxBytes} bytes`;
  return `${path} has ${size}; files of up to ${maxBytes} are taken. Give the part of it that matters as content.`;
}

/** What to say of a file that is no text. */
export function binaryMessage(path: string): string {
  return `${path} is a binary file (it has NUL bytes). Give a text file.`;
}

function notAFile(path: string): string {
  return `${path} is a folder, a pipe or a device. Give a file.`;
}

/** All bytes of an open file, or undefined when there are more than `maxBytes`. */
function readAtMost(file: number, maxBytes: number): Buffer | undefined {
  const chunks: Buffer[] = [];
  let total = 0;
  while (total <= maxBytes) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, maxBytes + 1 - total));
    const read = readSync(file, chunk, 0, chunk.length, null);
    if (read === 0) return Buffer.concat(chunks, total);
    chunks.push(chunk.subarray(0, read));
    total += read;
  }
  return undefined;
}

/** Why a file is not in the context, as a word that programs can compare. */
export type FileProblemReason =
  | 'missing' // there is no such file
  | 'outside' // the path, or a symlink on it, leaves the root
  | 'bad-path' // no path at all: empty, with a NUL, the root itself
  | 'not-a-file' // a folder, a pipe, a device
  | 'binary'
  | 'too-large'
  | 'unreadable' // there, but it may not or cannot be read
  | 'no-root'; // nothing to read from: neither a root nor the content was given

/** A file that was not taken, and why. */
export interface FileProblem {
  /** The path as it was asked for. */
  readonly path: string;
  readonly reason: FileProblemReason;
  /** What was wrong and what to do, for people. */
  readonly message: string;
}

const LOOKED_AT_BYTES = 8192;

/** Is there a NUL in the first 8,192 bytes? */
function isBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, LOOKED_AT_BYTES).includes(0);
}

/** The same of a text, by the bytes that it would have as a file. */
export function isBinaryText(text: string): boolean {
  // A character is a byte or more, so that the bytes to look at are in these characters.
  return isBinary(Buffer.from(text.slice(0, LOOKED_AT_BYTES)));
}
