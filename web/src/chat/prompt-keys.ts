import { draft } from './draft.ts';
import { closeSuggestions, moveSuggestion, suggestions } from './prompt-suggestions.ts';
import { recalled } from './recalled-prompts.ts';

type AreaEvent = KeyboardEvent & { readonly currentTarget: HTMLTextAreaElement };

/** What keys do in the prompt: choose a suggestion, send, or bring earlier prompts back. */
export function pressInPrompt(event: AreaEvent, onEnter: () => void): void {
  if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (pressInSuggestions(event)) {
    event.preventDefault();
    return;
  }
  if (event.key === 'Enter' && !event.shiftKey) {
    event.preventDefault();
    onEnter();
  } else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') void recall(event);
}

function pressInSuggestions({ key, shiftKey }: AreaEvent): boolean {
  const { prompts, at } = suggestions.value;
  if (prompts.length === 0 || shiftKey) return false;
  const chosen = prompts[at];
  if (key === 'ArrowDown' && !recalled.isRecalling) return moveSuggestion(1);
  if (key === 'ArrowUp') return moveSuggestion(-1);
  if (key !== 'Escape' && !((key === 'Enter' || key === 'Tab') && chosen !== undefined)) return false;
  if (key !== 'Escape' && chosen !== undefined) draft.value = chosen;
  closeSuggestions();
  return true;
}

async function recall(event: AreaEvent): Promise<void> {
  const { selectionStart, value } = event.currentTarget;
  const isUp = event.key === 'ArrowUp';
  const isAtEdge = isUp
    ? !value.slice(0, selectionStart).includes('\n')
    : !value.slice(selectionStart).includes('\n');
  if (!isAtEdge || (!isUp && !recalled.isRecalling)) return;
  event.preventDefault();
  closeSuggestions();
  const prompt = isUp ? await recalled.older(value).catch(() => undefined) : recalled.newer();
  if (prompt !== undefined) draft.value = prompt;
}
