import type { PromptInput } from './prompt-input.ts';
import type { PromptMessage } from './prompt-message.ts';
import {
  filesSection,
  historyMessages,
  joinParagraphs,
  promptMessage,
  SECTION_HEADERS,
  sectionPair,
  structureSection,
  surroundings,
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
    ...surroundings(input),
    ...sectionPair(filesSection(SECTION_HEADERS.workingFiles, input.files.keys(), input.files)),
    ...historyMessages(input.history),
    ...promptMessage(input),
  ];
}
