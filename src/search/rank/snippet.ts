import { safeCut } from '../../text/characters.ts';
import { foldCase, originalPosition } from '../../text/fold-case.ts';
import type { Snippet } from '../search-types.ts';
import { isWholeWord } from './relevance.ts';

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
  const center = originalPosition(text, bestStart(findOccurrences(folded, terms, MAX_OCCURRENCES)));
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

/** Occurrences in order. When some are whole words, only those. */
function findOccurrences(folded: string, terms: readonly string[], limitPerTerm: number): readonly Occurrence[] {
  const occurrences: Occurrence[] = [];
  for (const term of terms) {
    const first = folded.indexOf(term);
    if (first < 0) continue;
    const whole = nextWholeWord(folded, term, first);
    const isWhole = whole >= 0;
    let at = isWhole ? whole : first;
    for (let count = 0; at >= 0 && count < limitPerTerm; count++) {
      occurrences.push({ term, start: at });
      const next = folded.indexOf(term, at + term.length);
      at = isWhole ? nextWholeWord(folded, term, next) : next;
    }
  }
  return terms.length > 1 ? occurrences.sort((a, b) => a.start - b.start) : occurrences;
}

/** The first occurrence that is a whole word, starting with the one at `start`; negative when there is none. */
function nextWholeWord(folded: string, term: string, start: number): number {
  let at = start;
  while (at >= 0 && !isWholeWord(folded, at, at + term.length)) at = folded.indexOf(term, at + term.length);
  return at;
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
  for (const { term, start } of findOccurrences(foldCase(excerpt), terms, MAX_MARKS)) {
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
