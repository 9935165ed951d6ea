import type { Progress } from './output/progress.ts';

/** A job's result, or that Ctrl-C ended it. */
export type Ended<T> = { readonly isDone: true; readonly result: T } | { readonly isDone: false };

/**
 * Runs a job that cleans up after itself when it fails, and lets Ctrl-C make it fail: at the next report of
 * progress. Without this the process would die on the spot and leave an unfinished file behind.
 */
export async function interruptible<T>(
  progress: Progress,
  job: (progress: Progress) => Promise<T>,
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
