import { type ReadonlySignal, signal } from '@preact/signals';

const time = signal(Date.now());
setInterval(() => {
  time.value = Date.now();
}, 30_000);

/** The time, for what is said relative to it. */
export const clock: ReadonlySignal<number> = time;
