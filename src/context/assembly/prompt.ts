import type { Turn } from '../turns/turn.ts';

/** Text inside a message with several parts. */
export interface TextBlock {
  readonly type: 'text';
  readonly text: string;
  /** The prompt up to the end of this block is worth caching. At most four blocks of a prompt carry a marker. */
  readonly cacheMarker?: true;
}

/** An image as base64. Never carries a cache marker. */
export interface ImageBlock {
  readonly type: 'image';
  /** For example `image/png`. */
  readonly mediaType: string;
  readonly base64: string;
}

/** A part of a message. */
export type ContentBlock = TextBlock | ImageBlock;

/** A message to a model, in no provider's format. */
export interface PromptMessage {
  readonly role: 'system' | 'user' | 'assistant';
  /** A plain string, unless the message has an image or a cache marker. */
  readonly content: string | readonly ContentBlock[];
}

/** Everything that a request may contain. What is missing or empty is left out of the prompt. */
export interface PromptInput {
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
export type PromptRequest = Omit<PromptInput, 'systemPrompt' | 'files' | 'history'>;
