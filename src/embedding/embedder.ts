/** Turns texts into vectors. Texts of similar meaning have vectors with a small angle between them. */
export interface Embedder {
  /** Vectors of embedders with the same id are comparable. */
  readonly id: string;
  /** Where texts are sent to, for people. */
  readonly destination: string;
  /** Whether texts are sent to another machine. */
  readonly isRemote: boolean;
  /**
   * The vectors of some texts, in their order, all with the same number of dimensions. Throws MODEL when there are none
   * within the time, and LIMIT when one of the texts was rejected.
   */
  embed(texts: readonly string[], options: EmbedOptions): Promise<readonly Float32Array[]>;
}

/** How texts are embedded. */
export interface EmbedOptions {
  /** Some models expect questions and the texts that answer them with different prefixes. */
  readonly kind: 'question' | 'document';
  readonly timeoutMs: number;
}
