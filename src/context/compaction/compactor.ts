import { messageOf } from '../../record/error.ts';
import { omitUndefined } from '../../record/object.ts';
import type { Turn } from '../message.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import { type Compaction, findHistorySummary, summaryHeader, summaryPair } from './compaction.ts';
import { type CompactionSettings, compactionSettings } from './compaction-settings.ts';
import { OfflineDetector } from './offline-detector.ts';
import { type Summariser, summariseTurns, truncateToBudget } from './summary/summarise-turns.ts';
import { checkBoundary, SAFE_BOUNDARY, type TopicBoundary, type TopicDetector } from './topic-boundary.ts';
import { TimeoutError, withTimeout } from './with-timeout.ts';

const DEFAULT_DETECT_TIMEOUT_MS = 12_000;
const DEFAULT_SUMMARISE_TIMEOUT_MS = 30_000;

/** Options of a {@link Compactor}. */
export interface CompactorOptions {
  readonly counter: TokenCounter;
  readonly settings?: Partial<CompactionSettings>;
  /** Default: the {@link OfflineDetector}, which needs no model. */
  readonly detector?: TopicDetector;
  /** Default: the extractive summary, which needs no model. */
  readonly summarise?: Summariser;
  /** How long to wait for a detector. Default: 12,000. */
  readonly detectTimeoutMs?: number;
  /** How long to wait for a summariser. Default: 30,000. */
  readonly summariseTimeoutMs?: number;
}

/**
 * Keeps a history below a number of tokens: drops what belongs to an earlier topic, summarises what is old, and keeps what
 * is new verbatim. Changes nothing by itself: `compact` returns the new history.
 */
export class Compactor {
  readonly settings: CompactionSettings;
  readonly #options: CompactorOptions;
  readonly #counter: TokenCounter;

  constructor(options: CompactorOptions) {
    this.settings = compactionSettings(options.settings);
    this.#options = options;
    this.#counter = options.counter;
  }

  /** Whether a history of this many tokens should be compacted. */
  shouldCompact(tokens: number): boolean {
    return this.settings.enabled && tokens > this.settings.triggerTokens;
  }

  /**
   * Computes the new history. `force` compacts below the trigger too, and when compaction is disabled. A detector or
   * summariser that throws, hangs or answers nonsense is ignored; this never rejects.
   */
  async compact(turns: readonly Turn[], options: { readonly force?: boolean } = {}): Promise<Compaction> {
    const tokens = turns.map((turn) => this.#counter.countMessage(turn));
    if (turns.length === 0 || (options.force !== true && !this.shouldCompact(sum(tokens)))) return { case: 'none' };
    const boundary = await this.#detect(turns);
    const counted = { turns, tokens, firstRemovable: findHistorySummary(turns)?.turns ?? 0 };
    const plan = planCompaction(counted, boundary, this.settings, options);
    if (plan.case === 'none') return plan;
    return this.#execute(counted, plan.case, plan.start, boundary);
  }

  async #execute(
    counted: CountedTurns,
    kind: 'truncate' | 'summarise',
    start: number,
    boundary: TopicBoundary,
  ): Promise<Compaction> {
    const removed = counted.turns.slice(0, start);
    const covers = (findHistorySummary(removed)?.covers ?? 0) + start - counted.firstRemovable;
    // The summary of a truncation is only reported, which is not worth a model call.
    const summarise = kind === 'truncate' ? undefined : this.#options.summarise;
    const summary = await this.#createSummary(removed, covers, boundary.summary, summarise);
    const pair = kind === 'truncate' ? [] : summaryPair(summary, covers);
    const tokensBefore = sum(counted.tokens);
    const tokensAfter = this.#counter.countMessages(pair) + sum(counted.tokens.slice(start));
    if (tokensAfter >= tokensBefore) {
      return { case: 'none', problem: 'The turns that could be removed are shorter than their summary.' };
    }
    const problem = explainStillTooLong(counted, start, tokensAfter, this.settings);
    return {
      case: kind,
      turns: [...pair, ...counted.turns.slice(start)],
      removed: start,
      covers,
      boundary,
      summary,
      tokensBefore,
      tokensAfter,
      underTrigger: problem === undefined,
      ...omitUndefined({ problem }),
    };
  }

  async #detect(turns: readonly Turn[]): Promise<TopicBoundary> {
    const { detector = new OfflineDetector(), detectTimeoutMs = DEFAULT_DETECT_TIMEOUT_MS } = this.#options;
    try {
      const answer: unknown = await withTimeout((signal) => detector.detect(turns, { signal }), detectTimeoutMs);
      return checkBoundary(answer, turns.length);
    } catch (cause) {
      const why = cause instanceof TimeoutError ? cause.message : `it failed (${messageOf(cause)})`;
      return { ...SAFE_BOUNDARY, reason: `The detector was ignored: ${why}.` };
    }
  }

  /** Summarises `removed` so that the summary fits into the budget together with its header. */
  async #createSummary(
    removed: readonly Turn[],
    covers: number,
    background: string,
    summarise: Summariser | undefined,
  ): Promise<string> {
    const counter = this.#counter;
    const headerTokens = counter.count(`${summaryHeader(covers)}\n\n`);
    const budgetTokens = Math.max(0, this.settings.summaryBudgetTokens - headerTokens);
    const custom = summarise ? await this.#callSummariser(summarise, removed, budgetTokens) : '';
    return custom || summariseTurns(removed, { budgetTokens, counter, background });
  }

  /** The summary of a custom summariser, truncated to the budget; empty when it is unusable. */
  async #callSummariser(summarise: Summariser, removed: readonly Turn[], budgetTokens: number): Promise<string> {
    const { counter, summariseTimeoutMs = DEFAULT_SUMMARISE_TIMEOUT_MS } = this.#options;
    try {
      const text: unknown = await withTimeout(
        (signal) => summarise(removed, { budgetTokens, counter, signal }),
        summariseTimeoutMs,
      );
      return typeof text === 'string' ? truncateToBudget(text.trim(), budgetTokens, counter) : '';
    } catch {
      return '';
    }
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** How confident a detector must be for everything before its boundary to be dropped. */
const MIN_CONFIDENCE = 0.5;

