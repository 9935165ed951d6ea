import type { SearchAnswer } from '../../../src/server/rpc/api.ts';

type Found = SearchAnswer['sessions'][number];
type Hit = Found['hits'][number];

/** A row of the results: a session, or one of its hits below it. */
export type ResultRow =
  | {
      readonly type: 'session';
      readonly sessionId: string;
      readonly project: string;
      readonly timestamp: string;
      readonly hits: number;
      readonly agent?: string;
    }
  | { readonly type: 'hit'; readonly sessionId: string; readonly project: string; readonly hit: Hit };

/** Hits of one session beyond these are counted, not listed. */
const MOST_HITS = 5;

/** What was found as rows of one list. */
export function resultRows(answer: SearchAnswer | undefined): readonly ResultRow[] {
  return (answer?.sessions ?? []).flatMap((found) => [headingOf(found), ...hitsOf(found)]);
}

function headingOf({ sessionId, project, timestamp, hits }: Found): ResultRow {
  const agent = hits.find((hit) => hit.agent !== undefined)?.agent;
  return {
    type: 'session',
    sessionId,
    project,
    timestamp,
    hits: hits.length,
    ...(agent === undefined ? {} : { agent }),
  };
}

function hitsOf({ sessionId, project, hits }: Found): ResultRow[] {
  return hits.slice(0, MOST_HITS).map((hit) => ({ type: 'hit', sessionId, project, hit }));
}
