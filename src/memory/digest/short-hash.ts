import { textHash } from '../../record/index.ts';

/** A short name for a text, to tell texts apart within a project. */
export function shortHash(text: string): string {
  return textHash(text).toString(36);
}
