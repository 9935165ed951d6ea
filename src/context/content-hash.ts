import { createHash } from 'node:crypto';

const HASH_LENGTH = 22;

/** A short hash of a text, to tell whether it has changed. */
export function contentHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, HASH_LENGTH);
}
