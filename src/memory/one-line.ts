import { isAscii } from './is-ascii.ts';
import { once } from './once.ts';

/** Escape sequences of terminals: colours, cursor movements, titles, links. */
const ESCAPES = /\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]P^_X][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]*[0-~])/g;
/** Control and format characters, line separators, and halves of characters. Takes a while to make. */
const unprintable = once(
  () =>
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}]+|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/gu,
);
/** The same among the characters of ASCII. */
const CONTROL = /[\0-\x1f\x7f]+/g;
const PLAIN = /^[!-~](?: ?[!-~])*$/;
/** How much of a long text is looked at, per character that is kept. */
const LOOK_AHEAD = 4;

/**
 * Recorded text as one line that is safe to show: no escape sequences, control characters or invisible ones,
 * single spaces, at most `limit` characters with `…` where something was cut.
 */
export function oneLine(text: string, limit: number): string {
  if (text.length <= limit && PLAIN.test(text)) return text;
  const part = text.slice(0, limit * LOOK_AHEAD + 64);
  const line = part
    .replace(ESCAPES, '')
    .replace(isAscii(part) ? CONTROL : unprintable(), ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= limit && part.length === text.length ? line : cutLine(line, limit);
}

/** A line as {@link oneLine} gives it, cut to `limit` characters. */
export function shorter(line: string, limit: number): string {
  return line.length <= limit ? line : cutLine(line, limit);
}

/** The first `limit` characters, the last of them `…`, without splitting a character. */
function cutLine(line: string, limit: number): string {
  if (limit < 1) return '';
  let end = Math.min(line.length, limit - 1);
  const code = line.charCodeAt(end - 1);
  if (code >= 0xd800 && code <= 0xdbff) end--;
  return `${line.slice(0, end).trimEnd()}…`;
}
