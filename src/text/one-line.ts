import { once } from '../record/once.ts';
import { safeCut } from './characters.ts';
import { isAscii } from './is-ascii.ts';

/**
 * Escape sequences a terminal would act on: CSI, then OSC and the other string sequences when they are closed (an
 * unclosed one would swallow the rest of the text, and many of them would each be read to its end), then short ones.
 */
export const ESCAPE_SEQUENCES: RegExp =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x90\x98\x9c-\x9f]*(?:\x07|\x1b\\|\x9c)|\x1b[ -/]*[0-~]/g;
/** Control and format characters, line separators and unpaired surrogates. Slow to compile. */
const UNPRINTABLE = String.raw`[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]`;
const unprintable = once(() => new RegExp(`(?:${UNPRINTABLE})+`, 'gu'));
const unprintableInLine = once(() => new RegExp(`(?!\n)(?:${UNPRINTABLE})`, 'gu'));
const ASCII_CONTROL = /[\0-\x1f\x7f]+/g;
const PLAIN = /^[!-~](?: ?[!-~])*$/;
/** How much of a long text is read, per character that is wanted. */
const LOOK_AHEAD = 4;

/**
 * Recorded text as one line that is safe to show: no escape sequences, control characters or invisible ones, single
 * spaces, at most `limit` characters with `…` where it was truncated.
 */
export function oneLine(text: string, limit: number): string {
  if (text.length <= limit && PLAIN.test(text)) return text;
  const part = text.slice(0, limit * LOOK_AHEAD + 64);
  const line = part
    .replace(ESCAPE_SEQUENCES, '')
    .replace(isAscii(part) ? ASCII_CONTROL : unprintable(), ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= limit && part.length === text.length ? line : cutLine(line, limit);
}

/** Recorded text without escape sequences, control characters and invisible ones. Line breaks and indentation stay. */
export function safeText(text: string): string {
  return text
    .replace(ESCAPE_SEQUENCES, '')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll('\t', '  ')
    .replace(unprintableInLine(), '');
}

/** Truncates a line to `limit` characters, the last of which is `…` then. */
export function truncateLine(line: string, limit: number): string {
  return line.length <= limit ? line : cutLine(line, limit);
}

function cutLine(line: string, limit: number): string {
  if (limit < 1) return '';
  const end = safeCut(line, Math.min(line.length, limit - 1));
  return `${line.slice(0, end).trimEnd()}…`;
}
