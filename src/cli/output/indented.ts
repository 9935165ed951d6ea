import type { Paint } from './style.ts';
import { displayWidth, truncate, wrap } from './width.ts';

/** A text broken into lines of `columns`, each after `by` spaces; empty lines stay empty. Nothing for no text. */
export function indented(text: string, by: number, columns: number): string[] {
  if (text === '') return [];
  return wrap(text, columns - by).map((line) => (line === '' ? '' : ' '.repeat(by) + line));
}

/** What a text that stands in a list may take. */
export interface Room {
  /** Spaces before its lines. */
  readonly by: number;
  readonly columns: number;
  readonly ellipsis: string;
  /** Before its first line, in place of the last of the spaces; must not be wider than them. */
  readonly sign?: string;
  /** The look of each line. */
  readonly paint?: Paint;
  /** Most lines. Default 2. */
  readonly lines?: number;
}

/** A text in a few lines, cut where it needs more. `sign` hangs before the first one. */
export function clipped(text: string, room: Room): string[] {
  const { by, columns, ellipsis, sign = '', paint = plain, lines = 2 } = room;
  const all = wrap(text, columns - by);
  const shown = all.slice(0, lines);
  const last = shown.at(-1);
  if (all.length > lines && last !== undefined) {
    // The next word shows that the text goes on; what does not fit is cut.
    shown[shown.length - 1] = truncate(`${last} ${all[lines]}`, columns - by, ellipsis);
  }
  const margin = ' '.repeat(by);
  const hanging = sign === '' ? margin : `${margin.slice(displayWidth(sign) + 1)}${sign} `;
  return shown.map((line, index) => (index === 0 ? hanging : margin) + paint(line));
}

function plain(text: string): string {
  return text;
}
