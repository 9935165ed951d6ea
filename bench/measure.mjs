// Timing on a noisy machine: ours and a baseline in turns, medians, ratios within one run.

/** @param {readonly number[]} values @param {number} share 0.5 for the median, 0.95 for p95 */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))] ?? Number.NaN;
}

/** @param {readonly number[]} values */
export function median(values) {
  return quantile(values, 0.5);
}

/** Milliseconds that `work` takes. @param {() => unknown} work */
export function timeOf(work) {
  const started = performance.now();
  work();
  return performance.now() - started;
}

/**
 * Runs two pieces of work in alternating rounds, each first as often as the other, and returns the
 * milliseconds of each round.
 * @param {{rounds: number, ours: (round: number) => unknown, bare: (round: number) => unknown}} work
 */
export function alternate({ rounds, ours, bare }) {
  const times = { ours: [], bare: [] };
  for (let round = 0; round < rounds; round++) {
    const order =
      round % 2 === 0
        ? [
            ['ours', ours],
            ['bare', bare],
          ]
        : [
            ['bare', bare],
            ['ours', ours],
          ];
    for (const [name, work] of order) times[name].push(timeOf(() => work(round)));
  }
  return times;
}
