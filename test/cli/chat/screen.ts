import headless from '@xterm/headless';

/** A terminal whose screen can be read: what a user would see. */
export class Screen {
  readonly #terminal: InstanceType<typeof headless.Terminal>;

  constructor(columns = 60, rows = 12) {
    this.#terminal = new headless.Terminal({
      cols: columns,
      rows,
      allowProposedApi: true,
      convertEol: false,
      scrollback: 1000,
    });
  }

  get columns(): number {
    return this.#terminal.cols;
  }

  get rows(): number {
    return this.#terminal.rows;
  }

  /** Shows what a program printed. */
  write(text: string): Promise<void> {
    return new Promise((resolve) => this.#terminal.write(text, resolve));
  }

  resize(columns: number, rows: number): void {
    this.#terminal.resize(columns, rows);
  }

  /** All lines, also those that have scrolled away, without the empty ones at the end. */
  text(): string {
    const buffer = this.#terminal.buffer.active;
    const lines: string[] = [];
    for (let row = 0; row < buffer.length; row += 1) {
      lines.push(buffer.getLine(row)?.translateToString(true) ?? '');
    }
    return lines.join('\n').trimEnd();
  }

  /** Where the cursor is, on the visible screen. */
  cursor(): { readonly row: number; readonly column: number } {
    const { cursorX, cursorY } = this.#terminal.buffer.active;
    return { row: cursorY, column: cursorX };
  }
}
