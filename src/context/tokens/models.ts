/** The encodings of OpenAI's models, for which counts are exact. */
export type EncodingName = 'o200k_base' | 'cl100k_base';

/** How a provider counts the tokens of an image. */
export type ImageRule =
  /** One token per square of `side` pixels, after scaling down to `maxSide`; at most `maxTokens`. */
  | {
      readonly kind: 'grid';
      readonly side: number;
      readonly maxSide: number;
      readonly maxTokens: number;
    }
  /** A base plus `perTile` for each square of 512 pixels. */
  | { readonly kind: 'tiles'; readonly base: number; readonly perTile: number }
  /** One per square of 32 pixels, at most `maxPatches`, times `factor`. */
  | {
      readonly kind: 'patches';
      readonly maxSide: number;
      readonly maxPatches: number;
      readonly factor: number;
    }
  /** `perCrop` for each crop of up to 768 pixels. */
  | { readonly kind: 'crops'; readonly perCrop: number }
  /** The same for every image. */
  | { readonly kind: 'flat'; readonly tokens: number };

/** The limits of a model and how its tokens are counted. */
export interface ModelInfo {
  /** The name as it was given. */
  readonly name: string;
  readonly maxInputTokens: number;
  readonly maxOutputTokens: number;
  /** The share of the input that the history may take: a sixteenth. */
  readonly maxHistoryTokens: number;
  /** The shortest prefix that the provider caches; 0 if it has no prompt cache. */
  readonly minCacheableTokens: number;
  /** Whether the model is in the table; false if these are defaults or guesses. */
  readonly known: boolean;
  /** The encoding its text is counted with. */
  readonly encoding: EncodingName;
  /** Tokens of the model per token of `encoding`: 1 if the encoding is the model's own, otherwise an estimate. */
  readonly factor: number;

  readonly imageRule: ImageRule;
}

const HISTORY_SHARE = 16;
const MAX_NAME_LENGTH = 300;
/** The suffix with which Claude Code requests the long context window. */
const LONG_WINDOW = '[1m]';
const LONG_WINDOW_TOKENS = 1_000_000;

/**
 * Looks up a model by name, with or without a provider prefix and a date: `claude-opus-4-6`,
 * `anthropic/claude-opus-4.6`, `openai:gpt-4o-2024-08-06`. An unknown name gets conservative defaults and
 * `known: false`. Never throws.
 */
