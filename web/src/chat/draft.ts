import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { navigate } from '../router/router.ts';

/** What is being typed into the prompt. */
export const draft: Signal<string> = signal('');
const wishes = signal(0);

/** Changes whenever the prompt should get the focus. */
export const focusWishes: ReadonlySignal<number> = wishes;

/** Puts a text into the prompt, behind what is there, and goes there. */
export function toPrompt(text: string): void {
  draft.value = draft.value.trim() === '' ? text : `${draft.value}\n\n${text}`;
  navigate({ page: 'chat', isBrowsing: false });
  wishes.value += 1;
}
