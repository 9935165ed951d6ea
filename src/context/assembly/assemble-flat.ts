import { formatFile } from '../files/format-file.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import type { PromptInput, PromptMessage } from './prompt.ts';
import {
  filesSection,
  historyMessages,
  joinParagraphs,
  promptMessage,
  SECTION_HEADERS,
  sectionPair,
  structureSection,
  uncachedSections,
} from './sections.ts';

/**
 * The prompt without cache tiers: system prompt and repository structure, file tree, pages, review, working files,
 * history, prompt. Carries no cache markers. The same input gives the same bytes.
 */
export function assembleFlat(input: PromptInput): PromptMessage[] {
  const structure = structureSection(input.repositoryStructure, input.symbols?.keys() ?? [], input);
  const system = joinParagraphs([input.systemPrompt, structure]);
  return [
    ...(system === '' ? [] : [{ role: 'system', content: system } as const]),
    ...uncachedSections(input),
    ...sectionPair(filesSection(SECTION_HEADERS.workingFiles, input.files.keys(), input.files)),
    ...historyMessages(input.history),
    ...promptMessage(input),
  ];
}

/** Counts that the caller holds already, so that what has not changed is not counted again. */
export interface KnownTokens {
  /** Tokens of each file's content, by path. Files that are missing here are counted. */
  readonly files?: ReadonlyMap<string, number>;
  /** Tokens of the whole history, with what each message costs besides its text. */
  readonly history?: number;
}

/** A file between fences has a few tokens that belong to no part alone: the newline before the fence and after it. */
const TOKENS_BETWEEN_FILES = 1;

/**
 * How many tokens a prompt takes. Without known counts it is what the counter says of the flat prompt; with them, parts
 * are added up, which differs by a token or two per file. A tiered prompt differs by its headings.
 */
export function estimatePromptTokens(
  input: PromptInput,
  counter: TokenCounter,
  known: KnownTokens = {},
): number {
  const counted = new Map([...input.files].filter(([path]) => known.files?.get(path) === undefined));
  const rest: PromptInput = {
    ...input,
    files: counted,
    history: known.history === undefined ? input.history : [],
    // Symbols of a file that is sent in full are not sent, whether its tokens are known or not.
    symbols: new Map([...(input.symbols ?? [])].filter(([path]) => !input.files.has(path))),
  };
  return (
    counter.countMessages(assembleFlat(rest)) +
    (known.history ?? 0) +
    knownFileTokens(input, counted, counter, known)
  );
}

function knownFileTokens(
  input: PromptInput,
  counted: ReadonlyMap<string, string>,
  counter: TokenCounter,
  known: KnownTokens,
): number {
  const paths = [...input.files.keys()].filter((path) => !counted.has(path));
  if (paths.length === 0) return 0;
  const section = counted.size > 0 ? 0 : counter.countMessages(sectionPair(SECTION_HEADERS.workingFiles));
  return paths.reduce((sum, path) => {
    const frame = counter.count(formatFile(path, '')) + TOKENS_BETWEEN_FILES;
    return sum + frame + (known.files?.get(path) ?? 0);
  }, section);
}
