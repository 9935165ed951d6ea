import { foldCase } from '../../text/fold-case.ts';
import type { LoadedDocument } from '../query/document-loader.ts';
import type { Match, SearchHit, SessionHits, Snippet } from '../search-types.ts';
import { isAttempt, readableText } from '../searchable.ts';
import { type Needle, withNewness } from './relevance.ts';
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
    .sort(
      (a, b) =>
        ORDER[a.match] - ORDER[b.match] ||
        b.score - a.score ||
        b.document.time - a.document.time ||
        compareIds(a.document, b.document),
    )
    .slice(0, limit);
}

/** What a search shows of a document. */
export function toHit({ document, match, score, needles }: FoundDocument): SearchHit {
  const { record, project } = document;
  const { id, sessionId, timestamp, agent, branch } = record;
  const snippet = snippetOf(document, needlesToShow(match, needles));
  // Written out, because this is done for every hit, and spreading several objects takes longer than the rest.
  const hit: { -readonly [K in keyof SearchHit]: SearchHit[K] } = isAttempt(record)
    ? { kind: 'attempt', id, project, sessionId, timestamp, outcome: record.outcome, snippet, score, match }
    : { kind: 'message', id, project, sessionId, timestamp, role: record.role, snippet, score, match };
  if (agent !== undefined) hit.agent = agent;
  if (branch !== undefined) hit.branch = branch;
  return hit;
}

/** Of an attempt, tool and tags are shown only when nothing else of it matches. */
function snippetOf({ record, text, folded }: FoundDocument['document'], needles: readonly string[]): Snippet {
  if (!isAttempt(record)) return makeSnippet(text, folded, needles);
  const { length } = readableText(record);
  // It comes first, and the rest is short: only that is folded again.
  const foldedReadable = folded.slice(0, folded.length - foldCase(text.slice(length)).length);
  return length > 0 && needles.some((needle) => foldedReadable.includes(needle))
    ? makeSnippet(text.slice(0, length), foldedReadable, needles)
    : makeSnippet(text, folded, needles);
}

/**
 * Of a literal match only what was typed is shown, which comes first: its words elsewhere in the text would distract.
 */
function needlesToShow(match: Match, needles: readonly Needle[]): readonly string[] {
  return (match === 'literal' ? needles.slice(0, 1) : needles).map(({ text }) => text);
}

/** Any order will do, as long as it is always the same. */
function compareIds(a: FoundDocument['document'], b: FoundDocument['document']): number {
  if (a.record.id !== b.record.id) return a.record.id < b.record.id ? 1 : -1;
  return a.project < b.project ? -1 : 1;
}

/** Hits by session: the session with the best hit first, within it the best hit first. */
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
    const timestamp =
      group
        .map((hit) => hit.timestamp)
        .sort()
        .at(-1) ?? first.timestamp;
    return [{ sessionId: first.sessionId, project: first.project, timestamp, hits: group }];
  });
}
