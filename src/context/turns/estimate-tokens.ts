import type { Turn } from './turn.ts';

/** Tokens that a session should take where no tokenizer is wanted. To be shown, not enforced. */
export const DEFAULT_TOKEN_BUDGET = 4096;

/** A quick guess without a tokenizer: the characters of the system prompt and of all turns, by four, rounded down. */
export function estimateTokens(systemPrompt: string, turns: readonly Turn[]): number {
  const characters = turns.reduce((sum, turn) => sum + turn.content.length, systemPrompt.length);
  return Math.floor(characters / 4);
}
