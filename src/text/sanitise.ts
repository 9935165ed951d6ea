import { ESCAPE_SEQUENCES } from './one-line.ts';

/** Control characters except line feed. */
const CONTROLS = /[\x00-\x09\x0b-\x1f\x7f-\x9f]/g;

/** Bidirectional overrides and isolates: they can make text read as something else than it is. */
const DIRECTION = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Characters without a shape that can hide text from a reader: zero-width spaces, invisible operators, tags. Joiners and marks
 * of direction stay, because scripts and emoji need them.
 */
const INVISIBLE = /[\u00ad\u180e\u200b\u2060-\u2064\ufeff\u{e0000}-\u{e007f}]/gu;

const UNSAFE =
  /[\x00-\x09\x0b-\x1f\x7f-\x9f\u00ad\u180e\u200b\u2028-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|\udb40[\udc00-\udc7f]/;

/**
 * Makes untrusted text safe to print: removes escape sequences, control characters and invisible ones, spells out direction
 * overrides and turns tabs into spaces. Line breaks stay.
 */
export function sanitise(text: string): string {
  if (!UNSAFE.test(text)) return text;
  return text
    .replace(ESCAPE_SEQUENCES, '')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll('\t', '  ')
    .replace(CONTROLS, '')
    .replace(INVISIBLE, '')
    .replace(DIRECTION, (character) => `<U+${toHex(character).toUpperCase()}>`);
}

/** {@link sanitise} for a single line: every run of white space becomes one space. */
export function sanitiseLine(text: string): string {
  return sanitise(text).replace(/\s+/g, ' ').trim();
}

/** Characters that `JSON.stringify` does not escape although terminals act on them. */
const UNESCAPED = /[\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g;

/** JSON that is safe to print on a terminal. Parsing it gives the same value. */
export function toJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(UNESCAPED, (character) => `\\u${toHex(character)}`);
}

function toHex(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, '0');
}
