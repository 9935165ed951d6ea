import { toJson } from './json.ts';
import { createProgressBar, type Progress } from './progress.ts';
import { sanitise } from './sanitise.ts';
import { createStyle, type Style } from './style.ts';
import { createSymbols, type Symbols } from './symbols.ts';
import type { Terminal } from './terminal.ts';

/** A stream to print to. */
export interface Sink {
  /** False when the stream wants to be waited for. */
  readonly write: (text: string) => boolean;
  readonly drained: () => Promise<void>;
  readonly terminal: Terminal;
}

/** The two streams of a command, and how to print to them. */
export class Output {
  readonly out: Sink;
  readonly error: Sink;
  readonly style: Style;
  readonly errorStyle: Style;
  readonly symbols: Symbols;
  /** Columns of standard output. */
  readonly columns: number;
  readonly #now: () => number;

  constructor(out: Sink, error: Sink, now: () => number) {
    this.out = out;
    this.error = error;
    this.style = createStyle(out.terminal.colour);
    this.errorStyle = createStyle(error.terminal.colour);
    this.symbols = createSymbols(out.terminal.unicode);
    this.columns = out.terminal.columns;
    this.#now = now;
  }

  /** Prints lines to standard output. */
  lines(...lines: readonly string[]): void {
    if (lines.length > 0) this.out.write(`${lines.join('\n')}\n`);
  }

  /** Prints a value as JSON to standard output. */
  json(value: unknown): void {
    this.out.write(`${toJson(value, 2)}\n`);
  }

  /** Prints text to standard output as it is and waits when the reader is slow. */
  async write(text: string): Promise<void> {
    if (!this.out.write(text)) await this.out.drained();
  }

  /** Says something beside the result: on standard error, made safe to print. */
  notice(text: string): void {
    this.error.write(`${sanitise(text)}\n`);
  }

  /** Says what may be missing from the result. */
  warn(text: string): void {
    this.error.write(`${this.errorStyle.yellow('yore:')} ${sanitise(text)}\n`);
  }

  /** Runs a job with a progress bar on standard error, where that is a terminal. */
  async withProgress<T>(
    label: string,
    job: (progress: Progress) => T | Promise<T>,
    unit?: 'bytes',
  ): Promise<T> {
    if (!this.error.terminal.isTerminal) return await job(() => undefined);
    const bar = createProgressBar({
      label,
      ...(unit === undefined ? {} : { unit }),
      symbols: createSymbols(this.error.terminal.unicode),
      columns: this.error.terminal.columns,
      now: this.#now,
      write: this.error.write,
    });
    try {
      return await job(bar.update);
    } finally {
      bar.finish();
    }
  }
}
