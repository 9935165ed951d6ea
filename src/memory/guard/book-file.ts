import { BloomFilter, KeyedFile, writeKeyedFile } from '../../files/index.ts';
import type { LogCursor } from '../../log/index.ts';
import { isUnresolved, type KnownFailure, latestOccurrence, type TrackRecord } from './hazard.ts';
import type { FailureChoice, FailureLookup, FailureSource } from './known-failures.ts';
import { type NewestTimes, type Present, presentOf } from './log-time.ts';
import { type SessionTrace, traceFromJson, traceToJson } from './session-trace.ts';

/** Raised when what is kept, or how calls are analysed, changes: an older file is made anew. */
export const BOOK_VERSION = 3;
/** What a session has seen matters while it runs. */
const SESSION_MS = 24 * 60 * 60_000;
/** What lies further ahead was recorded while a clock was wrong. */
const CLOCK_SKEW_MS = 24 * 60 * 60_000;

/** Hazards that are kept together, for those who look at the newest alone. */
const MOST_NEWEST = 300;
const NEWEST = 'newest:';

interface Header {
  readonly version: number;
  readonly cursor: LogCursor;
  readonly marks: readonly (readonly [string, number])[];
  readonly records: readonly (readonly [string, TrackRecord])[];
  readonly seen: string;
  readonly newest: NewestTimes;
}

/** A book of failures as it was when it was last written; read piece by piece. */
export class FailureSnapshot implements FailureSource {
  /** How far the logs had been read. */
  readonly cursor: LogCursor;
  readonly #file: KeyedFile;
  readonly #header: Header;
  readonly #marks: ReadonlyMap<string, number>;
  readonly #records: ReadonlyMap<string, TrackRecord>;

  private constructor(file: KeyedFile, header: Header) {
    this.#file = file;
    this.#header = header;
    this.cursor = header.cursor;
    this.#marks = new Map(header.marks);
    this.#records = new Map(header.records);
  }

  /** Undefined when there is none, or none that this version can use. */
  static open(path: string): FailureSnapshot | undefined {
    const file = KeyedFile.open(path);
    if (file === undefined) return undefined;
    const header = file.header as Header;
    if (header?.version === BOOK_VERSION) return new FailureSnapshot(file, header);
    file.close();
    return undefined;
  }

  hazard(key: string): KnownFailure | undefined {
    return this.#file.get(key) as KnownFailure | undefined;
  }

  session(id: string): SessionTrace | undefined {
    const kept = this.#file.get(`session:${id}`);
    return kept === undefined ? undefined : traceFromJson(kept);
  }

  mark(name: string): number | undefined {
    return this.#marks.get(name);
  }

  record(kind: string): TrackRecord | undefined {
    return this.#records.get(kind);
  }

  choice(key: string): FailureChoice | undefined {
    return this.#file.get(`choice:${key}`) as FailureChoice | undefined;
  }

  alike(name: string): readonly string[] | undefined {
    return this.#file.get(`like:${name}`) as readonly string[] | undefined;
  }

