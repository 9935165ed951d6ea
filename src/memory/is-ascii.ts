const ASCII = /^[\0-\x7f]*$/;

/**
 * Whether a text has no characters but those of English and of code. Expressions about all letters of the world take
 * milliseconds to make; a short process asks this first and mostly needs none of them.
 */
export function isAscii(text: string): boolean {
  return ASCII.test(text);
}
