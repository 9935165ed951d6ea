import { displayWidth } from '../../output/width.ts';
import type { View } from './editor-view.ts';

/** The terminal to draw on. */
export interface LiveOutput {
  readonly write: (text: string) => void;
  readonly columns: () => number;
  readonly rows: () => number;
}

const HIDE_CURSOR = '\x1b[?25l';
const SHOW_CURSOR = '\x1b[?25h';
/** Terminals that know it show what is between the two at once; the others ignore it. */
const BEGIN_FRAME = '\x1b[?2026h';
const END_FRAME = '\x1b[?2026l';
const CLEAR_BELOW = '\x1b[J';
const CLEAR_SCREEN = '\x1b[H\x1b[2J';
const NOTHING: View = { lines: [], cursor: { row: 0, column: 0 } };
/** So many printed lines are kept to be drawn again. */
const KEPT_LINES = 500;

/**
 * The last lines of a terminal, drawn again and again, and the text above them that is printed once and scrolls away.
 * Lines of a view are never wider than the terminal.
 */
export class LiveScreen {
  readonly #output: LiveOutput;
  #view: View = NOTHING;
  /** What was printed last, to draw it again on a terminal of another size. */
  #printed: string[] = [];

  constructor(output: LiveOutput) {
    this.#output = output;
  }

  /** Draws the live lines. */
  show(view: View): void {
    this.#draw('', view);
  }

  /** Prints whole lines above the live ones. */
  print(text: string, view: View = this.#view): void {
    const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
    this.#printed = [...this.#printed, ...lines].slice(-KEPT_LINES);
    this.#draw(linesText(lines), view);
  }

  /** Begins anew on an empty screen. */
  clearScreen(): void {
    const view = this.#view;
    this.#view = NOTHING;
    this.#printed = [];
    this.#draw('', view, CLEAR_SCREEN);
  }

  /**
   * Draws all that is visible again, on a terminal whose size has changed: each breaks the lines that were there in its
   * own way, so that nobody knows where they are.
   */
  redraw(view: View): void {
    const columns = Math.max(1, this.#output.columns());
    let room = this.#output.rows() - view.lines.length;
    let from = this.#printed.length;
    while (from > 0) {
      room -= Math.max(1, Math.ceil(displayWidth(this.#printed[from - 1] ?? '') / columns));
      if (room < 0) break;
      from -= 1;
    }
    this.#view = NOTHING;
    this.#draw(linesText(this.#printed.slice(from)), view, CLEAR_SCREEN);
  }

  /** Takes the live lines away; the cursor is where they began. */
  clear(): void {
    this.show(NOTHING);
  }

  #draw(above: string, view: View, before = this.#toTop()): void {
    const { lines, cursor } = view;
    const back = lines.length - 1 - cursor.row;
    const up = back > 0 ? `\x1b[${back}A` : '';
    const right = cursor.column > 0 ? `\x1b[${cursor.column}C` : '';
    const place = lines.length === 0 ? '' : `${up}\r${right}`;
    const frame = `${before}${CLEAR_BELOW}${above}${lines.join('\r\n')}${place}`;
    this.#output.write(`${BEGIN_FRAME}${HIDE_CURSOR}${frame}${SHOW_CURSOR}${END_FRAME}`);
    this.#view = view;
  }

  /** From the cursor to the first live line. */
  #toTop(): string {
    const { row } = this.#view.cursor;
    return row > 0 ? `\x1b[${row}A\r` : '\r';
  }
}

function linesText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\r\n`).join('');
}
