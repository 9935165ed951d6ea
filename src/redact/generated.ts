import { once } from '../record/once.ts';

/** Whether a value looks generated in any of the forms that keys, seeds and tokens have. */
export function isTokenLike(value: string): boolean {
  return (
    isUuid(value) ||
    isHex(value) ||
    looksRandom(value) ||
    isPaddedBase64(value) ||
    isBase32(value) ||
    isEscapedBytes(value) ||
    isProductKey(value)
  );
}

/** Whether capitals only begin syllables: `endTagInBody`. */
export function isCamelCase(value: string): boolean {
  return /^[a-z]{2,}(?:[A-Z][a-z]+){2,}$/.test(value);
}

/** Whether capitals, small letters and digits change places too often for words. */
export function isScrambled(value: string): boolean {
  if (!/[a-z]/.test(value) || !/[A-Z]/.test(value) || !/^[A-Za-z\d]+$/.test(value) || isCamelCase(value)) return false;
  const switches = value.match(/[a-z](?=[A-Z\d])|[A-Z](?=[a-z\d])|\d(?=[A-Za-z])/g)?.length ?? 0;
  return switches >= 4 && wordShare(value) < (/\d/.test(value) ? 0.65 : 0.45);
}

/** For each letter from a to z, the letters that follow it in words and identifiers (95 % of all pairs). */
const LETTER_PAIRS =
  'abcdefgiklmnprstuvwy aceilorsu acehiklorstuy adeilorsu abcdefgilmnopqrstuvwxy aefilortuy aeghilnorsu aeiortu ' +
  'abcdefgklmnoprstvxz aeou aeios adeilostuy abeimopsu acdefgiklnostuvy abcdefgiklmnoprstuvw aehiloprstu u ' +
  'abcdefgiklmnoprstuvy acehiklmopstuy acehilorstuy abcdegilmnprst aeio aehinors ceipt aenps ae';

/** Built on first use, like all tables here: most texts have nothing to judge. */
const letterPairs = once(() => {
  const table = new Uint8Array(26 * 26);
  for (const [first, seconds] of LETTER_PAIRS.split(' ').entries()) {
    for (const second of seconds) table[first * 26 + second.charCodeAt(0) - 97] = 1;
  }
  return table;
});

const MAX_JUDGED = 256;

/** Shannon entropy of the first 256 characters, in bits per character. */
export function entropy(value: string): number {
  const counts = new Uint16Array(128);
  const length = Math.min(value.length, MAX_JUDGED);
  for (let i = 0; i < length; i++) {
    const code = value.charCodeAt(i) & 127;
    counts[code] = (counts[code] ?? 0) + 1;
  }
  let bits = 0;
  for (const count of counts) if (count > 0) bits -= (count / length) * Math.log2(count / length);
  return bits;
}

/**
 * The share of a value that consists of words, from 0 (random) to 1 (`session-token`): runs of four or more letters that
 * read like a word, over all letters and digits. Runs of three letters are ignored.
 */
export function wordShare(value: string): number {
  let words = 0;
  let total = 0;
  for (const [run] of value.slice(0, MAX_JUDGED).matchAll(/[A-Z]{2,}(?![a-z])|[A-Z]?[a-z]+|[A-Z]|\d+/g)) {
    const isLetters = run.charCodeAt(0) > 57;
    if (isLetters && run.length === 3) continue;
    total += run.length;
    if (isLetters && run.length > 3 && readsLikeWord(run.toLowerCase())) words += run.length;
  }
  return total === 0 ? 1 : words / total;
}

function readsLikeWord(run: string): boolean {
  let good = 0;
  const pairs = letterPairs();
  for (let i = 1; i < run.length; i++) {
    good += pairs[(run.charCodeAt(i - 1) - 97) * 26 + run.charCodeAt(i) - 97] ?? 0;
  }
  return good >= 0.75 * (run.length - 1);
}

const HEX = /^(?:0x)?[0-9a-f]{16,}$/i;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Whether a value is a hexadecimal number long enough for a key or a digest. */
export function isHex(value: string): boolean {
  return HEX.test(value) && /[a-f]/i.test(value) && /\d/.test(value);
}

/** Whether a value is a UUID. */
export function isUuid(value: string): boolean {
  return UUID.test(value);
}

/** A seed as authenticators show it. */
export function isBase32(value: string): boolean {
  return /^[A-Z2-7]{16,128}={0,6}$/.test(value) && (value.match(/\d/g)?.length ?? 0) >= 2 && /[A-Z]/.test(value);
}

/** Groups of capitals and digits, as licences and recovery keys have: `T6K9L-N9S2G-QZVBH-4JT52`. */
export function isProductKey(value: string): boolean {
  return /^[A-Z\d]{4,6}(?:-[A-Z\d]{4,6}){3,8}$/.test(value) && /\d/.test(value);
}

/** Bytes as strings of C and of PostgreSQL write them. */
export function isEscapedBytes(value: string): boolean {
  return /^(?:(?:\\{1,2}x[0-9a-f]{2}){6,}|\\{1,2}x[0-9a-f]{32,})$/i.test(value);
}

/** Padded Base64 that is too long for anything but key material. */
export function isPaddedBase64(value: string): boolean {
  return /^[A-Za-z0-9+/]{40,}={1,2}$/.test(value);
}

/** Whether a value looks generated: no words and enough variety. Use `strict` for names that say little. */
export function looksRandom(value: string, strict = false): boolean {
  if (value.length < (strict ? 16 : 8)) return false;
  if (!/[A-Za-z]/.test(value)) return false;
  if (!/\d/.test(value) && (strict || value.length < 12 || !isMixed(value))) return false;
  if (wordShare(value) > (strict ? 0.25 : 0.4) && !isInterleaved(value)) return false;
  return entropy(value) >= (strict ? 3.3 : value.length < 16 ? 2.5 : 3);
}

/** Whether letters and digits alternate too often for words with a number. */
export function isInterleaved(value: string): boolean {
  return (value.match(/[A-Za-z](?=\d)|\d(?=[A-Za-z])/g)?.length ?? 0) >= Math.max(4, value.length / 8);
}

function isMixed(value: string): boolean {
  const turns = value.match(/[a-z][A-Z]|[A-Za-z][^A-Za-z\d._:/-]/g)?.length ?? 0;
  return turns >= 2 || (value.length >= 16 && wordShare(value) < 0.2);
}
