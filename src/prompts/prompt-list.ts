import { lowestScored, rankByRecency, rankByScore, scoreOf, type Use } from './frecency.ts';

/** Prompts kept per project. */
export const MAX_PROMPTS = 500;

/** The prompts of one project by text, the one touched last at the end. */
export type PromptList = Map<string, Use>;

/** A prompt as one project, or all of them together, used it. */
export interface PromptEntry {
  readonly text: string;
  /** As of the moment it was asked for. */
  readonly score: number;
  /** ISO 8601, UTC. */
  readonly lastUsed: string;
  readonly useCount: number;
  /** Ids of the projects it was used in. */
  readonly projects: readonly string[];
}

/** One use of a prompt in a project. `usedAt` is when it was typed, `now` when it is recorded. */
export interface PromptUse {
  readonly text: string;
  readonly project: string;
  readonly usedAt: number;
  readonly now: number;
}

/** A prompt on its way to a ranking. */
interface Candidate extends Use {
  readonly text: string;
}

/** How to put the matching prompts in order: `search` by recency, `suggest` by score. */
export type Order = 'recency' | 'score';

/** Counts one use, and over the cap gives up the prompt with the lowest score, never the one just used. */
export function addUse(list: PromptList, { text, usedAt, now }: PromptUse): void {
  const known = list.get(text);
  list.delete(text);
  list.set(text, {
    lastUsed: Math.max(usedAt, known?.lastUsed ?? usedAt),
    useCount: (known?.useCount ?? 0) + 1,
  });
  while (list.size > MAX_PROMPTS) {
    const lowest = lowestScored(list, now, text);
    if (lowest === undefined) return;
    list.delete(lowest);
  }
}

/** All lists as one: uses added up, the latest use counts. */
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
 * The prompts that match, in order, at most `limit` (0 or less: all). With a project its own come first, as
 * that project used them, then those that only other projects used.
 */
export function choosePrompts(
  lists: ReadonlyMap<string, PromptList>,
  choice: {
    readonly matches: (text: string) => boolean;
    readonly order: Order;
    readonly limit: number;
    readonly now: number;
    readonly project?: string | undefined;
  },
): PromptEntry[] {
  const { project, limit, now } = choice;
  let chosen: Candidate[] = [];
  for (const list of project === undefined ? [mergeLists(lists)] : ownAndOthers(lists, project)) {
    const matching: Candidate[] = [];
    for (const [text, use] of list) if (choice.matches(text)) matching.push({ text, ...use });
    chosen = chosen.concat(choice.order === 'score' ? rankByScore(matching, now) : rankByRecency(matching));
    if (limit > 0 && chosen.length >= limit) break;
  }
  return (limit > 0 ? chosen.slice(0, limit) : chosen).map((prompt) => toEntry(prompt, lists, now));
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

function toEntry(prompt: Candidate, lists: ReadonlyMap<string, PromptList>, now: number): PromptEntry {
  const projects: string[] = [];
  for (const [project, list] of lists) if (project !== '' && list.has(prompt.text)) projects.push(project);
  return {
    text: prompt.text,
    score: scoreOf(prompt, now),
    lastUsed: new Date(prompt.lastUsed).toISOString(),
    useCount: prompt.useCount,
    projects,
  };
}
