import { displayWidth, pad, truncate } from './width.ts';

/** A column of a table: its cells from top to bottom. Only the last column gives way when the room is short. */
export interface Column {
  readonly cells: readonly string[];
  readonly align?: 'left' | 'right';
  /** Cells wider than this are cut. */
  readonly atMost?: number;
}

const GAP = '  ';

/** Lays columns side by side, each as wide as its widest cell; columns that are empty throughout are left out. */
export function layoutTable(columns: readonly Column[], width: number, ellipsis: string): string[] {
  const shown = columns.filter((column) => column.cells.some((cell) => cell !== ''));
  const rows = Math.max(0, ...shown.map((column) => column.cells.length));
  const widths = shown.map((column) =>
    Math.min(column.atMost ?? Number.POSITIVE_INFINITY, Math.max(...column.cells.map(displayWidth))),
  );
  const lines: string[] = [];
  for (let row = 0; row < rows; row++) {
    const cells = shown.map((column, index) =>
      pad(truncate(column.cells[row] ?? '', widths[index] ?? 0, ellipsis), widths[index] ?? 0, column.align),
    );
    lines.push(truncate(cells.join(GAP).trimEnd(), width, ellipsis));
  }
  return lines;
}
