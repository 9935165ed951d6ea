/** Thrown by {@link withTimeout} when the time is up. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

/**
 * Runs a task for at most `timeoutMs`: then its signal is aborted and the promise rejects with a {@link TimeoutError},
 * whatever the task does. A given `signal` that is aborted rejects it in the same way with the signal's reason. A task that
 * throws synchronously rejects, too.
 */
export async function withTimeout<T>(
  task: (signal: AbortSignal) => T | Promise<T>,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<T> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  let stop: () => void = () => undefined;
  let timer: NodeJS.Timeout | undefined;
  const stopped = new Promise<never>((_, reject) => {
    const abort = (reason: unknown) => {
      reject(reason);
      controller.abort();
    };
    stop = () => abort(signal?.reason);
    timer = setTimeout(() => abort(new TimeoutError(`no answer within ${timeoutMs} ms`)), timeoutMs);
    signal?.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([Promise.resolve().then(() => task(controller.signal)), stopped]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}
