import type { SearchResults, SessionSummary } from '../../../src/server/rpc/api.ts';

type SessionResult = SearchResults['sessions'][number];
type Hit = SessionResult['hits'][number];
type Snippet = Hit['snippet'];

interface SessionRef {
  readonly sessionId: string;
  readonly project: string;
  /** It is the current chat, which is not recorded. */
  readonly isInMemory?: true;
}

/** A row of the results: a session, one of its hits, or how many more hits it has. */
export type ResultRow = SessionRef &
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

/** Further hits of a session are listed on request. */
const MAX_HITS = 5;

/** Identifies a session among the results. */
export function resultKey({ sessionId, project }: SessionRef): string {
  return `${project} ${sessionId}`;
}

/** The results as rows of one list. Sessions in `expanded` are listed with all their hits. */
export function resultRows(
  results: SearchResults | undefined,
  expanded: ReadonlySet<string> = new Set(),
): readonly ResultRow[] {
  return (results?.sessions ?? []).flatMap((session) => [
    toHeading(session),
    ...toHitRows(session, expanded.has(resultKey(session))),
  ]);
}

/**
 * The part of a hit's text that its row has room for: its first line, which is the command of a call, and then the line of
 * the first match. Lines in between are left out.
 */
export function aroundFirstMatch({ text, marks }: Snippet): Snippet {
  const [first] = marks[0] ?? [];
  const start = first === undefined ? 0 : text.lastIndexOf('\n', first - 1) + 1;
  // A snippet from the middle of a text does not begin with a line of its own.
  const kept = text.startsWith('…') ? 0 : text.indexOf('\n') + 1;
  if (first === 0 || start <= kept) return { text, marks };
  const head = `${text.slice(0, kept)}…`;
  const moved = start - head.length;
  return { text: head + text.slice(start), marks: marks.map(([from, to]) => [from - moved, to - moved]) };
}

function toRef({ sessionId, project, isInMemory }: SessionResult): SessionRef {
  return { sessionId, project, ...(isInMemory === undefined ? {} : { isInMemory }) };
}

function toHeading(session: SessionResult): ResultRow {
  const { timestamp, hits, summary } = session;
  const agent = summary?.agent ?? hits.find((hit) => hit.agent !== undefined)?.agent;
  return {
    type: 'session',
    ...toRef(session),
    timestamp,
    hits: hits.length,
    ...(agent === undefined ? {} : { agent }),
    ...(summary === undefined ? {} : { summary }),
  };
}

function toHitRows(session: SessionResult, isExpanded: boolean): ResultRow[] {
  const { hits } = session;
  const shown = isExpanded ? hits : hits.slice(0, MAX_HITS);
  const rows = shown.map((hit): ResultRow => ({ type: 'hit', ...toRef(session), hit }));
  const count = hits.length - shown.length;
  return count === 0 ? rows : [...rows, { type: 'more', ...toRef(session), count }];
}
