import type { ImageBlock, Turn } from '../message.ts';

/** Everything that a request may contain. What is missing or empty is left out of the prompt. */
export interface PromptContent {
  /** Never part of the history: it is put in front of every request. */
  readonly systemPrompt: string;
  /** Information about the whole repository: a legend, an overview, or a map of all symbols. */
  readonly repositoryStructure?: string;
  /** Symbols by path, as text. Those of a file that is sent in full are left out. */
  readonly symbols?: ReadonlyMap<string, string>;
  /** The paths of the repository, as text. */
  readonly fileTree?: string;
  /** The text of each fetched page. Duplicates are sent once. */
  readonly urlContext?: readonly string[];
  /** What is under review: commits, a diff. */
  readonly reviewContext?: string;
  /** Content by path. Files are sent sorted by path, whatever their order here. */
  readonly files: ReadonlyMap<string, string>;
  readonly history: readonly Turn[];
  /** The user's new message. */
  readonly prompt: string;
  readonly images?: readonly ImageBlock[];
}

/** The parts of a request that a context does not hold itself: everything but system prompt, files and history. */
export type PromptRequest = Omit<PromptContent, 'systemPrompt' | 'files' | 'history'>;
