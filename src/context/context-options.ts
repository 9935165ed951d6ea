import type { TierReport } from './cache/tier-report.ts';
import type { CompactionSettings } from './compaction/compaction-settings.ts';
import type { CompactorOptions } from './compaction/compactor.ts';

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
