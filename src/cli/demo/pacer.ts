/** Time to read a part before the next one appears. */
const PAUSE_MS = 900;

/** Gives a reader time between the parts of a story. */
export interface Pacer {
  readonly pause: () => Promise<void>;
  readonly close: () => void;
}

/** Waits between parts when `paced`; Enter ends the waiting for good. */
export function createPacer(paced: boolean): Pacer {
  if (!paced) return { pause: async () => undefined, close: () => undefined };
  let skipped = false;
  let wake: () => void = () => undefined;
  const skip = (): void => {
    skipped = true;
    wake();
  };
  if (process.stdin.isTTY) process.stdin.on('data', skip);
  return {
    pause: async () => {
      if (skipped) return;
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        wake = resolve;
        timer = setTimeout(resolve, PAUSE_MS);
      });
      clearTimeout(timer);
    },
    close: () => {
      if (!process.stdin.isTTY) return;
      process.stdin.off('data', skip);
      process.stdin.pause();
    },
  };
}
