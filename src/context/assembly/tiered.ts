import type { MarkKey, Placement } from '../cache/placement.ts';
import { CACHED_TIERS, type CachedTier, type Tier } from '../cache/tier.ts';
import { formatFile } from '../files/format-file.ts';
import { type MarkerOptions, placeMarkers } from './place-markers.ts';
import type { PromptInput } from './prompt-input.ts';
import type { PromptMessage } from './prompt-message.ts';
import { type PromptPiece, toMessages } from './prompt-piece.ts';
import {
  ACKNOWLEDGEMENT,
  filesSection,
  joinParagraphs,
  promptMessage,
  SECTION_HEADERS,
  structureSection,
  surroundings,
} from './sections.ts';

/** What one tier of a prompt holds. */
interface TierContent {
  /** Paths whose symbols are sent. */
  readonly symbols: string[];
  /** Paths in the order in which they are sent. */
  readonly files: string[];
  /** Indices of messages. */
  readonly history: number[];
}

/**
 * The prompt in the order of its cache tiers: the system message with L0, then L1, L2 and L3, each one message of symbols
 * and files and then its history, then what is not cached: file tree, pages, review, symbols and working files, the rest of
 * the history and the prompt. Has the content of the flat prompt, nothing twice. The same arguments give the same bytes.
 */
export function assembleTiered(
  input: PromptInput,
  placement: Placement,
  options: MarkerOptions = {},
): PromptMessage[] {
  const tiers = distribute(input, placement);
  const pieces: PromptPiece[] = [];
  for (const tier of CACHED_TIERS) {
    if (tier === 'L0') pieces.push(...systemPiece(input, tiers.L0));
    else pieces.push(...sectionPieces(tier, SECTION_HEADERS.referenceFiles, tiers[tier], input));
    pieces.push(...historyPieces(tiers[tier].history, input, tier));
  }
  pieces.push(
    ...surroundings(input).flatMap((message) => messagePieces(message)),
    ...sectionPieces('active', SECTION_HEADERS.workingFiles, { ...tiers.active, files: [] }, input),
    ...sectionPieces('active', SECTION_HEADERS.workingFiles, { ...tiers.active, symbols: [] }, input),
    ...historyPieces(tiers.active.history, input),
    ...promptMessage(input).flatMap((message) => messagePieces(message, 'prompt')),
  );
  return toMessages(pieces, placeMarkers(pieces, placement.marks, options));
}

function distribute(input: PromptInput, placement: Placement): Record<Tier, TierContent> {
  const content = (): TierContent => ({ symbols: [], files: [], history: [] });
  const tiers = { L0: content(), L1: content(), L2: content(), L3: content(), active: content() };
  for (const path of input.symbols?.keys() ?? []) {
    if (!input.files.has(path)) tiers[placement.tierOf(`symbol:${path}`)].symbols.push(path);
  }
  for (const path of [...input.files.keys()].sort()) {
    tiers[placement.tierOf(`file:${path}`)].files.push(path);
  }
  for (const index of input.history.keys()) {
    tiers[placement.tierOf(`history:${index}`)].history.push(index);
  }
  const { rankOf } = placement;
  if (rankOf === undefined) return tiers;
  const ranks = new Map(
    [...input.files.keys()].map((path) => [path, placement.rankOf?.(`file:${path}`) ?? 0]),
  );
  for (const { files } of Object.values(tiers)) files.sort((a, b) => difference(ranks.get(a), ranks.get(b)));
  return tiers;
}

/** Of two ranks, of which both may be infinite. */
function difference(a = 0, b = 0): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function systemPiece(input: PromptInput, { symbols, files }: TierContent): PromptPiece[] {
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
  input: PromptInput,
): PromptPiece[] {
  const texts: { text: string; key: MarkKey }[] = [];
  const structure = structureSection(undefined, symbols, input);
  if (structure !== '') texts.push({ text: structure, key: `symbols:${tier}` });
  for (const [index, path] of files.entries()) {
    const file = formatFile(path, input.files.get(path) ?? '');
    texts.push({ text: index === 0 ? joinParagraphs([header, file]) : file, key: `file:${path}` });
  }
  if (texts.length === 0) return [];
  const place = tier === 'active' ? {} : { tier };
  const pieces = texts.map(({ text, key }, index): PromptPiece => {
    if (index === 0) return { role: 'user', block: { type: 'text', text }, key, ...place };
    return { role: 'user', block: { type: 'text', text: `\n\n${text}` }, key, ...place, joins: true };
  });
  return [...pieces, { role: 'assistant', block: { type: 'text', text: ACKNOWLEDGEMENT }, ...place }];
}

function historyPieces(
  indices: readonly number[],
  { history }: PromptInput,
  tier?: CachedTier,
): PromptPiece[] {
  return indices.flatMap((index): PromptPiece[] => {
    const turn = history[index];
    if (turn === undefined) return [];
    const block = { type: 'text', text: turn.content } as const;
    return [{ role: turn.role, block, key: `history:${index}`, ...(tier === undefined ? {} : { tier }) }];
  });
}

function messagePieces({ role, content }: PromptMessage, key?: MarkKey): PromptPiece[] {
  const blocks = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
  return blocks.map((block, index) => ({
    role,
    block,
    ...(index === 0 && key !== undefined ? { key } : {}),
    ...(index > 0 ? { joins: true as const } : {}),
  }));
}
