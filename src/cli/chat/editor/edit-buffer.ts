import { graphemes } from '../../output/width.ts';

/** A text that is being written, and where in it. */
export interface EditBuffer {
  readonly text: string;
  /** Index into `text`, never inside a character. */
  readonly cursor: number;
}

/** Nothing written yet. */
export const EMPTY_BUFFER: EditBuffer = { text: '', cursor: 0 };

/** A buffer with its cursor at the end. */
export function bufferOf(text: string): EditBuffer {
  return { text, cursor: text.length };
}

/** Puts text where the cursor is. */
export function insert({ text, cursor }: EditBuffer, added: string): EditBuffer {
  return { text: text.slice(0, cursor) + added + text.slice(cursor), cursor: cursor + added.length };
}

/** Removes what is between the cursor and another place. */
function removeTo({ text, cursor }: EditBuffer, place: number): EditBuffer {
  const [from, to] = place < cursor ? [place, cursor] : [cursor, place];
  return { text: text.slice(0, from) + text.slice(to), cursor: from };
}

/** Where the cursor would go; each is a place in the text. */
export const PLACES = {
  left: ({ text, cursor }: EditBuffer): number => {
    // A line break ends a character, so that the line is enough to find the one before.
    const before = text.slice(lineStartOf(text, cursor), cursor);
    return before === ''
      ? Math.max(0, cursor - 1)
      : cursor - (graphemes(before.slice(-64)).at(-1)?.length ?? 1);
  },
  right: ({ text, cursor }: EditBuffer): number =>
    Math.min(text.length, cursor + (graphemes(text.slice(cursor, cursor + 64))[0]?.length ?? 0)),
  wordLeft: ({ text, cursor }: EditBuffer): number =>
    cursor -
    (/(?:[\p{L}\p{N}_]+|[^\p{L}\p{N}_\s]+)?\s*$/u.exec(text.slice(Math.max(0, cursor - 256), cursor))?.[0]
      .length ?? 0),
  wordRight: ({ text, cursor }: EditBuffer): number =>
    cursor +
    (/^\s*(?:[\p{L}\p{N}_]+|[^\p{L}\p{N}_\s]+)?/u.exec(text.slice(cursor, cursor + 256))?.[0].length ?? 0),
  lineStart: ({ text, cursor }: EditBuffer): number => lineStartOf(text, cursor),
  lineEnd: ({ text, cursor }: EditBuffer): number => lineEndOf(text, cursor),
} as const;

/** A place that {@link moveTo} and {@link deleteTo} know. */
export type Place = keyof typeof PLACES;

/** Moves the cursor. */
export function moveTo(buffer: EditBuffer, place: Place): EditBuffer {
  return { text: buffer.text, cursor: PLACES[place](buffer) };
}

/** Deletes from the cursor to a place. */
export function deleteTo(buffer: EditBuffer, place: Place): EditBuffer {
  return removeTo(buffer, PLACES[place](buffer));
}

/** Moves the cursor to the line above or below, as near to its column as that line allows; undefined when there is none. */
export function moveLine({ text, cursor }: EditBuffer, by: -1 | 1): EditBuffer | undefined {
  const start = lineStartOf(text, cursor);
  const edge = by === -1 ? start - 1 : lineEndOf(text, cursor);
  if (edge < 0 || edge >= text.length) return undefined;
  const column = graphemes(text.slice(start, cursor)).length;
  const target = by === -1 ? lineStartOf(text, edge) : edge + 1;
  const line = graphemes(text.slice(target, lineEndOf(text, target)));
  return { text, cursor: target + line.slice(0, column).join('').length };
}

function lineStartOf(text: string, index: number): number {
  return index === 0 ? 0 : text.lastIndexOf('\n', index - 1) + 1;
}

function lineEndOf(text: string, index: number): number {
  const end = text.indexOf('\n', index);
  return end === -1 ? text.length : end;
}
