import type { Symbols } from './symbols.ts';

/** Tells a long job's progress. */
export type Progress = (done: number, total: number) => void;

/** Where and how a progress bar is drawn. */
export interface ProgressOptions {
  readonly label: string;
  readonly symbols: Symbols;
  readonly columns: number;
  readonly now: () => number;
  readonly write: (text: string) => void;
}

/** A job that ends sooner shows nothing. */
const QUIET_MS = 1000;
const REDRAW_MS = 100;

/** A bar on one line that appears after a second. `finish` wipes it. */
export function createProgressBar(options: ProgressOptions): {
  readonly update: Progress;
  readonly finish: () => void;
} {
  const start = options.now();
  let drawnAt = 0;
  return {
    update(done, total) {
      const now = options.now();
      if (now - start < QUIET_MS || now - drawnAt < REDRAW_MS) return;
      drawnAt = now;
      options.write(`\r\x1b[2K${renderProgress(options, done, total)}`);
    },
    finish() {
      if (drawnAt > 0) options.write('\r\x1b[2K');
      drawnAt = 0;
    },
  };
}

/** The line of a progress bar, never wider than the terminal. */
export function renderProgress(
  { label, symbols, columns }: Pick<ProgressOptions, 'label' | 'symbols' | 'columns'>,
  done: number,
  total: number,
): string {
  const share = total > 0 ? Math.min(1, Math.max(0, done / total)) : 0;
  const percent = `${Math.floor(share * 100)}%`.padStart(4);
  const short = `${label} ${percent}`.slice(0, columns - 1);
  const room = Math.min(30, columns - 1 - short.length - 1);
  if (room < 5) return short;
  const full = Math.round(share * room);
  return `${label} ${symbols.barFull.repeat(full)}${symbols.barEmpty.repeat(room - full)}${percent}`;
}
