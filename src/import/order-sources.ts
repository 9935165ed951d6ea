import type { FoundSource } from './find-sources.ts';

/** What the beginning of a source tells. */
interface Beginning {
  /** Epoch milliseconds; 0 when nothing has a time. */
  readonly time: number;
  readonly isFork: boolean;
}

/** So many events of a source are looked at. */
const LOOKED_AT = 50;

/**
 * Sources in the order in which they were begun, forks after what they were forked from: a fork begins with copies of
 * what its parent holds, which are to be taken in from there.
 */
export function orderSources(sources: readonly FoundSource[]): readonly FoundSource[] {
  return sources
    .map((found) => ({ found, ...beginningOf(found) }))
    .sort(
      (a, b) =>
        a.time - b.time ||
        Number(a.isFork) - Number(b.isFork) ||
        (a.found.source.path < b.found.source.path ? -1 : 1),
    )
    .map(({ found }) => found);
}

function beginningOf({ transcripts, source }: FoundSource): Beginning {
  let isFork = false;
  try {
    let events = 0;
    for (const event of transcripts.read(source).events) {
      if (event.type === 'session' && event.isFork === true) isFork = true;
      const time = 'timestamp' in event ? Date.parse(event.timestamp ?? '') : Number.NaN;
      if (!Number.isNaN(time)) return { time, isFork };
      if (++events > LOOKED_AT) break;
    }
  } catch {
    // It will be met again when it is read.
  }
  return { time: 0, isFork };
}
