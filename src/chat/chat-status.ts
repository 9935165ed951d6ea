import type { Turn } from '../context/turns/turn.ts';

/** Where a chat stands, for a status line. */
export interface ChatStatus {
  /** `anthropic/claude-…`, or `memory`. */
  readonly responder: string;
  readonly sessionId: string | undefined;
  readonly messageCount: number;
  readonly historyTokens: number;
  readonly maxInputTokens: number;
  /** Tokens left for the next prompt, never below 0. */
  readonly remainingTokens: number;
  readonly compaction: {
    readonly enabled: boolean;
    readonly triggerTokens: number;
    /** How much of the trigger the history takes, 0 to 100 and beyond. */
    readonly percent: number;
  };
  /** Share of the prompt that the provider read from its cache so far, 0 to 1; undefined before it said so. */
  readonly cacheHitRate: number | undefined;
  readonly files: readonly { readonly path: string; readonly tokens: number }[];
}

/** What a client needs to show a chat it has just connected to. */
export interface ChatState {
  readonly project: { readonly id: string; readonly name: string; readonly root: string };
  readonly sessionId: string | undefined;
  readonly messages: readonly Turn[];
  readonly files: readonly string[];
  readonly streaming: boolean;
}
