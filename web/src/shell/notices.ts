import { type ReadonlySignal, signal } from '@preact/signals';
import { errorMessage } from '../rpc/rpc-client.ts';
import { cleanText } from '../text/format.ts';

/** A short message at the edge of the page that disappears by itself. */
export interface Notice {
  readonly id: number;
  readonly text: string;
  readonly tone: 'plain' | 'warning';
}

const SHOWN_MS = 4_000;
const MAX_TEXT_LENGTH = 400;
const list = signal<readonly Notice[]>([]);
let nextId = 1;

export const notices: ReadonlySignal<readonly Notice[]> = list;

/** Shows a notice. Warnings stay longer. */
export function showNotice(text: string, tone: Notice['tone'] = 'plain'): void {
  const id = nextId++;
  list.value = [...list.value.slice(-3), { id, text: cleanText(text.slice(0, MAX_TEXT_LENGTH)), tone }];
  setTimeout(
    () => {
      list.value = list.value.filter((notice) => notice.id !== id);
    },
    tone === 'warning' ? SHOWN_MS * 3 : SHOWN_MS,
  );
}

/** Waits for a call and shows why it failed, if it did. Resolves to whether it succeeded. */
export async function tryCall(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    showNotice(errorMessage(error), 'warning');
    return false;
  }
}

/** Copies a text to the clipboard. Resolves to whether the browser allowed it; if not, a notice says so. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    showNotice('The browser did not allow copying.', 'warning');
    return false;
  }
}

/** Copies a text to the clipboard as it is shown, without hidden characters, and says so. */
export async function copyWithNotice(text: string): Promise<void> {
  if (await copyText(cleanText(text))) showNotice('Copied');
}
