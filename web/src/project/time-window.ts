/** The part of the time axis that is shown, in milliseconds since 1970. */
export interface TimeWindow {
  readonly from: number;
  readonly to: number;
}

const SHORTEST_MS = 60_000;
const STEPS_MS = [
  ...[60_000, 5 * 60_000, 15 * 60_000, 3_600_000, 3 * 3_600_000, 6 * 3_600_000, 12 * 3_600_000],
  ...[1, 2, 7, 14, 30, 90, 180, 365].map((days) => days * 86_400_000),
];

/** Nearer or farther around a point that stays where it is; never outside of `whole`. */
export function zoomed(window: TimeWindow, around: number, factor: number, whole: TimeWindow): TimeWindow {
  const length = Math.max((window.to - window.from) * factor, SHORTEST_MS);
  const share = (around - window.from) / Math.max(window.to - window.from, 1);
  const from = around - share * length;
  return within({ from, to: from + length }, whole);
}

/** Later or earlier by a share of what is shown. */
export function moved(window: TimeWindow, share: number, whole: TimeWindow): TimeWindow {
  const by = (window.to - window.from) * share;
  return within({ from: window.from + by, to: window.to + by }, whole);
}

/** Round times to be named below the axis, about `count` of them. */
export function ticks({ from, to }: TimeWindow, count: number): readonly number[] {
  const wanted = (to - from) / Math.max(count, 1);
  const step =
    STEPS_MS.find((candidate) => candidate >= wanted) ?? Math.ceil(wanted / 31_536_000_000) * 31_536_000_000;
  const first = Math.ceil(from / step) * step;
  const length = Math.max(Math.floor((to - first) / step) + 1, 0);
  return Array.from({ length }, (_, index) => first + index * step);
}

function within({ from, to }: TimeWindow, whole: TimeWindow): TimeWindow {
  const length = Math.min(to - from, whole.to - whole.from);
  const start = Math.min(Math.max(from, whole.from), whole.to - length);
  return { from: start, to: start + length };
}
