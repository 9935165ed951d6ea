/** What `JSON.stringify` leaves as it is and a terminal or a reader would act on. */
const RISKY = /[\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g;

/** JSON that is safe to print on a terminal: the same value when parsed, control characters escaped. */
export function toJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(RISKY, escapeCharacter);
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