export function modelInfo(name: string): ModelInfo {
  const wanted = String(name).slice(0, MAX_NAME_LENGTH).trim().toLowerCase();
  const row = MODELS.find(({ pattern }) => matchesModel(wanted, pattern)) ?? UNKNOWN_MODEL;
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

/** Whether the pattern matches at the start of the name or after a provider prefix such as `openai/` or `us.`. */
function matchesModel(name: string, pattern: RegExp): boolean {
  const at = pattern.exec(name)?.index;
  return at !== undefined && (at === 0 || '/:.@'.includes(name.charAt(at - 1)));
}

/** The models whose name matches `pattern`. */
interface ModelRow {
  /** Matched against the lower-case name, after any provider prefix. The first row that matches counts. */
  readonly pattern: RegExp;
  readonly maxInput: number;
  readonly maxOutput: number;
  readonly minCacheable: number;
  readonly encoding: EncodingName;
  readonly factor: number;
  readonly images: ImageRule;
  /** A newer model of a known family, whose limits are guessed low. */
  readonly isGuess?: true;
}

const FLAT: ImageRule = { kind: 'flat', tokens: 1_000 };
/** Tokens of other providers are estimated from this encoding. */
const ESTIMATE_BASE = 'o200k_base';
const MILLION = 1_000_000;

/**
 * Estimated tokens per token of o200k_base. Where the ratio varies with the text, these are near its upper end: a prompt
 * that was counted too high is still sent, one that was counted too low is rejected. See docs/tokens.md.
 */
const CLAUDE_3 = 1.25;
/** From Opus 4.7 on. */
const CLAUDE_5 = 1.6;
const GEMINI = 1.15;
const OPEN_MODELS = 1.08;
const UNKNOWN = 1.25;

const CLAUDE_IMAGES: ImageRule = { kind: 'grid', side: 28, maxSide: 1_568, maxTokens: 1_600 };
const CLAUDE_LARGE_IMAGES: ImageRule = { kind: 'grid', side: 28, maxSide: 2_576, maxTokens: 4_784 };

function claude(pattern: RegExp, maxInput: number, maxOutput: number, minCacheable: number): ModelRow {
  const rest = { encoding: ESTIMATE_BASE, factor: CLAUDE_3, images: CLAUDE_IMAGES } as const;
  return { pattern, maxInput, maxOutput, minCacheable, ...rest };
}

function laterClaude(pattern: RegExp, minCacheable: number): ModelRow {
  const rest = { encoding: ESTIMATE_BASE, factor: CLAUDE_5, images: CLAUDE_LARGE_IMAGES } as const;
  return { pattern, maxInput: MILLION, maxOutput: 128_000, minCacheable, ...rest };
}

function gpt(pattern: RegExp, maxInput: number, maxOutput: number, images: ImageRule): ModelRow {
  const rest = { minCacheable: 1_024, encoding: 'o200k_base', factor: 1 } as const;
  return { pattern, maxInput, maxOutput, images, ...rest };
}

function earlyGpt(pattern: RegExp, maxInput: number, maxOutput: number, images: ImageRule): ModelRow {
  const rest = { minCacheable: 0, encoding: 'cl100k_base', factor: 1 } as const;
  return { pattern, maxInput, maxOutput, images, ...rest };
}

function gemini(pattern: RegExp, limits: readonly [number, number, number], images: ImageRule): ModelRow {
  const [maxInput, maxOutput, minCacheable] = limits;
  return { pattern, maxInput, maxOutput, minCacheable, encoding: ESTIMATE_BASE, factor: GEMINI, images };
}

function open(pattern: RegExp, maxInput: number, maxOutput: number): ModelRow {
  const rest = { minCacheable: 0, encoding: ESTIMATE_BASE, factor: OPEN_MODELS, images: FLAT } as const;
  return { pattern, maxInput, maxOutput, ...rest };
}

function tiles(base: number, perTile: number): ImageRule {
  return { kind: 'tiles', base, perTile };
}

function patches(maxPatches: number, factor: number): ImageRule {
  return { kind: 'patches', maxSide: 2_048, maxPatches, factor };
}

const CLAUDE: readonly ModelRow[] = [
  laterClaude(/claude-(?:opus|fable|mythos)-(?:[5-9]|\d\d)(?!\d)/, 1_024),
  laterClaude(/claude-sonnet-(?:[5-9]|\d\d)(?!\d)/, 1_024),
  laterClaude(/claude-haiku-(?:[5-9]|\d\d)(?!\d)/, 4_096),
  laterClaude(/claude-opus-4[.-][89](?!\d)/, 1_024),
  laterClaude(/claude-opus-4[.-]7(?!\d)/, 2_048),
  claude(/claude-opus-4[.-]6(?!\d)/, MILLION, 128_000, 4_096),
  claude(/claude-opus-4[.-]5(?!\d)/, 200_000, 64_000, 4_096),
  claude(/claude-opus-4/, 200_000, 32_000, 1_024),
  // Documented as 1,024, seen to cache from 2,048 on.
  claude(/claude-sonnet-4[.-]6(?!\d)/, MILLION, 64_000, 2_048),
  claude(/claude-sonnet-4/, 200_000, 64_000, 1_024),
  claude(/claude-haiku-4/, 200_000, 64_000, 4_096),
  claude(/claude-3[.-]7/, 200_000, 64_000, 1_024),
  claude(/claude-3[.-]5-haiku/, 200_000, 8_192, 2_048),
  claude(/claude-3[.-]5/, 200_000, 8_192, 1_024),
  claude(/claude-3-haiku/, 200_000, 4_096, 2_048),
  claude(/claude-3/, 200_000, 4_096, 1_024),
  claude(/claude-(?:2|instant)/, 100_000, 4_096, 0),
  { ...laterClaude(/claude/, 4_096), maxInput: 200_000, maxOutput: 32_000, isGuess: true },
];

/** Context windows and encodings as in the package gpt-tokenizer. The window of GPT-5 holds its output too. */
const OPENAI: readonly ModelRow[] = [
  earlyGpt(/gpt-3\.5-turbo-instruct/, 4_096, 4_096, FLAT),
  earlyGpt(/gpt-3\.5/, 16_385, 4_096, FLAT),
  earlyGpt(/gpt-4-32k/, 32_768, 8_192, FLAT),
  earlyGpt(/gpt-4-(?:turbo|1106|0125|vision)/, 128_000, 4_096, tiles(85, 170)),
  earlyGpt(/gpt-4(?![\d.o])/, 8_192, 8_192, FLAT),
  gpt(/gpt-4\.1-mini/, 1_047_576, 32_768, patches(1_536, 1.62)),
  gpt(/gpt-4\.1-nano/, 1_047_576, 32_768, patches(1_536, 2.46)),
  gpt(/gpt-4\.1/, 1_047_576, 32_768, tiles(85, 170)),
  gpt(/gpt-4\.5/, 128_000, 16_384, tiles(85, 170)),
  gpt(/gpt-4o(?:-mini)?-realtime|gpt-realtime/, 16_000, 4_096, FLAT),
  gpt(/gpt-4o-2024-05-13/, 128_000, 4_096, tiles(85, 170)),
  gpt(/gpt-4o-mini/, 128_000, 16_384, tiles(2_833, 5_667)),
  gpt(/(?:chat)?gpt-4o/, 128_000, 16_384, tiles(85, 170)),
  gpt(/gpt-5(?:\.\d)?-chat/, 128_000, 16_384, tiles(70, 140)),
  gpt(/gpt-5\.4-(?:mini|nano)/, 272_000, 128_000, patches(2_500, 1.62)),
  gpt(/gpt-5\.6-cyber/, 272_000, 128_000, patches(2_500, 1.2)),
  gpt(/gpt-5\.[456](?!\d)/, 922_000, 128_000, patches(2_500, 1.2)),
  gpt(/gpt-5-mini/, 272_000, 128_000, patches(1_536, 1.62)),
  gpt(/gpt-5-nano/, 272_000, 128_000, patches(1_536, 2.46)),
  gpt(/gpt-5\.[23](?!\d)/, 272_000, 128_000, patches(1_536, 1.2)),
  gpt(/gpt-5(?:\.1)?(?![\d.])/, 272_000, 128_000, tiles(70, 140)),
  gpt(/chat-latest|daybreak/, 272_000, 128_000, patches(2_500, 1.2)),
  gpt(/gpt-audio/, 128_000, 16_384, FLAT),
  gpt(/computer-use-preview/, 8_192, 1_024, tiles(65, 129)),
  gpt(/gpt-oss/, 131_072, 131_072, FLAT),
  gpt(/o1-preview/, 128_000, 32_768, FLAT),
  gpt(/o1-mini/, 128_000, 65_536, FLAT),
  gpt(/(?:o4-mini|codex-mini)/, 200_000, 100_000, patches(1_536, 1.72)),
  gpt(/o[134](?![\da-z])/, 200_000, 100_000, tiles(75, 150)),
  {
    ...gpt(/(?:gpt-|chatgpt|o\d(?![a-z])|codex)/, 128_000, 16_384, patches(2_500, 1.62)),
    factor: 1.1,
    isGuess: true,
  },
];

const GEMINI_3_IMAGES: ImageRule = { kind: 'flat', tokens: 1_120 };
const GEMINI_CROPS: ImageRule = { kind: 'crops', perCrop: 258 };

const GOOGLE: readonly ModelRow[] = [
  gemini(/gemini-3/, [1_048_576, 65_536, 4_096], GEMINI_3_IMAGES),
  gemini(/gemini-2\.5/, [1_048_576, 65_536, 2_048], GEMINI_CROPS),
  gemini(/gemini-2\.0/, [1_048_576, 8_192, 4_096], GEMINI_CROPS),
  gemini(/gemini-1\.5-pro/, [2_097_152, 8_192, 32_769], { kind: 'flat', tokens: 258 }),
  gemini(/gemini-1\.5/, [1_048_576, 8_192, 32_769], { kind: 'flat', tokens: 258 }),
  { ...gemini(/gemini/, [1_048_576, 8_192, 4_096], GEMINI_3_IMAGES), isGuess: true },
];

/** Models that many providers serve with different limits; these limits hold for any of them. */
const OPEN: readonly ModelRow[] = [
  open(/deepseek/, 64_000, 8_192),
  open(/llama-?3\.[1-3]|llama-?4/, 128_000, 4_096),
  open(/llama-?3/, 8_192, 2_048),
  open(/(?:mixtral|mistral-7b|mistral:)/, 32_000, 4_096),
  open(/(?:mistral|ministral|codestral|devstral|magistral|pixtral)/, 128_000, 4_096),
  open(/qwen3-coder/, 256_000, 32_768),
  open(/(?:qwen|qwq)/, 32_768, 8_192),
];

/** All known models, specific patterns before general ones. */
const MODELS: readonly ModelRow[] = [...CLAUDE, ...OPENAI, ...GOOGLE, ...OPEN];

/** Defaults for an unknown model. */
const UNKNOWN_MODEL: Omit<ModelRow, 'pattern'> = {
  maxInput: 128_000,
  maxOutput: 4_096,
  minCacheable: 1_024,
  encoding: ESTIMATE_BASE,
  factor: UNKNOWN,
  images: FLAT,
  isGuess: true,
};
