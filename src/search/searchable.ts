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
  const { tool, tags } = record;
  return lines(readableText(record), tool, tags?.join(' '));
}

/** What comes first in the text of an attempt: what is worth reading, one part to a line, without tool and tags. */
export function readableText({
  command,
  path,
  error,
  result,
  context,
  pattern,
  description,
}: Attempt): string {
  return lines(command, path, error, result, context, pattern, description);
}

function lines(...parts: readonly (string | undefined)[]): string {
  return parts.filter((text) => text !== undefined && text !== '').join('\n');
}
