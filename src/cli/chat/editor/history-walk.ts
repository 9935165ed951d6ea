/** A walk through earlier prompts, the newest first, that keeps what was being written when it began. */
export interface HistoryWalk {
  /** What is shown: an earlier prompt, or the draft. */
  readonly text: string;
  readonly prompts: readonly string[];
  /** Index into `prompts`. */
  readonly at: number;
  readonly draft: string;
}

/** So far back the arrow keys go. */
const WALKED_PROMPTS = 20;

/** One step back. Undefined when there is nothing earlier. A walk that has begun goes on in the prompts it began with. */
export function walkBack(
  walk: HistoryWalk | undefined,
  draft: string,
  prompts: () => readonly string[],
): HistoryWalk | undefined {
  const from = walk ?? { prompts: prompts().slice(0, WALKED_PROMPTS), at: -1, draft };
  const text = from.prompts[from.at + 1];
  return text === undefined ? undefined : { text, prompts: from.prompts, at: from.at + 1, draft: from.draft };
}

/** One step forward: a later prompt, or `{ text: draft }` without a walk when the newest is passed. */
export function walkForward(walk: HistoryWalk): { readonly text: string; readonly walk?: HistoryWalk } {
  const text = walk.prompts[walk.at - 1];
  if (text === undefined) return { text: walk.draft };
  return { text, walk: { ...walk, text, at: walk.at - 1 } };
}
