/** The part of the time axis that is shown, in milliseconds since 1970. */
export interface TimeWindow {
  readonly from: number;
  readonly to: number;
}

const SHORTEST_MS = 5 * 60_000;

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

/** A span with some room on both sides. */
export function around(from: number, to: number, whole: TimeWindow): TimeWindow {
  const room = Math.max((to - from) * 0.25, SHORTEST_MS / 2);
  return within({ from: from - room, to: to + room }, whole);
}

/** What is shown when the whole has become another: all of it if it was all before, else the same as before. */
export function followed(window: TimeWindow, before: TimeWindow, whole: TimeWindow): TimeWindow {
  const wasAll = window.from <= before.from && window.to >= before.to;
  return wasAll ? whole : within(window, whole);
}

/** Can it be zoomed no further? */
export function isShortest({ from, to }: TimeWindow): boolean {
  return to - from <= SHORTEST_MS;
}

function within({ from, to }: TimeWindow, whole: TimeWindow): TimeWindow {
  const length = Math.min(to - from, whole.to - whole.from);
  const start = Math.min(Math.max(from, whole.from), whole.to - length);
  return { from: start, to: start + length };
}
