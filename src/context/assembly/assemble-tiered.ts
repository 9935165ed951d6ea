import { omitUndefined } from '../../record/object.ts';
import { MAX_CACHE_MARKERS } from '../cache/markers.ts';
import { compareRanks } from '../cache/prompt-layout.ts';
import { CACHED_TIERS, type CachedTier, type MarkerKey, type Placement, type Tier } from '../cache/tiers.ts';
import { formatFile } from '../files/format-file.ts';
import type { ContentBlock, PromptMessage } from '../message.ts';
import type { PromptContent } from './prompt.ts';
import {
  ACKNOWLEDGEMENT,
  filesSection,
  joinParagraphs,
  promptMessage,
  SECTION_HEADERS,
  structureSection,
  uncachedSections,
} from './sections.ts';

/** A block of a prompt in the order in which it is sent, before cache markers are placed. */
export interface PromptPiece {
  readonly role: PromptMessage['role'];
  readonly block: ContentBlock;
  /** What ends with this piece, if a marker may follow it. */
  readonly key?: MarkerKey;
  /** The cached tier it belongs to. */
  readonly tier?: CachedTier;
  /** Whether it belongs to the same message as the piece before. */
  readonly isContinuation?: true;
}

/** The content of one tier of a prompt. */
interface TierContent {
  /** Paths whose symbols are sent. */
  readonly symbols: string[];
  /** Paths in the order in which they are sent. */
  readonly files: string[];
  /** Indices of messages. */
  readonly history: number[];
}

/**
 * Assembles a prompt in the order of its cache tiers: the system message with L0; then L1, L2 and L3, each one message of
 * symbols and files followed by its history; then what is not cached: file tree, pages, review, symbols, working files, the
 * rest of the history and the prompt. Has the same content as the flat prompt. Deterministic.
 */
export function assembleTiered(
  input: PromptContent,
  placement: Placement,
  options: MarkerOptions = {},
): PromptMessage[] {
  const tiers = distribute(input, placement);
  const pieces: PromptPiece[] = [];
  for (const tier of CACHED_TIERS) {
    if (tier === 'L0') pieces.push(...systemPieces(input, tiers.L0));
    else pieces.push(...sectionPieces(tier, SECTION_HEADERS.referenceFiles, tiers[tier], input));
    pieces.push(...historyPieces(tiers[tier].history, input, tier));
  }
  pieces.push(
    ...uncachedSections(input).flatMap((message) => messagePieces(message)),
    ...sectionPieces('active', SECTION_HEADERS.workingFiles, { ...tiers.active, files: [] }, input),
    ...sectionPieces('active', SECTION_HEADERS.workingFiles, { ...tiers.active, symbols: [] }, input),
    ...historyPieces(tiers.active.history, input),
    ...promptMessage(input).flatMap((message) => messagePieces(message, 'prompt')),
  );
  return toMessages(pieces, placeMarkers(pieces, placement.markers, options));
}

function distribute(input: PromptContent, placement: Placement): Record<Tier, TierContent> {
  const empty = (): TierContent => ({ symbols: [], files: [], history: [] });
  const tiers = { L0: empty(), L1: empty(), L2: empty(), L3: empty(), active: empty() };
  for (const path of input.symbols?.keys() ?? []) {
    if (!input.files.has(path)) tiers[placement.tierOf(`symbol:${path}`)].symbols.push(path);
  }
  const ranks = new Map<string, number>();
  for (const path of [...input.files.keys()].sort()) {
    tiers[placement.tierOf(`file:${path}`)].files.push(path);
    ranks.set(path, placement.rankOf?.(`file:${path}`) ?? 0);
  }
  for (const index of input.history.keys()) {
    tiers[placement.tierOf(`history:${index}`)].history.push(index);
  }
  for (const { files } of Object.values(tiers)) {
    files.sort((a, b) => compareRanks(ranks.get(a) ?? 0, ranks.get(b) ?? 0));
  }
  return tiers;
}

function systemPieces(input: PromptContent, { symbols, files }: TierContent): PromptPiece[] {
  const structure = structureSection(input.repositoryStructure, symbols, input);
  const reference = filesSection(SECTION_HEADERS.referenceFiles, files, input.files);
  const text = joinParagraphs([input.systemPrompt, structure, reference]);
  if (text === '') return [];
  return [{ role: 'system', block: { type: 'text', text }, key: 'system', tier: 'L0' }];
}

