import { formatFile } from '../files/format-file.ts';
import type { Turn } from '../turns/turn-list.ts';
import type { ContentBlock, PromptInput, PromptMessage } from './prompt.ts';

/** The heading of each section of a prompt, as the model reads it. */
export const SECTION_HEADERS = {
  structure: '# Repository Structure',
  tree: '# Repository Files',
  urls: '# URL Context',
  review: '# Code Review Context',
  workingFiles: '# Working Files',
  referenceFiles: '# Reference Files',
} as const;

/** What the assistant says to each section, so that user and assistant go on taking turns. */
export const ACKNOWLEDGEMENT = 'Ok.';

const PARAGRAPH = '\n\n';

/** Puts texts one below the other with a blank line between them; empty ones leave no trace. */
export function joinParagraphs(texts: readonly (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined && text !== '').join(PARAGRAPH);
}

/** A section as a user message and its acknowledgement; nothing when the section is empty. */
export function sectionPair(text: string): PromptMessage[] {
  if (text === '') return [];
  return [
    { role: 'user', content: text },
    { role: 'assistant', content: ACKNOWLEDGEMENT },
  ];
}

/**
 * The structure of the repository: what holds for all of it, then the symbols of these paths, sorted. A path whose
 * full text is in the prompt or that has no symbols gives nothing. Empty when there is nothing to show.
 */
export function structureSection(
  overview: string | undefined,
  paths: Iterable<string>,
  input: Pick<PromptInput, 'symbols' | 'files'>,
): string {
  const symbols = sortedPaths(paths).map((path) =>
    input.files.has(path) ? undefined : input.symbols?.get(path),
  );
  return underHeader(SECTION_HEADERS.structure, joinParagraphs([overview, ...symbols]));
}

/** The files of these paths in full, sorted, each between fences. Paths that are not in `files` give nothing. */
export function filesSection(
  header: string,
  paths: Iterable<string>,
  files: ReadonlyMap<string, string>,
): string {
  const texts = sortedPaths(paths).map((path) => {
    const content = files.get(path);
    return content === undefined ? undefined : formatFile(path, content);
  });
  return underHeader(header, joinParagraphs(texts));
}

/** The sections that are never cached and come before the working files: file tree, pages, review. */
export function uncachedSections(input: PromptInput): PromptMessage[] {
  return [
    ...sectionPair(underHeader(SECTION_HEADERS.tree, quoted('All paths', input.fileTree))),
    ...sectionPair(underHeader(SECTION_HEADERS.urls, quotedPages(input.urlContext ?? []))),
    ...sectionPair(underHeader(SECTION_HEADERS.review, quoted('Under review', input.reviewContext))),
  ];
}

/** Turns of the history as messages of their own. */
export function historyMessages(turns: readonly Turn[]): PromptMessage[] {
  return turns.map(({ role, content }) => ({ role, content }));
}

/**
 * What the user says now: a plain string, or with images a text block and then the images. Nothing when there is
 * neither text nor image, as no provider takes an empty message.
 */
export function promptMessage({ prompt, images = [] }: PromptInput): PromptMessage[] {
  if (images.length === 0) return prompt === '' ? [] : [{ role: 'user', content: prompt }];
  const content: ContentBlock[] = [{ type: 'text', text: prompt }, ...images];
  return [{ role: 'user', content }];
}

function underHeader(header: string, text: string): string {
  return text === '' ? '' : `${header}${PARAGRAPH}${text}`;
}

function quotedPages(pages: readonly string[]): string {
  return joinParagraphs([...new Set(pages)].map((page, index) => quoted(`Page ${index + 1}`, page)));
}

/** Fenced, as this text comes from outside and may look like anything. */
function quoted(label: string, text: string | undefined): string {
  return text === undefined || text === '' ? '' : formatFile(label, text);
}

/** By code units: the same everywhere, unlike a sort by the language of the machine. */
function sortedPaths(paths: Iterable<string>): string[] {
  return [...new Set(paths)].sort();
}
