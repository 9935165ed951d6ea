import { isSurrogate } from './characters.ts';

const NON_ASCII = /[^\x00-\x7f]/;
const NON_ASCII_RUN = /[^\x00-\x7f]+/g;
/** Accents and the like. Other marks, such as vowel signs, make a different letter and stay. */
const DIACRITICS =
  /[\u0300-\u036f]|[\u0483-\u0487]|[\u0591-\u05c7]|[\u0610-\u061a]|[\u064b-\u065f]|\u0670|[\u06d6-\u06ed]|[\u1ab0-\u1aff]|[\u1dc0-\u1dff]|[\u20d0-\u20ff]|[\ufe00-\ufe0f]|[\ufe20-\ufe2f]/g;
/** Letters without a decomposition that people type without the stroke or ligature. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
};

const UNKNOWN = 0;
const STABLE = 1;
const CHANGES = 2;
const stability = new Uint8Array(0x10000);
const folded = new Map<number, string>();

/**
 * The form in which texts are compared: lower case, without accents, compatibility characters replaced. Works character
 * by character, so that the folded form of a substring is a substring of the folded text.
 */
export function foldCase(text: string): string {
  if (!NON_ASCII.test(text)) return text.toLowerCase();
  return text.replace(NON_ASCII_RUN, foldRun).toLowerCase();
}

/** The position in `text` of the character whose folded form begins at, or covers, `position` of `foldCase(text)`. */
export function originalPosition(text: string, position: number): number {
  const firstNonAscii = text.search(NON_ASCII);
  if (firstNonAscii < 0 || firstNonAscii > position) return Math.min(position, text.length);
  let at = firstNonAscii;
  for (let reached = at; at < text.length; ) {
    const code = text.codePointAt(at) ?? 0;
    reached += code < 0x80 ? 1 : foldCharacter(code).length;
    if (reached > position) return at;
    at += code > 0xffff ? 2 : 1;
  }
  return at;
}

function foldRun(run: string): string {
  if (isStable(run)) return run;
  let result = '';
  for (let at = 0; at < run.length; ) {
    const code = run.codePointAt(at) ?? 0;
    result += foldCharacter(code);
    at += code > 0xffff ? 2 : 1;
  }
  return result;
}

function isStable(run: string): boolean {
  for (let at = 0; at < run.length; at++) {
    const code = run.charCodeAt(at);
    if (stability[code] === UNKNOWN) {
      const same = !isSurrogate(code) && foldCharacter(code) === run.charAt(at);
      stability[code] = same ? STABLE : CHANGES;
    }
    if (stability[code] === CHANGES) return false;
  }
  return true;
}

function foldCharacter(code: number): string {
  const known = folded.get(code);
  if (known !== undefined) return known;
  const result = isSurrogate(code) ? '\ufffd' : computeFold(String.fromCodePoint(code));
  folded.set(code, result);
  return result;
}

function computeFold(character: string): string {
  const plain = character.normalize('NFKD').toLowerCase().normalize('NFKD').replace(DIACRITICS, '');
  return Array.from(plain, (letter) => PLAIN[letter] ?? letter)
    .join('')
    .normalize('NFC');
}
