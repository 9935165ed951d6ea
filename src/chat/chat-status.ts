import type { SentTier, Tier } from '../context/cache/tiers.ts';
import type { Turn } from '../context/message.ts';
import type { SearchQuery, SearchResult } from '../search/index.ts';

/** The status of a chat, for a status line. */
export interface ChatStatus {
  /** `anthropic/claude-…`, or `memory`. */
  readonly responder: string;
  /** Absent before the first message of a session. */
  readonly sessionId?: string;
  readonly messageCount: number;
  readonly historyTokens: number;
  readonly maxInputTokens: number;
  /** Tokens left of the history's share, at least 0. */
  readonly remainingTokens: number;
  readonly compaction: {
    readonly enabled: boolean;
    readonly triggerTokens: number;
    /** The history's share of the trigger; above 100 when a compaction is due. */
    readonly percent: number;
  };
  /** Share of the input that the provider read from its cache, 0 to 1; absent before any was reported. */
  readonly cacheHitRate?: number;
  /** The cache tiers of the last prompt as it was sent. Absent before the first one of a session. */
  readonly tiers?: Readonly<Record<Tier, SentTier>>;
  readonly files: readonly { readonly path: string; readonly tokens: number }[];
}

/** Everything a client needs to show a chat that it has just connected to. */
export interface ChatState {
  readonly project: { readonly id: string; readonly name: string; readonly root: string };
  readonly sessionId: string | undefined;
  readonly messages: readonly Turn[];
  readonly files: readonly string[];
  readonly streaming: boolean;
}

/** Options of a search in a chat. */
export type ChatSearchOptions = Pick<SearchQuery, 'role' | 'limit'>;

/** The result of a search in a chat. */
export interface ChatSearch {
  /** Absent if the history cannot be read. */
  readonly result?: SearchResult;
  /** Matches among the messages that the model is sent. Empty if the history has them. */
  readonly turns: readonly Turn[];
}

/** Finds turns that contain a text, ignoring case; newest first. A blank text matches none. */
export function findTurns(turns: readonly Turn[], text: string, { role, limit }: ChatSearchOptions): readonly Turn[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return [];
  return turns
    .filter((turn) => (role === undefined || turn.role === role) && turn.content.toLowerCase().includes(wanted))
    .toReversed()
    .slice(0, limit);
}
