import { cleanText } from './format.ts';

const NAME = 'match';
const MAX_RANGES = 500;
const MAX_WORDS = 12;

/** The words of a query to highlight, the longest first. */
export function queryWords(query: string): readonly string[] {
  const words =
    cleanText(query)
      .toLowerCase()
      .match(/[\p{L}\p{N}_./-]{2,}/gu) ?? [];
  return [...new Set(words)].sort((a, b) => b.length - a.length).slice(0, MAX_WORDS);
}

/** Highlights words without changing the document. Does nothing in browsers without the Custom Highlight API. */
export function highlightWords(container: HTMLElement, words: readonly string[]): void {
  if (typeof Highlight === 'undefined') return;
  CSS.highlights.delete(NAME);
  if (words.length === 0) return;
  const ranges: Range[] = [];
  const walker = document.createTreeWalker(container, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null && ranges.length < MAX_RANGES; node = walker.nextNode()) {
    const text = (node.nodeValue ?? '').toLowerCase();
    // Lower case may have another length than the original; then the offsets would be wrong.
    if (text.length !== node.nodeValue?.length) continue;
    for (const word of words) addRanges(ranges, node, text, word);
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

function addRanges(ranges: Range[], node: Node, text: string, word: string): void {
  const original = node.nodeValue ?? '';
  for (let at = text.indexOf(word); at >= 0 && ranges.length < MAX_RANGES; at = text.indexOf(word, at + word.length)) {
    if (!isBorder(original, at) || (word.length < MIN_PREFIX && !isBorder(original, at + word.length))) continue;
    const range = document.createRange();
    range.setStart(node, at);
    range.setEnd(node, at + word.length);
    ranges.push(range);
  }
}

/** Shorter words are highlighted only as a whole. */
const MIN_PREFIX = 4;
const LETTER = /[\p{L}\p{N}]/u;
const UNSPACED = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}]/u;

/** Whether a word or a part of an identifier begins or ends at a position, as the server decides it. */
function isBorder(text: string, at: number): boolean {
  const [before, after] = [text.charAt(at - 1), text.charAt(at)];
  if (!LETTER.test(before) || !LETTER.test(after) || UNSPACED.test(after)) return true;
  if (/\d/.test(before) !== /\d/.test(after)) return true;
  return /[A-Z]/.test(after) && (!/[A-Z]/.test(before) || /[a-z]/.test(text.charAt(at + 1)));
}
