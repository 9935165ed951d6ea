import type { Turn } from '../turns/turn.ts';

/** How many of the newest messages a detector looks at. */
export const MAX_SHOWN_TURNS = 50;
/** How much of each it is shown, in characters. */
const MAX_SHOWN_CHARACTERS = 1_000;

/** How turns are written down for a model. */
export interface FormatOptions {
  /** Index in the session of the first of the turns; default 0. */
  readonly firstIndex?: number;
  /** Characters shown of each message; default 1,000. */
  readonly maxCharacters?: number;
}

/** Messages as lines `[N] ROLE: content`, N being the index in the session; line breaks flattened, long ones cut. */
export function formatTurns(turns: readonly Turn[], options: FormatOptions = {}): string {
  const { firstIndex = 0, maxCharacters = MAX_SHOWN_CHARACTERS } = options;
  return turns
    .map(
      ({ role, content }, place) =>
        `[${firstIndex + place}] ${role.toUpperCase()}: ${flatten(content, maxCharacters)}`,
    )
    .join('\n');
}

function flatten(content: string, maxCharacters: number): string {
  // Cut generously first: what comes later cannot be shown, however long it is.
  const line = content
    .slice(0, 4 * maxCharacters)
    .replace(/\s*[\r\n\u2028\u2029]\s*/g, ' ')
    .trim();
  if (line.length <= maxCharacters) return line;
  const cut = line.slice(0, maxCharacters);
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}
