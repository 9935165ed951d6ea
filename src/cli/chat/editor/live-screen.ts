import { displayWidth } from '../../output/width.ts';
import type { View } from './editor-view.ts';

/** The terminal to draw on. */
export interface LiveOutput {
  readonly write: (text: string) => void;
  readonly columns: () => number;
}

const HIDE_CURSOR = '\x1b[?25l';
const SHOW_CURSOR = '\x1b[?25h';
/** Terminals that know it show what is between the two at once; the others ignore it. */
const BEGIN_FRAME = '\x1b[?2026h';
const END_FRAME = '\x1b[?2026l';
const CLEAR_BELOW = '\x1b[J';
const CLEAR_SCREEN = '\x1b[H\x1b[2J\x1b[3J';

/**
 * The last lines of a terminal, drawn again and again, and the text above them that is printed once and scrolls away.
 * Lines of a view are never wider than the terminal.
 */
export class LiveScreen {
  readonly #output: LiveOutput;
  #view: View = { lines: [], cursor: { row: 0, column: 0 } };

  constructor(output: LiveOutput) {
    this.#output = output;
  }

  /** Draws the live lines. */
  show(view: View): void {
    this.#draw('', view);
  }

  /** Prints whole lines above the live ones. */
  print(text: string, view: View = this.#view): void {
    this.#draw(text === '' ? '' : `${text.replace(/\n$/, '').replaceAll('\n', '\r\n')}\r\n`, view);
  }

  /** Begins anew on an empty screen. */
  clearScreen(): void {
    const view = this.#view;
    this.#view = { lines: [], cursor: { row: 0, column: 0 } };
    this.#output.write(CLEAR_SCREEN);
    this.show(view);
  }

  /** Takes the live lines away; the cursor is where they began. */
  clear(): void {
    this.show({ lines: [], cursor: { row: 0, column: 0 } });
  }

  #draw(above: string, view: View): void {
    const { lines, cursor } = view;
    const back = lines.length - 1 - cursor.row;
    const place =
      lines.length === 0
        ? ''
        : `${back > 0 ? `\x1b[${back}A` : ''}\r${cursor.column > 0 ? `\x1b[${cursor.column}C` : ''}`;
    const frame = `${this.#toTop()}${CLEAR_BELOW}${above}${lines.join('\r\n')}${place}`;
    this.#output.write(`${BEGIN_FRAME}${HIDE_CURSOR}${frame}${SHOW_CURSOR}${END_FRAME}`);
    this.#view = view;
  }

  /**
   * From the cursor to the first live line. A terminal that became narrower has broken the lines above the cursor that
   * fitted before. Some break the cursor's own line too: there a rest of it stays, which is better than to go up too far
   * and to take away what was printed.
   */
  #toTop(): string {
    const columns = Math.max(1, this.#output.columns());
    const { lines, cursor } = this.#view;
    let rows = 0;
    for (const line of lines.slice(0, cursor.row))
      rows += Math.max(1, Math.ceil(displayWidth(line) / columns));
    return rows > 0 ? `\x1b[${rows}A\r` : '\r';
  }
}
