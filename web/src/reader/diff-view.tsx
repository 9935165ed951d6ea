import { signal } from '@preact/signals';
import { Fragment, type VNode } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { DiffHunk, DiffLine, ReaderChange } from '../../../src/server/rpc/api.ts';
import { cleanText } from '../text/format.ts';
import { type CodePiece, codeLines, highlighter, languageOf, loadHighlighter, markPieces } from './code-lines.ts';
import { fileHref } from './links.ts';

/** A diff that is at least this wide, in pixels, is shown side by side. */
const SPLIT_WIDTH = 960;
/** Lines that are shown of a long change before the rest is asked for. */
const MAX_LINES = 80;
const STORED = 'yore-diff';

type Layout = 'auto' | 'unified' | 'split';
const layout = signal<Layout>(readLayout());

function readLayout(): Layout {
  try {
    const stored = localStorage.getItem(STORED);
    return stored === 'unified' || stored === 'split' ? stored : 'auto';
  } catch {
    return 'auto';
  }
}

function chooseLayout(chosen: Layout): void {
  layout.value = chosen;
  try {
    localStorage.setItem(STORED, chosen);
  } catch {
    // The choice lasts until the page is closed.
  }
}

/** What a call changed in one file: its path, the number of lines, and a diff. */
export function ChangeView({ change, project }: { readonly change: ReaderChange; readonly project: string }): VNode {
  const { ref, isWide } = useIsWide();
  const isSplit = layout.value === 'split' || (layout.value === 'auto' && isWide);
  return (
    <section class="change" ref={ref} aria-label={`Changes to ${cleanText(change.path)}`}>
      <header class="change-head">
        <a href={fileHref(project, change.path)} class="change-path">
          <bdi>{cleanText(change.path)}</bdi>
        </a>
        {change.movedFrom === undefined ? null : (
          <span class="fact">
            moved from <bdi>{cleanText(change.movedFrom)}</bdi>
          </span>
        )}
        {change.change === undefined ? null : <span class="fact">{change.change}</span>}
        <LineCounts {...change} />
        {change.hunks.some(hasBothSides) ? (
          <button
            type="button"
            class="quiet"
            aria-pressed={isSplit}
            onClick={() => chooseLayout(isSplit ? 'unified' : 'split')}
          >
            {isSplit ? 'Unified' : 'Side by side'}
          </button>
        ) : null}
      </header>
      {change.hunks.length === 0 ? null : <Diff change={change} isSplit={isSplit} />}
    </section>
  );
}

function hasBothSides({ lines }: DiffHunk): boolean {
  return lines.some(({ sign }) => sign === '-') && lines.some(({ sign }) => sign === '+');
}

/** How many lines were added and removed. */
export function LineCounts({
  added,
  removed,
  isPartial,
}: Pick<ReaderChange, 'added' | 'removed' | 'isPartial'>): VNode | null {
  if (added + removed === 0) return null;
  const more = isPartial === true ? '+' : '';
  const title = isPartial === true ? 'Only a part of this change is recorded, so there are more lines.' : undefined;
  return (
    <span class="line-counts" title={title}>
      {added === 0 ? null : (
        <span class="added">
          <span class="hidden">Lines added: </span>+{added.toLocaleString()}
          {more}
        </span>
      )}
      {removed === 0 ? null : (
        <span class="removed">
          <span class="hidden">Lines removed: </span>−{removed.toLocaleString()}
          {more}
        </span>
      )}
    </span>
  );
}

function Diff({ change, isSplit }: { readonly change: ReaderChange; readonly isSplit: boolean }): VNode {
  const [isWhole, setWhole] = useState(false);
  const total = change.hunks.reduce((sum, { lines }) => sum + lines.length, 0);
  const hunks = isWhole ? change.hunks : takeLines(change.hunks, MAX_LINES);
  useLayoutEffect(loadHighlighter, []);
  return (
    <>
      <div class={`diff-lines${isSplit ? ' is-split' : ''}`} tabIndex={0} role="group" aria-label="Changed lines">
        {hunks.map((hunk, index) => (
          <Fragment key={index}>
            {index > 0 || hunk.heading !== undefined || hunk.oldStart !== undefined ? <HunkHead hunk={hunk} /> : null}
            <Hunk hunk={hunk} language={languageOf(change.path)} isSplit={isSplit} />
          </Fragment>
        ))}
      </div>
      {isWhole || total <= MAX_LINES ? null : (
        <button type="button" class="quiet show-more" onClick={() => setWhole(true)}>
          Show {(total - MAX_LINES).toLocaleString()} more lines
        </button>
      )}
    </>
  );
}

