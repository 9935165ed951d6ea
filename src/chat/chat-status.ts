import { TIERS, type Tier, type TierReport } from '../context/cache/tiers.ts';
import type { Turn } from '../context/turns/turn.ts';

/** What a tier of the prompt holds. */
export interface TierStatus {
  readonly tokens: number;
  /** Does the provider keep it? */
  readonly cached: boolean;
  /** How many files and messages. */
  readonly items: number;
}

/** Where a chat stands, for a status line. */
export interface ChatStatus {
  /** `anthropic/claude-…`, or `memory`. */
  readonly responder: string;
  /** Left out before the first message of a session. */
  readonly sessionId?: string;
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
  /** Share of the prompt that the provider read from its cache so far, 0 to 1; left out before it said so. */
  readonly cacheHitRate?: number;
  /** What each part of the prompt holds, by how long it has not changed; left out when nothing is sent in tiers. */
  readonly tiers?: Readonly<Record<Tier, TierStatus>>;
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

/** The tiers of a report in numbers. */
export function tierStatus(report: TierReport): Readonly<Record<Tier, TierStatus>> {
  const entries = TIERS.map((tier) => {
    const { tokens, cached, items } = report.tiers[tier];
    return [tier, { tokens, cached, items: items.length }] as const;
  });
  return Object.fromEntries(entries) as Record<Tier, TierStatus>;
}
