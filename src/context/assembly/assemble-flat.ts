import { formatFile } from '../files/format-file.ts';
import type { PromptMessage } from '../message.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import type { PromptContent } from './prompt.ts';
import {
  filesSection,
  joinParagraphs,
  promptMessage,
  SECTION_HEADERS,
  sectionPair,
  structureSection,
  uncachedSections,
} from './sections.ts';

/**
 * Assembles a prompt without cache tiers: system prompt and repository structure, file tree, pages, review, working files,
 * history, prompt. Sets no cache markers. Deterministic.
 */
export function assembleFlat(input: PromptContent): PromptMessage[] {
  const structure = structureSection(input.repositoryStructure, input.symbols?.keys() ?? [], input);
  const system = joinParagraphs([input.systemPrompt, structure]);
  return [
    ...(system === '' ? [] : [{ role: 'system', content: system } as const]),
    ...uncachedSections(input),
    ...sectionPair(filesSection(SECTION_HEADERS.workingFiles, input.files.keys(), input.files)),
    ...input.history.map(({ role, content }) => ({ role, content })),
    ...promptMessage(input),
  ];
}

/** Counts that the caller has already, so that unchanged parts are not counted again. */
export interface KnownTokens {
  /** Tokens of each file's content, by path. Files that are missing here are counted. */
  readonly files?: ReadonlyMap<string, number>;
  /** Tokens of the whole history as messages. */
  readonly history?: number;
}

/** The line breaks around the fences of a file belong to no part alone. */
const TOKENS_BETWEEN_FILES = 1;

/**
 * Estimates the tokens of a prompt. Without known counts it is the exact count of the flat prompt; with them, parts are
 * added up, which differs by a token or two per file. A tiered prompt differs by its headings.
 */
export function estimatePromptTokens(input: PromptContent, counter: TokenCounter, known: KnownTokens = {}): number {
  const uncounted = new Map([...input.files].filter(([path]) => known.files?.get(path) === undefined));
  const rest: PromptContent = {
    ...input,
    files: uncounted,
    history: known.history === undefined ? input.history : [],
    // The symbols of a file that is sent in full are not sent, even if its tokens are known.
    symbols: new Map([...(input.symbols ?? [])].filter(([path]) => !input.files.has(path))),
  };
  return (
    counter.countMessages(assembleFlat(rest)) + (known.history ?? 0) + knownFileTokens(input, uncounted, counter, known)
  );
}

function knownFileTokens(
  input: PromptContent,
  uncounted: ReadonlyMap<string, string>,
  counter: TokenCounter,
  known: KnownTokens,
): number {
  const paths = [...input.files.keys()].filter((path) => !uncounted.has(path));
  if (paths.length === 0) return 0;
  const section = uncounted.size > 0 ? 0 : counter.countMessages(sectionPair(SECTION_HEADERS.workingFiles));
  return paths.reduce((sum, path) => {
    const frame = counter.count(formatFile(path, '')) + TOKENS_BETWEEN_FILES;
    return sum + frame + (known.files?.get(path) ?? 0);
  }, section);
}
