import type { VNode } from 'preact';
import { clock } from '../shell/clock.ts';
import { fullTime, relativeTime } from './relative-time.ts';

/** A time as a person would say it; in full when pointed at. */
export function TimeView({ at }: { readonly at: string }): VNode {
  return (
    <time dateTime={at} title={fullTime(at)}>
      {relativeTime(at, clock.value)}
    </time>
  );
}
