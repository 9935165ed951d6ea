import { asCount, asFields, asList, asName, type Fields } from '../transcript/fields.ts';
import type { ReadPosition } from '../transcript/transcript-source.ts';
import type { MessageTableName } from './database-tables.ts';

/** How far a table was read. */
export interface TablePosition {
  /** The last row that was looked at, what was in it, and its time: rows may be numbered anew. */
  readonly row: number;
  readonly id: string;
  readonly time: number;
  /** Ids of messages up to there that were not complete. */
  readonly open: readonly string[];
}

/** How far a database was read. */
export interface DatabasePosition {
  readonly tables: Readonly<Partial<Record<MessageTableName, TablePosition>>>;
  /** A message that was begun to be told: its session was, and some of its events. */
  readonly begun?: { readonly id: string; readonly given: number };
}

/** Messages that are not complete and kept in mind; more of them are told as they are, the oldest first. */
export const MOST_OPEN = 40;

/** A position that was kept; the beginning where it makes no sense. */
export function asDatabasePosition(position: ReadPosition | undefined): DatabasePosition {
  const tables = asFields(position?.tables);
  const message = asTablePosition(asFields(tables?.message));
  const sessionMessage = asTablePosition(asFields(tables?.session_message));
  const begun = asFields(position?.begun);
  const id = asName(begun?.id);
  const given = asCount(begun?.given);
  return {
    tables: {
      ...(message ? { message } : {}),
      ...(sessionMessage ? { session_message: sessionMessage } : {}),
    },
    ...(id !== undefined && given !== undefined ? { begun: { id, given } } : {}),
  };
}

function asTablePosition(position: Fields | undefined): TablePosition | undefined {
  const row = asCount(position?.row);
  const id = asName(position?.id);
  if (row === undefined || id === undefined) return undefined;
  const open = asList(position?.open).flatMap((item) => asName(item) ?? []);
  return { row, id, time: asCount(position?.time) ?? 0, open: open.slice(0, MOST_OPEN) };
}
