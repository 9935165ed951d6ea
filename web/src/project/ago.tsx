import type { VNode } from 'preact';
import { clock } from '../shell/clock.ts';
import { fullTime, relativeTime } from '../text/relative-time.ts';

/** A time at the end of a phrase: `3 h ago`, `on Nov 3`; in full when pointed at. */
export function Ago({ at }: { readonly at: string }): VNode {
  const text = relativeTime(at, clock.value);
  const isAge = /^\d+ (?:min|h|d)$/.test(text);
  return (
    <time dateTime={at} title={fullTime(at)}>
      {isAge ? `${text} ago` : text === 'now' || text === '' ? text : `on ${text}`}
    </time>
  );
}
