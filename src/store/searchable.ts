import { parseRecordLine } from '../history/records.ts';
import { type Parsed, parseAttempt, parseHistoryRecord } from '../record/parse.ts';
import type { Attempt, HistoryRecord, Message } from '../record/record.ts';
import { foldCase } from '../text/fold-case.ts';

/** The logs that are searched, in the order in which they are indexed. */
export const SEARCHED_LOGS = ['history', 'failures', 'successes'] as const;
/** A log that is searched. */
export type SearchedLog = (typeof SEARCHED_LOGS)[number];

/** A record that a search can find. */
export type Searchable = Message | Attempt;

/** A record with its searched text. */
export interface SearchedDocument {
  readonly project: string;
  readonly record: Searchable;
  readonly time: number;
  readonly text: string;
  /** The text with its case folded. */
  readonly folded: string;
  /** Where in `folded` the output of a call begins; the end of what was said or done. */
  readonly saidEnd: number;
  /** Where in `text` the labels of a call begin. */
  readonly readableEnd: number;
}

/** Parses a line of a log. Never throws. */
export function parseRecord(log: SearchedLog, line: string): Parsed<HistoryRecord | Attempt> {
  return log === 'history' ? parseRecordLine(line, parseHistoryRecord) : parseRecordLine(line, parseAttempt);
}

/** Whether a record is the tombstone of a deleted session. */
export function isTombstone(record: HistoryRecord | Attempt): record is Exclude<HistoryRecord, Message> {
  return record.kind === 'tombstone' && !('outcome' in record);
}

/** Whether a record is an attempt rather than a message. */
export function isAttempt(record: Searchable): record is Attempt {
  return 'outcome' in record;
}

/** The searched text of a record, by where it comes from. */
export interface SearchedText {
  /** What was said or done: the message, or the command, path and arguments of a call. */
  readonly said: string;
  /** What a call returned, and the request that an unsuccessful call served. */
  readonly output: string;
  /** Tool and tags of a call, which are found but shown only when nothing else of it matches. */
  readonly labels: string;
}

/** Characters of a call's arguments that are searched. */
const MAX_ARGUMENTS_LENGTH = 4000;
const MAX_ARGUMENT_LENGTH = 800;

/**
 * The text of a record that is searched. The request that a successful call served is not: the message itself is found.
 */
export function searchedText(record: Searchable): SearchedText {
  if (!isAttempt(record)) {
    return { said: joinLines(record.content, ...(record.filesModified ?? [])), output: '', labels: '' };
  }
  const { command, path, args, error, result, context, pattern, description, outcome, tool, tags } = record;
  const request = outcome === 'success' ? undefined : context;
  return {
    said: joinLines(command, path, argumentText(args), pattern, description),
    output: joinLines(error, result, request),
    labels: joinLines(tool, tags?.join(' ')),
  };
}

/** The searched text of a record as one text. */
export function joinText({ said, output, labels }: SearchedText): string {
  return joinLines(said, output, labels);
}

/** A record with its searched text. */
export function toDocument(project: string, record: Searchable, time: number): SearchedDocument {
  const parts = searchedText(record);
  const text = joinText(parts);
  const folded = foldCase(text);
  // The output and labels are folded again only where there are any, and labels are short.
  const labels = parts.labels === '' ? 0 : foldCase(parts.labels).length;
  const saidEnd = parts.output === '' ? folded.length - labels : foldCase(parts.said).length;
  return { project, record, time, text, folded, saidEnd, readableEnd: text.length - parts.labels.length };
}

function argumentText(args: Attempt['args']): string | undefined {
  if (args === undefined) return undefined;
  const texts: string[] = [];
  collectTexts(args, texts);
  return texts.join('\n').slice(0, MAX_ARGUMENTS_LENGTH);
}

function collectTexts(value: unknown, texts: string[]): void {
  if (typeof value === 'string') {
    if (value !== '') texts.push(value.length <= 2 * MAX_ARGUMENT_LENGTH ? value : boundText(value));
  } else if (typeof value === 'object' && value !== null) {
    for (const item of Object.values(value)) collectTexts(item, texts);
  }
}

/** The beginning and the end of a long argument, such as the text of a file that was written. */
function boundText(text: string): string {
  return `${text.slice(0, MAX_ARGUMENT_LENGTH)}\n${text.slice(-MAX_ARGUMENT_LENGTH)}`;
}

function joinLines(...parts: readonly (string | undefined)[]): string {
  return parts.filter((text) => text !== undefined && text !== '').join('\n');
}
