/** Thrown when an answer was waited for long enough. */
export class TimeoutError extends Error {
  override readonly name = 'TooLate';
}

/**
 * Waits for an answer, for `limitMs` at most: then the signal is aborted and the promise rejects with {@link TimeoutError},
 * whatever the one who was asked does about it. What it throws at once is a rejection too.
 */
export async function withTimeout<T>(
  ask: (signal: AbortSignal) => T | Promise<T>,
  limitMs: number,
): Promise<T> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new TimeoutError(`no answer within ${limitMs} ms`));
      controller.abort();
    }, limitMs);
  });
  try {
    return await Promise.race([Promise.resolve().then(() => ask(controller.signal)), late]);
  } finally {
    clearTimeout(timer);
  }
}
