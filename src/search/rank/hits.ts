import { compareText, laterOf } from '../../text/compare-text.ts';
import { foldCase } from '../../text/fold-case.ts';
import type { Match, SearchHit, SessionHits, Snippet } from '../search-types.ts';
import { isAttempt, readableText, type SearchedDocument } from '../searchable.ts';
import { boostRecent, type WeightedTerm } from './relevance.ts';
import { makeSnippet } from './snippet.ts';

/** A document that matches a query. */
export interface ScoredDocument {
  readonly document: SearchedDocument;
  readonly match: Match;
  readonly score: number;
  /** What it was found by, the typed text first if it has several words. */
  readonly terms: readonly WeightedTerm[];
}

const MATCH_ORDER: Readonly<Record<Match, number>> = { literal: 0, words: 1, related: 2 };

/** The best `limit` documents: by kind of match, then by relevance, then by time, newest first. */
export function rankDocuments(found: readonly ScoredDocument[], limit: number): readonly ScoredDocument[] {
  const newest = found.reduce((time, { document }) => Math.max(time, document.time), 0);
  return found
    .map((one) => ({ ...one, score: boostRecent(one.score, one.document.time, newest) }))
    .sort(
      (a, b) =>
        MATCH_ORDER[a.match] - MATCH_ORDER[b.match] ||
        b.score - a.score ||
        b.document.time - a.document.time ||
        // Any order will do, as long as it is always the same.
        compareText(b.document.record.id, a.document.record.id) ||
        compareText(a.document.project, b.document.project),
    )
    .slice(0, limit);
}

/** What a search shows of a document. */
export function toHit({ document, match, score, terms }: ScoredDocument): SearchHit {
  const { record, project } = document;
  const { id, sessionId, timestamp, agent, branch } = record;
  // Of a literal match only the typed text is marked: its words elsewhere in the text would distract.
  const shown = (match === 'literal' ? terms.slice(0, 1) : terms).map(({ text }) => text);
  const snippet = snippetOf(document, shown);
  // Written out, because spreading several objects per hit takes longer than everything else.
  const hit: { -readonly [K in keyof SearchHit]: SearchHit[K] } = isAttempt(record)
    ? { kind: 'attempt', id, project, sessionId, timestamp, outcome: record.outcome, snippet, score, match }
    : { kind: 'message', id, project, sessionId, timestamp, role: record.role, snippet, score, match };
  if (agent !== undefined) hit.agent = agent;
  if (branch !== undefined) hit.branch = branch;
  return hit;
}

/** Groups hits by session: the session with the best hit first, and within it the best hit first. */
export function groupBySession(hits: readonly SearchHit[]): readonly SessionHits[] {
  const groups = new Map<string, SearchHit[]>();
  for (const hit of hits) {
    const key = `${hit.project} ${hit.sessionId}`;
    const group = groups.get(key);
    if (group) group.push(hit);
    else groups.set(key, [hit]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const newest = group.reduce((time, { timestamp }) => laterOf(time, timestamp), '');
    return [{ sessionId: first.sessionId, project: first.project, timestamp: newest, hits: group }];
  });
}

/** Tool and tags of an attempt are shown only when nothing else of it matches. */
function snippetOf({ record, text, folded }: SearchedDocument, terms: readonly string[]): Snippet {
  if (!isAttempt(record)) return makeSnippet(text, folded, terms);
  const { length } = readableText(record);
  // The readable text comes first and the rest is short, so only the rest is folded again.
  const foldedReadable = folded.slice(0, folded.length - foldCase(text.slice(length)).length);
  return length > 0 && terms.some((term) => foldedReadable.includes(term))
    ? makeSnippet(text.slice(0, length), foldedReadable, terms)
    : makeSnippet(text, folded, terms);
}
