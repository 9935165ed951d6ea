import { safeCut } from '../../../text/characters.ts';
import type { Turn } from '../../message.ts';
import { findHistorySummary } from '../compaction.ts';
import { findFacts } from './find-facts.ts';
import { parseBackground, parseEarlierSummary, rankFacts } from './rank-facts.ts';
import { renderSummary, type TextCounter } from './render-summary.ts';

/** Options of {@link summariseTurns}. */
export interface SummaryOptions {
  /** Maximum tokens of the summary. Default: 500. */
  readonly budgetTokens?: number;
  /** Default: one token for four characters. */
  readonly counter?: TextCounter;
  /** A summary from another source, such as a model. Comes first and gets a third of the budget. */
  readonly background?: string;
}

/** Options that a {@link Summariser} is given. */
export interface SummariserOptions {
  readonly budgetTokens: number;
  readonly counter: TextCounter;
  /** Aborted on timeout. */
  readonly signal: AbortSignal;
}

/**
 * Writes the summary that replaces `turns`, the first of which may be the summary pair of an earlier compaction. The result
 * is truncated to the budget. If it throws, returns nothing or times out, the extractive summary is used instead.
 */
export type Summariser = (turns: readonly Turn[], options: SummariserOptions) => string | Promise<string>;

const DEFAULT_BUDGET_TOKENS = 500;
const ESTIMATE: TextCounter = { count: (text) => Math.ceil(text.length / 4) };

/**
 * Summarises turns without a model, in their own words: requests, changed files, commands that worked, errors and whether
 * they were solved, decisions, figures. What is most likely to be needed again is kept first. If the turns begin with the
 * summary of an earlier compaction, its lines compete with the new ones.
 */
export function summariseTurns(turns: readonly Turn[], options: SummaryOptions = {}): string {
  const { budgetTokens = DEFAULT_BUDGET_TOKENS, counter = ESTIMATE, background = '' } = options;
  const earlier = findHistorySummary(turns);
  const lines = [
    ...parseBackground(background),
    ...parseEarlierSummary(earlier?.text ?? ''),
    ...rankFacts(findFacts(turns.slice(earlier?.turns ?? 0))),
  ];
  return renderSummary(lines, budgetTokens, counter);
}

/** No token is longer than this, in characters. */
const MAX_TOKEN_LENGTH = 128;

/** The beginning of a text that fits into a budget, cut at the end of a line or word where possible. */
export function truncateToBudget(text: string, budgetTokens: number, counter: TextCounter): string {
  const start = text.slice(0, budgetTokens * MAX_TOKEN_LENGTH);
  if (start.length === text.length && counter.count(text) <= budgetTokens) return text;
  let fits = 0;
  for (let low = 0, high = start.length; low <= high; ) {
    const middle = (low + high) >> 1;
    if (counter.count(start.slice(0, middle)) <= budgetTokens) {
      fits = middle;
      low = middle + 1;
    } else high = middle - 1;
  }
  const cut = start.slice(0, safeCut(text, fits));
  const end = Math.max(cut.lastIndexOf('\n'), cut.lastIndexOf(' '));
  return (end > cut.length / 2 ? cut.slice(0, end) : cut).trimEnd();
}
