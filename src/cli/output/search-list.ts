import { labelOrigin } from '../../record/index.ts';
import type { SearchHit, SessionHits, Snippet } from '../../search/index.ts';
import { relativeTime, shortDate } from './format.ts';
import { outcomeLabel, outcomePaint } from './outcome-mark.ts';
import type { Output } from './output.ts';
import { sanitiseLine } from './sanitise.ts';
import type { ListOptions } from './session-list.ts';
import { displayWidth, pad, wrap } from './width.ts';

/** A narrower terminal shows labels before the text instead of in a column of their own. */
const MIN_LABEL_COLUMNS = 60;

interface SearchListOptions extends ListOptions {
  /** The title of a session; empty for none. Default: no titles. */
  readonly title?: (session: SessionHits) => string;
  /** Hits of a session that are shown; of more, their number is mentioned. Default: all. */
  readonly maxHits?: number;
}

/** Search hits, grouped by session. */
export function searchLines(sessions: readonly SessionHits[], options: SearchListOptions): string[] {
  const hits = sessions.flatMap((session) => pickHits(session, options));
  const labelWidth = Math.max(0, ...hits.map((hit) => displayWidth(formatLabel(hit, options.output))));
  const lines = sessions.flatMap((session) => [
    '',
    ...headLines(session, options),
    ...countRepeats(pickHits(session, options)).flatMap(([hit, count]) => hitLines(hit, count, labelWidth, options)),
    ...moreLines(session, options),
  ]);
  return lines.slice(1);
}

/** The hits of a session that are shown: of few, those with a match rather than those next to one. */
function pickHits({ hits }: SessionHits, { maxHits }: SearchListOptions): readonly SearchHit[] {
  if (maxHits === undefined) return hits;
  const matching = hits.filter(({ snippet }) => snippet.marks.length > 0);
  return (matching.length > 0 ? matching : hits).slice(0, maxHits);
}

/** Each hit that looks different, with how many look like it: the same command that was run again and again. */
function countRepeats(hits: readonly SearchHit[]): readonly (readonly [SearchHit, number])[] {
  const counts = new Map<string, [SearchHit, number]>();
  for (const hit of hits) {
    const { outcome, role, reason } = hit;
    const key = [outcome, role, reason, ...shownLines(hit).map(({ text }) => text)].join('\n');
    const known = counts.get(key);
    if (known === undefined) counts.set(key, [hit, 1]);
    else known[1]++;
  }
  return [...counts.values()];
}

function moreLines(session: SessionHits, options: SearchListOptions): string[] {
  const more = session.hits.length - pickHits(session, options).length;
  if (more === 0) return [];
  const { output, shortId } = options;
  const command = `--session ${sanitiseLine(shortId(session.sessionId))}`;
  return [output.truncate(output.style.dim(`  ${more} more in this session: ${command}`))];
}

function headLines(session: SessionHits, { output, now, projectName, shortId, title }: SearchListOptions): string[] {
  const { style, symbols, columns } = output;
  const agent = session.hits.find((hit) => hit.agent !== undefined)?.agent;
  const author = session.hits[0]?.author;
  const branch = session.hits.find((hit) => hit.branch !== undefined)?.branch;
  const facts = [
    style.bold(projectName(session.project)),
    relativeTime(session.timestamp, now),
    ...[author, agent, branch].filter((fact) => fact !== undefined).map((fact) => style.cyan(sanitiseLine(fact))),
  ];
  const id = style.yellow(sanitiseLine(shortId(session.sessionId)));
  const head = facts.join(style.dim(` ${symbols.separator} `));
  const room = columns - displayWidth(head) - 2;
  const name = sanitiseLine(title?.(session) ?? '');
  const named = name === '' ? [] : [output.truncate(`${style.bold(name)}`)];
  if (displayWidth(id) <= room) return [`${head}  ${id}`, ...named];
  return [...[head, id].map((line) => output.truncate(line)), ...named];
}

