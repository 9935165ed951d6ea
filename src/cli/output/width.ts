/** The escape sequences of a `Style`; they take no columns. `sanitise` has removed all others. */
const SGR = /\x1b\[[0-9;]*m/g;
const PLAIN = /^[\x20-\x7e]*$/;
const ZERO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]+$/u;
const EMOJI = /\p{Emoji_Presentation}|\ufe0f/u;

/** Characters that take two columns (East Asian Width W and F, without the emoji). */
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1aff0}-\u{1b2ff}\u{20000}-\u{3fffd}]/u;

/**
 * Characters that never combine with the next one: Latin, Greek and Cyrillic letters, punctuation, the signs of
 * `Symbols`, kana, Han and Hangul syllables. Most texts have no others and need no `Intl.Segmenter`, which is slow to
 * start.
 */
const SINGLE =
  /^[\x20-\x7e\xa1-\xa8\xaa-\xac\xaf-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u2190-\u2193\u21b5\u2200-\u22ff\u2500-\u259f\u25cb\u25cf\u26a0\u2713\u2717\u3001-\u3029\u3041-\u3096\u30a1-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60]*$/;

let segmenter: Intl.Segmenter | undefined;

/** The user-perceived characters of a text. */
export function graphemes(text: string): string[] {
  if (SINGLE.test(text)) return text.split('');
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), (part) => part.segment);
}

/** Columns that a text takes on a terminal. */
export function displayWidth(text: string): number {
  const bare = text.includes('\x1b') ? text.replace(SGR, '') : text;
  if (PLAIN.test(bare)) return bare.length;
  let width = 0;
  for (const grapheme of graphemes(bare)) width += graphemeWidth(grapheme);
  return width;
}

function graphemeWidth(grapheme: string): 0 | 1 | 2 {
  const code = grapheme.codePointAt(0) ?? 0;
  if (code >= 0x20 && code < 0x7f && grapheme.length === 1) return 1;
  const isWide = WIDE.test(grapheme);
  if (SINGLE.test(grapheme)) return isWide ? 2 : 1;
  if (ZERO_WIDTH.test(grapheme)) return 0;
  return isWide || EMOJI.test(grapheme) ? 2 : 1;
}

/** Cuts a text off at `columns`, between characters; `ellipsis` marks the cut and counts. */
export function truncate(text: string, columns: number, ellipsis: string): string {
  if (displayWidth(text) <= columns) return text;
  const sign = displayWidth(ellipsis) <= columns ? ellipsis : '';
  const room = columns - displayWidth(sign);
  let kept = '';
  let used = 0;
  for (const token of tokens(text)) {
    if (token.width > 0 && used + token.width > room) used = Number.POSITIVE_INFINITY;
    // After the cut only escape sequences are kept: they end colours that began before it.
    if (used !== Number.POSITIVE_INFINITY || token.isCode) kept += token.text;
    used += token.width;
  }
  const codes = /(?:\x1b\[[0-9;]*m)*$/.exec(kept)?.index ?? kept.length;
  return kept.slice(0, codes) + sign + kept.slice(codes);
}

/** Like {@link truncate}, but cuts off the start: of a path, the end tells more. */
export function truncateStart(text: string, columns: number, ellipsis: string): string {
  if (displayWidth(text) <= columns) return text;
  const sign = displayWidth(ellipsis) <= columns ? ellipsis : '';
  const room = columns - displayWidth(sign);
  let codes = '';
  let kept = '';
  let used = 0;
  for (const token of [...tokens(text)].reverse()) {
    if (token.width > 0 && used + token.width > room) used = Number.POSITIVE_INFINITY;
    if (used !== Number.POSITIVE_INFINITY) kept = token.text + kept;
    else if (token.isCode) codes = token.text + codes;
    used += token.width;
  }
  return codes + sign + kept;
}

/** Pads a text with spaces to `columns`: after it, or before it if aligned to the right. */
export function pad(text: string, columns: number, align: 'left' | 'right' = 'left'): string {
  const missing = ' '.repeat(Math.max(0, columns - displayWidth(text)));
  return align === 'left' ? text + missing : missing + text;
}

/** Wraps a text into lines of at most `columns`, at spaces if possible. Its line breaks stay. */
export function wrap(text: string, columns: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, Math.max(2, columns)));
}

function wrapLine(line: string, columns: number): string[] {
  if (displayWidth(line) <= columns) return [line];
  const lines: string[] = [];
  let current = '';
  let used = 0;
  // Words with the spaces before them, which are dropped at a line break.
  for (const [, spaces = '', word = ''] of line.matchAll(/( *)([^ ]*)/g)) {
    if (word === '') continue;
    const width = displayWidth(word);
    if (used + spaces.length + width <= columns) {
      current += spaces + word;
      used += spaces.length + width;
      continue;
    }
    if (used > 0) lines.push(current);
    const pieces = width <= columns ? [word] : cutWord(word, columns);
    current = pieces.pop() ?? '';
    used = displayWidth(current);
    lines.push(...pieces);
  }
  lines.push(current);
  return lines;
}

/** Splits a word that is wider than a line. */
function cutWord(word: string, columns: number): string[] {
  const pieces: string[] = [];
  let current = '';
  let used = 0;
  for (const { text, width } of tokens(word)) {
    if (used + width > columns) {
      pieces.push(current);
      current = '';
      used = 0;
    }
    current += text;
    used += width;
  }
  return [...pieces, current];
}

/** The characters of a text with their widths, and its escape sequences. */
function* tokens(text: string) {
  for (const part of text.split(/(\x1b\[[0-9;]*m)/)) {
    if (part.startsWith('\x1b')) yield { text: part, width: 0, isCode: true };
    else
      for (const grapheme of graphemes(part)) yield { text: grapheme, width: graphemeWidth(grapheme), isCode: false };
  }
}
