import type { Usage } from '../record/index.ts';
import { omitUndefined } from '../record/object.ts';
import { assembleFlat, estimatePromptTokens } from './assembly/assemble-flat.ts';
import { assembleTiered } from './assembly/assemble-tiered.ts';
import type { PromptContent, PromptRequest } from './assembly/prompt.ts';
import { UsageTotals } from './assembly/providers/usage.ts';
import {
  DEFAULT_TOKEN_BUDGET,
  estimateTokens,
  inputLimit,
  OVERHEAD_TOKENS,
  type ShedFile,
  shedFiles,
  type TokenBudget,
} from './budget.ts';
import type { InitialTierOptions } from './cache/initial-tiers.ts';
import { StabilityTracker, type TierChanges, type UpdateOptions } from './cache/stability-tracker.ts';
import { defaultCacheTarget, reportSentTiers, type SentTier, type Tier, type TierReport } from './cache/tiers.ts';
import type { Compaction, CompactionEvent } from './compaction/compaction.ts';
import { COMPACTION_DEFAULTS, type CompactionSettings } from './compaction/compaction-settings.ts';
import { Compactor, type CompactorOptions } from './compaction/compactor.ts';
import { type CompactOptions, Emitter, HistoryCompaction, type Listener } from './compaction/history-compaction.ts';
import { FileContext } from './files/file-context.ts';
import type { PromptMessage, Turn } from './message.ts';
import { PromptParts } from './prompt-parts.ts';
import { TokenCounter } from './tokens/token-counter.ts';
import { DEFAULT_MAX_TURNS, EMERGENCY_FACTOR, slideWindow, truncateToTokens } from './turns/truncate.ts';
import { TurnList } from './turns/turn-list.ts';

/** How the history is compacted: settings, each with a default, and replaceable parts. */
export type CompactionOptions = Partial<CompactionSettings> &
  Pick<CompactorOptions, 'detector' | 'summarise' | 'detectTimeoutMs' | 'summariseTimeoutMs'>;

/** Options of a {@link ContextManager}. */
export interface ContextManagerOptions {
  /** The name of the model; an unknown one gets conservative defaults. */
  readonly model: string;
  /** The project's folder, from which files are read and which no file may leave. */
  readonly root?: string;
  /** Tokens that a cached part of the prompt should hold. Default: a tenth more than the shortest prefix the model caches. */
  readonly cacheTargetTokens?: number;
  /** Default: on, with the offline detector. False: no compaction until `initCompactor` is called. */
  readonly compaction?: CompactionOptions | false;
  /** Default: none. */
  readonly systemPrompt?: string;
  /** The maximum of turns that `slideWindow` keeps. Default: 40. */
  readonly maxTurns?: number;
  /** For display in programs without a tokenizer. Default: 4,096. */
  readonly tokenBudget?: number;
}

/** How close the history is to its next compaction. */
export interface CompactionStatus {
  readonly enabled: boolean;
  readonly triggerTokens: number;
  readonly currentTokens: number;
  /** Share of the trigger; above 100 when a compaction is due. */
  readonly percent: number;
}

/** The content of each tier, and the hit rate of the provider's cache. */
export interface ContextTierReport extends TierReport {
  /** Share of the input that was read from the cache, 0 to 1; undefined before any usage was reported. */
  readonly hitRate: number | undefined;
}

/**
 * Everything that a model is sent in one session: system prompt, history, files. Keeps it within the model's limits and
 * assembles it so that the provider's prompt cache pays off. Calls no model and reads nothing but the files it is given.
 */
export class ContextManager {
  readonly counter: TokenCounter;
  readonly files: FileContext;
  readonly maxTurns: number;
  /** For display in programs without a tokenizer; not enforced. */
  readonly tokenBudget: number;
  /** Put in front of every prompt; never part of the history. */
  systemPrompt: string;
  readonly #turns: TurnList;
  readonly #tracker: StabilityTracker | undefined;
  readonly #parts: PromptParts;
  readonly #events = new Emitter<CompactionEvent>();
  readonly #usage = new UsageTotals();
  #compactor: Compactor | undefined;
  #compaction: HistoryCompaction | undefined;
  #lastRequest: PromptRequest = { prompt: '' };
  #sentTiers: Readonly<Record<Tier, SentTier>> | undefined;

