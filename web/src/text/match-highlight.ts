import { cleanText } from './clean-text.ts';

const NAME = 'match';
const MOST_RANGES = 500;
const MOST_WORDS = 12;

/** The words of a query that are worth marking in a text, longest first. */
export function wordsOf(query: string): readonly string[] {
  const words =
    cleanText(query)
      .toLowerCase()
      .match(/[\p{L}\p{N}_./-]{2,}/gu) ?? [];
  return [...new Set(words)].sort((a, b) => b.length - a.length).slice(0, MOST_WORDS);
}

/** Marks words in what is shown, without touching it. Browsers that cannot do that show no marks. */
export function markWords(container: HTMLElement, words: readonly string[]): void {
  if (typeof Highlight === 'undefined') return;
  CSS.highlights.delete(NAME);
  if (words.length === 0) return;
  const ranges: Range[] = [];
  const walker = document.createTreeWalker(container, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null && ranges.length < MOST_RANGES; node = walker.nextNode()) {
    const text = (node.nodeValue ?? '').toLowerCase();
    // Folding may change the length of a text; then its offsets are worth nothing.
    if (text.length !== node.nodeValue?.length) continue;
    for (const word of words) addRanges(ranges, node, text, word);
  }
  CSS.highlights.set(NAME, new Highlight(...ranges));
}

function addRanges(ranges: Range[], node: Node, text: string, word: string): void {
  for (
    let at = text.indexOf(word);
    at >= 0 && ranges.length < MOST_RANGES;
    at = text.indexOf(word, at + word.length)
  ) {
    const range = document.createRange();
    range.setStart(node, at);
    range.setEnd(node, at + word.length);
    ranges.push(range);
  }
}
