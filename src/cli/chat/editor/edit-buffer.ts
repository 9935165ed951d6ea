import { graphemes } from '../../output/width.ts';

/** A text being edited, and the cursor in it. */
export interface EditBuffer {
  readonly text: string;
  /** Index into `text`, never inside a grapheme. */
  readonly cursor: number;
}

/** A buffer without text. */
export const EMPTY_BUFFER: EditBuffer = { text: '', cursor: 0 };

/** A buffer with its cursor at the end. */
export function createBuffer(text: string): EditBuffer {
  return { text, cursor: text.length };
}

/** Inserts text at the cursor. */
export function insert({ text, cursor }: EditBuffer, added: string): EditBuffer {
  return { text: text.slice(0, cursor) + added + text.slice(cursor), cursor: cursor + added.length };
}

/** Deletes the text between the cursor and `target`. */
function removeTo({ text, cursor }: EditBuffer, target: number): EditBuffer {
  const [from, to] = target < cursor ? [target, cursor] : [cursor, target];
  return { text: text.slice(0, from) + text.slice(to), cursor: from };
}

/** Where each motion takes the cursor. */
export const MOTIONS = {
  left: ({ text, cursor }: EditBuffer): number => {
    // Graphemes do not cross line breaks, so the line is enough to find the previous one.
    const before = text.slice(findLineStart(text, cursor), cursor);
    return before === '' ? Math.max(0, cursor - 1) : cursor - (graphemes(before.slice(-64)).at(-1)?.length ?? 1);
  },
  right: ({ text, cursor }: EditBuffer): number =>
    Math.min(text.length, cursor + (graphemes(text.slice(cursor, cursor + 64))[0]?.length ?? 0)),
  wordLeft: ({ text, cursor }: EditBuffer): number =>
    cursor -
    (/(?:[\p{L}\p{N}_]+|[^\p{L}\p{N}_\s]+)?\s*$/u.exec(text.slice(Math.max(0, cursor - 256), cursor))?.[0].length ?? 0),
  wordRight: ({ text, cursor }: EditBuffer): number =>
    cursor + (/^\s*(?:[\p{L}\p{N}_]+|[^\p{L}\p{N}_\s]+)?/u.exec(text.slice(cursor, cursor + 256))?.[0].length ?? 0),
  lineStart: ({ text, cursor }: EditBuffer): number => findLineStart(text, cursor),
  lineEnd: ({ text, cursor }: EditBuffer): number => findLineEnd(text, cursor),
} as const;

/** A motion of the cursor. */
export type Motion = keyof typeof MOTIONS;

/** Moves the cursor. */
export function moveCursor(buffer: EditBuffer, motion: Motion): EditBuffer {
  return { text: buffer.text, cursor: MOTIONS[motion](buffer) };
}

/** Deletes what a motion passes over. */
export function deleteMotion(buffer: EditBuffer, motion: Motion): EditBuffer {
  return removeTo(buffer, MOTIONS[motion](buffer));
}

/** Moves the cursor to the line above or below, keeping its column if possible; undefined if there is none. */
export function moveLine({ text, cursor }: EditBuffer, by: -1 | 1): EditBuffer | undefined {
  const start = findLineStart(text, cursor);
  const edge = by === -1 ? start - 1 : findLineEnd(text, cursor);
  if (edge < 0 || edge >= text.length) return undefined;
  const column = graphemes(text.slice(start, cursor)).length;
  const target = by === -1 ? findLineStart(text, edge) : edge + 1;
  const line = graphemes(text.slice(target, findLineEnd(text, target)));
  return { text, cursor: target + line.slice(0, column).join('').length };
}

function findLineStart(text: string, index: number): number {
  return index === 0 ? 0 : text.lastIndexOf('\n', index - 1) + 1;
}

function findLineEnd(text: string, index: number): number {
  const end = text.indexOf('\n', index);
  return end === -1 ? text.length : end;
}
