import type { FoundSource } from './find-sources.ts';

/** What the beginning of a source tells. */
interface Beginning {
  /** Epoch milliseconds; 0 when nothing has a time. */
  readonly time: number;
  readonly isFork: boolean;
  /** Whether it tells which folder it is about. */
  readonly hasFolder: boolean;
}

/** So many events of a source are looked at. */
const LOOKED_AT = 50;

/** Sources in the order in which they are to be read. */
export interface OrderedSources {
  /** By the time they were begun, forks after what they were forked from: they begin with copies of what that holds. */
  readonly sources: readonly FoundSource[];
  /** Those that do not tell which folder they are about; others may help to find out. */
  readonly withoutFolder: readonly FoundSource[];
}

/** Puts sources in order. Looks at the beginning of each. */
export function orderSources(found: readonly FoundSource[]): OrderedSources {
  const ordered = found
    .map((entry) => ({ entry, ...beginningOf(entry) }))
    .sort(
      (a, b) =>
        a.time - b.time ||
        Number(a.isFork) - Number(b.isFork) ||
        (a.entry.source.path < b.entry.source.path ? -1 : 1),
    );
  const those = (hasFolder: boolean): readonly FoundSource[] =>
    ordered.flatMap((each) => (each.hasFolder === hasFolder ? [each.entry] : []));
  return { sources: those(true), withoutFolder: those(false) };
}

function beginningOf({ transcripts, source }: FoundSource): Beginning {
  let isFork = false;
  let hasFolder = source.cwd !== undefined;
  try {
    let events = 0;
    for (const event of transcripts.read(source).events) {
      if (event.type === 'session') {
        isFork ||= event.isFork === true;
        // A sub-agent is where its parent is.
        hasFolder ||= event.cwd !== undefined || event.parentSessionId !== undefined;
      }
      const time = 'timestamp' in event ? Date.parse(event.timestamp ?? '') : Number.NaN;
      if (!Number.isNaN(time)) return { time, isFork, hasFolder };
      if (++events > LOOKED_AT) break;
    }
  } catch {
    // It will be met again when it is read.
  }
  return { time: 0, isFork, hasFolder };
}
