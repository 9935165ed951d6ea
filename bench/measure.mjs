// Timing on a noisy machine: yore and a baseline alternate, and their medians are compared within one run.

/** @param {readonly number[]} values @param {number} share e.g. 0.5 for the median */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))] ?? Number.NaN;
}

/** @param {readonly number[]} values */
export function median(values) {
  return quantile(values, 0.5);
}

/** How long `work` takes, in milliseconds. @param {() => unknown} work */
export function measureTime(work) {
  const started = performance.now();
  work();
  return performance.now() - started;
}

/**
 * Runs yore and a baseline in every round, taking turns at going first. Returns the milliseconds of each round.
 * @param {{rounds: number, yore: (round: number) => unknown, bare: (round: number) => unknown}} work
 */
export function alternate({ rounds, yore, bare }) {
  const times = { yore: [], bare: [] };
  for (let round = 0; round < rounds; round++) {
    const runYore = () => times.yore.push(measureTime(() => yore(round)));
    const runBare = () => times.bare.push(measureTime(() => bare(round)));
    for (const run of round % 2 === 0 ? [runYore, runBare] : [runBare, runYore]) run();
  }
  return times;
}