  seen(): BloomFilter {
    return new BloomFilter(Buffer.from(this.#header.seen, 'base64'));
  }

  newest(): NewestTimes {
    return this.#header.newest;
  }

  /** All hazards, in no particular order. */
  *hazards(): Generator<KnownFailure> {
    for (const [key, value] of this.#file.entries())
      if (!/^(?:session|choice|like|newest):/.test(key)) yield value as KnownFailure;
  }

  /** The newest hazards of which it is known what they were for, newest first, as they were when it was written. */
  newestHazards(): readonly KnownFailure[] {
    return (this.#file.get(NEWEST) as readonly KnownFailure[] | undefined) ?? [];
  }

  /** Everything in the file together with what a book has on top of it. */
  *#merged(book: FailureLookup): Generator<readonly [string, unknown]> {
    yield* entriesOf(book);
    for (const [key, value] of this.#file.entries()) {
      const isNewer = isIn(book, key);
      if (!isNewer) yield [key, value];
    }
  }

  /** Writes a book that goes on from `before`. What is too old to warn is left out, unless it is pinned. */
  static write(
    path: string,
    book: FailureLookup,
    before: FailureSnapshot | undefined,
    options: { readonly cursor: LogCursor; readonly now: number; readonly lookbackMs: number },
  ): void {
    const present = presentOf(options.now, book.newest);
    const header: Header = {
      version: BOOK_VERSION,
      cursor: options.cursor,
      marks: [...new Map([...(before === undefined ? [] : before.#marks), ...book.marks])].filter(
        ([, at]) => at === 0 || isRecent(at, present, options.lookbackMs),
      ),
      records: [...new Map([...(before === undefined ? [] : before.#records), ...book.records])],
      seen: Buffer.from(book.seen.bytes).toString('base64'),
      newest: book.newest,
    };
    const isKept = ([key, value]: readonly [string, unknown]): boolean => {
      if (key.startsWith('choice:')) return value !== 'none';
      if (key.startsWith('like:')) return true;
      if (key.startsWith('session:'))
        return isRecent((value as { lastAt: number }).lastAt, present, SESSION_MS);
      const { lastAt } = value as KnownFailure;
      return isRecent(lastAt, present, options.lookbackMs) || book.choice(key) === 'pin';
    };
    const entries = [...filtered(before === undefined ? entriesOf(book) : before.#merged(book), isKept)];
    writeKeyedFile(path, header, [...entries, [NEWEST, newestOf(entries)]]);
  }

  close(): void {
    this.#file.close();
  }
}

function newestOf(entries: readonly (readonly [string, unknown])[]): readonly KnownFailure[] {
  return entries
    .filter(([key]) => !/^(?:session|choice|like):/.test(key))
    .map(([, value]) => value as KnownFailure)
    .filter((hazard) => isUnresolved(hazard) && latestOccurrence(hazard)?.context !== undefined)
    .sort((a, b) => b.lastAt - a.lastAt)
    .slice(0, MOST_NEWEST);
}

function isRecent(at: number, { earliest, latest }: Present, span: number): boolean {
  return earliest - at < span && at - latest < CLOCK_SKEW_MS;
}

function isIn(book: FailureLookup, key: string): boolean {
  const name = key.slice(key.indexOf(':') + 1);
  switch (key.slice(0, key.indexOf(':'))) {
    case 'session':
      return book.sessions.has(name);
    case 'choice':
      return book.choices.has(name);
    case 'like':
      return book.likes.has(name);
    case 'newest':
      return true;
    default:
      return book.hazards.has(key);
  }
}

/** What a book holds by key, as it is kept in a file. */
export function* entriesOf(book: FailureLookup): Generator<readonly [key: string, value: unknown]> {
  for (const [key, hazard] of book.hazards) yield [key, hazard];
  for (const [id, trace] of book.sessions) yield [`session:${id}`, traceToJson(trace)];
  for (const [key, choice] of book.choices) yield [`choice:${key}`, choice];
  for (const [name, keys] of book.likes) yield [`like:${name}`, keys];
}

/** Puts back into a book what {@link entriesOf} gave. */
export function takeEntry(book: FailureLookup, key: string, value: unknown): void {
  const name = key.slice(key.indexOf(':') + 1);
  switch (key.slice(0, key.indexOf(':'))) {
    case 'session':
      book.sessions.set(name, traceFromJson(value));
      return;
    case 'choice':
      book.choices.set(name, value as FailureChoice);
      return;
    case 'like':
      book.likes.set(name, value as readonly string[]);
      return;
    default:
      book.hazards.set(key, value as KnownFailure);
  }
}

function* filtered<T>(items: Iterable<T>, isKept: (item: T) => boolean): Generator<T> {
  for (const item of items) if (isKept(item)) yield item;
}
