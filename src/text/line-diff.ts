import { LETTERS } from './letters.ts';

/** One line of a diff. */
export interface DiffLine {
  /** `-`: only before the change, `+`: only after it, a space: in both. */
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
  /** The parts of a changed line that differ from its counterpart, as offsets into `text`; see {@link markWords}. */
  readonly marks?: readonly (readonly [start: number, end: number])[];
}

/** Changed lines that are close to each other, with the unchanged lines around them. */
export interface DiffHunk {
  /** Number of the first line before and after the change, counted from 1, where it is known. */
  readonly oldStart?: number;
  readonly newStart?: number;
  /** What the hunk is in, such as a function, as a patch says after `@@`. */
  readonly heading?: string;
  readonly lines: readonly DiffLine[];
}

/** Unchanged lines that are kept on either side of a change. */
const CONTEXT_LINES = 3;
/** Texts with more differences than this are shown as replaced as a whole. */
const MAX_DIFFERENCES = 600;

/** The lines of a text, without the end of the last one. */
export function splitLines(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
}

/** The hunks of a diff between two texts. Empty when their lines are equal. */
export function diffTexts(before: string, after: string): readonly DiffHunk[] {
  const lines = diffLines(splitLines(before), splitLines(after));
  return splitHunks(lines).map((hunk) => ({ lines: hunk }));
}

/** A diff with all lines of both texts. Removed lines stand before the added ones that replace them. */
function diffLines(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  const [removed, added]: [DiffLine[], DiffLine[]] = [[], []];
  const flush = (): void => {
    lines.push(...removed.splice(0), ...added.splice(0));
  };
  let [from, to] = [0, 0];
  for (const [oldIndex, newIndex] of [...commonItems(before, after), [before.length, after.length] as const]) {
    while (from < oldIndex) removed.push({ sign: '-', text: before[from++] ?? '' });
    while (to < newIndex) added.push({ sign: '+', text: after[to++] ?? '' });
    const text = before[oldIndex];
    if (text === undefined) continue;
    flush();
    lines.push({ sign: ' ', text });
    from++;
    to++;
  }
  flush();
  return lines;
}

/** The lines that two texts have in common: for each line of the second the index of its counterpart in the first, if any. */
export function alignLines(before: readonly string[], after: readonly string[]): readonly (number | undefined)[] {
  const aligned: (number | undefined)[] = after.map(() => undefined);
  for (const [oldIndex, newIndex] of commonItems(before, after)) aligned[newIndex] = oldIndex;
  return aligned;
}

type Pair = readonly [oldIndex: number, newIndex: number];

/** A longest common subsequence; what is before and after the first and last differences if there are too many of them. */
function commonItems(before: readonly string[], after: readonly string[]): readonly Pair[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  const between = commonBetween(before.slice(head, before.length - tail), after.slice(head, after.length - tail));
  return [
    ...Array.from({ length: head }, (_, index): Pair => [index, index]),
    ...between.map(([oldIndex, newIndex]): Pair => [oldIndex + head, newIndex + head]),
    ...Array.from({ length: tail }, (_, index): Pair => [before.length - tail + index, after.length - tail + index]),
  ];
}

/** A longest common subsequence, by the algorithm of Myers; empty when there are too many differences. */
function commonBetween(before: readonly string[], after: readonly string[]): readonly Pair[] {
  if (before.length === 0 || after.length === 0) return [];
  const limit = Math.min(before.length + after.length, MAX_DIFFERENCES);
  /** How far into `before` each diagonal was followed; diagonal 0 is in the middle. */
  const reached = new Int32Array(2 * limit + 3).fill(-1);
  const middle = limit + 1;
  reached[middle + 1] = 0;
  const steps: Int32Array[] = [];
  for (let count = 0; count <= limit; count++) {
    steps.push(reached.slice(middle - count - 1, middle + count + 2));
    for (let diagonal = -count; diagonal <= count; diagonal += 2) {
      const from = previousDiagonal(reached, middle, diagonal, count);
      let x = (reached[middle + from] ?? 0) + (from < diagonal ? 1 : 0);
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x++;
      reached[middle + diagonal] = x;
      if (x >= before.length && x - diagonal >= after.length) return walkBack(steps, before.length, after.length);
    }
  }
  return [];
}

function previousDiagonal(reached: Int32Array, middle: number, diagonal: number, count: number): number {
  const isAdded = (reached[middle + diagonal - 1] ?? -1) < (reached[middle + diagonal + 1] ?? -1);
  return diagonal === -count || (diagonal !== count && isAdded) ? diagonal + 1 : diagonal - 1;
}

function walkBack(steps: readonly Int32Array[], rows: number, columns: number): readonly Pair[] {
  const pairs: Pair[] = [];
  let [x, y] = [rows, columns];
  for (let count = steps.length - 1; count >= 0; count--) {
    const reached = steps[count] ?? new Int32Array();
    const middle = count + 1;
    const from = previousDiagonal(reached, middle, x - y, count);
    const startX = count === 0 ? 0 : (reached[middle + from] ?? 0);
    const startY = count === 0 ? 0 : startX - from;
    while (x > startX && y > startY) pairs.push([--x, --y]);
    [x, y] = [startX, startY];
  }
  return pairs.reverse();
}

