import { YoreError } from '../../record/index.ts';

/** When and how far a history is shortened. The same settings as `compaction.*` of the configuration. */
export interface CompactionSettings {
  /** Default true. */
  readonly enabled: boolean;
  /** A history of more tokens than this is shortened. Default 24,000. */
  readonly triggerTokens: number;
  /** Tokens of the newest turns that stay word for word. Default 4,000. */
  readonly verbatimWindowTokens: number;
  /** Most tokens of the summary of what was removed. Default 500. */
  readonly summaryBudgetTokens: number;
  /** User messages that stay word for word, with what follows them, however long they are. Default 2. */
  readonly minVerbatimExchanges: number;
}

/** What holds where nothing else is said. */
export const COMPACTION_DEFAULTS: CompactionSettings = {
  enabled: true,
  triggerTokens: 24_000,
  verbatimWindowTokens: 4_000,
  summaryBudgetTokens: 500,
  minVerbatimExchanges: 2,
};

const MIN_VALUES = {
  triggerTokens: 1,
  verbatimWindowTokens: 0,
  summaryBudgetTokens: 0,
  minVerbatimExchanges: 1,
} as const;

/**
 * The settings with their defaults. Where only a small trigger is given, the default window and summary shrink with it,
 * so that there is something to gain.
 * @throws YoreError CONFIG for a number that is negative, not whole or none at all.
 */
export function compactionSettings(given: Partial<CompactionSettings> = {}): CompactionSettings {
  const enabled: unknown = given.enabled ?? COMPACTION_DEFAULTS.enabled;
  if (typeof enabled !== 'boolean') {
    throw new YoreError('CONFIG', `compaction.enabled is ${String(enabled)}: give true or false.`);
  }
  const triggerTokens = wholeNumber('triggerTokens', given.triggerTokens);
  return {
    enabled,
    triggerTokens,
    verbatimWindowTokens:
      given.verbatimWindowTokens === undefined
        ? Math.min(COMPACTION_DEFAULTS.verbatimWindowTokens, Math.floor(triggerTokens / 2))
        : wholeNumber('verbatimWindowTokens', given.verbatimWindowTokens),
    summaryBudgetTokens:
      given.summaryBudgetTokens === undefined
        ? Math.min(COMPACTION_DEFAULTS.summaryBudgetTokens, Math.floor(triggerTokens / 4))
        : wholeNumber('summaryBudgetTokens', given.summaryBudgetTokens),
    minVerbatimExchanges: wholeNumber('minVerbatimExchanges', given.minVerbatimExchanges),
  };
}

function wholeNumber(name: keyof typeof MIN_VALUES, given: unknown): number {
  const value = given ?? COMPACTION_DEFAULTS[name];
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= MIN_VALUES[name]) return value;
  throw new YoreError(
    'CONFIG',
    `compaction.${name} is ${String(value)}: give a whole number from ${MIN_VALUES[name]} on.`,
  );
}
