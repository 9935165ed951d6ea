import type { SessionWords } from './session-words.ts';

/**
 * For each index, how similar the `width` messages before it and the `width` messages from it on are: the cosine of their
 * words weighted by rarity, 0 to 1. The windows slide, so the cost does not depend on their width.
 */
export function windowSimilarity(words: SessionWords, width: number): readonly number[] {
  const windows = new SlidingWindows(words);
  const end = words.uses.length;
  for (let index = 0; index < Math.min(width, end); index++) windows.addAfter(index);
  const similarities = [0];
  for (let gap = 1; gap < end; gap++) {
    windows.removeAfter(gap - 1);
    windows.addBefore(gap - 1);
    if (gap + width <= end) windows.addAfter(gap + width - 1);
    if (gap > width) windows.removeBefore(gap - width - 1);
    similarities.push(windows.cosine());
  }
  return similarities;
}

interface Bag {
  readonly counts: Float64Array;
  squares: number;
}

/** Two bags of words whose norms and inner product are updated with each word that is added or removed. */
class SlidingWindows {
  readonly #words: SessionWords;
  readonly #before: Bag;
  readonly #after: Bag;
  #product = 0;

  constructor(words: SessionWords) {
    this.#words = words;
    this.#before = { counts: new Float64Array(words.size), squares: 0 };
    this.#after = { counts: new Float64Array(words.size), squares: 0 };
  }

  addBefore(index: number): void {
    this.#change(this.#before, this.#after, index, 1);
  }

  removeBefore(index: number): void {
    this.#change(this.#before, this.#after, index, -1);
  }

  addAfter(index: number): void {
    this.#change(this.#after, this.#before, index, 1);
  }

  removeAfter(index: number): void {
    this.#change(this.#after, this.#before, index, -1);
  }

  cosine(): number {
    const norm = Math.sqrt(this.#before.squares * this.#after.squares);
    // Adding and subtracting leaves rounding errors where the true value is 0.
    return norm > 1e-6 && this.#product > 1e-6 ? Math.min(1, this.#product / norm) : 0;
  }

  #change(bag: Bag, other: Bag, index: number, sign: 1 | -1): void {
    for (const { word, count, rarity } of this.#words.uses[index] ?? []) {
      const before = bag.counts[word] ?? 0;
      const after = before + sign * count;
      const [was, is] = [logWeight(before), logWeight(after)];
      bag.counts[word] = after;
      bag.squares += (is * is - was * was) * rarity * rarity;
      this.#product += (is - was) * logWeight(other.counts[word] ?? 0) * rarity * rarity;
    }
  }
}

function logWeight(count: number): number {
  return count > 0 ? 1 + Math.log(count) : 0;
}
