import type { VNode } from 'preact';
import { cleanText } from '../text/clean-text.ts';
import { suggestions } from './prompt-suggestions.ts';

export const SUGGESTION_LIST_ID = 'prompt-suggestions';
const LONGEST = 200;

/** Id of the suggestion that the keys have reached. */
export function activeSuggestionId(): string | undefined {
  const { at } = suggestions.value;
  return at < 0 ? undefined : `${SUGGESTION_LIST_ID}-${at}`;
}

/** Earlier prompts above the input, to be chosen by arrow keys or pointer. */
export function SuggestionList({ onChoose }: { readonly onChoose: (prompt: string) => void }): VNode | null {
  const { prompts, at } = suggestions.value;
  if (prompts.length === 0) return null;
  return (
    <div class="suggestions" id={SUGGESTION_LIST_ID} role="listbox" aria-label="Earlier prompts">
      {prompts.map((prompt, index) => (
        <div
          key={prompt}
          id={`${SUGGESTION_LIST_ID}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === at}
          // Before the input loses the focus.
          onMouseDown={(event) => {
            event.preventDefault();
            onChoose(prompt);
          }}
        >
          <bdi>{cleanText(prompt.slice(0, LONGEST))}</bdi>
        </div>
      ))}
    </div>
  );
}