/** Leaves out unchanged lines that are far from a change. */
function splitHunks(lines: readonly DiffLine[]): readonly (readonly DiffLine[])[] {
  const hunks: DiffLine[][] = [];
  let end = -1;
  lines.forEach(({ sign }, index) => {
    if (sign === ' ') return;
    const start = Math.max(index - CONTEXT_LINES, end, 0);
    if (end < 0 || start > end) hunks.push([]);
    end = Math.min(index + 1 + CONTEXT_LINES, lines.length);
    hunks.at(-1)?.push(...lines.slice(start, end));
  });
  return hunks;
}

/**
 * Pairs the removed lines of each run with the added ones after it, and marks where they differ. It takes longer than
 * finding the lines, so it is left to whoever shows them.
 */
export function markWords<T extends { readonly hunks: readonly DiffHunk[] }>(change: T): T {
  return { ...change, hunks: change.hunks.map((hunk) => ({ ...hunk, lines: markRuns(hunk.lines) })) };
}

function markRuns(lines: readonly DiffLine[]): readonly DiffLine[] {
  const marked = [...lines];
  for (let at = 0; at < lines.length; ) {
    const added = findRun(lines, at, '-');
    const end = findRun(lines, added, '+');
    const pairs = added - at === end - added ? added - at : 0;
    for (let index = 0; index < pairs; index++) markPair(marked, at + index, added + index);
    at = Math.max(end, at + 1);
  }
  return marked;
}

function findRun(lines: readonly DiffLine[], from: number, sign: DiffLine['sign']): number {
  let end = from;
  while (lines[end]?.sign === sign) end++;
  return end;
}

const WORD = new RegExp(`[${LETTERS}_]+|\\s+|[^${LETTERS}_\\s]`, 'gu');
const MAX_MARKED_LENGTH = 500;

/** Marks the words in which two lines differ, unless they have little in common. */
function markPair(lines: DiffLine[], oldIndex: number, newIndex: number): void {
  const [removed, added] = [lines[oldIndex], lines[newIndex]];
  if (removed === undefined || added === undefined) return;
  if (Math.max(removed.text.length, added.text.length) > MAX_MARKED_LENGTH) return;
  const [before, after] = [removed.text.match(WORD) ?? [], added.text.match(WORD) ?? []];
  const common = commonItems(before, after);
  const shared = common.reduce((sum, [index]) => sum + (before[index]?.trim().length ?? 0), 0);
  if (shared * 3 < Math.max(removed.text.trim().length, added.text.trim().length)) return;
  lines[oldIndex] = { ...removed, marks: findGaps(before, new Set(common.map(([index]) => index))) };
  lines[newIndex] = { ...added, marks: findGaps(after, new Set(common.map(([, index]) => index))) };
}

/** The spans of the words that are not shared; adjacent ones are one span. */
function findGaps(words: readonly string[], shared: ReadonlySet<number>): readonly (readonly [number, number])[] {
  const spans: [number, number][] = [];
  let offset = 0;
  words.forEach((word, index) => {
    const last = spans.at(-1);
    if (!shared.has(index) && last?.[1] === offset) last[1] += word.length;
    else if (!shared.has(index)) spans.push([offset, offset + word.length]);
    offset += word.length;
  });
  return spans;
}

const HUNK_LINE = /^@@(?: -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@)? ?(.*)$/;

/** Reads the hunks of a patch: unified, or in the format of `apply_patch`, where `@@` may have no line numbers. */
export function parseHunks(patch: string): readonly DiffHunk[] {
  const hunks: { head: Omit<DiffHunk, 'lines'>; lines: DiffLine[] }[] = [];
  for (const line of splitLines(patch)) {
    const [found, oldStart, newStart, heading = ''] = HUNK_LINE.exec(line) ?? [];
    if (found !== undefined) {
      const numbers = oldStart === undefined ? {} : { oldStart: Number(oldStart), newStart: Number(newStart) };
      const title = heading.replace(/ ?@@$/, '').trim();
      hunks.push({ head: { ...numbers, ...(title === '' ? {} : { heading: title }) }, lines: [] });
      continue;
    }
    if (/^(?:--- |\+\+\+ |diff --git |index [0-9a-f]+\.\.|\\ No newline)/.test(line)) continue;
    if (hunks.length === 0) hunks.push({ head: {}, lines: [] });
    const sign = line.charAt(0);
    const isSigned = sign === '-' || sign === '+';
    hunks.at(-1)?.lines.push({ sign: isSigned ? sign : ' ', text: isSigned || sign === ' ' ? line.slice(1) : line });
  }
  return hunks.filter(({ lines }) => lines.length > 0).map(({ head, lines }) => ({ ...head, lines }));
}

/** The text of a hunk, with `-`, `+` or a space before each line. */
export function formatHunks(hunks: readonly DiffHunk[]): string {
  return hunks.map(({ lines }) => lines.map(({ sign, text }) => sign + text).join('\n')).join('\n@@\n');
}
