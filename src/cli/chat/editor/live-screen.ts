import { displayWidth } from '../../output/width.ts';
import type { EditorView } from './editor-view.ts';

/** The terminal to draw on. */
export interface LiveOutput {
  readonly write: (text: string) => void;
  readonly columns: () => number;
  readonly rows: () => number;
}

const HIDE_CURSOR = '\x1b[?25l';
const SHOW_CURSOR = '\x1b[?25h';
/** Synchronised output: terminals that support it show the frame at once, the others ignore it. */
const BEGIN_FRAME = '\x1b[?2026h';
const END_FRAME = '\x1b[?2026l';
const CLEAR_BELOW = '\x1b[J';
const CLEAR_SCREEN = '\x1b[H\x1b[2J';
const EMPTY_VIEW: EditorView = { lines: [], cursor: { row: 0, column: 0 } };
/** Printed lines kept for a redraw. */
const MAX_KEPT_LINES = 500;

/**
 * Draws live lines at the bottom of a terminal, below text that is printed once and scrolls away. The lines of a view are
 * never wider than the terminal.
 */
export class LiveScreen {
  readonly #output: LiveOutput;
  #view: EditorView = EMPTY_VIEW;
  /** The last printed lines, for a redraw after the terminal was resized. */
  #printed: string[] = [];

  constructor(output: LiveOutput) {
    this.#output = output;
  }

  /** Draws the live lines. */
  show(view: EditorView): void {
    this.#draw('', view);
  }

  /** Prints whole lines above the live ones. */
  print(text: string, view: EditorView = this.#view): void {
    const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
    this.#printed = [...this.#printed, ...lines].slice(-MAX_KEPT_LINES);
    this.#draw(linesText(lines), view);
  }

  /** Clears the screen and draws the live lines at the top. */
  clearScreen(): void {
    const view = this.#view;
    this.#view = EMPTY_VIEW;
    this.#printed = [];
    this.#draw('', view, CLEAR_SCREEN);
  }

  /** Redraws everything visible after a resize, because terminals rewrap existing lines in different ways. */
  redraw(view: EditorView): void {
    const columns = Math.max(1, this.#output.columns());
    let room = this.#output.rows() - view.lines.length;
    let from = this.#printed.length;
    while (from > 0) {
      room -= Math.max(1, Math.ceil(displayWidth(this.#printed[from - 1] ?? '') / columns));
      if (room < 0) break;
      from -= 1;
    }
    this.#view = EMPTY_VIEW;
    this.#draw(linesText(this.#printed.slice(from)), view, CLEAR_SCREEN);
  }

  /** Removes the live lines and leaves the cursor where they began. */
  clear(): void {
    this.show(EMPTY_VIEW);
  }

  #draw(above: string, view: EditorView, before = this.#moveToTop()): void {
    const { lines, cursor } = view;
    const back = lines.length - 1 - cursor.row;
    const up = back > 0 ? `\x1b[${back}A` : '';
    const right = cursor.column > 0 ? `\x1b[${cursor.column}C` : '';
    const place = lines.length === 0 ? '' : `${up}\r${right}`;
    const frame = `${before}${CLEAR_BELOW}${above}${lines.join('\r\n')}${place}`;
    this.#output.write(`${BEGIN_FRAME}${HIDE_CURSOR}${frame}${SHOW_CURSOR}${END_FRAME}`);
    this.#view = view;
  }

  /** Moves the cursor to the first live line. */
  #moveToTop(): string {
    const { row } = this.#view.cursor;
    return row > 0 ? `\x1b[${row}A\r` : '\r';
  }
}

function linesText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\r\n`).join('');
}
