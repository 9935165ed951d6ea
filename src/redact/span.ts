/** A piece of a text that is to be replaced, and by what. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly mask: string;
  /** Found by its name: a rule that knows the format names it better. */
  readonly isSoft?: boolean;
}

/** Looks at a text where a keyword was found (at `at`) and adds what is to be masked. Cost bounded by a constant. */
export type Find = (text: string, at: number, found: Span[]) => void;

const OPENING = '[redacted:';

/** What stands in place of a secret. It is no secret itself: no rule changes it again. */
export function maskOf(id: string): string {
  return `${OPENING}${id}]`;
}

/** Whether a mask stands at this place. */
export function isMasked(text: string, at: number): boolean {
  return text.startsWith(OPENING, at);
}

/** A mask at the end of a text. */
export const ENDS_MASKED: RegExp = /\[redacted:[\w-]{1,32}\]$/;
