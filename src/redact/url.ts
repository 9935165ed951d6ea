import { isMasked, maskOf, type Span } from './span.ts';
import { isHex, isPlaceholder, isUuid, looksRandom } from './value.ts';

const MAX_AUTHORITY = 512;
const PLACEHOLDER_PASSWORD = /^(?:pass(?:word|wd)?|pwd|secret|token|\*+|x+|\.+)$/i;

/** Masks the password in `scheme://user:password@host`, and a token that stands alone before the `@`. */
export function findUrlCredentials(text: string, at: number, found: Span[]): void {
  const start = at + 3;
  const end = userInfoEnd(text, start);
  if (end === undefined || isMasked(text, start)) return;
  const colon = text.indexOf(':', start);
  const from = colon >= 0 && colon < end ? colon + 1 : start;
  const value = text.slice(from, end);
  if (value === '' || isMasked(text, from) || isPlaceholder(value)) return;
  if (from === start ? !isToken(value) : PLACEHOLDER_PASSWORD.test(value)) return;
  found.push({ start: from, end, mask: maskOf('url-password') });
}

/** Where the last `@` of the authority is: a password may hold one, and may hold a `/` when it was not encoded. */
function userInfoEnd(text: string, start: number): number | undefined {
  let last: number | undefined;
  for (let at = start; at - start < MAX_AUTHORITY; at++) {
    const code = text.charCodeAt(at);
    if (code === 64) last = at;
    else if (Number.isNaN(code) || code <= 32 || isDelimiter(code)) break;
  }
  return last;
}

/** Quotes, angle brackets, `/`, `?`, `#`, `\`: they end the authority. */
function isDelimiter(code: number): boolean {
  return (
    code === 34 ||
    code === 39 ||
    code === 96 ||
    code === 60 ||
    code === 62 ||
    code === 47 ||
    code === 63 ||
    code === 35 ||
    code === 92
  );
}

function isToken(value: string): boolean {
  return value.length >= 16 && (isUuid(value) || isHex(value) || looksRandom(value));
}