function hitLines(hit: SearchHit, count: number, labelWidth: number, { output, now }: SearchListOptions): string[] {
  const { style, columns } = output;
  const label = formatLabel(hit, output);
  const paint = hit.outcome ? outcomePaint(hit.outcome, style) : style.dim;
  const separator = ` ${style.dim(output.symbols.separator)} `;
  const snippets = shownLines(hit);
  const repeated = snippets.find((snippet) => repeatsReason(snippet, hit));
  const rest = snippets.filter((snippet) => snippet !== repeated);
  const text = [
    ...formatReason(hit, now, output, repeated),
    ...rest.map((snippet) => highlight(snippet, output)),
    ...(count > 1 ? [style.dim(`${count} times`)] : []),
  ].join(separator);
  if (columns < MIN_LABEL_COLUMNS) {
    return wrap(`${paint(`${label}:`)} ${text}`, columns - 4).map((line, index) =>
      index === 0 ? `  ${line}` : `    ${line}`,
    );
  }
  const indent = 2 + labelWidth + 2;
  return wrap(text, columns - indent).map((line, index) =>
    index === 0 ? `  ${paint(pad(label, labelWidth))}  ${line}` : ' '.repeat(indent) + line,
  );
}

/**
 * Why a hit was found, with the day of a message. A line of the hit that says what was done, as the reason does, stands in
 * its place with its matches marked.
 */
function formatReason(
  { kind, reason = '', timestamp }: SearchHit,
  now: number,
  output: Output,
  repeated?: Snippet,
): readonly string[] {
  if (reason === '') return [];
  const { style } = output;
  const time = Date.parse(timestamp);
  if (kind === 'message' && !Number.isNaN(time))
    return [style.dim(sanitiseLine(`${reason} on ${shortDate(time, now)}`))];
  if (repeated === undefined || repeated.marks.length === 0) return [style.dim(sanitiseLine(reason))];
  const verb = reason.slice(0, reason.indexOf(comparedPart(repeated)));
  return [`${style.dim(sanitiseLine(verb))} ${highlight(repeated, output)}`.trim()];
}

/** Characters of a line that are compared with the reason, which may be truncated. */
const COMPARED_LENGTH = 40;

function comparedPart({ text }: Snippet): string {
  return sanitiseLine(text).slice(0, COMPARED_LENGTH);
}

/** Whether a line says nothing that the reason does not say: `npm test` after `output of npm test`. */
function repeatsReason(snippet: Snippet, { reason }: SearchHit): boolean {
  return reason?.includes(comparedPart(snippet)) === true;
}

function formatLabel(hit: SearchHit, output: Output): string {
  return labelOrigin(hit.outcome ? outcomeLabel(hit.outcome, output.symbols) : (hit.role ?? hit.kind), hit);
}

function shownLines({ kind, snippet }: SearchHit): readonly Snippet[] {
  return kind === 'attempt' ? pickAttemptLines(snippet) : [snippet];
}

/**
 * Two lines of an attempt's snippet, which has a line per field: what was done, how it ended, its description, its tags.
 * The first line, then the one that matches if the first does not, else the second.
 */
function pickAttemptLines({ text, marks }: Snippet): readonly Snippet[] {
  const lines: Snippet[] = [];
  let start = 0;
  for (const line of text.split('\n')) {
    const end = start + line.length;
    const inside = marks.filter(([from, to]) => from >= start && to <= end);
    if (/[^\s…]/.test(line)) lines.push({ text: line, marks: inside.map(([from, to]) => [from - start, to - start]) });
    start = end + 1;
  }
  const [first, ...others] = lines;
  const matching = first && first.marks.length > 0 ? undefined : others.find((line) => line.marks.length > 0);
  const second = matching ?? others[0];
  return [first, second].filter((line) => line !== undefined);
}

/** A snippet on one line with its matches highlighted. Pieces are sanitised one by one, so that offsets stay valid. */
function highlight({ text, marks }: Snippet, { style }: Output): string {
  let line = '';
  let at = 0;
  for (const [start, end] of marks) {
    line += flatten(text.slice(at, start)) + style.mark(flatten(text.slice(start, end)));
    at = end;
  }
  return (line + flatten(text.slice(at))).trim();
}

/** {@link sanitiseLine}, but a space at either end stays. */
function flatten(piece: string): string {
  const line = sanitiseLine(piece);
  if (line === '') return piece === '' ? '' : ' ';
  return `${/^\s/.test(piece) ? ' ' : ''}${line}${/\s$/.test(piece) ? ' ' : ''}`;
}
