import { isTokenLike } from './generated.ts';
import { nameLevel } from './name.ts';
import { isMasked, maskOf, type Span } from './rule.ts';
import { DATA_SYNTAX, isPasswordLiteral, isPlaceholder, isPlainWord, isSecret } from './secret-value.ts';

const MAX_LINE = 2000;
const MAX_ROWS = 200;
const MAX_NAME = 40;
const DELIMITERS = ',;\t|│┃║';
/** The delimiter of columns that are aligned with spaces. */
const SPACES = '  ';
const NAME_CHARACTER = /[\w.-]/;
/** A line between the header and the rows: `|---|`, `+----+`, `├───┼`. */
const RULE_LINE = /^[\s|+:=\-─━═┼╋├┤┠┨╞╡╪╟╢│┃║]{3,}$/;

/** The word or words of a header around a position. */
interface Header {
  readonly start: number;
  readonly end: number;
}

/** Masks the column of a table or CSV file whose header is a name of secrets; `at` is inside of the name. */
export function findColumn(text: string, at: number, found: Span[]): void {
  const header = readHeader(text, at);
  const delimiter = delimiterOf(neighbour(text, header.start - 1, -1), neighbour(text, header.end, 1));
  if (delimiter === undefined) return;
  const name = text.slice(header.start, header.end);
  if (nameLevel(name) === 'none') return;
  const from = Math.max(0, header.start - MAX_LINE);
  const lineStart = from + text.slice(from, header.start).lastIndexOf('\n') + 1;
  const lineEnd = endOfLine(text, header.end);
  if (lineEnd - lineStart > MAX_LINE) return;
  const line = text.slice(lineStart, lineEnd);
  if (/[(){}<>=]/.test(line)) return;
  const names = splitRow(line, delimiter);
  const index = names.findIndex((cell) => cell.start <= at - lineStart && at - lineStart < cell.end);
  if (index < 0 || names.filter((cell) => cell.end > cell.start).length < 2) return;
  const hasUser = names.some((cell) => USER.test(line.slice(cell.start, cell.end)));
  const column = { delimiter, index, offset: header.start - lineStart, count: names.length, name, hasUser };
  addRows(text, lineEnd + 1, column, found);
}

/** The header at a position: words that are separated by single spaces. */
function readHeader(text: string, at: number): Header {
  let start = at;
  while (start > 0 && at - start < MAX_NAME && isHeaderCharacter(text, start - 1)) start--;
  let end = at;
  while (end < text.length && end - at < MAX_NAME && isHeaderCharacter(text, end)) end++;
  while (text[start] === ' ') start++;
  while (text[end - 1] === ' ') end--;
  return { start, end };
}

function isHeaderCharacter(text: string, at: number): boolean {
  if (text[at] !== ' ') return NAME_CHARACTER.test(text[at] ?? '');
  return text[at + 1] !== ' ' && text[at - 1] !== ' ';
}

