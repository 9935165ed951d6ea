import { effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { navigate } from '../router/router.ts';

const KEPT_AS = 'yore draft';

/** What is being typed into the prompt. It outlives a reload of the page. */
export const draft: Signal<string> = signal(kept());
const requests = signal(0);

effect(() => keep(draft.value));

/** Changes whenever the prompt should get the focus. */
export const focusRequests: ReadonlySignal<number> = requests;

/** Puts a text into the prompt, behind what is there, and goes there. */
export function toPrompt(text: string): void {
  draft.value = draft.value.trim() === '' ? text : `${draft.value}\n\n${text}`;
  navigate({ page: 'chat', isBrowsing: false });
  requests.value += 1;
}

function kept(): string {
  try {
    return sessionStorage.getItem(KEPT_AS) ?? '';
  } catch {
    return '';
  }
}

function keep(text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(KEPT_AS);
    else sessionStorage.setItem(KEPT_AS, text);
  } catch {
    // A browser may refuse to keep anything, or have no room: then a reload loses it.
  }
}
