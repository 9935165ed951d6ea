import { readBytesAt } from '../files/index.ts';
import { textHash } from '../record/index.ts';

const FINGERPRINT_BYTES = 512;
const NEWLINE = 0x0a;

/** What is remembered of the part of a file that was read, to see later whether it is still the same. */
export interface Fingerprint {
  /** Hash of its first bytes. */
  readonly head: number;
  readonly headLength: number;
  /** Hash of its last bytes. */
  readonly tail: number;
  /** Whether it ends without a line break. */
  readonly tailOpen: boolean;
}

/** Takes the fingerprint of the first `offset` bytes of a file. */
export function fingerprintOf(descriptor: number, offset: number): Fingerprint {
  const headLength = Math.min(offset, FINGERPRINT_BYTES);
  const tail = bytesBefore(descriptor, offset);
  return {
    head: textHash(readBytesAt(descriptor, 0, headLength).toString('latin1')),
    headLength,
    tail: textHash(tail.toString('latin1')),
    tailOpen: tail.length > 0 && tail.at(-1) !== NEWLINE,
  };
}

/**
 * Whether the first `offset` bytes of a file still look as they did. When they ended inside a line, that line must
 * have ended there, or else it is another one now.
 */
export function isUnchanged(descriptor: number, offset: number, before: Fingerprint): boolean {
  const head = readBytesAt(descriptor, 0, before.headLength);
  if (head.length < before.headLength || textHash(head.toString('latin1')) !== before.head) return false;
  if (textHash(bytesBefore(descriptor, offset).toString('latin1')) !== before.tail) return false;
  if (!before.tailOpen) return true;
  const [next] = readBytesAt(descriptor, offset, 1);
  return next === undefined || next === NEWLINE;
}

function bytesBefore(descriptor: number, offset: number): Buffer {
  const length = Math.min(offset, FINGERPRINT_BYTES);
  return readBytesAt(descriptor, offset - length, length);
}
