/** Prompts over this number are evicted. */
export const MAX_PROMPTS_PER_PROJECT = 500;

/** The prompts of one project by text, in the order of their last recording. */
export type PromptList = Map<string, UsageStats>;

/** A prompt with its usage in one project, or in all projects together. */
export interface RankedPrompt {
  readonly text: string;
  /** At the time of the request. */
  readonly score: number;
  /** ISO 8601, UTC. */
  readonly lastUsed: string;
  readonly useCount: number;
  /** Ids of the projects it was used in. */
  readonly projects: readonly string[];
}

/**
 * One use of a prompt in a project. `usedAt` is when it was typed, `now` when it is recorded. `uses` is set by a source
 * that counts all uses itself.
 */
export interface PromptUse {
  readonly uses?: number;
  readonly text: string;
  readonly project: string;
  readonly usedAt: number;
  readonly now: number;
}

type Candidate = UsageStats & { readonly text: string };

/** How prompts are sorted: `search` uses recency, `suggest` score. */
export type Order = 'recency' | 'score';

/** Counts one use, or takes over the count of the source. Over the cap the prompt with the lowest score is evicted, but never the one just used. */
export function addUse(list: PromptList, { text, usedAt, now, uses }: PromptUse): void {
  const known = list.get(text);
  list.delete(text);
  list.set(text, {
    lastUsed: Math.max(usedAt, known?.lastUsed ?? usedAt),
    useCount: uses === undefined ? (known?.useCount ?? 0) + 1 : Math.max(uses, known?.useCount ?? 1),
  });
  while (list.size > MAX_PROMPTS_PER_PROJECT) {
    const lowest = findLowestScored(list, now, text);
    if (lowest === undefined) return;
    list.delete(lowest);
  }
}

/** Merges lists: use counts are added, and the latest use wins. */
function mergeLists(lists: ReadonlyMap<string, PromptList>): PromptList {
  const merged: PromptList = new Map();
  for (const list of lists.values()) {
    for (const [text, use] of list) {
      const known = merged.get(text);
      merged.set(text, {
        lastUsed: Math.max(use.lastUsed, known?.lastUsed ?? use.lastUsed),
        useCount: use.useCount + (known?.useCount ?? 0),
      });
    }
  }
  return merged;
}

/**
 * The matching prompts, sorted, at most `limit` (0 or less: all). With a project its own prompts come first, then those
 * that only other projects used.
 */
export function selectPrompts(
  lists: ReadonlyMap<string, PromptList>,
  options: {
    readonly matches: (text: string) => boolean;
    readonly order: Order;
    readonly limit: number;
    readonly now: number;
    readonly project?: string | undefined;
  },
): RankedPrompt[] {
  const { project, limit, now } = options;
  let selected: Candidate[] = [];
  for (const list of project === undefined ? [mergeLists(lists)] : ownAndOthers(lists, project)) {
    const matching: Candidate[] = [];
    for (const [text, use] of list) if (options.matches(text)) matching.push({ text, ...use });
    selected = selected.concat(options.order === 'score' ? rankByScore(matching, now) : rankByRecency(matching));
    if (limit > 0 && selected.length >= limit) break;
  }
  return (limit > 0 ? selected.slice(0, limit) : selected).map((prompt) => toEntry(prompt, lists, now));
}

function ownAndOthers(lists: ReadonlyMap<string, PromptList>, project: string): readonly PromptList[] {
  const own = lists.get(project);
  if (!own) return [mergeLists(lists)];
  const others = new Map(lists);
  others.delete(project);
  const merged = mergeLists(others);
  for (const text of own.keys()) merged.delete(text);
  return [own, merged];
}

function toEntry(prompt: Candidate, lists: ReadonlyMap<string, PromptList>, now: number): RankedPrompt {
  const projects: string[] = [];
  for (const [project, list] of lists) if (project !== '' && list.has(prompt.text)) projects.push(project);
  return {
    text: prompt.text,
    score: computeScore(prompt, now),
    lastUsed: new Date(prompt.lastUsed).toISOString(),
    useCount: prompt.useCount,
    projects,
  };
}

/** How often and when a prompt was used. */
export interface UsageStats {
  /** Epoch milliseconds. */
  readonly lastUsed: number;
  readonly useCount: number;
}

const MILLISECONDS_PER_DAY = 24 * 60 * 60 * 1000;

/** 1 for a prompt used just now, 1/2 after a day, 1/3 after two. A time in the future counts as now. */
export function computeRecency(lastUsed: number, now: number): number {
  return 1 / (1 + Math.max(0, now - lastUsed) / MILLISECONDS_PER_DAY);
}

/** Frecency at `now`: recency × uses × 10 + recency. */
export function computeScore(use: UsageStats, now: number): number {
  const recency = computeRecency(use.lastUsed, now);
  return recency * use.useCount * 10 + recency;
}

/** Sorts by score at `now`, highest first, then by recency. Does not modify the input. */
export function rankByScore<T extends UsageStats>(prompts: readonly T[], now: number): T[] {
  return prompts
    .toReversed()
    .map((prompt) => ({ prompt, score: computeScore(prompt, now) }))
    .sort((a, b) => b.score - a.score || b.prompt.lastUsed - a.prompt.lastUsed)
    .map(({ prompt }) => prompt);
}

/** Sorts by last use, most recent first, then by position, last first. Does not modify the input. */
export function rankByRecency<T extends UsageStats>(prompts: readonly T[]): T[] {
  return prompts.toReversed().sort((a, b) => b.lastUsed - a.lastUsed);
}

/** The first prompt with the lowest score at `now`, other than `spared`; undefined when there is no other. */
export function findLowestScored(
  prompts: ReadonlyMap<string, UsageStats>,
  now: number,
  spared: string,
): string | undefined {
  let lowest: string | undefined;
  let lowestScore = Number.POSITIVE_INFINITY;
  for (const [text, use] of prompts) {
    if (text === spared) continue;
    const score = computeScore(use, now);
    if (score >= lowestScore) continue;
    lowest = text;
    lowestScore = score;
  }
  return lowest;
}
