import type { SearchHit, SessionHits, Snippet } from '../../search/index.ts';
import { outcomeLabel, outcomePaint } from './outcome-mark.ts';
import type { Output } from './output.ts';
import { sanitiseLine } from './sanitise.ts';
import { relativeTime } from './time.ts';
import { displayWidth, pad, truncate, wrap } from './width.ts';

/** What a list of matches is printed with. */
export interface SearchListOptions {
  readonly output: Output;
  readonly now: number;
  /** Display name of a project's id. */
  readonly projectName: (id: string) => string;
}

/** Below this many columns the label stands before the text instead of in a column of its own. */
const COLUMNS_FOR_LABELS = 60;

/** Matches, grouped by session. */
export function searchLines(sessions: readonly SessionHits[], options: SearchListOptions): string[] {
  const labels = sessions.flatMap(({ hits }) =>
    hits.map((hit) => displayWidth(labelOf(hit, options.output))),
  );
  const labelWidth = Math.max(0, ...labels);
  return sessions.flatMap((session, index) => [
    ...(index > 0 ? [''] : []),
    ...headLines(session, options),
    ...session.hits.flatMap((hit) => hitLines(hit, labelWidth, options.output)),
  ]);
}

function headLines(session: SessionHits, { output, now, projectName }: SearchListOptions): string[] {
  const { style, symbols, columns } = output;
  const agent = session.hits.find((hit) => hit.agent !== undefined)?.agent;
  const branch = session.hits.find((hit) => hit.branch !== undefined)?.branch;
  const facts = [
    style.bold(projectName(session.project)),
    relativeTime(session.timestamp, now),
    ...[agent, branch].filter((fact) => fact !== undefined).map((fact) => style.cyan(sanitiseLine(fact))),
  ];
  const id = style.yellow(sanitiseLine(session.sessionId));
  const head = facts.join(style.dim(` ${symbols.separator} `));
  const room = columns - displayWidth(head) - 2;
  if (displayWidth(id) <= room) return [`${head}  ${id}`];
  return [head, id].map((line) => truncate(line, columns, symbols.ellipsis));
}

function hitLines(hit: SearchHit, labelWidth: number, output: Output): string[] {
  const { style, columns } = output;
  const label = labelOf(hit, output);
  const paint = hit.outcome ? outcomePaint(hit.outcome, style) : style.dim;
  const separator = ` ${style.dim(output.symbols.separator)} `;
  const text = (hit.kind === 'attempt' ? fewLines(hit.snippet) : [hit.snippet])
    .map((snippet) => highlight(snippet, output))
    .join(separator);
  if (columns < COLUMNS_FOR_LABELS) {
    return wrap(`${paint(`${label}:`)} ${text}`, columns - 4).map((line, index) =>
      index === 0 ? `  ${line}` : `    ${line}`,
    );
  }
  const indent = 2 + labelWidth + 2;
  return wrap(text, columns - indent).map((line, index) =>
    index === 0 ? `  ${paint(pad(label, labelWidth))}  ${line}` : ' '.repeat(indent) + line,
  );
}

function labelOf(hit: SearchHit, output: Output): string {
  return hit.outcome ? outcomeLabel(hit.outcome, output.symbols) : (hit.role ?? hit.kind);
}

/**
 * An attempt's text has a line for each of its fields: what was done, how it ended, then what it was for and its
 * tags. The first says what it was. Beside it: how it ended, or what matched when it was not the first.
 */
function fewLines({ text, marks }: Snippet): readonly Snippet[] {
  const lines: Snippet[] = [];
  let start = 0;
  for (const line of text.split('\n')) {
    const end = start + line.length;
    const inside = marks.filter(([from, to]) => from >= start && to <= end);
    if (line.trim() !== '')
      lines.push({ text: line, marks: inside.map(([from, to]) => [from - start, to - start]) });
    start = end + 1;
  }
  const [first, ...others] = lines;
  const matching = first && first.marks.length > 0 ? undefined : others.find((line) => line.marks.length > 0);
  const second = matching ?? others[0];
  return [first, second].filter((line) => line !== undefined);
}

/** A snippet on one line, its matches painted. Each piece is made safe on its own, so that offsets hold. */
function highlight({ text, marks }: Snippet, { style }: Output): string {
  let line = '';
  let at = 0;
  for (const [start, end] of marks) {
    line += flat(text.slice(at, start)) + style.mark(flat(text.slice(start, end)));
    at = end;
  }
  return (line + flat(text.slice(at))).trim();
}

/** White space inside a piece becomes one space, but none is lost at its ends. */
function flat(piece: string): string {
  const line = sanitiseLine(piece);
  if (line === '') return piece === '' ? '' : ' ';
  return `${/^\s/.test(piece) ? ' ' : ''}${line}${/\s$/.test(piece) ? ' ' : ''}`;
}
