import type { Paint } from './terminal.ts';
import { displayWidth, pad, truncate, truncateStart, wrap } from './width.ts';

/** How much room a text in a list gets. */
export interface ClipOptions {
  /** Spaces before each line. Default 0. */
  readonly indent?: number;
  /** Hangs before the first line, in the last of the spaces; must not be wider than the indent. */
  readonly marker?: string;
  /** The look of each line. */
  readonly paint?: Paint;
  /** Default 2. */
  readonly maxLines?: number;
}

/** Wraps a text and cuts it off after a few lines. */
export function clip(text: string, columns: number, ellipsis: string, options: ClipOptions = {}): string[] {
  const { indent = 0, marker = '', paint = (line: string) => line, maxLines = 2 } = options;
  const all = wrap(text, columns - indent);
  const shown = all.slice(0, maxLines);
  const last = shown.at(-1);
  if (all.length > maxLines && last !== undefined) {
    // The start of the next line is added so that the cut is in the text rather than after it.
    shown[shown.length - 1] = truncate(`${last} ${all[maxLines]}`, columns - indent, ellipsis);
  }
  const margin = ' '.repeat(indent);
  const first = marker === '' ? margin : `${margin.slice(displayWidth(marker) + 1)}${marker} `;
  return shown.map((line, index) => (index === 0 ? first : margin) + paint(line));
}

/** Wraps a text into lines that begin with `spaces` spaces; empty lines stay empty, an empty text has none. */
export function indent(text: string, spaces: number, columns: number): string[] {
  if (text === '') return [];
  return wrap(text, columns - spaces).map((line) => (line === '' ? '' : ' '.repeat(spaces) + line));
}

/** A column of a table: its cells from top to bottom. */
export interface Column {
  readonly cells: readonly string[];
  readonly align?: 'left' | 'right';
  /** Wider cells are cut off, unless the whole table fits. */
  readonly maxWidth?: number;
  /** Of the last column: what does not fit is cut off at the start. Default false. */
  readonly keepsEnd?: boolean;
}

const GAP = '  ';

/**
 * Lays out columns side by side, each as wide as its widest cell, or as its maximum where not everything fits. Columns
 * with only empty cells are left out. Rows that are wider than `width` are cut off at the end.
 */
export function layoutTable(columns: readonly Column[], width: number, ellipsis: string): string[] {
  const shown = columns.filter(({ cells }) => cells.some((cell) => cell !== ''));
  const rowCount = Math.max(0, ...shown.map(({ cells }) => cells.length));
  const widest = shown.map(({ cells }) => Math.max(...cells.map(displayWidth)));
  const last = shown.length - 1;
  const fits = widest.reduce((sum, each) => sum + each, GAP.length * last) <= width;
  const widths = shown.map(({ maxWidth = width }, index) => Math.min(fits ? width : maxWidth, widest[index] ?? 0));
  const room = width - widths.slice(0, last).reduce((sum, each) => sum + each + GAP.length, 0);
  return Array.from({ length: rowCount }, (_, row) => {
    const cells = shown.map((column, index) => {
      const cell = column.cells[row] ?? '';
      if (index === last && column.keepsEnd === true && room > 0) return truncateStart(cell, room, ellipsis);
      const cellWidth = widths[index] ?? 0;
      return pad(truncate(cell, cellWidth, ellipsis), cellWidth, column.align);
    });
    return truncate(cells.join(GAP).trimEnd(), width, ellipsis);
  });
}
