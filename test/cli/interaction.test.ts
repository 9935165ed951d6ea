import { describe, expect, it } from 'vitest';
import { interruptible } from '../../src/cli/interaction.ts';

const ignore = (): void => undefined;

describe('interruptible', () => {
  it('passes on the result and the progress of a job', async () => {
    const seen: number[] = [];
    const ended = await interruptible(
      (done) => seen.push(done),
      async (progress) => {
        progress(1, 2);
        progress(2, 2);
        return 'result';
      },
    );
    expect(ended).toEqual({ isDone: true, result: 'result' });
    expect(seen).toEqual([1, 2]);
  });

  it('fails the job at its next progress report after Ctrl-C, so that it cleans up', async () => {
    let hasCleanedUp = false;
    const listeners = process.listenerCount('SIGINT');
    const ended = await interruptible(ignore, async (progress) => {
      try {
        process.emit('SIGINT');
        progress(1, 2);
      } finally {
        hasCleanedUp = true;
      }
    });
    expect(ended).toEqual({ isDone: false });
    expect(hasCleanedUp).toBe(true);
    expect(process.listenerCount('SIGINT')).toBe(listeners);
  });

  it('passes on other errors', async () => {
    await expect(interruptible(ignore, () => Promise.reject(new Error('disk')))).rejects.toThrow('disk');
  });
});
