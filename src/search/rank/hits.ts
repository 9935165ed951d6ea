import { getOrAdd } from '../../record/once.ts';
import { CHAT_AGENT } from '../../record/record.ts';
import { isAttempt, type SearchedDocument } from '../../store/searchable.ts';
import { safeCut } from '../../text/characters.ts';
import { compareText, laterOf } from '../../text/compare-text.ts';
import { foldCase, originalPosition } from '../../text/fold-case.ts';
import { oneLine } from '../../text/one-line.ts';
import { isStopWord } from '../../text/stop-words.ts';
import { findWord } from '../../text/word-matches.ts';
import type { Match, SearchHit, SessionHits, Snippet } from '../search-types.ts';
import { boostRecent, isWholeWord, type WeightedTerm } from './relevance.ts';

/** A document that matches a query. */
export interface ScoredDocument {
  readonly document: SearchedDocument;
  readonly match: Match;
  readonly score: number;
  /** What it was found by, the typed text first if it has several words. */
  readonly terms: readonly WeightedTerm[];
  /** Found by its meaning, not by its words. */
  readonly isSimilar?: true;
}

const MATCH_ORDER: Readonly<Record<Match, number>> = { literal: 0, words: 1, related: 2 };

/** The best `limit` documents: by kind of match, then by relevance, then by time, newest first; talk of the chat last. */
export function rankDocuments(found: readonly ScoredDocument[], limit: number): readonly ScoredDocument[] {
  const newest = found.reduce((time, { document }) => Math.max(time, document.time), 0);
  return found
    .map((one) => ({ ...one, score: boostRecent(one.score, one.document.time, newest) }))
    .sort(
      (a, b) =>
        Number(isChatTalk(a.document)) - Number(isChatTalk(b.document)) ||
        MATCH_ORDER[a.match] - MATCH_ORDER[b.match] ||
        b.score - a.score ||
        compareNewest(a.document, b.document),
    )
    .slice(0, limit);
}

/** Newest first. Of equal times any order will do, as long as it does not depend on the order of indexing. */
export function compareNewest(a: SearchedDocument, b: SearchedDocument): number {
  return b.time - a.time || compareText(b.record.id, a.record.id) || compareText(a.project, b.project);
}

/**
 * Whether a document was said in yore's own chat: a question about the history, or an answer from it. It is found, but
 * what it is about comes first.
 */
export function isChatTalk({ record }: SearchedDocument): boolean {
  return record.agent === CHAT_AGENT && !isAttempt(record);
}

/** What a search shows of a document. */
export function toHit({ document, match, score, terms, isSimilar }: ScoredDocument): SearchHit {
  const { record, project } = document;
  const { id, sessionId, timestamp, agent, branch } = record;
  const shown = markedTerms({ match, terms });
  const snippet = snippetOf(document, shown);
  const reason = isSimilar ? 'similar in meaning' : describeMatch(document, shown, snippet.marks.length > 0);
  // Written out, because spreading several objects per hit takes longer than everything else.
  const hit: { -readonly [K in keyof SearchHit]: SearchHit[K] } = isAttempt(record)
    ? { kind: 'attempt', id, project, sessionId, timestamp, outcome: record.outcome, snippet, score, match, reason }
    : { kind: 'message', id, project, sessionId, timestamp, role: record.role, snippet, score, match, reason };
  if (agent !== undefined) hit.agent = agent;
  if (branch !== undefined) hit.branch = branch;
  if (record.foreign) hit.foreign = true;
  if (record.author !== undefined) hit.author = record.author;
  return hit;
}

/**
 * The terms that are marked. Of a literal match only the typed text: its words elsewhere in the text would distract. Of
 * other matches no stop words, which are everywhere.
 */
export function markedTerms({ match, terms }: Pick<ScoredDocument, 'match' | 'terms'>): readonly string[] {
  const texts = (match === 'literal' ? terms.slice(0, 1) : terms).map(({ text }) => text);
  const content = texts.filter((text) => !isStopWord(text));
  return content.length > 0 ? content : texts;
}

const MAX_REASON_LENGTH = 80;

/** Why a document was found, in a few words. */
function describeMatch(
  { record, text, folded, saidEnd }: SearchedDocument,
  terms: readonly string[],
  hasMatch: boolean,
): string {
  if (!isAttempt(record)) {
    if (!hasMatch) return 'next to a match';
    if (record.kind === 'title') return 'titled';
    return record.role === 'user' ? `${record.author ?? 'you'} said` : `${record.agent ?? 'the agent'} said`;
  }
  const what = oneLine(record.path ?? record.command ?? record.tool ?? record.pattern ?? '', MAX_REASON_LENGTH);
  const isSaid = terms.some((term) => {
    const at = findWord(text, folded, term, 0);
    return at >= 0 && at < saidEnd;
  });
  if (!isSaid && hasMatch && record.pattern === undefined) return `output of ${what}`;
  if (record.kind === 'commit') return 'committed';
  if (record.path !== undefined) return `${DONE_TO_FILE[record.kind ?? ''] ?? record.tool ?? ''} ${what}`.trim();
  if (record.pattern !== undefined) return what;
  return record.command === undefined ? `called ${what}` : `ran ${what}`;
}

/** What a call did to its file, by what it achieved. */
const DONE_TO_FILE: Readonly<Record<string, string>> = { edit: 'edited', create: 'created', read: 'read' };

/** Identifies a session among those of all projects. */
export function sessionKey(project: string, sessionId: string): string {
  return `${project} ${sessionId}`;
}

/**
 * Groups hits by session: within it the best hit first. Sessions are sorted by their scores, by {@link sessionKey};
 * those without one, by their best hit.
 */
