const ASCII = /^[\0-\x7f]*$/;

/**
 * Whether a text is plain ASCII. Regular expressions over Unicode properties take milliseconds to compile, so that short
 * processes ask this first and mostly need none of them.
 */
export function isAscii(text: string): boolean {
  return ASCII.test(text);
}
