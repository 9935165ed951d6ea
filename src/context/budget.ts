import { YoreError } from '../record/index.ts';
import type { Turn } from './turns/turn-list.ts';

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

/** Files are left out when a prompt would take more than this part of what the model reads. */
export const INPUT_SHARE = 0.9;

/** What a prompt takes besides its parts: headings, acknowledgements, and room for being wrong. */
export const OVERHEAD_TOKENS = 500;

/** What a prompt would hold, in tokens. */
export interface PromptSize {
  /** The system prompt and whatever else cannot be left out. */
  readonly systemTokens: number;
  readonly historyTokens: number;
  /** Tokens of each file by its path. */
  readonly fileTokens: ReadonlyMap<string, number>;
  /** What the model reads at most. */
  readonly maxInputTokens: number;
}

/** A file that was left out of a prompt. */
export interface ShedFile {
  readonly path: string;
  readonly tokens: number;
}

/** Which files to leave out, and whether the rest fits. */
export interface SheddingResult {
  /** In the order in which they were dropped: the largest first. */
  readonly shed: readonly ShedFile[];
  /** What the prompt takes without them. */
  readonly tokens: number;
  /** False when it is too much even without any file. */
  readonly fits: boolean;
}

/** What a prompt may take in all: 90 % of what the model reads. Throws when that is no positive number. */
export function inputLimit(maxInputTokens: number): number {
  if (!(maxInputTokens > 0)) {
    throw new YoreError(
      'USAGE',
      `maxInputTokens is ${maxInputTokens}. Give what the model reads, more than 0.`,
    );
  }
  return maxInputTokens * INPUT_SHARE;
}

/**
 * Chooses the files to leave out of a prompt: while system, files, history and 500 tokens are more than 90 % of what the
 * model reads, the largest file goes; of two of one size, the one whose path sorts first.
 */
export function shedFiles(weights: PromptSize): SheddingResult {
  const limit = inputLimit(weights.maxInputTokens);
  const bySize = [...weights.fileTokens]
    .map(([path, tokens]) => ({ path, tokens }))
    .sort((one, other) => other.tokens - one.tokens || (one.path < other.path ? -1 : 1));
  const base = weights.systemTokens + weights.historyTokens + OVERHEAD_TOKENS;
  let tokens = bySize.reduce((sum, file) => sum + file.tokens, base);
  const shed: ShedFile[] = [];
  for (const file of bySize) {
    if (tokens <= limit) break;
    shed.push(file);
    tokens -= file.tokens;
  }
  return { shed, tokens, fits: tokens <= limit };
}

/** Tokens that a session should take where no tokenizer is wanted. To be shown, not enforced. */
export const DEFAULT_TOKEN_BUDGET = 4096;

/** A quick guess without a tokenizer: the characters of the system prompt and of all turns, by four, rounded down. */
export function estimateTokens(systemPrompt: string, turns: readonly Turn[]): number {
  const characters = turns.reduce((sum, turn) => sum + turn.content.length, systemPrompt.length);
  return Math.floor(characters / 4);
}
