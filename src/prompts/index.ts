export { isTypedPrompt } from '../text/is-typed-prompt.ts';
export { OfferedPrompts, PromptHistory, type PromptsToForget, type TypedPrompt } from './prompt-history.ts';
export { MAX_PROMPTS_PER_PROJECT, type RankedPrompt } from './prompt-list.ts';
