import { YoreError } from '../../record/index.ts';

/** When and how far a history is compacted. The same settings as `compaction.*` of the configuration. */
export interface CompactionSettings {
  /** Default: true. */
  readonly enabled: boolean;
  /** A history with more tokens than this is compacted. Default: 24,000. */
  readonly triggerTokens: number;
  /** Tokens of the newest turns that stay verbatim. Default: 4,000. */
  readonly verbatimWindowTokens: number;
  /** Maximum tokens of the summary. Default: 500. */
  readonly summaryBudgetTokens: number;
  /** User messages that stay verbatim together with their replies, however long they are. Default: 2. */
  readonly minVerbatimExchanges: number;
}

/** The default settings. */
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
 * Fills in defaults and validates settings. If only a small trigger is given, the default window and summary budget shrink
 * with it, so that compaction can still shorten the history.
 * @throws YoreError CONFIG for a number that is negative, not whole or not a number.
 */
export function compactionSettings(given: Partial<CompactionSettings> = {}): CompactionSettings {
  const enabled: unknown = given.enabled ?? COMPACTION_DEFAULTS.enabled;
  if (typeof enabled !== 'boolean') {
    throw new YoreError('CONFIG', `compaction.enabled is ${String(enabled)}: give true or false.`);
  }
  const triggerTokens = readNumber(given, 'triggerTokens');
  return {
    enabled,
    triggerTokens,
    verbatimWindowTokens: readNumber(given, 'verbatimWindowTokens', Math.floor(triggerTokens / 2)),
    summaryBudgetTokens: readNumber(given, 'summaryBudgetTokens', Math.floor(triggerTokens / 4)),
    minVerbatimExchanges: readNumber(given, 'minVerbatimExchanges'),
  };
}

/** Where nothing is given, the default, but no more than `maxDefault`. */
function readNumber(
  given: Partial<CompactionSettings>,
  name: keyof typeof MIN_VALUES,
  maxDefault = Number.POSITIVE_INFINITY,
): number {
  const value: unknown = given[name] ?? Math.min(COMPACTION_DEFAULTS[name], maxDefault);
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= MIN_VALUES[name]) return value;
  throw new YoreError(
    'CONFIG',
    `compaction.${name} is ${String(value)}: give a whole number of at least ${MIN_VALUES[name]}.`,
  );
}
