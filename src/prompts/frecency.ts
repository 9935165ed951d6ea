/** How often a prompt was used, and when last (epoch milliseconds). */
export interface Use {
  readonly lastUsed: number;
  readonly useCount: number;
}

const MILLISECONDS_PER_DAY = 24 * 60 * 60 * 1000;

/** 1 for a prompt used just now, half of it after a day, a third after two. A clock set back counts as now. */
export function recencyOf(lastUsed: number, now: number): number {
  return 1 / (1 + Math.max(0, now - lastUsed) / MILLISECONDS_PER_DAY);
}

/** Frequency weighed by recency, as of `now`: recency × uses × 10 + recency. */
export function scoreOf(use: Use, now: number): number {
  const recency = recencyOf(use.lastUsed, now);
  return recency * use.useCount * 10 + recency;
}

/** Highest score first as of `now`; of equal ones the more recently used first. The input is left as it is. */
export function rankByScore<T extends Use>(prompts: readonly T[], now: number): T[] {
  return prompts
    .map((prompt, position) => ({ prompt, position, score: scoreOf(prompt, now) }))
    .sort((a, b) => b.score - a.score || b.prompt.lastUsed - a.prompt.lastUsed || b.position - a.position)
    .map(({ prompt }) => prompt);
}

/** Most recently used first; of those used in the same millisecond the later one in `prompts` first. */
export function rankByRecency<T extends Use>(prompts: readonly T[]): T[] {
  return prompts
    .map((prompt, position) => ({ prompt, position }))
    .sort((a, b) => b.prompt.lastUsed - a.prompt.lastUsed || b.position - a.position)
    .map(({ prompt }) => prompt);
}

/**
 * The prompt to give up when there are too many: the lowest score as of `now`, of equal ones the first, and
 * never `spared`. Undefined when there is no other.
 */
export function lowestScored(
  prompts: ReadonlyMap<string, Use>,
  now: number,
  spared: string,
): string | undefined {
  let lowest: string | undefined;
  let lowestScore = Number.POSITIVE_INFINITY;
  for (const [text, use] of prompts) {
    if (text === spared) continue;
    const score = scoreOf(use, now);
    if (score >= lowestScore) continue;
    lowest = text;
    lowestScore = score;
  }
  return lowest;
}