function takeLines(hunks: readonly DiffHunk[], limit: number): readonly DiffHunk[] {
  let left = limit;
  return hunks.flatMap((hunk) => {
    const lines = hunk.lines.slice(0, Math.max(left, 0));
    left -= hunk.lines.length;
    return lines.length === 0 ? [] : [{ ...hunk, lines }];
  });
}

function HunkHead({ hunk: { oldStart, heading = '' } }: { readonly hunk: DiffHunk }): VNode {
  return (
    <div class="hunk-head">
      {oldStart === undefined ? '⋯' : `Line ${oldStart}`} {cleanText(heading)}
    </div>
  );
}

interface HunkProps {
  readonly hunk: DiffHunk;
  readonly language: string;
  readonly isSplit: boolean;
}

function Hunk({ hunk, language, isSplit }: HunkProps): VNode {
  const code = highlighter.value;
  const coloured = useMemo(() => colourLines(hunk.lines, language), [hunk, language, code]);
  const lines = hunk.lines.map((line, index) => ({ line, pieces: coloured[index] ?? [] }));
  if (!isSplit)
    return (
      <>
        {lines.map(({ line, pieces }, index) => (
          <Line key={index} line={line} pieces={pieces} />
        ))}
      </>
    );
  return (
    <>
      {pairLines(lines).map(([before, after], index) => (
        <div key={index} class="diff-pair">
          {before === undefined ? <div class="diff-line is-empty" /> : <Line {...before} />}
          {after === undefined ? <div class="diff-line is-empty" /> : <Line {...after} />}
        </div>
      ))}
    </>
  );
}

interface ShownLine {
  readonly line: DiffLine;
  readonly pieces: readonly CodePiece[];
}

/** Colours the lines before and after the change, each as one text, so that comments and strings may span lines. */
function colourLines(lines: readonly DiffLine[], language: string): readonly (readonly CodePiece[])[] {
  const side = (sign: '-' | '+') => {
    const own = lines.filter((line) => line.sign === ' ' || line.sign === sign);
    const coloured = codeLines(
      own.map(({ text }) => cleanText(text)),
      language,
    );
    return new Map(own.map((line, index) => [line, coloured?.[index]]));
  };
  const [before, after] = [side('-'), side('+')];
  return lines.map((line) => {
    const pieces = line.sign === '-' ? before.get(line) : after.get(line);
    return pieces ?? [{ text: cleanText(line.text), className: '' }];
  });
}

/** Lines side by side: unchanged ones on both, removed ones beside the added ones that follow them. */
function pairLines(lines: readonly ShownLine[]): readonly (readonly [ShownLine | undefined, ShownLine | undefined])[] {
  const pairs: (readonly [ShownLine | undefined, ShownLine | undefined])[] = [];
  let [removed, added]: [ShownLine[], ShownLine[]] = [[], []];
  const flush = () => {
    for (let index = 0; index < Math.max(removed.length, added.length); index++) {
      pairs.push([removed[index], added[index]]);
    }
    [removed, added] = [[], []];
  };
  for (const shown of lines) {
    if (shown.line.sign === '-' && added.length > 0) flush();
    if (shown.line.sign === '-') removed.push(shown);
    else if (shown.line.sign === '+') added.push(shown);
    else {
      flush();
      pairs.push([shown, shown]);
    }
  }
  flush();
  return pairs;
}

const SIGN_CLASSES = { ' ': '', '-': ' removed', '+': ' added' } as const;
const SIGNS = { ' ': ' ', '-': '−', '+': '+' } as const;

function Line({ line, pieces }: ShownLine): VNode {
  return (
    <div class={`diff-line${SIGN_CLASSES[line.sign]}`}>
      <span class="diff-sign">{SIGNS[line.sign]}</span>
      <code dir="ltr">
        {markPieces(pieces, line.marks ?? []).map(({ text, className, isMarked }, index) =>
          isMarked ? (
            <mark key={index} class={className}>
              {text}
            </mark>
          ) : (
            <span key={index} class={className}>
              {text}
            </span>
          ),
        )}
      </code>
    </div>
  );
}

/** Whether an element is wide enough for two columns of code. */
function useIsWide(): { readonly ref: { current: HTMLElement | null }; readonly isWide: boolean } {
  const ref = useRef<HTMLElement>(null);
  const [isWide, setWide] = useState(false);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const measure = () => setWide(element.clientWidth >= SPLIT_WIDTH);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, isWide };
}
