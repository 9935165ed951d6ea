import { fold, unfoldPosition } from './fold.ts';
import { isWholeWord } from './rank.ts';
import type { Snippet } from './search-result.ts';

const WIDTH = 200;
/** Characters shown before the first match. */
const LEAD = 60;
/** How far the ends move to meet a space. */
const SLACK = 20;
const MOST_MARKS = 50;
const ELLIPSIS = '…';

type Span = readonly [start: number, end: number];

/**
 * The piece of a text that shows best why it was found. `needles` are folded; the piece with the most different ones
 * wins, the first of equals. Without any in the text, it is its beginning.
 */
export function makeSnippet(text: string, folded: string, needles: readonly string[]): Snippet {
  const center = unfoldPosition(text, bestPlace(folded, needles));
  const start = startOfPiece(text, center);
  const end = endOfPiece(text, start);
  const piece = text.slice(start, end);
  const lead = start > 0 ? ELLIPSIS : '';
  return {
    text: `${lead}${piece}${end < text.length ? ELLIPSIS : ''}`,
    marks: marksOf(piece, needles).map(([from, to]) => [from + lead.length, to + lead.length] as const),
  };
}

/** Where the piece to show has its first match. */
function bestPlace(folded: string, needles: readonly string[]): number {
  const places = placesOf(folded, needles);
  let best = places[0]?.start ?? 0;
  let most = 0;
  for (const [index, { start }] of places.entries()) {
    const different = new Set<string>();
    for (let next = index; next < places.length; next++) {
      const place = places[next];
      if (!place || place.start - start > WIDTH - LEAD) break;
      different.add(place.needle);
    }
    if (different.size > most) {
      most = different.size;
      best = start;
    }
  }
  return best;
}

interface Place {
  readonly needle: string;
  readonly start: number;
  readonly end: number;
}

/** Occurrences in order. Those that are whole words count alone, where there are any. */
function placesOf(folded: string, needles: readonly string[]): readonly Place[] {
  const places: Place[] = [];
  for (const needle of needles) {
    const own: Place[] = [];
    for (let at = folded.indexOf(needle); at >= 0 && own.length < MOST_MARKS; ) {
      own.push({ needle, start: at, end: at + needle.length });
      at = folded.indexOf(needle, at + needle.length);
    }
    const whole = own.filter(({ start, end }) => isWholeWord(folded, start, end));
    places.push(...(whole.length > 0 ? whole : own));
  }
  return places.sort((a, b) => a.start - b.start || b.end - a.end);
}

function marksOf(piece: string, needles: readonly string[]): readonly Span[] {
  const marks: Span[] = [];
  for (const { start, end } of placesOf(fold(piece), needles)) {
    const from = unfoldPosition(piece, start);
    const to = unfoldPosition(piece, end - 1);
    const last = to + ((piece.codePointAt(to) ?? 0) > 0xffff ? 2 : 1);
    if (from >= (marks.at(-1)?.[1] ?? 0)) marks.push([from, last]);
  }
  return marks;
}

function startOfPiece(text: string, center: number): number {
  if (center <= LEAD) return 0;
  const start = center - LEAD;
  const space = text.slice(start, start + SLACK).search(/\s/);
  return wholeCharacter(text, space >= 0 ? start + space + 1 : start);
}

function endOfPiece(text: string, start: number): number {
  if (start + WIDTH >= text.length) return text.length;
  const end = start + WIDTH;
  const space = text.slice(end - SLACK, end).search(/\s\S*$/);
  return wholeCharacter(text, space >= 0 ? end - SLACK + space : end);
}

/** A place that does not split a pair. */
function wholeCharacter(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
}
