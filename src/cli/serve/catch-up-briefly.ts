import type { Home } from '../../project/index.ts';

const PATIENCE_MS = 1000;

/**
 * Takes what the logs have gained into the index, as far as that goes in a second. False when something is left, which
 * the server takes in while it serves.
 */
export function catchUpBriefly(home: Home, now: () => number): boolean {
  const end = now() + PATIENCE_MS;
  const enough = new Error('It takes longer.');
  try {
    const { complete } = home.catchUp((done, total) => {
      if (done < total && now() > end) throw enough;
    });
    return complete;
  } catch (error) {
    if (error !== enough) throw error;
    return false;
  }
}
