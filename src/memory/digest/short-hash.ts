import { textHash } from '../../record/index.ts';

/** A small number for a signature, to compare signatures by: collisions are rare, and it costs little to store. */
export function signatureHash(signature: string): number {
  return textHash(signature) % 0x3fffffff;
}

/** A short name for a text, to tell texts apart within a project. */
export function shortHash(text: string): string {
  return textHash(text).toString(36);
}
