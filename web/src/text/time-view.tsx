import { type ReadonlySignal, signal } from '@preact/signals';
import type { VNode } from 'preact';
import { agoText, fullTime } from './format.ts';

const time = signal(Date.now());
setInterval(() => {
  time.value = Date.now();
}, 30_000);

/** The current time, for relative times. */
export const clock: ReadonlySignal<number> = time;

/** A relative time such as `3 h`, with the full time as its tooltip. */
export function Time({ at }: { readonly at: string }): VNode {
  return (
    <time dateTime={at} title={fullTime(at)}>
      {agoText(at, clock.value)}
    </time>
  );
}

/** The same within a sentence: `3 h ago`, `on Nov 3`. */
export function Ago({ at }: { readonly at: string }): VNode {
  const text = agoText(at, clock.value);
  const isAge = /^\d+ (?:min|h|d)$/.test(text);
  return (
    <time dateTime={at} title={fullTime(at)}>
      {isAge ? `${text} ago` : text === 'now' || text === '' ? text : `on ${text}`}
    </time>
  );
}
