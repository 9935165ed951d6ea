/** Escape sequences of terminals, then all that is no visible character. */
const ESCAPES = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])/g;
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu;

/** A text on one line, without control characters, at most `length` characters; cut between words. */
export function oneLine(text: string, length: number): string {
  const line = text.replace(ESCAPES, '').replace(INVISIBLE, ' ').trim();
  if (line.length <= length) return line;
  const cut = line.slice(0, length - 1);
  const space = cut.lastIndexOf(' ');
  const kept = space > length / 2 ? cut.slice(0, space) : cut.replace(/[\uD800-\uDBFF]$/, '');
  return `${kept.trimEnd()}…`;
}
