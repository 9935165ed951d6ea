import type { PromptInput } from './assembly/prompt-input.ts';

/** What one request tells a model besides the system prompt, the files and the history, which a context holds. */
export type PromptRequest = Omit<PromptInput, 'systemPrompt' | 'files' | 'history'>;
