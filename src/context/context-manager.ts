import type { Usage } from '../record/index.ts';
import { assembleFlat, estimatePromptTokens } from './assembly/assemble-flat.ts';
import { assembleTiered } from './assembly/assemble-tiered.ts';
import type { PromptInput, PromptMessage, PromptRequest } from './assembly/prompt.ts';
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
import { defaultCacheTarget, type TierReport } from './cache/tiers.ts';
import type { Compaction, CompactionEvent } from './compaction/compaction.ts';
import { COMPACTION_DEFAULTS, type CompactionSettings } from './compaction/compaction-settings.ts';
import { Compactor, type CompactorOptions } from './compaction/compactor.ts';
import {
  type CompactOptions,
  Emitter,
  HistoryCompaction,
  type Listener,
} from './compaction/history-compaction.ts';
import { FileContext } from './files/file-context.ts';
import { PromptParts } from './prompt-parts.ts';
import { TokenCounter } from './tokens/token-counter.ts';
import { DEFAULT_MAX_TURNS, EMERGENCY_FACTOR, slideWindow, truncateToTokens } from './turns/truncate.ts';
import { type Turn, TurnList } from './turns/turn-list.ts';

/**
 * Everything that a model is sent in one session: system prompt, history, files. Keeps it within its budget and assembles
 * it so that the provider's cache pays off. Holds state, asks no model, and reads nothing but the files it is told to.
 */
export class ContextManager {
  readonly counter: TokenCounter;
  readonly files: FileContext;
  readonly maxTurns: number;
  /** Tokens that the session should take where no tokenizer is wanted. To be shown, not enforced. */
  readonly tokenBudget: number;
  /** Put in front of every prompt; never part of the history. */
  systemPrompt: string;
  readonly #turns: TurnList;
  readonly #tracker: StabilityTracker | undefined;
  readonly #parts: PromptParts;
  readonly #listeners = new Emitter<CompactionEvent>();
  readonly #usage = new UsageTotals();
  #compactor: Compactor | undefined;
  #compaction: HistoryCompaction | undefined;
  #lastRequest: PromptRequest = { prompt: '' };