/** The next character in a direction that is neither quote nor blank, or two spaces, or a line end. */
function neighbour(text: string, from: number, step: 1 | -1): string {
  let at = from;
  while (/["'`]/.test(text[at] ?? '')) at += step;
  const blanks = at;
  while (text[at] === ' ' && Math.abs(at - from) < MAX_NAME) at += step;
  const character = text[at] ?? '\n';
  if (DELIMITERS.includes(character) || character === '\n' || character === '\r') return character;
  return Math.abs(at - blanks) > 1 ? SPACES : character;
}

/** What separates a header from its neighbours, one of which may be an end of the line. */
function delimiterOf(before: string, after: string): string | undefined {
  const delimiter = after === '\n' || after === '\r' ? before : after;
  if (!DELIMITERS.includes(delimiter) && delimiter !== SPACES) return undefined;
  return before === '\n' || before === delimiter || after === '\n' || after === '\r' ? delimiter : undefined;
}

/** A column of a table, found by its name. */
interface Column {
  readonly delimiter: string;
  readonly index: number;
  /** Where its header starts in the line. */
  readonly offset: number;
  /** How many cells each row has. */
  readonly count: number;
  readonly name: string;
  /** Another column is the user, so that every word is a password. */
  readonly hasUser: boolean;
}

const USER = /^(?:user(?:name)?|login|e-?mail|account|host)$/i;

function addRows(text: string, first: number, column: Column, found: Span[]): void {
  let start = first;
  for (let row = 0; row < MAX_ROWS && start < text.length; row++) {
    const end = endOfLine(text, start);
    const line = text.slice(start, Math.min(end, start + MAX_LINE));
    if (!RULE_LINE.test(line)) {
      const cells = splitRow(line, column.delimiter);
      const cell = cells.length === column.count ? cells[column.index] : alignedCell(line, column);
      if (cell === undefined) return;
      if (line.slice(cell.start, cell.end) === column.name) return; // No table, but lines that begin alike.
      addCell(text, start, cell, column, found);
    }
    start = end + 1;
  }
}

/** The word below the header, if columns are aligned with spaces. */
function alignedCell(line: string, { delimiter, offset }: Column): Cell | undefined {
  if (delimiter !== SPACES || offset === 0 || line[offset - 1] !== ' ') return undefined;
  const word = /^\S+/.exec(line.slice(offset))?.[0];
  return word === undefined ? undefined : { start: offset, end: offset + word.length };
}

/** The end of a line, or a position behind the longest line that is read. */
function endOfLine(text: string, from: number): number {
  const newline = text.slice(from, from + MAX_LINE + 1).indexOf('\n');
  return newline < 0 ? Math.min(text.length, from + MAX_LINE + 1) : from + newline;
}

interface Cell {
  readonly start: number;
  readonly end: number;
}

/** Splits a row at a delimiter outside of double quotes, without the quotes and blanks around each cell. */
function splitRow(line: string, delimiter: string): readonly Cell[] {
  if (delimiter === SPACES) {
    return Array.from(line.matchAll(/\S+(?: \S+)*/g), (cell) => ({
      start: cell.index,
      end: cell.index + cell[0].length,
    }));
  }
  const cells: Cell[] = [];
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at <= line.length; at++) {
    if (line[at] === '"') isQuoted = !isQuoted;
    if (at < line.length && (isQuoted || line[at] !== delimiter)) continue;
    cells.push(trim(line, start, at));
    start = at + 1;
  }
  return cells;
}

function trim(line: string, from: number, to: number): Cell {
  let [start, end] = [from, to];
  while (start < end && /[\s"'`]/.test(line[start] ?? '')) start++;
  while (end > start && /[\s"'`]/.test(line[end - 1] ?? '')) end--;
  return { start, end };
}

function addCell(
  text: string,
  offset: number,
  cell: Cell,
  { name, hasUser }: Pick<Column, 'name' | 'hasUser'>,
  found: Span[],
): void {
  const [start, end] = [offset + cell.start, offset + cell.end];
  const value = text.slice(start, end);
  const level = nameLevel(name);
  const isWord = hasUser && (level === 'password' || /pass$/i.test(name)) && /^[a-z]{6,}(?:-[a-z]{3,})*$/.test(value);
  if (isMasked(text, start) || isPlainWord(value) || isPlaceholder(value)) return;
  if (!isWord && !isSecret(level, value, { ...DATA_SYNTAX, isLiteral: true })) return;
  if (!isWord && !isPasswordLiteral(value) && !isTokenLike(value)) return;
  found.push({ start, end, mask: maskOf(level === 'weak' ? 'key' : level), isSoft: true });
}

const INSERT = /(?:insert|replace)\s+(?:ignore\s+)?into\s+[^\s(]{1,128}\s*\(([^()]{1,2000})\)\s*values?\s*/iy;
const SQL_VALUE =
  /\s*(?:N?'((?:[^'\\]|''|\\.){0,4096})'|"((?:[^"\\]|\\.){0,4096})"|[^,()'"]{1,256}(?:\([^()]{0,256}\))?)\s*([,)])/dy;

const COPY = /copy\s+[^\s(]{1,128}\s*\(([^()]{1,2000})\)\s*from\s+stdin[^\n]{0,60};\r?\n/iy;

/** Masks the columns of secrets in the rows behind `COPY table (…) FROM stdin;`, as PostgreSQL dumps them. */
export function findCopy(text: string, at: number, found: Span[]): void {
  COPY.lastIndex = text[at] === '\n' ? at + 1 : at;
  const columns = COPY.exec(text)?.[1]
    ?.split(',')
    .map((name) => name.replace(/[\s"]/g, ''));
  for (const [index, name] of (columns ?? []).entries()) {
    if (nameLevel(name) === 'none') continue;
    addRows(
      text,
      COPY.lastIndex,
      { delimiter: '\t', index, offset: 0, count: columns?.length ?? 0, name, hasUser: true },
      found,
    );
  }
}

/** Masks the values of columns of secrets in `INSERT INTO table (…) VALUES (…), (…)`. */
export function findInsert(text: string, at: number, found: Span[]): void {
  INSERT.lastIndex = at;
  const columns = INSERT.exec(text)?.[1]
    ?.split(',')
    .map((name) => name.replace(/[\s"'`[\]]/g, ''));
  if (columns === undefined || columns.every((name) => nameLevel(name) === 'none')) return;
  let next = INSERT.lastIndex;
  for (let row = 0; row < MAX_ROWS && text[next] === '('; row++) {
    SQL_VALUE.lastIndex = next + 1;
    for (const name of columns) {
      const match = SQL_VALUE.exec(text);
      if (match === null) return;
      const [start, end] = match.indices?.[1] ?? match.indices?.[2] ?? [0, 0];
      if (end > start && nameLevel(name) !== 'none')
        addCell(text, start, { start: 0, end: end - start }, { name, hasUser: true }, found);
      if (match[3] === ')') break;
    }
    next =
      SQL_VALUE.lastIndex +
      (/^[\s,]{0,40}/.exec(text.slice(SQL_VALUE.lastIndex, SQL_VALUE.lastIndex + 40))?.[0].length ?? 0);
  }
}