/** Turns with the tokens of each. */
interface CountedTurns {
  readonly turns: readonly Turn[];
  readonly tokens: readonly number[];
  /** The first turn after the summary of an earlier compaction, which is never kept as it is. */
  readonly firstRemovable: number;
}

/** What a compaction will do; `start` is the first turn that stays. */
type CompactionPlan =
  | { readonly case: 'none'; readonly problem: string }
  | { readonly case: 'truncate' | 'summarise'; readonly start: number };

/**
 * Decides what to remove. A confident boundary inside the verbatim window: everything before it. Otherwise: everything
 * before the window, replaced by a summary. The newest `minVerbatimExchanges` user messages and their replies always stay.
 */
function planCompaction(
  counted: CountedTurns,
  boundary: TopicBoundary,
  settings: CompactionSettings,
  options: { readonly force?: boolean } = {},
): CompactionPlan {
  const { firstRemovable } = counted;
  const windowStart = findVerbatimStart(counted, settings);
  const requiredStart = findNthLastExchange(counted, settings.minVerbatimExchanges);
  const { boundaryIndex, confidence } = boundary;
  if (boundaryIndex !== null && boundaryIndex >= windowStart && confidence >= MIN_CONFIDENCE) {
    const start = Math.min(findExchangeStart(counted, boundaryIndex), requiredStart);
    if (start > firstRemovable) return { case: 'truncate', start };
  }
  if (windowStart > firstRemovable) return { case: 'summarise', start: windowStart };
  // A forced compaction shortens the history even if all of it fits into the window.
  if (options.force === true && requiredStart > firstRemovable) return { case: 'summarise', start: requiredStart };
  return { case: 'none', problem: explainNothingToRemove(counted, settings) };
}

/** Explains why the rest of the history is still above the trigger; undefined when it is not. */
function explainStillTooLong(
  counted: CountedTurns,
  start: number,
  tokensAfter: number,
  settings: CompactionSettings,
): string | undefined {
  const { triggerTokens, verbatimWindowTokens, minVerbatimExchanges } = settings;
  if (tokensAfter <= triggerTokens) return undefined;
  const kept =
    start >= findNthLastExchange(counted, minVerbatimExchanges)
      ? `the newest ${minVerbatimExchanges} exchanges, which are always kept`
      : `the exchanges of the newest ${verbatimWindowTokens} tokens, which are kept verbatim`;
  return `The history still has ${tokensAfter} tokens, above the trigger of ${triggerTokens}: ${kept}, have ${sum(counted.tokens.slice(start))} tokens. ${describeLongest(counted, start)}`;
}

function explainNothingToRemove(counted: CountedTurns, settings: CompactionSettings): string {
  const { triggerTokens, verbatimWindowTokens, minVerbatimExchanges } = settings;
  return `Nothing can be removed from a history of ${sum(counted.tokens)} tokens (trigger: ${triggerTokens}): all of it belongs to the newest ${minVerbatimExchanges} exchanges or the newest ${verbatimWindowTokens} tokens, which are kept verbatim. ${describeLongest(counted, counted.firstRemovable)}`;
}

function describeLongest({ turns, tokens }: CountedTurns, from: number): string {
  let index = Math.min(from, turns.length - 1);
  for (let at = from; at < turns.length; at++) if ((tokens[at] ?? 0) > (tokens[index] ?? 0)) index = at;
  return `The longest message is number ${index + 1} with ${tokens[index] ?? 0} tokens.`;
}

/**
 * Finds the first turn that stays verbatim: where `verbatimWindowTokens` are collected from the end, or the
 * `minVerbatimExchanges`-th last user message if that is earlier; moved back to the start of its exchange.
 */
export function findVerbatimStart(counted: CountedTurns, settings: CompactionSettings): number {
  const { turns, tokens, firstRemovable } = counted;
  let start = turns.length;
  for (let collected = 0; start > firstRemovable && collected < settings.verbatimWindowTokens; ) {
    start--;
    collected += tokens[start] ?? 0;
  }
  const requiredStart = findNthLastExchange(counted, settings.minVerbatimExchanges);
  return Math.min(findExchangeStart(counted, start), requiredStart);
}

/** Index of the `count`-th last user message; `firstRemovable` when there are fewer. */
function findNthLastExchange({ turns, firstRemovable }: CountedTurns, count: number): number {
  let found = 0;
  for (let index = turns.length - 1; index >= firstRemovable; index--) {
    if (turns[index]?.role === 'user' && ++found === count) return index;
  }
  return firstRemovable;
}

/** Index of the user message whose exchange a turn belongs to: a message and its replies are never separated. */
export function findExchangeStart({ turns, firstRemovable }: CountedTurns, index: number): number {
  if (index >= turns.length) return turns.length;
  let start = Math.max(index, firstRemovable);
  while (start > firstRemovable && turns[start]?.role !== 'user') start--;
  return start;
}
