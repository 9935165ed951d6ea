import { omitUndefined } from '../../record/object.ts';
import { formatBytes } from './format.ts';
import { type ClipOptions, type Column, clip, indent, layoutTable } from './layout.ts';
import { sanitise, toJson } from './sanitise.ts';
import { createStyle, createSymbols, type Style, type Symbols, type Terminal } from './terminal.ts';
import { displayWidth, truncate, wrap } from './width.ts';

/** A stream to print to. */
export interface Sink {
  /** Returns false when the stream's buffer is full; then wait for `drained`. */
  readonly write: (text: string) => boolean;
  readonly drained: () => Promise<void>;
  readonly terminal: Terminal;
}

/** The two streams of a command: prints to them, and lays out text for the width of standard output. */
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

  /** Prints text to standard output unchanged, and waits while its reader is slow. */
  async write(text: string): Promise<void> {
    if (!this.out.write(text)) await this.out.drained();
  }

  /** Prints a message that is not part of the result, sanitised, to standard error. */
  notice(text: string): void {
    this.error.write(`${sanitise(text)}\n`);
  }

  /** Prints a warning about the result to standard error. */
  warn(text: string): void {
    this.error.write(`${this.errorStyle.yellow('yore:')} ${sanitise(text)}\n`);
  }

  /** Runs a job with a progress bar on standard error, if that is a terminal. */
  async withProgress<T>(label: string, job: (progress: ReportProgress) => T | Promise<T>, unit?: 'bytes'): Promise<T> {
    if (!this.error.terminal.isTerminal) return await job(() => undefined);
    const bar = createProgressBar({
      label,
      symbols: createSymbols(this.error.terminal.unicode),
      columns: this.error.terminal.columns,
      now: this.#now,
      write: this.error.write,
      ...omitUndefined({ unit }),
    });
    try {
      return await job(bar.update);
    } finally {
      bar.finish();
    }
  }

  /** Wraps a text; each line begins with `spaces` spaces. */
  wrap(text: string, spaces = 0): string[] {
    return spaces === 0 ? wrap(text, this.columns) : indent(text, spaces, this.columns);
  }

  /** Wraps a text and cuts it off after a few lines. */
  clip(text: string, options?: ClipOptions): string[] {
    return clip(text, this.columns, this.symbols.ellipsis, options);
  }

  /** Cuts off a line at the width of the terminal. */
  truncate(line: string): string {
    return truncate(line, this.columns, this.symbols.ellipsis);
  }

  /** Lays out columns side by side; each row begins with `spaces` spaces. */
  table(columns: readonly Column[], spaces = 0): string[] {
    const rows = layoutTable(columns, this.columns - spaces, this.symbols.ellipsis);
    return rows.map((row) => ' '.repeat(spaces) + row);
  }

  /** Joins facts and breaks lines between them, so that a command among them is whole; a fact that is too long is wrapped. */
  wrapFacts(facts: readonly string[], spaces = 0): string[] {
    const rows: string[][] = [];
    for (const fact of facts) {
      const row = rows.at(-1);
      if (row !== undefined && displayWidth(this.join(...row, fact)) <= this.columns - spaces) row.push(fact);
      else rows.push([fact]);
    }
    return rows.flatMap((row) => this.wrap(this.join(...row), spaces));
  }

  /** Joins facts with the separator sign: `3 sessions · 2 days ago`. */
  join(...facts: readonly string[]): string {
    return facts.join(` ${this.symbols.separator} `);
  }
}

/** Reports the progress of a long job. `label` names the current phase of a job that has several. */
export type ReportProgress = (done: number, total: number, label?: string) => void;

interface ProgressOptions {
  readonly label: string;
  readonly symbols: Symbols;
  readonly columns: number;
  readonly now: () => number;
  readonly write: (text: string) => void;
  /** What is counted, to show a rate. Default: no rate. */
  readonly unit?: 'bytes';
}

/** Shorter jobs and phases show nothing. */
const QUIET_MS = 1000;
const REDRAW_MS = 100;

/** A progress bar on one line, which appears after a second. `finish` wipes it. */
export function createProgressBar(options: ProgressOptions): {
  readonly update: ReportProgress;
  readonly finish: () => void;
} {
  const start = options.now();
  let drawnAt = 0;
  let phase = { label: options.label, since: start, from: 0 };
  return {
    update(done, total, label = options.label) {
      const now = options.now();
      if (phase.label !== label) phase = { label, since: now, from: done };
      if (now - start < QUIET_MS || now - drawnAt < REDRAW_MS) return;
      drawnAt = now;
      const rate = (done - phase.from) / Math.max(1, now - phase.since);
      const note = now - phase.since < QUIET_MS ? '' : formatPace(rate, total - done, options.unit);
      options.write(`\r\x1b[2K${renderProgress({ ...options, label }, done, total, note)}`);
    },
    finish() {
      if (drawnAt > 0) options.write('\r\x1b[2K');
      drawnAt = 0;
    },
  };
}

/** The line of a progress bar, never wider than the terminal; `note` follows it if there is room. */
export function renderProgress(
  { label, symbols, columns }: Pick<ProgressOptions, 'label' | 'symbols' | 'columns'>,
  done: number,
  total: number,
  note = '',
): string {
  const share = total > 0 ? Math.min(1, Math.max(0, done / total)) : 0;
  const percent = `${Math.floor(share * 100)}%`.padStart(4);
  const short = `${label} ${percent}`.slice(0, columns - 1);
  const barWidth = Math.min(30, columns - 1 - short.length - 1);
  if (barWidth < 5) return short;
  const full = Math.round(share * barWidth);
  const bar = symbols.barFull.repeat(full) + symbols.barEmpty.repeat(barWidth - full);
  const line = `${label} ${bar}${percent}`;
  return note !== '' && line.length + 2 + note.length < columns ? `${line}  ${note}` : line;
}

/** `12 MB/s, 8 s left`, from a rate per millisecond. */
function formatPace(rate: number, left: number, unit: ProgressOptions['unit']): string {
  if (!(rate > 0)) return '';
  const remaining = `${formatDuration(Math.max(0, left) / rate)} left`;
  return unit === 'bytes' ? `${formatBytes(rate * 1000)}/s, ${remaining}` : remaining;
}

function formatDuration(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
