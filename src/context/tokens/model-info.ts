/** What has to be known of a model to keep a prompt inside its limits. */
export interface ModelInfo {
  /** The name as it was asked for. */
  readonly name: string;
  readonly maxInputTokens: number;
  readonly maxOutputTokens: number;
  /** What the history may take of the input: a sixteenth. */
  readonly maxHistoryTokens: number;
  /** The shortest prefix that the provider caches; 0 where it caches nothing on request. */
  readonly minCacheableTokens: number;
  /** Is the model in the table, or are these the defaults for a name nobody knows? */
  readonly known: boolean;
}
