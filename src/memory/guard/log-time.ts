/** So many records may carry the time of a wrong clock before it is believed. */
const DOUBTED = 32;

/** The newest times of a log, ascending, a few. */
export type NewestTimes = readonly number[];

/** Takes one more time into the newest times. */
export function noteTime(times: number[], at: number): void {
  const [oldest = Number.NEGATIVE_INFINITY] = times;
  if (!Number.isFinite(at) || (times.length === DOUBTED && at <= oldest)) return;
  times.splice(times.findLastIndex((time) => time <= at) + 1, 0, at);
  if (times.length > DOUBTED) times.shift();
}

/** A span of time in which the present lies, whatever a clock says. */
export interface Present {
  readonly earliest: number;
  readonly latest: number;
}

/**
 * The present as a clock and the log tell it. What is dropped from a derived file is gone until that is made anew,
 * so nothing is dropped that only the clock, or a few records of a wrong one, make old.
 */
export function presentOf(now: number, times: NewestTimes): Present {
  const told = times[0] ?? now;
  return { earliest: Math.min(now, told), latest: Math.max(now, told) };
}