/** One message of symbols and files with its acknowledgement. Each file is a block, so that a marker can follow it. */
function sectionPieces(
  tier: Exclude<Tier, 'L0'>,
  header: string,
  { symbols, files }: TierContent,
  input: PromptContent,
): PromptPiece[] {
  const texts: { text: string; key: MarkerKey }[] = [];
  const structure = structureSection(undefined, symbols, input);
  if (structure !== '') texts.push({ text: structure, key: `symbols:${tier}` });
  for (const [index, path] of files.entries()) {
    const file = formatFile(path, input.files.get(path) ?? '');
    texts.push({ text: index === 0 ? joinParagraphs([header, file]) : file, key: `file:${path}` });
  }
  if (texts.length === 0) return [];
  const cached = tier === 'active' ? {} : { tier };
  const pieces = texts.map(({ text, key }, index): PromptPiece => {
    const piece = { role: 'user', key, ...cached } as const;
    if (index === 0) return { ...piece, block: { type: 'text', text } };
    return { ...piece, block: { type: 'text', text: `\n\n${text}` }, isContinuation: true };
  });
  return [...pieces, { role: 'assistant', block: { type: 'text', text: ACKNOWLEDGEMENT }, ...cached }];
}

function historyPieces(indices: readonly number[], { history }: PromptContent, tier?: CachedTier): PromptPiece[] {
  return indices.flatMap((index): PromptPiece[] => {
    const turn = history[index];
    if (turn === undefined) return [];
    const block = { type: 'text', text: turn.content } as const;
    return [{ role: turn.role, block, key: `history:${index}`, ...omitUndefined({ tier }) }];
  });
}

function messagePieces({ role, content }: PromptMessage, key?: MarkerKey): PromptPiece[] {
  const blocks = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
  return blocks.map((block, index) =>
    index === 0 ? { role, block, ...omitUndefined({ key }) } : { role, block, isContinuation: true },
  );
}

/** Joins pieces to messages, with markers on those whose index is in `marked`. A single unmarked text is a string. */
function toMessages(pieces: readonly PromptPiece[], marked: ReadonlySet<number>): PromptMessage[] {
  const messages: { role: PromptMessage['role']; content: ContentBlock[] }[] = [];
  for (const [index, { role, block, isContinuation }] of pieces.entries()) {
    const content = block.type === 'text' && marked.has(index) ? { ...block, cacheMarker: true as const } : block;
    const last = messages.at(-1);
    if (isContinuation && last !== undefined) last.content.push(content);
    else messages.push({ role, content: [content] });
  }
  return messages.map(({ role, content }) => {
    const [only] = content;
    const isPlain = content.length === 1 && only?.type === 'text' && !only.cacheMarker;
    return { role, content: isPlain ? only.text : content };
  });
}

/** What a provider caches. */
export interface MarkerOptions {
  /** The shortest prefix that the provider caches. Default: 1,024 tokens. */
  readonly minCacheableTokens?: number;
  /** Called for the first texts of a prompt until the shortest prefix is reached. Default: a quarter of the characters. */
  readonly countTokens?: (text: string) => number;
}

const DEFAULT_MIN_CACHEABLE = 1_024;
const CHARACTERS_PER_TOKEN = 4;

/**
 * Chooses the pieces that carry a cache marker, by index: those whose key is in `markers`, then the ends of the cached
 * tiers, last tier first. At most four, only on text that is not blank, and not before the shortest prefix that the
 * provider caches.
 */
export function placeMarkers(
  pieces: readonly PromptPiece[],
  markers: ReadonlySet<MarkerKey> = new Set(),
  options: MarkerOptions = {},
): Set<number> {
  const firstCacheable = findFirstCacheable(pieces, options);
  const marked = new Set<number>();
  const mark = (index: number) => {
    const at = pieces.findLastIndex((piece, position) => position <= index && isMarkable(piece));
    if (at >= firstCacheable && marked.size < MAX_CACHE_MARKERS) marked.add(at);
  };
  for (const [index, { key }] of pieces.entries()) if (key !== undefined && markers.has(key)) mark(index);
  for (const tier of [...CACHED_TIERS].reverse()) {
    const end = pieces.findLastIndex((piece) => piece.tier === tier);
    // If the last file is marked, the acknowledgement after it needs no marker.
    const isMarked = [end, end - 1].some((index) => marked.has(index) && pieces[index]?.tier === tier);
    if (end !== -1 && !isMarked) mark(end);
  }
  return marked;
}

function isMarkable({ block }: PromptPiece): boolean {
  return block.type === 'text' && /\S/.test(block.text);
}

function findFirstCacheable(pieces: readonly PromptPiece[], options: MarkerOptions): number {
  const { minCacheableTokens = DEFAULT_MIN_CACHEABLE, countTokens = estimateTokens } = options;
  let tokens = 0;
  for (const [index, { block }] of pieces.entries()) {
    if (block.type === 'text') tokens += countTokens(block.text);
    if (tokens >= minCacheableTokens) return index;
  }
  return pieces.length;
}

function estimateTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}
