/** What the rules of an encoding tell apart. Letters come first, and those that may stand in lower case before upper. */
export const LOWER = 0;
/** Letters without case. */
export const CASELESS = 1;
export const MARK = 2;
/** Upper and title case. */
export const UPPER = 3;
export const NUMBER = 4;
/** White space other than line ends. */
export const BLANK = 5;
export const LINE_END = 6;
/** Everything else. */
export const SYMBOL = 7;
/** There is no character. */
export const NOTHING = 8;

const KINDS: readonly (readonly [RegExp, number])[] = [
  [/\p{Ll}/u, LOWER],
  [/[\p{Lm}\p{Lo}]/u, CASELESS],
  [/\p{M}/u, MARK],
  [/[\p{Lu}\p{Lt}]/u, UPPER],
  [/\p{N}/u, NUMBER],
  [/[\r\n]/u, LINE_END],
  // White space as Unicode has it, which JavaScript's \s is not quite.
  [/\p{White_Space}/u, BLANK],
];

const PAGE_SIZE = 256;
const pages: (Uint8Array | undefined)[] = Array.from({ length: 0x110000 / PAGE_SIZE }, () => undefined);

/** The kinds of the first 256 characters. */
export const FIRST_KINDS: Uint8Array = pageOf(0);

/** The kind of a character by its code point. Kinds are looked up once for each page of 256 characters. */
export function kindOf(codePoint: number): number {
  const page = pages[codePoint >> 8] ?? pageOf(codePoint >> 8);
  return page[codePoint & (PAGE_SIZE - 1)] as number;
}

function pageOf(number: number): Uint8Array {
  const page = Uint8Array.from({ length: PAGE_SIZE }, (_, index) => {
    const character = String.fromCodePoint(number * PAGE_SIZE + index);
    return KINDS.find(([pattern]) => pattern.test(character))?.[1] ?? SYMBOL;
  });
  pages[number] = page;
  return page;
}
