import { effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { navigate } from '../router/router.ts';

const STORAGE_KEY = 'yore draft';

/** The text in the message box. It survives a reload of the page. */
export const draft: Signal<string> = signal(readDraft());
const requests = signal(0);

effect(() => storeDraft(draft.value));

/** Changes whenever the message box should get the focus. */
export const focusRequests: ReadonlySignal<number> = requests;

/** Appends a text to the message box and focuses it. */
export function addToPrompt(text: string): void {
  draft.value = draft.value.trim() === '' ? text : `${draft.value}\n\n${text}`;
  navigate({ page: 'chat', isBrowsing: false });
  requests.value += 1;
}

function readDraft(): string {
  try {
    return sessionStorage.getItem(STORAGE_KEY) ?? '';
  } catch {
    return '';
  }
}

function storeDraft(text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(STORAGE_KEY);
    else sessionStorage.setItem(STORAGE_KEY, text);
  } catch {
    // Without storage, or when it is full, a reload loses the draft.
  }
}
