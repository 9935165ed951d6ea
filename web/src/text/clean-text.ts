/** Sequences that a terminal would obey: colours, titles, cursor moves. */
const TERMINAL = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_]?)/g;
/** All other control characters but tab and line feed. */
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/** Characters that change the direction of what follows: with them a text can show something it does not say. */
const DIRECTION = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Text as it may be shown: terminal sequences and control characters are gone, and characters that would turn the
 * direction of the text are spelled out.
 */
export function cleanText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(TERMINAL, '')
    .replace(CONTROL, '')
    .replace(DIRECTION, (character) => `⟨U+${character.charCodeAt(0).toString(16).toUpperCase()}⟩`);
}
