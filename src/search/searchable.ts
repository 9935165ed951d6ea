import { parseLine } from '../history/index.ts';
import {
  type Attempt,
  type HistoryRecord,
  type Message,
  type Parsed,
  parseAttempt,
  parseHistoryRecord,
} from '../record/index.ts';

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
}

/** Parses a line of a log. Never throws. */
export function parseRecord(log: SearchedLog, line: string): Parsed<HistoryRecord | Attempt> {
  return log === 'history' ? parseLine(line, parseHistoryRecord) : parseLine(line, parseAttempt);
}

/** Whether a record is the tombstone of a deleted session. */
export function isTombstone(record: HistoryRecord | Attempt): record is Exclude<HistoryRecord, Message> {
  return record.kind === 'tombstone' && !('outcome' in record);
}

/** Whether a record is an attempt rather than a message. */
export function isAttempt(record: Searchable): record is Attempt {
  return 'outcome' in record;
}

/** The text of a record that is searched. Titles are not: they are no part of the conversation. */
export function searchableText(record: Searchable): string {
  if (!isAttempt(record) && record.kind === 'title') return '';
  if (!isAttempt(record)) return joinLines(record.content, ...(record.filesModified ?? []));
  const { tool, tags } = record;
  return joinLines(readableText(record), tool, tags?.join(' '));
}

/** The first part of an attempt's text: everything worth showing, without tool and tags. */
export function readableText({ command, path, error, result, context, pattern, description }: Attempt): string {
  return joinLines(command, path, error, result, context, pattern, description);
}

function joinLines(...parts: readonly (string | undefined)[]): string {
  return parts.filter((text) => text !== undefined && text !== '').join('\n');
}
