import type { FoundSource } from './find-sources.ts';

/** A source and what its beginning tells. */
export interface BegunSource extends FoundSource {
  /** The folder that it is about, if it says so. */
  readonly folder?: string;
  readonly sessionId?: string;
  readonly parentSessionId?: string;
}

/** What the beginning of a source tells. */
interface Beginning extends Omit<BegunSource, keyof FoundSource> {
  /** Epoch milliseconds; 0 when nothing has a time. */
  readonly time: number;
  readonly isFork: boolean;
}

/** So many events of a source are looked at. */
const LOOKED_AT = 50;

/** Sources in the order in which they are to be read. */
export interface OrderedSources {
  /** By the time they were begun, forks after what they were forked from: they begin with copies of what that holds. */
  readonly sources: readonly BegunSource[];
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
    )
    .map(({ entry, time: _, isFork: __, ...begun }): BegunSource => ({ ...entry, ...begun }));
  // A sub-agent is where its parent is.
  const hasFolder = (begun: BegunSource): boolean =>
    begun.folder !== undefined || begun.parentSessionId !== undefined;
  return {
    sources: ordered.filter(hasFolder),
    withoutFolder: ordered.filter((begun) => !hasFolder(begun)),
  };
}

function beginningOf({ transcripts, source }: FoundSource): Beginning {
  let time = 0;
  let isFork = false;
  let folder = source.cwd;
  let sessionId: string | undefined;
  let parentSessionId: string | undefined;
  try {
    let events = 0;
    for (const event of transcripts.read(source).events) {
      if (event.type === 'session') {
        isFork ||= event.isFork === true;
        folder ??= event.cwd;
        sessionId ??= event.sessionId;
        parentSessionId ??= event.parentSessionId;
      }
      time = ('timestamp' in event && Date.parse(event.timestamp ?? '')) || 0;
      if (time !== 0 || ++events > LOOKED_AT) break;
    }
  } catch {
    // It will be met again when it is read.
  }
  return {
    time,
    isFork,
    ...(folder === undefined ? {} : { folder }),
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(parentSessionId === undefined ? {} : { parentSessionId }),
  };
}