export function groupBySession(
  hits: readonly SearchHit[],
  scores: ReadonlyMap<string, number> = new Map(),
): readonly SessionHits[] {
  const groups = new Map<string, SearchHit[]>();
  for (const hit of hits) getOrAdd(groups, sessionKey(hit.project, hit.sessionId), () => []).push(hit);
  const ordered = [...groups].sort(([a], [b]) => (scores.get(b) ?? 0) - (scores.get(a) ?? 0));
  return ordered.flatMap(([, group]) => {
    const [first] = group;
    if (!first) return [];
    const newest = group.reduce((time, { timestamp }) => laterOf(time, timestamp), '');
    return [{ sessionId: first.sessionId, project: first.project, timestamp: newest, hits: group }];
  });
}

/** Labels of an attempt are shown only when nothing else of it matches. */
function snippetOf({ text, folded, readableEnd }: SearchedDocument, terms: readonly string[]): Snippet {
  if (readableEnd === text.length) return makeSnippet(text, folded, terms);
  const foldedReadable = folded.slice(0, folded.length - foldCase(text.slice(readableEnd)).length);
  return readableEnd > 0 && terms.some((term) => foldedReadable.includes(term))
    ? makeSnippet(text.slice(0, readableEnd), foldedReadable, terms)
    : makeSnippet(text, folded, terms);
}

const WIDTH = 200;
/** Characters shown before the first match. */
const LEAD = 60;
/** How far the ends may move to meet a space. */
const SLACK = 20;
/** Occurrences of one term that are considered to choose the excerpt, and that are marked in it. */
const MAX_OCCURRENCES = 4;
const MAX_MARKS = 12;
const ELLIPSIS = '…';
const SPACE = /\s/;

/**
 * The excerpt of a text that shows best why it was found: the first one with the most distinct terms, which are folded.
 * The beginning of the text when it has none of them.
 */
export function makeSnippet(text: string, folded: string, terms: readonly string[]): Snippet {
  const center = originalPosition(text, bestStart(findOccurrences(text, folded, terms, MAX_OCCURRENCES)));
  const start = excerptStart(text, center);
  const end = excerptEnd(text, start);
  const excerpt = text.slice(start, end);
  const lead = start > 0 ? ELLIPSIS : '';
  return {
    text: `${lead}${excerpt}${end < text.length ? ELLIPSIS : ''}`,
    marks: findMarks(excerpt, terms, lead.length),
  };
}

interface Occurrence {
  readonly term: string;
  readonly start: number;
}

/**
 * Occurrences in order: at the beginning of words and of parts of identifiers or, where no term has any, anywhere. Of a
 * term that is a whole word somewhere, only whole words.
 */
function findOccurrences(
  text: string,
  folded: string,
  terms: readonly string[],
  limitPerTerm: number,
): readonly Occurrence[] {
  const atWords = terms.flatMap((term) =>
    occurrencesOf(folded, term, limitPerTerm, (from) => findWord(text, folded, term, from)),
  );
  const found =
    atWords.length > 0
      ? atWords
      : terms.flatMap((term) => occurrencesOf(folded, term, limitPerTerm, (from) => folded.indexOf(term, from)));
  return terms.length > 1 ? found.sort((a, b) => a.start - b.start) : found;
}

function occurrencesOf(folded: string, term: string, limit: number, next: (from: number) => number): Occurrence[] {
  const all: Occurrence[] = [];
  let hasWhole = false;
  for (let at = next(0); at >= 0 && all.length < limit; at = next(at + term.length)) {
    const isWhole = isWholeWord(folded, at, at + term.length);
    if (isWhole && !hasWhole) all.length = 0;
    if (isWhole || !hasWhole) all.push({ term, start: at });
    hasWhole ||= isWhole;
  }
  return all;
}

/** The position of the first match to show. */
function bestStart(occurrences: readonly Occurrence[]): number {
  const inside = new Map<string, number>();
  let best = occurrences[0]?.start ?? 0;
  let distinct = 1;
  let end = 0;
  for (const first of occurrences) {
    let next = occurrences[end];
    while (next && next.start - first.start <= WIDTH - LEAD) {
      inside.set(next.term, (inside.get(next.term) ?? 0) + 1);
      next = occurrences[++end];
    }
    if (inside.size > distinct) {
      distinct = inside.size;
      best = first.start;
    }
    if (end === occurrences.length) break;
    const left = (inside.get(first.term) ?? 0) - 1;
    if (left > 0) inside.set(first.term, left);
    else inside.delete(first.term);
  }
  return best;
}

function findMarks(excerpt: string, terms: readonly string[], shift: number): Snippet['marks'] {
  const marks: (readonly [number, number])[] = [];
  let reached = 0;
  for (const { term, start } of findOccurrences(excerpt, foldCase(excerpt), terms, MAX_MARKS)) {
    const from = originalPosition(excerpt, start);
    if (from < reached) continue;
    const last = originalPosition(excerpt, start + term.length - 1);
    reached = last + ((excerpt.codePointAt(last) ?? 0) > 0xffff ? 2 : 1);
    marks.push([from + shift, reached + shift]);
  }
  return marks;
}

function excerptStart(text: string, center: number): number {
  if (center <= LEAD) return 0;
  const start = center - LEAD;
  const space = text.slice(start, start + SLACK).search(SPACE);
  return space < 0 ? safeCut(text, start) : start + space + 1;
}

function excerptEnd(text: string, start: number): number {
  const end = start + WIDTH;
  if (end >= text.length) return text.length;
  for (let at = end; at > end - SLACK; at--) if (SPACE.test(text.charAt(at))) return at;
  return safeCut(text, end);
}
