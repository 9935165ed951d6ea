import type { Turn } from '../turns/turn.ts';
import type { ImageBlock } from './prompt-message.ts';

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
