import { isAscii } from '../is-ascii.ts';
import { once } from '../once.ts';

/** A run of letters and digits, with single joints (`pre-commit`, `next.js`, `max_size`) inside. */
const TOKEN = /[A-Za-z0-9]+(?:[-_.][A-Za-z0-9]+)*/g;
const tokenOfAnyScript = once(() => /[\p{L}\p{N}]+(?:[-_.][\p{L}\p{N}]+)*/gu);
const JOINT = /[-_.]/;
/** What is left of a word by its apostrophe says nothing: it's, don't, the user's. */
const APOSTROPHE = /['’](?:s|t|d|m|ll|re|ve)\b/gi;
const BORDER = /(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;
const LONGEST_TOKEN = 64;
/** Names with a capital inside that are one word all the same. */
const ONE_WORD: ReadonlySet<string> = new Set(
  'github gitlab bitbucket javascript typescript coffeescript postgresql mysql mongodb dynamodb graphql openai macos devops websocket websockets oauth iphone ipad ios youtube linkedin whatsapp paypal fastapi nextjs nodejs vscode jetbrains'.split(
    ' ',
  ),
);

/** A word of a text, in lower case, and the parts it has when it is an identifier or joined by signs. */
export interface Word {
  readonly text: string;
  /** Empty for a plain word. `getUserById` has get, user, by, id; `pre-commit` has pre, commit. */
  readonly parts: readonly string[];
}

/** The words of a text in order. Very long runs (hashes, encoded data) are left out. */
export function wordsOf(text: string): readonly Word[] {
  return tokensOf(text).map(wordOf);
}

/** The same as they are written. */
export function tokensOf(text: string): readonly string[] {
  const whole = text.includes("'") || text.includes('’') ? text.replace(APOSTROPHE, '') : text;
  const tokens: readonly string[] = whole.match(isAscii(text) ? TOKEN : tokenOfAnyScript()) ?? [];
  return tokens.some(isTooLong) ? tokens.filter((token) => !isTooLong(token)) : tokens;
}

function isTooLong(token: string): boolean {
  return token.length > LONGEST_TOKEN;
}

/** What one of the tokens says. */
export function wordOf(token: string): Word {
  return { text: token.toLowerCase(), parts: partsOf(token) };
}

function partsOf(token: string): readonly string[] {
  const jointed = JOINT.test(token);
  if (!jointed && (!BORDER.test(token) || ONE_WORD.has(token.toLowerCase()))) return [];
  const parts = token
    .split(JOINT)
    .flatMap((piece) => (ONE_WORD.has(piece.toLowerCase()) ? [piece] : piece.split(BORDER)));
  return parts.filter((part) => part !== '').map((part) => part.toLowerCase());
}
