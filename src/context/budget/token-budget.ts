/** How much of its room the history takes. */
export interface TokenBudget {
  readonly historyTokens: number;
  /** What the history may take: a sixteenth of what the model reads. */
  readonly maxHistoryTokens: number;
  readonly maxInputTokens: number;
  /** What is left of `maxHistoryTokens`, never below 0. */
  readonly remaining: number;
  /** Is it time for a compaction? */
  readonly needsSummary: boolean;
}
