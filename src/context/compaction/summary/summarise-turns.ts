import type { Turn } from '../../turns/turn-list.ts';
import { findHistorySummary } from '../compaction.ts';
import { findFacts } from './find-facts.ts';
import { parseBackground, parseEarlierSummary, rankFacts } from './rank-facts.ts';
import { renderSummary } from './render-summary.ts';

const DEFAULT_BUDGET_TOKENS = 500;
const ESTIMATE: TextCounter = { count: (text) => Math.ceil(text.length / 4) };

/**
 * Summarises turns without a model, by what they say literally: what was asked, files that were changed, commands that
 * worked, errors and whether they were solved, decisions, figures. What is most likely to be needed again comes first.
 * Where the turns begin with the summary of an earlier compaction, its lines are weighed with the others.
 */
export function summariseTurns(turns: readonly Turn[], options: SummaryOptions = {}): string {
  const { budgetTokens = DEFAULT_BUDGET_TOKENS, counter = ESTIMATE, background = '' } = options;
  const earlier = findHistorySummary(turns);
  const notes = [
    ...parseBackground(background),
    ...parseEarlierSummary(earlier?.text ?? ''),
    ...rankFacts(findFacts(turns.slice(earlier?.turns ?? 0))),
  ];
  return renderSummary(notes, budgetTokens, counter);
}

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

const MAX_TOKEN_LENGTH = 128;

/** The beginning of a text that fits into a budget, up to the end of a line, a word or at least a character. */
export function truncateToBudget(text: string, budgetTokens: number, counter: TextCounter): string {
  // No token is longer: what lies beyond need not be counted.
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
  const cut = start.slice(0, fits);
  const end = Math.max(cut.lastIndexOf('\n'), cut.lastIndexOf(' '));
  return (end > cut.length / 2 ? cut.slice(0, end) : withoutHalf(cut)).trimEnd();
}

function withoutHalf(text: string): string {
  const code = text.charCodeAt(text.length - 1);
  return code >= 0xd800 && code <= 0xdbff ? text.slice(0, -1) : text;
}
