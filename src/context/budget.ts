import { YoreError } from '../record/index.ts';
import { compareText } from '../text/compare-text.ts';
import type { Turn } from './message.ts';

/** How much of its share of the input the history takes. */
export interface TokenBudget {
  readonly historyTokens: number;
  /** The history's share: a sixteenth of the model's input. */
  readonly maxHistoryTokens: number;
  readonly maxInputTokens: number;
  /** What is left of `maxHistoryTokens`, at least 0. */
  readonly remaining: number;
  /** Whether a compaction is due. */
  readonly needsSummary: boolean;
}

/** A token budget for programs without a tokenizer. For display only, not enforced. */
export const DEFAULT_TOKEN_BUDGET = 4096;

/** A quick estimate without a tokenizer: four characters of the system prompt and the turns per token, rounded down. */
export function estimateTokens(systemPrompt: string, turns: readonly Turn[]): number {
  const characters = turns.reduce((sum, turn) => sum + turn.content.length, systemPrompt.length);
  return Math.floor(characters / 4);
}

/** Files are shed when a prompt would take more than this share of the model's input. */
export const INPUT_SHARE = 0.9;

/** What a prompt takes besides its parts: headings, acknowledgements, and a margin of error. */
export const OVERHEAD_TOKENS = 500;

/** The parts of a prompt in tokens. */
export interface PromptSize {
  /** The system prompt and everything else that cannot be left out. */
  readonly systemTokens: number;
  readonly historyTokens: number;
  /** Tokens of each file by its path. */
  readonly fileTokens: ReadonlyMap<string, number>;
  /** The most tokens that the model accepts. */
  readonly maxInputTokens: number;
}

/** A file that was left out of a prompt. */
export interface ShedFile {
  readonly path: string;
  readonly tokens: number;
}

/** The result of {@link shedFiles}. */
export interface SheddingResult {
  /** The files to leave out, largest first. */
  readonly shed: readonly ShedFile[];
  /** The size of the prompt without them. */
  readonly tokens: number;
  /** False if the prompt is too long even without any file. */
  readonly fits: boolean;
}

/** The most tokens that a prompt may take: 90 % of the model's input. Throws if that is not a positive number. */
export function inputLimit(maxInputTokens: number): number {
  if (!(maxInputTokens > 0)) {
    throw new YoreError(
      'USAGE',
      `maxInputTokens is ${maxInputTokens}. Give the number of tokens that the model accepts, more than 0.`,
    );
  }
  return maxInputTokens * INPUT_SHARE;
}

/**
 * Chooses the files to leave out of a prompt: as long as system, files, history and 500 tokens exceed 90 % of the model's
 * input, the largest file; of two files of the same size, the one whose path sorts first.
 */
export function shedFiles(size: PromptSize): SheddingResult {
  const limit = inputLimit(size.maxInputTokens);
  const bySize = [...size.fileTokens]
    .map(([path, tokens]) => ({ path, tokens }))
    .sort((one, other) => other.tokens - one.tokens || compareText(one.path, other.path));
  const base = size.systemTokens + size.historyTokens + OVERHEAD_TOKENS;
  let tokens = bySize.reduce((sum, file) => sum + file.tokens, base);
  const shed: ShedFile[] = [];
  for (const file of bySize) {
    if (tokens <= limit) break;
    shed.push(file);
    tokens -= file.tokens;
  }
  return { shed, tokens, fits: tokens <= limit };
}
