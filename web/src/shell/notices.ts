import { type ReadonlySignal, signal } from '@preact/signals';
import { messageOf } from '../rpc/rpc-error.ts';
import { cleanText } from '../text/clean-text.ts';

/** A line at the edge of the page that goes away by itself. */
export interface Notice {
  readonly id: number;
  readonly text: string;
  readonly tone: 'plain' | 'warning';
}

const SHOWN_MS = 4_000;
const LONGEST_TEXT = 400;
const list = signal<readonly Notice[]>([]);
let nextId = 1;

export const notices: ReadonlySignal<readonly Notice[]> = list;

/** Says something in passing. Warnings stay longer. */
export function tell(text: string, tone: Notice['tone'] = 'plain'): void {
  const id = nextId++;
  list.value = [...list.value.slice(-3), { id, text: cleanText(text.slice(0, LONGEST_TEXT)), tone }];
  setTimeout(
    () => {
      list.value = list.value.filter((notice) => notice.id !== id);
    },
    tone === 'warning' ? SHOWN_MS * 3 : SHOWN_MS,
  );
}

/** Waits for a call that changes something; when it fails, says why. */
export async function attempt(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    tell(messageOf(error), 'warning');
    return false;
  }
}
