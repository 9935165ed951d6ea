/**
 * Escape sequences a terminal would act on: CSI, then OSC and the other string sequences when they are closed
 * (an unclosed one would swallow the rest of the text), then short ones.
 */
const ESCAPES =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)|\x1b[ -/]*[0-~]/g;

/** Control characters but line feed. */
const CONTROLS = /[\x00-\x09\x0b-\x1f\x7f-\x9f]/g;

/** Characters that reorder the text around them, so that it reads as something else than it is. */
const DIRECTION = /[\u202a-\u202e\u2066-\u2069]/g;

const NEEDS_WORK = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/;

/**
 * Text of unknown origin, safe to print: escape sequences and control characters are gone, direction overrides
 * are spelled out, tabs are spaces. Line breaks stay.
 */
export function sanitise(text: string): string {
  if (!NEEDS_WORK.test(text)) return text;
  return text
    .replace(ESCAPES, '')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll('\t', '  ')
    .replace(CONTROLS, '')
    .replace(DIRECTION, spellOut);
}

/** `sanitise` for a place that has one line: every run of white space becomes one space. */
export function sanitiseLine(text: string): string {
  return sanitise(text).replace(/\s+/g, ' ').trim();
}

function spellOut(character: string): string {
  return `<U+${character.charCodeAt(0).toString(16).toUpperCase()}>`;
}
