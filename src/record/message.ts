/** Who spoke. */
export type Role = 'user' | 'assistant';

/** What a reply cost, as the provider reported it. */
export interface Usage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
}

/** One user or assistant turn. Optional fields are left out when empty. */
export interface Message {
  readonly v: number;
  /** `{epochMs}-{uuid8}`, or the agent's own id when imported. */
  readonly id: string;
  readonly sessionId: string;
  /** ISO 8601, UTC. */
  readonly timestamp: string;
  readonly role: Role;
  readonly content: string;
  /**
   * `checkpoint`: the conversation was compacted here. `content` is the summary of what was dropped (empty
   * when nothing was summarised) and `keptFrom` the first message that stayed in the context.
   */
  readonly kind?: 'checkpoint';
  readonly keptFrom?: string;
  readonly usage?: Usage;
  readonly parentSessionId?: string;
  /** Names of files in the project's images folder. */
  readonly imageRefs?: readonly string[];
  /** Legacy count of attached images; read, never written. */
  readonly images?: number;
  /** Files in context (user messages). */
  readonly files?: readonly string[];
  /** Files changed by the reply (assistant messages). */
  readonly filesModified?: readonly string[];
  readonly editResults?: readonly unknown[];
  readonly agent?: string;
  readonly model?: string;
  readonly branch?: string;
  readonly turnId?: string;
  /** Said by the program, not by a person or a model. */
  readonly systemEvent?: boolean;
}

/** Marks a forgotten session: its records up to `timestamp` are gone and are not to be imported again. */
export interface Tombstone {
  readonly v: number;
  readonly kind: 'tombstone';
  readonly sessionId: string;
  readonly timestamp: string;
}

/** A line of the history log. */
export type HistoryRecord = Message | Tombstone;
