import type { LoadedDocument } from './document-loader.ts';
import { type Needle, withNewness } from './rank.ts';
import type { Match, SearchHit } from './search-result.ts';
import { isAttempt } from './searchable.ts';
import { makeSnippet } from './snippet.ts';

/** A document that answers a query. */
export interface FoundDocument {
  readonly document: Omit<LoadedDocument, 'id'>;
  readonly match: Match;
  readonly score: number;
  /** What to show of it. */
  readonly needles: readonly Needle[];
}

const ORDER: Readonly<Record<Match, number>> = { literal: 0, words: 1, related: 2 };

/** The best of what was found, best first: by the kind of match, then by relevance, newer ones before older ones. */
export function rankFound(found: readonly FoundDocument[], limit: number): readonly FoundDocument[] {
  const newest = found.reduce((time, { document }) => Math.max(time, document.time), 0);
  return found
    .map((one) => ({ ...one, score: withNewness(one.score, one.document.time, newest) }))
    .sort((a, b) => ORDER[a.match] - ORDER[b.match] || b.score - a.score || b.document.time - a.document.time)
    .slice(0, limit);
}

/** What a search shows of a document. */
export function toHit({ document, match, score, needles }: FoundDocument): SearchHit {
  const { record, project, text, folded } = document;
  return {
    kind: isAttempt(record) ? 'attempt' : 'message',
    id: record.id,
    project,
    sessionId: record.sessionId,
    timestamp: record.timestamp,
    ...(isAttempt(record) ? { outcome: record.outcome } : { role: record.role }),
    ...(record.agent === undefined ? {} : { agent: record.agent }),
    ...(record.branch === undefined ? {} : { branch: record.branch }),
    snippet: makeSnippet(text, folded, needlesToShow(match, needles)),
    score,
    match,
  };
}

/**
 * Of a literal match only what was typed is shown, which comes first: its words elsewhere in the text would distract.
 */
function needlesToShow(match: Match, needles: readonly Needle[]): readonly string[] {
  return (match === 'literal' ? needles.slice(0, 1) : needles).map(({ text }) => text);
}
