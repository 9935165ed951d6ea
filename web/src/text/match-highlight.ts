import { foldCase } from '../../../src/text/fold-case.ts';
import { LETTERS } from '../../../src/text/letters.ts';
import { isStopWord } from '../../../src/text/stop-words.ts';
import { findWord } from '../../../src/text/word-matches.ts';
import { cleanText } from './format.ts';

const NAME = 'match';
const MAX_RANGES = 500;
const MAX_WORDS = 12;
const WORDS = new RegExp(`[${LETTERS}_./-]{2,}`, 'gu');

/** The words of a query to highlight, folded, the longest first; no stop words unless there is nothing else. */
export function queryWords(query: string): readonly string[] {
  const words = [...new Set(foldCase(cleanText(query)).match(WORDS) ?? [])];
  const content = words.filter((word) => !isStopWord(word));
  return (content.length > 0 ? content : words).sort((a, b) => b.length - a.length).slice(0, MAX_WORDS);
}

/** Highlights words without changing the document. Does nothing in browsers without the Custom Highlight API. */
export function highlightWords(container: HTMLElement, words: readonly string[]): void {
  if (typeof Highlight === 'undefined') return;
  CSS.highlights.delete(NAME);
  if (words.length === 0) return;
  const ranges: Range[] = [];
  const walker = document.createTreeWalker(container, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null && ranges.length < MAX_RANGES; node = walker.nextNode()) {
    const folded = foldCase(node.nodeValue ?? '');
    // Folded text may have another length than the original; then the offsets would be wrong.
    if (folded.length !== node.nodeValue?.length) continue;
    for (const word of words) addRanges(ranges, node, folded, word);
  }
  CSS.highlights.set(NAME, new Highlight(...ranges));
}

const FIND_NAME = 'find';

/** Highlights a text wherever it occurs, whatever its case, beside the words of {@link highlightWords}. */
export function highlightText(container: HTMLElement, wanted: string): void {
  if (typeof Highlight === 'undefined') return;
  CSS.highlights.delete(FIND_NAME);
  const needle = cleanText(wanted).toLowerCase();
  if (needle === '') return;
  const ranges: Range[] = [];
  const walker = document.createTreeWalker(container, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null && ranges.length < MAX_RANGES; node = walker.nextNode()) {
    const text = (node.nodeValue ?? '').toLowerCase();
    if (text.length !== node.nodeValue?.length) continue;
    for (let at = text.indexOf(needle); at >= 0 && ranges.length < MAX_RANGES; at = text.indexOf(needle, at + 1)) {
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + needle.length);
      ranges.push(range);
    }
  }
  CSS.highlights.set(FIND_NAME, new Highlight(...ranges));
}

function addRanges(ranges: Range[], node: Node, folded: string, word: string): void {
  const text = node.nodeValue ?? '';
  const next = (from: number): number => findWord(text, folded, word, from);
  for (let at = next(0); at >= 0 && ranges.length < MAX_RANGES; at = next(at + word.length)) {
    const range = document.createRange();
    range.setStart(node, at);
    range.setEnd(node, at + word.length);
    ranges.push(range);
  }
}
