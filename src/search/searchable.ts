import { parseLine } from '../history/index.ts';
import {
  type Attempt,
  type HistoryRecord,
  type Message,
  type Parsed,
  parseAttempt,
  parseHistoryRecord,
} from '../record/index.ts';

/** The logs that are searched, in the order in which they are read. */
export const SEARCHED_LOGS = ['history', 'failures', 'successes'] as const;
/** One of them. */
export type SearchedLog = (typeof SEARCHED_LOGS)[number];

/** A record that can be found. */
export type Searchable = Message | Attempt;

/** Reads a line of a log. Never throws. */
export function parseRecord(log: SearchedLog, line: string): Parsed<HistoryRecord | Attempt> {
  return log === 'history' ? parseLine(line, parseHistoryRecord) : parseLine(line, parseAttempt);
}

/** Whether a record says that an earlier session was forgotten. */
export function isTombstone(record: HistoryRecord | Attempt): record is Exclude<HistoryRecord, Message> {
  return record.kind === 'tombstone' && !('outcome' in record);
}

/** Whether a record is an attempt and not a message. */
export function isAttempt(record: Searchable): record is Attempt {
  return 'outcome' in record;
}

/** The text of a record in which is searched. */
export function searchableText(record: Searchable): string {
  if (!isAttempt(record)) return record.content;
  const { command, path, error, result, context, pattern, description, tool, tags } = record;
  return [command, path, error, result, context, pattern, description, tool, tags?.join(' ')]
    .filter((text) => text !== undefined && text !== '')
    .join('\n');
}
