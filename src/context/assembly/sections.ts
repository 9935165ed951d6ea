import { formatFile } from '../files/format-file.ts';
import type { ContentBlock, PromptMessage } from '../message.ts';
import type { PromptContent } from './prompt.ts';

/** The heading of each section of a prompt. */
export const SECTION_HEADERS = {
  structure: '# Repository Structure',
  tree: '# Repository Files',
  urls: '# URL Context',
  review: '# Code Review Context',
  workingFiles: '# Working Files',
  referenceFiles: '# Reference Files',
} as const;

/** The assistant's reply to each section, so that user and assistant keep alternating. */
export const ACKNOWLEDGEMENT = 'Ok.';

const PARAGRAPH_BREAK = '\n\n';

/** Joins texts with a blank line between them, skipping empty ones. */
export function joinParagraphs(texts: readonly (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined && text !== '').join(PARAGRAPH_BREAK);
}

/** A section as a user message and its acknowledgement; nothing if the section is empty. */
export function sectionPair(text: string): PromptMessage[] {
  if (text === '') return [];
  return [
    { role: 'user', content: text },
    { role: 'assistant', content: ACKNOWLEDGEMENT },
  ];
}

/**
 * The repository structure: the overview, then the symbols of the given paths, sorted. Paths whose file is sent in full are
 * skipped. Empty if there is nothing to show.
 */
export function structureSection(
  overview: string | undefined,
  paths: Iterable<string>,
  input: Pick<PromptContent, 'symbols' | 'files'>,
): string {
  const symbols = sortPaths(paths).map((path) => (input.files.has(path) ? undefined : input.symbols?.get(path)));
  return underHeader(SECTION_HEADERS.structure, joinParagraphs([overview, ...symbols]));
}

/** The files of the given paths in full, sorted and fenced. Paths that are not in `files` are skipped. */
export function filesSection(header: string, paths: Iterable<string>, files: ReadonlyMap<string, string>): string {
  const texts = sortPaths(paths).map((path) => {
    const content = files.get(path);
    return content === undefined ? undefined : formatFile(path, content);
  });
  return underHeader(header, joinParagraphs(texts));
}

/** The sections before the working files that are never cached: file tree, pages, review. */
export function uncachedSections(input: PromptContent): PromptMessage[] {
  return [
    ...sectionPair(underHeader(SECTION_HEADERS.tree, fenced('All paths', input.fileTree))),
    ...sectionPair(underHeader(SECTION_HEADERS.urls, fencedPages(input.urlContext ?? []))),
    ...sectionPair(underHeader(SECTION_HEADERS.review, fenced('Under review', input.reviewContext))),
  ];
}

/**
 * The user's new message: a plain string, or a text block followed by the images. Nothing if there is neither text nor
 * image, because providers reject empty messages.
 */
export function promptMessage({ prompt, images = [] }: PromptContent): PromptMessage[] {
  if (images.length === 0) return prompt === '' ? [] : [{ role: 'user', content: prompt }];
  const content: ContentBlock[] = [{ type: 'text', text: prompt }, ...images];
  return [{ role: 'user', content }];
}

function underHeader(header: string, text: string): string {
  return text === '' ? '' : `${header}${PARAGRAPH_BREAK}${text}`;
}

function fencedPages(pages: readonly string[]): string {
  return joinParagraphs([...new Set(pages)].map((page, index) => fenced(`Page ${index + 1}`, page)));
}

/** Untrusted text, fenced so that it cannot pass for another part of the prompt. */
function fenced(label: string, text: string | undefined): string {
  return text === undefined || text === '' ? '' : formatFile(label, text);
}

/** By code units, which is the same on every machine, unlike a locale's order. */
function sortPaths(paths: Iterable<string>): string[] {
  return [...new Set(paths)].sort();
}
