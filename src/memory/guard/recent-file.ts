import { existsSync, readFileSync } from 'node:fs';
import { BloomFilter, writeFileAtomic } from '../../files/index.ts';
import type { LogCursor } from '../../log/index.ts';
import { BOOK_VERSION, entriesOf, type FailureSnapshot, takeEntry } from './book-file.ts';
import type { TrackRecord } from './hazard.ts';
import type { FailureLookup } from './known-failures.ts';
import type { NewestTimes } from './log-time.ts';

/** A book that goes on from a {@link FailureSnapshot}, with how far it has read. */
export interface RecentBook<Book extends FailureLookup = FailureLookup> {
  readonly book: Book;
  readonly cursor: LogCursor;
  /** Length of the records that it holds on top of the file. */
  readonly unfolded: number;
}

interface Kept {
  readonly version: number;
  /** The file that it lies on; empty for none. */
  readonly base: string;
  readonly cursor: LogCursor;
  readonly unfolded: number;
  readonly seen: string;
  readonly newest: NewestTimes;
  readonly marks: readonly (readonly [string, number])[];
  readonly records: readonly (readonly [string, TrackRecord])[];
  readonly entries: readonly (readonly [string, unknown])[];
}

/**
 * What was learned since `base` was written, as a process before this one kept it. Undefined when there is nothing that
 * this version and this base can use: then it is learned again from the logs. Never throws. `Book` is what to make of it.
 */
export function readRecent<Book extends FailureLookup>(
  path: string,
  base: FailureSnapshot | undefined,
  Book: new (...from: ConstructorParameters<typeof FailureLookup>) => Book,
): RecentBook<Book> | undefined {
  try {
    const text = readTwice(path);
    const kept = text === undefined ? undefined : (JSON.parse(text) as Kept);
    if (kept?.version !== BOOK_VERSION || kept.base !== nameOf(base)) return undefined;
    const seen = new BloomFilter(Buffer.from(kept.seen, 'base64'));
    const book = new Book(base, seen, kept.newest);
    for (const [name, at] of kept.marks) book.marks.set(name, at);
    for (const [kind, record] of kept.records) book.records.set(kind, record);
    for (const [key, value] of kept.entries) takeEntry(book, key, value);
    return { book, cursor: kept.cursor, unfolded: kept.unfolded };
  } catch {
    return undefined;
  }
}

/**
 * Keeps what a book holds on top of `base`. Small beside it, and written without waiting for the disk: who comes next need
 * not read the same records again. Of two processes at once the last one wins, and the logs have what is missing.
 */
export function writeRecent(
  path: string,
  { book, cursor, unfolded }: RecentBook,
  base: FailureSnapshot | undefined,
): void {
  const kept: Kept = {
    version: BOOK_VERSION,
    base: nameOf(base),
    cursor,
    unfolded,
    seen: Buffer.from(book.seen.bytes).toString('base64'),
    newest: book.newest,
    marks: [...book.marks],
    records: [...book.records],
    entries: [...entriesOf(book)],
  };
  const text = JSON.stringify(kept);
  writeFileAtomic(path, text + text, { durable: false });
}

/** The place in the logs tells one file from another. */
function nameOf(base: FailureSnapshot | undefined): string {
  return base === undefined ? '' : JSON.stringify(base.cursor);
}

/** A text that was written twice in a row; undefined when the two differ. Comparing takes far less time than a sum. */
function readTwice(path: string): string | undefined {
  // A failed read costs far more than looking.
  if (!existsSync(path)) return undefined;
  const bytes = readFileSync(path);
  const half = bytes.length / 2;
  return bytes.subarray(0, half).equals(bytes.subarray(half)) ? bytes.toString('utf8', 0, half) : undefined;
}
