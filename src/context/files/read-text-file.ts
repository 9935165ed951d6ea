import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../../files/index.ts';
import { type FileProblem, type FileProblemReason, isWithin } from './project-path.ts';

const CHUNK_BYTES = 1 << 16;
/** O_NONBLOCK, because opening a pipe without a writer would block forever. Windows has none of the extra flags. */
const OPEN_FLAGS =
  constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);
const MISSING_CODES: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG']);

/**
 * Reads a text file of at most `maxBytes` below a root. Never blocks, never throws, never follows a symlink out of the
 * root, and never holds more than the limit in memory, whatever size the file reports.
 */
export function readTextFile(root: string, path: string, maxBytes: number): { readonly content: string } | FileProblem {
  const problem = (reason: FileProblemReason, message: string): FileProblem => ({ path, reason, message });
  const notAFile = () => problem('not-a-file', `${path} is a folder, a pipe or a device. Give a file.`);
  let file: number | undefined;
  try {
    const realRoot = realpathSync.native(root);
    const real = realpathSync.native(join(realRoot, path));
    if (!isWithin(realRoot, real)) {
      return problem('outside', `${path} is a symlink to a place outside the project. Give a file inside it.`);
    }
    // Checked before opening, because opening some devices has effects, and after, because it may have been replaced.
    if (!lstatSync(real).isFile()) return notAFile();
    file = openSync(real, OPEN_FLAGS);
    const stats = fstatSync(file);
    if (!stats.isFile()) return notAFile();
    const bytes = stats.size > maxBytes ? undefined : readAtMost(file, maxBytes);
    if (bytes === undefined) return problem('too-large', tooLargeMessage(path, stats.size, maxBytes));
    if (isBinary(bytes)) return problem('binary', binaryMessage(path));
    return { content: bytes.toString('utf8') };
  } catch (error) {
    const code = errorCode(error);
    if (MISSING_CODES.has(code)) return problem('missing', `There is no file ${path} in the project.`);
    return problem('unreadable', `${path} cannot be read (${code ?? String(error)}). Check its permissions.`);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** All bytes of an open file, or undefined if there are more than `maxBytes`. */
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

/** The message for a file that is larger than allowed. */
export function tooLargeMessage(path: string, bytes: number, maxBytes: number): string {
  const size = bytes > maxBytes ? `${bytes} bytes` : `more than ${maxBytes} bytes`;
  return `${path} has ${size}; the limit is ${maxBytes}. Give the part that matters as content.`;
}

/** The message for a file that is not text. */
export function binaryMessage(path: string): string {
  return `${path} is a binary file (it contains NUL bytes). Give a text file.`;
}

const BINARY_CHECK_BYTES = 8192;

/** Whether a text would be a binary file: it has a NUL in its first 8,192 bytes. */
export function isBinaryText(text: string): boolean {
  // A character takes at least one byte, so these characters cover the bytes to check.
  return isBinary(Buffer.from(text.slice(0, BINARY_CHECK_BYTES)));
}

function isBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, BINARY_CHECK_BYTES).includes(0);
}
