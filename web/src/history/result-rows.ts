import type { SearchResults, SessionSummary } from '../../../src/server/rpc/api.ts';

type Found = SearchResults['sessions'][number];
type Hit = Found['hits'][number];

interface OfSession {
  readonly sessionId: string;
  readonly project: string;
}

/** A row of the results: a session, one of its hits below it, or how many more it has. */
export type ResultRow = OfSession &
  (
    | {
        readonly type: 'session';
        /** Of the newest hit. */
        readonly timestamp: string;
        readonly hits: number;
        readonly agent?: string;
        readonly summary?: SessionSummary;
      }
    | { readonly type: 'hit'; readonly hit: Hit }
    | { readonly type: 'more'; readonly count: number }
  );

/** Hits of one session beyond these are listed when they are asked for. */
const MOST_HITS = 5;

/** The name of a session among the results, for `unfolded`. */
export function resultName({ sessionId, project }: OfSession): string {
  return `${project} ${sessionId}`;
}

/** What was found as rows of one list; sessions in `unfolded` are listed with all their hits. */
export function resultRows(
  answer: SearchResults | undefined,
  unfolded: ReadonlySet<string> = new Set(),
): readonly ResultRow[] {
  return (answer?.sessions ?? []).flatMap((found) => [
    headingOf(found),
    ...hitsOf(found, unfolded.has(resultName(found))),
  ]);
}

function headingOf({ sessionId, project, timestamp, hits, summary }: Found): ResultRow {
  const agent = summary?.agent ?? hits.find((hit) => hit.agent !== undefined)?.agent;
  return {
    type: 'session',
    sessionId,
    project,
    timestamp,
    hits: hits.length,
    ...(agent === undefined ? {} : { agent }),
    ...(summary === undefined ? {} : { summary }),
  };
}

function hitsOf({ sessionId, project, hits }: Found, isWhole: boolean): ResultRow[] {
  const shown = isWhole ? hits : hits.slice(0, MOST_HITS);
  const rows = shown.map((hit): ResultRow => ({ type: 'hit', sessionId, project, hit }));
  const count = hits.length - shown.length;
  return count === 0 ? rows : [...rows, { type: 'more', sessionId, project, count }];
}
