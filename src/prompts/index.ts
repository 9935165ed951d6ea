export { isTypedPrompt } from './is-typed-prompt.ts';
export { PromptHistory, type PromptsToForget, type TypedPrompt } from './prompt-history.ts';
export { MAX_PROMPTS, type PromptEntry } from './prompt-list.ts';