  constructor(options: ContextManagerOptions) {
    const { model, root, cacheTargetTokens, compaction = {} } = options;
    this.counter = new TokenCounter(model);
    this.files = new FileContext({ counter: this.counter, ...omitUndefined({ root }) });
    this.systemPrompt = options.systemPrompt ?? '';
    this.maxTurns = options.maxTurns ?? DEFAULT_MAX_TURNS;
    this.tokenBudget = options.tokenBudget ?? DEFAULT_TOKEN_BUDGET;
    this.#turns = new TurnList(this.counter);
    this.#parts = new PromptParts({ counter: this.counter, files: this.files, turns: this.#turns });
    if (root !== undefined || cacheTargetTokens !== undefined) {
      this.#tracker = new StabilityTracker({
        cacheTargetTokens: cacheTargetTokens ?? defaultCacheTarget(this.counter.model),
      });
    }
    if (compaction !== false) this.initCompactor(compaction);
  }

  /** Adds a listener for the start, completion and failure of compactions. Returns a function that removes it. */
  on(listener: Listener<CompactionEvent>): () => void {
    return this.#events.on(listener);
  }

  addMessage(role: Turn['role'], content: string): void {
    this.#turns.add({ role, content });
  }

  /** Appends a question and its answer; neither if one of them is invalid. */
  addExchange(user: string, assistant: string): void {
    this.#turns.addExchange(user, assistant);
  }

  /** A copy of the history. */
  getHistory(): Turn[] {
    return this.#turns.all();
  }

  /** Replaces the history, e.g. after loading a session. */
  setHistory(messages: readonly Turn[]): void {
    this.#sentTiers = undefined;
    this.#replaceHistory(messages);
    this.#compaction?.forgetFailure();
  }

  clearHistory(): void {
    this.setHistory([]);
  }

  /** Makes the tracker treat the history as new. The history itself stays. */
  reregisterHistory(): void {
    this.#tracker?.purgeHistory();
  }

  /** Clears the history and the reported usage. System prompt and files stay. */
  reset(): void {
    this.clearHistory();
    this.#usage.clear();
  }

  /** Tokens of the history. Only turns added since the last call are counted. */
  historyTokenCount(): number {
    return this.#turns.tokens();
  }

  /** The system prompt, if there is one, followed by the history. */
  toMessages(): PromptMessage[] {
    const system: PromptMessage[] = this.systemPrompt === '' ? [] : [{ role: 'system', content: this.systemPrompt }];
    return [...system, ...this.#turns.all()];
  }

  /** Drops the oldest turns above `maxTurns`; an alternative to compaction. Returns how many, to show to the user. */
  slideWindow(maxTurns: number = this.maxTurns): number {
    const { turns, evicted } = slideWindow(this.#turns.all(), maxTurns);
    if (evicted > 0) this.#replaceHistory(turns);
    return evicted;
  }

  /** A quick estimate without a tokenizer: system prompt and history, four characters per token. */
  estimateTokens(): number {
    return estimateTokens(this.systemPrompt, this.#turns.all());
  }

  /** How much of its share of the input the history takes. */
  getTokenBudget(): TokenBudget {
    const { maxHistoryTokens, maxInputTokens } = this.counter.model;
    const historyTokens = this.historyTokenCount();
    const remaining = Math.max(0, maxHistoryTokens - historyTokens);
    return { historyTokens, maxHistoryTokens, maxInputTokens, remaining, needsSummary: this.shouldCompact() };
  }

  /** Replaces the settings and parts of compaction. */
  initCompactor(options: CompactionOptions = {}): void {
    const compactor = new Compactor({ ...options, settings: options, counter: this.counter });
    this.#compactor = compactor;
    this.#compaction = new HistoryCompaction({
      turns: this.#turns,
      compactor,
      emit: (event) => this.#events.emit(event),
      onReplaced: () => this.reregisterHistory(),
    });
  }

  /** Whether compaction is enabled and the history is above the trigger or too long for the model. */
  shouldCompact(): boolean {
    if (this.#compactor?.settings.enabled !== true) return false;
    const tokens = this.historyTokenCount();
    if (tokens === 0) return false;
    return this.#compactor.shouldCompact(tokens) || tokens > this.#maxHistoryTokens();
  }

  getCompactionStatus(): CompactionStatus {
    const { enabled, triggerTokens } = this.#compactor?.settings ?? {
      ...COMPACTION_DEFAULTS,
      enabled: false,
    };
    const currentTokens = this.historyTokenCount();
    const percent = Math.round((100 * currentTokens) / Math.max(1, triggerTokens));
    return { enabled, triggerTokens, currentTokens, percent };
  }

  /**
   * Compacts the history if it is too long; undefined if it is not. Call it after a reply: the result takes effect with the
   * next request. Messages that are added while it runs stay at the end; if the history is replaced or cleared meanwhile,
   * the new one is left alone. When it fails, listeners are notified, it rejects with a YoreError, and the history is
   * unchanged.
   */
  async compactIfNeeded(options: CompactOptions = {}): Promise<Compaction | undefined> {
    if (this.#compaction === undefined) return undefined;
    const isNeeded = options.force === true || this.shouldCompact();
    if (!isNeeded || this.#turns.length === 0) return undefined;
    return this.#compaction.run(options);
  }

  /**
   * The last resort before assembly. If compaction failed, or left the history above twice the trigger: drops the oldest
   * exchanges down to the trigger, but never the newest exchange. If it failed or is disabled, and the history is too long
   * for the model: drops until it fits. Returns how many turns were dropped, to show to the user.
   */
  emergencyTruncateIfNeeded(): number {
    const limit = this.#emergencyLimit();
    if (this.historyTokenCount() <= limit) return 0;
    const turns = this.#turns.all();
    const counts = turns.map((_, index) => this.#turns.tokensOf(index));
    const { turns: kept, dropped } = truncateToTokens(turns, counts, limit);
    this.#replaceHistory(kept);
    return dropped;
  }

  /**
   * Before assembly: removes the largest file from the context as long as the prompt would take more than 90 % of the
   * model's input. Returns the removed files, to show to the user. Give the whole request if it has more than a prompt.
   */
  shedFilesIfNeeded(request: PromptRequest | string = ''): readonly ShedFile[] {
    const full = typeof request === 'string' ? { ...this.#lastRequest, images: [], prompt: request } : request;
    const { shed } = shedFiles({
      systemTokens: this.#parts.fixedTokens(this.systemPrompt, full),
      historyTokens: this.historyTokenCount(),
      fileTokens: this.#parts.fileTokens(),
      maxInputTokens: this.counter.model.maxInputTokens,
    });
    for (const { path } of shed) this.files.removeFile(path);
    return shed;
  }

  /** Assembles the prompt: in tiers with cache markers if a root or `cacheTargetTokens` was given, otherwise flat. */
  assemble(request: PromptRequest): PromptMessage[] {
    this.#lastRequest = request;
    const input = this.#toInput(request);
    if (this.#tracker === undefined) return assembleFlat(input);
    const items = this.#parts.trackedItems(request.symbols);
    this.#tracker.prepare(items);
    const placement = this.#tracker.placement();
    const messages = assembleTiered(input, placement, {
      minCacheableTokens: this.counter.model.minCacheableTokens,
      countTokens: (text) => this.#parts.textTokens(text),
    });
    this.#sentTiers = reportSentTiers(items, placement, messages.some(hasCacheMarker));
    return messages;
  }

  /** Estimates the tokens of a request, close to the real count. */
  estimatePromptTokens(request: PromptRequest): number {
    const known = { files: this.files.getTokensByFile(), history: this.historyTokenCount() };
    return estimatePromptTokens(this.#toInput(request), this.counter, known);
  }

  /**
   * Before the first request: gives files and symbols an initial tier by how they refer to each other, so that they need not
   * earn it. Does nothing without tiers.
   */
  placeInitially(symbols: ReadonlyMap<string, string>, options: InitialTierOptions = {}): void {
    this.#tracker?.placeInitially(this.#parts.trackedItems(symbols), options);
  }

  /** After each reply: updates the tiers with what has changed since the last one. Undefined without tiers. */
  updateTiers(options: UpdateOptions = {}): TierChanges | undefined {
    const changes = this.#tracker?.update(this.#parts.trackedItems(this.#lastRequest.symbols), options);
    this.#parts.forgetUnused();
    return changes;
  }

  /** Records the usage that the provider reports. Returns the hit rate of its cache so far, 0 to 1. */
  recordUsage(usage: Usage): number | undefined {
    this.#usage.record(usage);
    return this.#usage.hitRate();
  }

  /** What each tier has earned by now, and the hit rate. Undefined without tiers. */
  tierReport(): ContextTierReport | undefined {
    if (this.#tracker === undefined) return undefined;
    return { ...this.#tracker.report(), hitRate: this.#usage.hitRate() };
  }

  /** The content of each tier in the prompt that was assembled last. Undefined before that, and without tiers. */
  sentTiers(): Readonly<Record<Tier, SentTier>> | undefined {
    return this.#sentTiers;
  }

  #toInput(request: PromptRequest): PromptContent {
    return {
      ...request,
      systemPrompt: this.systemPrompt,
      files: this.files.contents(),
      history: this.#turns.all(),
    };
  }

  #replaceHistory(turns: readonly Turn[]): void {
    this.#turns.replace(turns);
    this.reregisterHistory();
  }

  /** The longest history that the model accepts when no file is sent. */
  #maxHistoryTokens(): number {
    const request = { ...this.#lastRequest, prompt: '', images: [] };
    const fixed = this.#parts.fixedTokens(this.systemPrompt, request);
    return Math.max(0, inputLimit(this.counter.model.maxInputTokens) - fixed - OVERHEAD_TOKENS);
  }

  /** The length to which the history is truncated; infinite as long as compaction can be expected to shorten it. */
  #emergencyLimit(): number {
    const { enabled, triggerTokens, currentTokens } = this.getCompactionStatus();
    const hasFailed = this.#compaction?.hasFailed === true;
    if (enabled && !hasFailed) return Number.POSITIVE_INFINITY;
    const isFarAbove = hasFailed && currentTokens > EMERGENCY_FACTOR * triggerTokens;
    const target = isFarAbove ? Math.max(triggerTokens, this.#newestExchangeTokens()) : Number.POSITIVE_INFINITY;
    return Math.min(target, this.#maxHistoryTokens());
  }

  #newestExchangeTokens(): number {
    const newest = this.#turns.all().findLastIndex(({ role }) => role === 'user');
    let tokens = 0;
    for (let index = Math.max(0, newest); index < this.#turns.length; index++) tokens += this.#turns.tokensOf(index);
    return tokens;
  }
}

function hasCacheMarker({ content }: PromptMessage): boolean {
  return typeof content !== 'string' && content.some((block) => block.type === 'text' && block.cacheMarker === true);
}
