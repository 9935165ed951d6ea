import { safeCut } from '../../text/characters.ts';
import { foldCase, originalPosition } from '../../text/fold-case.ts';
import type { Snippet } from '../search-types.ts';
import { isWholeWord } from './relevance.ts';

const WIDTH = 200;
/** Characters shown before the first match. */
const LEAD = 60;
/** How far the ends move to meet a space. */
const SLACK = 20;
/** Occurrences of one needle that are looked at to find the piece, and that are marked in it. */
const MOST_PLACES = 4;
const MOST_MARKS = 12;
const ELLIPSIS = '…';
const SPACE = /\s/;

/**
 * The piece of a text that shows best why it was found. `needles` are folded; the piece with the most different ones
 * wins, the first of equals. Without any in the text, it is its beginning.
 */
export function makeSnippet(text: string, folded: string, needles: readonly string[]): Snippet {
  const center = originalPosition(text, bestPlace(placesOf(folded, needles, MOST_PLACES)));
  const start = startOfPiece(text, center);
  const end = endOfPiece(text, start);
  const piece = text.slice(start, end);
  const lead = start > 0 ? ELLIPSIS : '';
  return {
    text: `${lead}${piece}${end < text.length ? ELLIPSIS : ''}`,
    marks: marksOf(piece, needles, lead.length),
  };
}

interface Place {
  readonly needle: string;
  readonly start: number;
}

/** Occurrences in order. Those that are whole words count alone, where there are any. */
function placesOf(folded: string, needles: readonly string[], most: number): readonly Place[] {
  const places: Place[] = [];
  for (const needle of needles) {
    const first = folded.indexOf(needle);
    if (first < 0) continue;
    const whole = nextWholeWord(folded, needle, first);
    const isWhole = whole >= 0;
    let at = isWhole ? whole : first;
    for (let count = 0; at >= 0 && count < most; count++) {
      places.push({ needle, start: at });
      const next = folded.indexOf(needle, at + needle.length);
      at = isWhole ? nextWholeWord(folded, needle, next) : next;
    }
  }
  return needles.length > 1 ? places.sort((a, b) => a.start - b.start) : places;
}

/** The first occurrence from `start` on, itself an occurrence or none, that is a whole word. */
function nextWholeWord(folded: string, needle: string, start: number): number {
  let at = start;
  while (at >= 0 && !isWholeWord(folded, at, at + needle.length))
    at = folded.indexOf(needle, at + needle.length);
  return at;
}

/** Where the piece to show has its first match. */
function bestPlace(places: readonly Place[]): number {
  const inside = new Map<string, number>();
  let best = places[0]?.start ?? 0;
  let most = 1;
  let end = 0;
  for (const first of places) {
    for (let next = places[end]; next && next.start - first.start <= WIDTH - LEAD; next = places[++end]) {
      inside.set(next.needle, (inside.get(next.needle) ?? 0) + 1);
    }
    if (inside.size > most) {
      most = inside.size;
      best = first.start;
    }
    if (end === places.length) break;
    const left = (inside.get(first.needle) ?? 0) - 1;
    if (left > 0) inside.set(first.needle, left);
    else inside.delete(first.needle);
  }
  return best;
}

function marksOf(piece: string, needles: readonly string[], shift: number): Snippet['marks'] {
  const marks: (readonly [number, number])[] = [];
  let reached = 0;
  for (const { needle, start } of placesOf(foldCase(piece), needles, MOST_MARKS)) {
    const from = originalPosition(piece, start);
    if (from < reached) continue;
    const last = originalPosition(piece, start + needle.length - 1);
    reached = last + ((piece.codePointAt(last) ?? 0) > 0xffff ? 2 : 1);
    marks.push([from + shift, reached + shift]);
  }
  return marks;
}

function startOfPiece(text: string, center: number): number {
  if (center <= LEAD) return 0;
  const start = center - LEAD;
  const space = text.slice(start, start + SLACK).search(SPACE);
  return space < 0 ? safeCut(text, start) : start + space + 1;
}

function endOfPiece(text: string, start: number): number {
  const end = start + WIDTH;
  if (end >= text.length) return text.length;
  for (let at = end; at > end - SLACK; at--) if (SPACE.test(text.charAt(at))) return at;
  return safeCut(text, end);
}
