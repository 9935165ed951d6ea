import type { Turn } from '../turns/turn-list.ts';

/** Text inside a message that has several parts. */
export interface TextBlock {
  readonly type: 'text';
  readonly text: string;
  /** The prompt up to the end of this block is worth caching. At most four blocks of a prompt carry it. */
  readonly cacheMarker?: true;
}

/** A picture, as base64. Never carries a cache marker. */
export interface ImageBlock {
  readonly type: 'image';
  /** For instance `image/png`. */
  readonly mediaType: string;
  readonly base64: string;
}

/** What a message with several parts is made of. */
export type ContentBlock = TextBlock | ImageBlock;

/** One message as it is sent to a model, in no provider's format. */
export interface PromptMessage {
  readonly role: 'system' | 'user' | 'assistant';
  /** A plain string unless there is a picture or a cache marker. */
  readonly content: string | readonly ContentBlock[];
}

/** Everything that one request may tell a model. What is missing or empty is left out of the prompt. */
export interface PromptInput {
  /** Who the model is and what it may do. Never part of the history: it is put in front anew each time. */
  readonly systemPrompt: string;
  /** What holds for the whole repository: a legend, an overview, or one map of all symbols. */
  readonly repositoryStructure?: string;
  /** Symbols by path, each text as it is to be sent. Those of a file that is sent in full are left out. */
  readonly symbols?: ReadonlyMap<string, string>;
  /** The paths of the repository, as text. */
  readonly fileTree?: string;
  /** The text of each fetched page. One that is there twice is sent once. */
  readonly urlContext?: readonly string[];
  /** What is under review: commits, a diff. */
  readonly reviewContext?: string;
  /** Content by path. The order does not matter: files are sent sorted by path. */
  readonly files: ReadonlyMap<string, string>;
  readonly history: readonly Turn[];
  /** What the user says now. */
  readonly prompt: string;
  readonly images?: readonly ImageBlock[];
}

/** What one request tells a model besides the system prompt, the files and the history, which a context holds. */
export type PromptRequest = Omit<PromptInput, 'systemPrompt' | 'files' | 'history'>;
