import { formatBytes } from './quantity.ts';
import type { Symbols } from './symbols.ts';

/** Tells a long job's progress. `label` names the part that it is at, where it has several. */
export type Progress = (done: number, total: number, label?: string) => void;

/** Where and how a progress bar is drawn. */
export interface ProgressOptions {
  readonly label: string;
  readonly symbols: Symbols;
  readonly columns: number;
  readonly now: () => number;
  readonly write: (text: string) => void;
  /** What is counted, to show how fast it goes. Default: nothing that could be shown. */
  readonly unit?: 'bytes';
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
  let part = { label: options.label, since: start, from: 0 };
  return {
    update(done, total, label = options.label) {
      const now = options.now();
      if (part.label !== label) part = { label, since: now, from: done };
      if (now - start < QUIET_MS || now - drawnAt < REDRAW_MS) return;
      drawnAt = now;
      const rate = (done - part.from) / Math.max(1, now - part.since);
      const note = now - part.since < QUIET_MS ? '' : paceOf(rate, total - done, options.unit);
      options.write(`\r\x1b[2K${renderProgress({ ...options, label }, done, total, note)}`);
    },
    finish() {
      if (drawnAt > 0) options.write('\r\x1b[2K');
      drawnAt = 0;
    },
  };
}

/** The line of a progress bar, never wider than the terminal. `note` stands behind it where there is room. */
export function renderProgress(
  { label, symbols, columns }: Pick<ProgressOptions, 'label' | 'symbols' | 'columns'>,
  done: number,
  total: number,
  note = '',
): string {
  const share = total > 0 ? Math.min(1, Math.max(0, done / total)) : 0;
  const percent = `${Math.floor(share * 100)}%`.padStart(4);
  const short = `${label} ${percent}`.slice(0, columns - 1);
  const room = Math.min(30, columns - 1 - short.length - 1);
  if (room < 5) return short;
  const full = Math.round(share * room);
  const line = `${label} ${symbols.barFull.repeat(full)}${symbols.barEmpty.repeat(room - full)}${percent}`;
  return note !== '' && line.length + 2 + note.length < columns ? `${line}  ${note}` : line;
}

/** `12 MB/s, 8 s left`, from what is done in a millisecond. */
function paceOf(rate: number, left: number, unit: ProgressOptions['unit']): string {
  if (!(rate > 0)) return '';
  const remaining = `${durationText(Math.max(0, left) / rate)} left`;
  return unit === 'bytes' ? `${formatBytes(rate * 1000)}/s, ${remaining}` : remaining;
}

function durationText(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
