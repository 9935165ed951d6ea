import { createInterface } from 'node:readline';
import { YoreError } from '../record/index.ts';
import type { Output, ReportProgress } from './output/output.ts';
import { sanitise } from './output/sanitise.ts';

/**
 * Asks a yes-or-no question on the terminal; anything but yes is no. Throws USAGE without a terminal, so that scripts
 * must pass `--yes`.
 */
export async function confirm(question: string, output: Output): Promise<boolean> {
  if (!process.stdin.isTTY || !output.error.terminal.isTerminal) {
    throw new YoreError('USAGE', `${question} There is no terminal to ask on; use --yes to confirm.`);
  }
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await new Promise<boolean>((resolve) => {
      lines.on('close', () => resolve(false));
      lines.on('SIGINT', () => lines.close());
      lines.question(`${sanitise(question)} [y/N] `, (answer) => resolve(/^y(es)?$/i.test(answer.trim())));
    });
  } finally {
    lines.close();
  }
}

/** The result of a job, unless Ctrl-C ended it. */
export type Ended<T> = { readonly isDone: true; readonly result: T } | { readonly isDone: false };

/**
 * Runs a job that cleans up when it fails. Ctrl-C makes it fail at its next progress report; otherwise it would end the
 * process at once and leave unfinished files.
 */
export async function interruptible<T>(
  progress: ReportProgress,
  job: (progress: ReportProgress) => Promise<T>,
): Promise<Ended<T>> {
  let isInterrupted = false;
  const interrupt = (): void => {
    isInterrupted = true;
  };
  process.on('SIGINT', interrupt);
  try {
    const result = await job((done, total, label) => {
      if (isInterrupted) throw new Error('interrupted');
      progress(done, total, label);
    });
    return { isDone: true, result };
  } catch (error) {
    if (isInterrupted) return { isDone: false };
    throw error;
  } finally {
    process.off('SIGINT', interrupt);
  }
}
