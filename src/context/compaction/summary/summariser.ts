import type { Turn } from '../../turns/turn.ts';

/** Counts the tokens of a text. */
export interface TextCounter {
  count(text: string): number;
}

/** What a summary has to keep to. */
export interface SummaryOptions {
  /** Most tokens of the summary. Default 500. */
  readonly budgetTokens?: number;
  /** Default: one token for four characters. */
  readonly counter?: TextCounter;
  /** What somebody who understands the turns says of them, e.g. a model: comes first, in a third of the budget. */
  readonly background?: string;
}

/** What a {@link Summariser} is told. */
export interface SummariserOptions {
  readonly budgetTokens: number;
  readonly counter: TextCounter;
  /** Aborted when the answer is no longer waited for. */
  readonly signal: AbortSignal;
}

/**
 * Writes the summary that stands for `turns`, the first of which may be the summary pair of an earlier compaction. What it
 * returns is cut to the budget; when it throws, says nothing or does not come back in time, the extractive summary is
 * taken instead.
 */
export type Summariser = (turns: readonly Turn[], options: SummariserOptions) => string | Promise<string>;
