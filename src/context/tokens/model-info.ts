import type { EncodingName } from './encoding-name.ts';
import type { ImageRule } from './image-rule.ts';
import { MODELS, UNKNOWN_MODEL } from './model-table.ts';

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
  /** The encoding by which its text is counted. */
  readonly encoding: EncodingName;
  /** Its tokens for each token of `encoding`: 1 where the encoding is its own and the count exact, else an estimate. */
  readonly factor: number;
  /** What a picture costs. */
  readonly imageRule: ImageRule;
}

const HISTORY_SHARE = 16;
const MAX_NAME_LENGTH = 300;
/** How Claude Code asks for the long window of a model that has a shorter one. */
const LONG_WINDOW = '[1m]';
const LONG_WINDOW_TOKENS = 1_000_000;

/**
 * What is known of the model of that name, with or without a provider's prefix and a date: `claude-opus-4-6`,
 * `anthropic/claude-opus-4.6`, `openai:gpt-4o-2024-08-06`. For a name nobody knows: safe defaults, with
 * `known: false`. Never throws.
 */
export function modelInfo(name: string): ModelInfo {
  const wanted = String(name).slice(0, MAX_NAME_LENGTH).trim().toLowerCase();
  const row = MODELS.find(({ pattern }) => beginsAPart(wanted, pattern)) ?? UNKNOWN_MODEL;
  const maxInputTokens = wanted.endsWith(LONG_WINDOW) ? LONG_WINDOW_TOKENS : row.maxInput;
  return {
    name,
    maxInputTokens,
    maxOutputTokens: row.maxOutput,
    maxHistoryTokens: Math.floor(maxInputTokens / HISTORY_SHARE),
    minCacheableTokens: row.minCacheable,
    known: row.isGuess !== true,
    encoding: row.encoding,
    factor: row.factor,
    imageRule: row.images,
  };
}

/** Does the pattern match at the beginning of the name, or after a provider's prefix such as `openai/` or `us.`? */
function beginsAPart(name: string, pattern: RegExp): boolean {
  const at = pattern.exec(name)?.index;
  return at !== undefined && (at === 0 || '/:.@'.includes(name.charAt(at - 1)));
}