  constructor(options: ContextManagerOptions) {
    const { model, root, cacheTargetTokens, compaction = {} } = options;
    this.counter = new TokenCounter(model);
    this.files = new FileContext({ counter: this.counter, ...(root === undefined ? {} : { root }) });
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

  /** Tells a listener when a compaction starts, completes or fails. Returns a function that ends it. */
  on(listener: Listener<CompactionEvent>): () => void {
    return this.#listeners.on(listener);
  }

  /** Appends a message to the history. */
  addMessage(role: Turn['role'], content: string): void {
    this.#turns.add({ role, content });
  }

  /** Appends a question and its answer: both or neither. */
  addExchange(user: string, assistant: string): void {
    this.#turns.addExchange(user, assistant);
  }

  /** A copy of the history: changing it changes nothing here. */
  getHistory(): Turn[] {
    return this.#turns.all();
  }

  /** Puts another history in place, as after loading a session. */
  setHistory(messages: readonly Turn[]): void {
    this.#replaceHistory(messages);
    this.#compaction?.forgetFailure();
  }

  /** Empties the history. */
  clearHistory(): void {
    this.setHistory([]);
  }

  /** Makes the tracker forget the history, which then counts as new; the history itself stays. */
  reregisterHistory(): void {
    this.#tracker?.purgeHistory();
  }

  /** Starts over: no history, nothing reported yet. System prompt and files stay. */
  reset(): void {
    this.clearHistory();
    this.#usage.clear();
  }

  /** Tokens of the history. Counts only what was added since the last time. */
  historyTokenCount(): number {
    return this.#turns.tokens();
  }

  /** The system prompt, if there is one, and then the history. */
  toMessages(): PromptMessage[] {
    const system: PromptMessage[] =
      this.systemPrompt === '' ? [] : [{ role: 'system', content: this.systemPrompt }];
    return [...system, ...this.#turns.all()];
  }

  /** For those who want no compaction: drops the oldest turns above `maxTurns`. Returns how many, to be shown. */
  slideWindow(maxTurns: number = this.maxTurns): number {
    const { turns, evicted } = slideWindow(this.#turns.all(), maxTurns);
    if (evicted > 0) this.#replaceHistory(turns);
    return evicted;
  }

  /** A quick guess without a tokenizer: system prompt and history, four characters a token. */
  estimateTokens(): number {
    return estimateTokens(this.systemPrompt, this.#turns.all());
  }

  /** How much of its room the history takes. */
  getTokenBudget(): TokenBudget {
    const { maxHistoryTokens, maxInputTokens } = this.counter.model;
    const historyTokens = this.historyTokenCount();
    const remaining = Math.max(0, maxHistoryTokens - historyTokens);
    return { historyTokens, maxHistoryTokens, maxInputTokens, remaining, needsSummary: this.shouldCompact() };
  }

  /** From now on the history is compacted by these settings, with this detector. */
  initCompactor(options: CompactionOptions = {}): void {
    const compactor = new Compactor({ ...options, settings: options, counter: this.counter });
    this.#compactor = compactor;
    this.#compaction = new HistoryCompaction({
      turns: this.#turns,
      compactor,
      emit: (event) => this.#listeners.emit(event),
      onReplaced: () => this.reregisterHistory(),
    });
  }

  /** Is compaction on, and the history above the trigger or too long for the model? */
  shouldCompact(): boolean {
    if (this.#compactor?.settings.enabled !== true) return false;
    const tokens = this.historyTokenCount();
    return this.#compactor.shouldCompact(tokens) || tokens > this.#roomForHistory();
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
   * Compacts the history when it is too long; undefined when it is not. To be called after a reply: the result takes
   * effect on the next request. Messages that are added while it runs stay at the end; when the history is replaced or
   * cleared meanwhile, nothing is done to the new one. Rejects with a YoreError, after telling the listeners, when it
   * failed; the history is then as it was.
   */
  async compactIfNeeded(options: CompactOptions = {}): Promise<Compaction | undefined> {
    if (this.#compaction === undefined) return undefined;
    const isNeeded = options.force === true || this.shouldCompact();
    if (!isNeeded || this.#turns.length === 0) return undefined;
    return this.#compaction.run(options);
  }

  /**
   * The last resort, before assembly. When compaction failed, or left the history above twice the trigger: drops the
   * oldest exchanges down to the trigger, but never the newest. When it failed or is off, and the history is too long for
   * the model: drops until it fits. Returns how many turns, to be shown.
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
   * Before assembly: while the prompt would take more than 90 % of what the model reads, takes the largest file out of the
   * context. Returns those files, to be shown. Give the whole request where it has more than a prompt.
   */
  shedFilesIfNeeded(request: PromptRequest | string = ''): readonly ShedFile[] {
    const known =
      typeof request === 'string' ? { ...this.#lastRequest, images: [], prompt: request } : request;
    const { shed } = shedFiles({
      systemTokens: this.#parts.fixedTokens(this.systemPrompt, known),
      historyTokens: this.historyTokenCount(),
      fileTokens: this.#parts.fileTokens(),
      maxInputTokens: this.counter.model.maxInputTokens,
    });
    for (const { path } of shed) this.files.removeFile(path);
    return shed;
  }

  /** The prompt: in tiers with cache markers when a root or `cacheTargetTokens` was given, else flat. */
  assemble(request: PromptRequest): PromptMessage[] {
    this.#lastRequest = request;
    const input = this.#inputOf(request);
    if (this.#tracker === undefined) return assembleFlat(input);
    this.#tracker.prepare(this.#parts.trackedItems(request.symbols));
    return assembleTiered(input, this.#tracker.placement(), {
      minCacheableTokens: this.counter.model.minCacheableTokens,
      countTokens: (text) => this.#parts.textTokens(text),
    });
  }

  /** How many tokens a request would take, close to the real count. */
  estimatePromptTokens(request: PromptRequest): number {
    const known = { files: this.files.getTokensByFile(), history: this.historyTokenCount() };
    return estimatePromptTokens(this.#inputOf(request), this.counter, known);
  }

  /**
   * Before the first request: gives files and symbols a tier to begin with, by what refers to what, instead of having them
   * earn it. Does nothing without tiers.
   */
  placeInitially(symbols: ReadonlyMap<string, string>, options: InitialTierOptions = {}): void {
    this.#tracker?.placeInitially(this.#parts.trackedItems(symbols), options);
  }

  /** After each reply: follows what changed since the last, so that what lasts is cached. Undefined without tiers. */
  updateTiers(options: UpdateOptions = {}): TierChanges | undefined {
    const changes = this.#tracker?.update(this.#parts.trackedItems(this.#lastRequest.symbols), options);
    this.#parts.forgetUnused();
    return changes;
  }

  /** Takes what a reply cost, as the provider reports it. Returns the hit rate of the cache so far, 0 to 1. */
  recordUsage(usage: Usage): number | undefined {
    this.#usage.record(usage);
    return this.#usage.hitRate();
  }

  /** What each tier holds, and the hit rate. Undefined without tiers. */
  tierReport(): ContextTierReport | undefined {
    if (this.#tracker === undefined) return undefined;
    return { ...this.#tracker.report(), hitRate: this.#usage.hitRate() };
  }

  #inputOf(request: PromptRequest): PromptInput {
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

  /** What the model can read of the history when no file is sent. */
  #roomForHistory(): number {
    const fixed = this.#parts.fixedTokens(this.systemPrompt, {
      ...this.#lastRequest,
      prompt: '',
      images: [],
    });
    return Math.max(0, inputLimit(this.counter.model.maxInputTokens) - fixed - OVERHEAD_TOKENS);
  }

  /** What the history is cut to; infinite while compaction can still be expected to do it. */
  #emergencyLimit(): number {
    const { enabled, triggerTokens, currentTokens } = this.getCompactionStatus();
    const hasFailed = this.#compaction?.hasFailed === true;
    if (enabled && !hasFailed) return Number.POSITIVE_INFINITY;
    const isFarAbove = hasFailed && currentTokens > EMERGENCY_FACTOR * triggerTokens;
    const wanted = isFarAbove
      ? Math.max(triggerTokens, this.#newestExchangeTokens())
      : Number.POSITIVE_INFINITY;
    return Math.min(wanted, this.#roomForHistory());
  }

  #newestExchangeTokens(): number {
    const newest = this.#turns.all().findLastIndex(({ role }) => role === 'user');
    let tokens = 0;
    for (let index = Math.max(0, newest); index < this.#turns.length; index++)
      tokens += this.#turns.tokensOf(index);
    return tokens;
  }
}

/** How the history is compacted: settings, each with a default, and the parts that may be replaced. */
export type CompactionOptions = Partial<CompactionSettings> &
  Pick<CompactorOptions, 'detector' | 'summarise' | 'detectTimeoutMs' | 'summariseTimeoutMs'>;

/** What a context is made of. */
export interface ContextManagerOptions {
  /** The name of the model; one that nobody knows gets careful defaults. */
  readonly model: string;
  /** The project's folder, from which files are read and which none may leave. */
  readonly root?: string;
  /** Tokens that a cached part of the prompt should hold. Default: a tenth above what the model caches at least. */
  readonly cacheTargetTokens?: number;
  /** Default: on, with the offline detector. False: there is no compactor until `initCompactor` is called. */
  readonly compaction?: CompactionOptions | false;
  /** Default: none. */
  readonly systemPrompt?: string;
  /** Most turns that `slideWindow` leaves. Default: 40. */
  readonly maxTurns?: number;
  /** To be shown where no tokenizer is wanted. Default: 4,096. */
  readonly tokenBudget?: number;
}

/** How near the history is to its next compaction. */
export interface CompactionStatus {
  readonly enabled: boolean;
  readonly triggerTokens: number;
  readonly currentTokens: number;
  /** Of the trigger; above 100 when a compaction is due. */
  readonly percent: number;
}

/** What each tier holds, and how much of the input was read from the provider's cache. */
export interface ContextTierReport extends TierReport {
  /** 0 to 1; undefined before any usage was reported. */
  readonly hitRate: number | undefined;
}
