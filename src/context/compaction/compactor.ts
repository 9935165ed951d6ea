import type { TokenCounter } from '../tokens/token-counter.ts';
import type { Turn } from '../turns/turn.ts';
import { answerInTime, TooLate } from './answer-in-time.ts';
import type { Compaction } from './compaction.ts';
import { type CompactionSettings, compactionSettings } from './compaction-settings.ts';
import { OfflineDetector } from './offline-detector.ts';
import { planCompaction, stillTooLong } from './plan-compaction.ts';
import { cutToBudget } from './summary/cut-to-budget.ts';
import { summariseTurns } from './summary/summarise-turns.ts';
import type { Summariser } from './summary/summariser.ts';
import { earlierSummary, summaryHeader, summaryPair } from './summary/summary-pair.ts';
import { SAFE_BOUNDARY, type TopicBoundary, type TopicDetector } from './topic-boundary.ts';
import { usableBoundary } from './usable-boundary.ts';
import type { CountedTurns } from './verbatim-window.ts';

const DETECT_TIMEOUT_MS = 12_000;
const SUMMARISE_TIMEOUT_MS = 30_000;

/** What a {@link Compactor} works with. */
export interface CompactorOptions {
  readonly counter: TokenCounter;
  readonly settings?: Partial<CompactionSettings>;
  /** Default: the {@link OfflineDetector}, which needs no model. */
  readonly detector?: TopicDetector;
  /** Default: the extractive summary, which needs no model. */
  readonly summarise?: Summariser;
  /** How long a detector is waited for. Default 12,000. */
  readonly detectTimeoutMs?: number;
  /** How long a summariser is waited for. Default 30,000. */
  readonly summariseTimeoutMs?: number;
}

/**
 * Keeps a history below a number of tokens: what is no longer the topic goes, what is old becomes a summary, what is new
 * stays word for word. It changes nothing by itself: `compact` says what the history should be from now on.
 */
export class Compactor {
  readonly settings: CompactionSettings;
  readonly #counter: TokenCounter;
  readonly #detector: TopicDetector;
  readonly #summarise: Summariser | undefined;
  readonly #detectTimeoutMs: number;
  readonly #summariseTimeoutMs: number;

  constructor(options: CompactorOptions) {
    this.settings = compactionSettings(options.settings);
    this.#counter = options.counter;
    this.#detector = options.detector ?? new OfflineDetector();
    this.#summarise = options.summarise;
    this.#detectTimeoutMs = options.detectTimeoutMs ?? DETECT_TIMEOUT_MS;
    this.#summariseTimeoutMs = options.summariseTimeoutMs ?? SUMMARISE_TIMEOUT_MS;
  }

  /** Is a history of so many tokens to be shortened? */
  shouldCompact(tokens: number): boolean {
    return this.settings.enabled && tokens > this.settings.triggerTokens;
  }

  /**
   * What the history should be from now on. `force` also shortens what is not above the trigger, or with compaction turned
   * off. A detector or summariser that throws, hangs or talks nonsense is done without; nothing makes this reject.
   */
  async compact(turns: readonly Turn[], options: { readonly force?: boolean } = {}): Promise<Compaction> {
    const tokens = turns.map((turn) => this.#counter.countMessage(turn));
    const tokensBefore = sum(tokens);
    if (turns.length === 0 || (options.force !== true && !this.shouldCompact(tokensBefore)))
      return { case: 'none' };
    const boundary = await this.#detect(turns);
    const counted = { turns, tokens, floor: earlierSummary(turns)?.turns ?? 0 };
    const plan = planCompaction(counted, boundary, this.settings, options);
    if (plan.case === 'none') return plan;
    return this.#carryOut(counted, plan.case, plan.start, boundary);
  }

  async #carryOut(
    counted: CountedTurns,
    way: 'truncate' | 'summarise',
    start: number,
    boundary: TopicBoundary,
  ): Promise<Compaction> {
    const removed = counted.turns.slice(0, start);
    const covers = (earlierSummary(removed)?.covers ?? 0) + start - counted.floor;
    // What is only told is not worth a question to a model.
    const summarise = way === 'truncate' ? undefined : this.#summarise;
    const summary = await this.#summaryOf(removed, covers, boundary.summary, summarise);
    const pair = way === 'truncate' ? [] : summaryPair(summary, covers);
    const tokensBefore = sum(counted.tokens);
    const tokensAfter = this.#counter.countMessages(pair) + sum(counted.tokens.slice(start));
    if (tokensAfter >= tokensBefore) {
      return {
        case: 'none',
        problem: 'What could be removed is shorter than the summary that would take its place.',
      };
    }
    const problem = stillTooLong(counted, start, tokensAfter, this.settings);
    return {
      case: way,
      turns: [...pair, ...counted.turns.slice(start)],
      ...{ removed: start, covers, boundary, summary, tokensBefore, tokensAfter },
      underTrigger: problem === undefined,
      ...(problem === undefined ? {} : { problem }),
    };
  }

  async #detect(turns: readonly Turn[]): Promise<TopicBoundary> {
    try {
      const answer: unknown = await answerInTime(
        (signal) => this.#detector.detect(turns, { signal }),
        this.#detectTimeoutMs,
      );
      return usableBoundary(answer, turns.length);
    } catch (cause) {
      const why = cause instanceof TooLate ? cause.message : `it failed (${messageOf(cause)})`;
      return { ...SAFE_BOUNDARY, reason: `The detector was done without: ${why}.` };
    }
  }

  /** The text that stands for `removed`, with its heading within the budget. */
  async #summaryOf(
    removed: readonly Turn[],
    covers: number,
    background: string,
    summarise: Summariser | undefined,
  ): Promise<string> {
    const counter = this.#counter;
    const budgetTokens = Math.max(
      0,
      this.settings.summaryBudgetTokens - counter.count(`${summaryHeader(covers)}\n`),
    );
    const given = summarise ? await this.#givenSummary(summarise, removed, budgetTokens) : '';
    return given || summariseTurns(removed, { budgetTokens, counter, background });
  }

  /** What a summariser says within the budget; empty when it cannot be used. */
  async #givenSummary(
    summarise: Summariser,
    removed: readonly Turn[],
    budgetTokens: number,
  ): Promise<string> {
    const counter = this.#counter;
    try {
      const text: unknown = await answerInTime(
        (signal) => summarise(removed, { budgetTokens, counter, signal }),
        this.#summariseTimeoutMs,
      );
      return typeof text === 'string' ? cutToBudget(text.trim(), budgetTokens, counter) : '';
    } catch {
      return '';
    }
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
