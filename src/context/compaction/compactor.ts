import type { TokenCounter } from '../tokens/token-counter.ts';
import type { Turn } from '../turns/turn-list.ts';
import { type Compaction, findHistorySummary, summaryHeader, summaryPair } from './compaction.ts';
import { type CompactionSettings, compactionSettings } from './compaction-settings.ts';
import { OfflineDetector } from './offline-detector.ts';
import { type CountedTurns, explainStillTooLong, planCompaction } from './plan-compaction.ts';
import { type Summariser, summariseTurns, truncateToBudget } from './summary/summarise-turns.ts';
import { SAFE_BOUNDARY, type TopicBoundary, type TopicDetector } from './topic-boundary.ts';
import { TimeoutError, withTimeout } from './with-timeout.ts';

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
    const counted = { turns, tokens, firstRemovable: findHistorySummary(turns)?.turns ?? 0 };
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
    const covers = (findHistorySummary(removed)?.covers ?? 0) + start - counted.firstRemovable;
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
    const problem = explainStillTooLong(counted, start, tokensAfter, this.settings);
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
      const answer: unknown = await withTimeout(
        (signal) => this.#detector.detect(turns, { signal }),
        this.#detectTimeoutMs,
      );
      return checkBoundary(answer, turns.length);
    } catch (cause) {
      const why = cause instanceof TimeoutError ? cause.message : `it failed (${messageOf(cause)})`;
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
      const text: unknown = await withTimeout(
        (signal) => summarise(removed, { budgetTokens, counter, signal }),
        this.#summariseTimeoutMs,
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

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/**
 * What a detector answered, as far as it makes sense for a history of `length` turns. An index that is not one of a later
 * turn is no boundary; a confidence that is no number is none.
 */
export function checkBoundary(answer: unknown, length: number): TopicBoundary {
  if (typeof answer !== 'object' || answer === null)
    return { ...SAFE_BOUNDARY, reason: 'The detector gave no answer.' };
  const { boundaryIndex, reason, confidence, summary } = answer as Readonly<Record<string, unknown>>;
  const isIndex =
    Number.isSafeInteger(boundaryIndex) && Number(boundaryIndex) > 0 && Number(boundaryIndex) < length;
  return {
    boundaryIndex: isIndex ? Number(boundaryIndex) : null,
    reason: typeof reason === 'string' ? reason : '',
    confidence: typeof confidence === 'number' && confidence > 0 ? Math.min(1, confidence) : 0,
    summary: typeof summary === 'string' ? summary : '',
  };
}
