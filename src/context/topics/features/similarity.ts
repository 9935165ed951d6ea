import type { Feature, Gap } from '../session-facts.ts';

/** How alike the words before and after the gap are, in itself and compared with the gaps around and all others. */
export const SIMILARITY_FEATURES: Readonly<Record<string, Feature>> = {
  similar1: (gap) => similar(gap, 1),
  similar2: (gap) => similar(gap, 2),
  similar3: (gap) => similar(gap, 3),
  similar5: (gap) => similar(gap, 5),
  dip3: (gap) => dip(gap, 3),
  dip12: (gap) => dip(gap, 12),
  unusual8: (gap) => unusual(gap, 8),
  pairBefore: ({ session, at }) => session.similarity(1).values[at - 1] ?? 0,
};

function similar({ session, at }: Gap, width: number): number {
  return session.similarity(width).values[at] ?? 0;
}

/** How far similarity rises on both sides of the gap, within `width` messages. */
function dip({ session, at }: Gap, width: number): number {
  const { values } = session.similarity(width);
  const here = values[at] ?? 0;
  let [before, after] = [here, here];
  for (let step = 1; step <= width; step++) {
    if (at - step > 0) before = Math.max(before, values[at - step] ?? 0);
    after = Math.max(after, values[at + step] ?? 0);
  }
  return before - here + (after - here);
}

/** Similarity in standard deviations from the session's mean. */
function unusual({ session, at }: Gap, width: number): number {
  const { values, mean, deviation } = session.similarity(width);
  return ((values[at] ?? 0) - mean) / deviation;
}
