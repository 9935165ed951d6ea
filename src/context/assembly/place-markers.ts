import { MOST_MARKERS } from '../cache/choose-marks.ts';
import type { MarkKey } from '../cache/placement.ts';
import { CACHED_TIERS } from '../cache/tier.ts';
import type { PromptPiece } from './prompt-piece.ts';

/** What a provider caches. */
export interface MarkerOptions {
  /** The shortest prefix that the model's provider caches. Default: 1,024 tokens. */
  readonly minCacheableTokens?: number;
  /** Asked for the first texts of a prompt, until the shortest prefix is reached. Default: a quarter of the characters. */
  readonly countTokens?: (text: string) => number;
}

const DEFAULT_MINIMUM = 1_024;
const CHARACTERS_PER_TOKEN = 4;

/**
 * The indices of the pieces that carry a cache marker: those that end with one of `marks`, then the ends of the cached
 * tiers as long as there is room, from the last tier on. At most four; on text that is not blank; none so early that the
 * provider would not cache it.
 */
export function placeMarkers(
  pieces: readonly PromptPiece[],
  marks: ReadonlySet<MarkKey> = new Set(),
  options: MarkerOptions = {},
): Set<number> {
  const first = firstCacheable(pieces, options);
  const marked = new Set<number>();
  const place = (index: number) => {
    const at = lastText(pieces, index);
    if (at >= first && marked.size < MOST_MARKERS) marked.add(at);
  };
  for (const [index, { key }] of pieces.entries()) if (key !== undefined && marks.has(key)) place(index);
  for (const tier of [...CACHED_TIERS].reverse()) {
    const end = pieces.findLastIndex((piece) => piece.tier === tier);
    // The acknowledgement behind a marked file need not be marked as well.
    const isMarked = [end, end - 1].some((index) => marked.has(index) && pieces[index]?.tier === tier);
    if (end !== -1 && !isMarked) place(end);
  }
  return marked;
}

/** Of pieces that cannot carry a marker, the one before can. */
function lastText(pieces: readonly PromptPiece[], from: number): number {
  let index = from;
  while (index >= 0 && !canBeMarked(pieces[index])) index--;
  return index;
}

function canBeMarked(piece: PromptPiece | undefined): boolean {
  return piece?.block.type === 'text' && /\S/.test(piece.block.text);
}

function firstCacheable(pieces: readonly PromptPiece[], options: MarkerOptions): number {
  const { minCacheableTokens = DEFAULT_MINIMUM, countTokens = estimate } = options;
  let tokens = 0;
  for (const [index, { block }] of pieces.entries()) {
    if (block.type === 'text') tokens += countTokens(block.text);
    if (tokens >= minCacheableTokens) return index;
  }
  return pieces.length;
}

function estimate(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}
