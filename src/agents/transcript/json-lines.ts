import { YoreError } from '../../record/index.ts';
import { type Fields, parseFields } from './fields.ts';
import { contentOf, type FileContent, type FileLine, linesOf, openContent } from './file-lines.ts';
import { asLinePosition, beginningOf, type LinePosition, stillFits } from './line-position.ts';
import type { SkipEvent, TranscriptEvent } from './transcript-event.ts';
import type { ReadPosition, TranscriptReading, TranscriptSource } from './transcript-source.ts';

/** Makes events of the lines of one transcript, which come in order. */
export interface LineReader {
  /**
   * Why a line is of no interest, if its first 500 bytes tell (as Latin-1): it is then not parsed, and `read` does not
   * see it.
   */
  skipReason?(head: string): string | undefined;
  /** What a line says. Whatever it throws makes the line a problem, and the next one is read. */
  read(fields: Fields): Iterable<TranscriptEvent>;
  /** Whether something was read that is not told yet, since more of it may follow. Left out: never. */
  isOpen?(): boolean;
  /** Tells what is open, at the end of the file: nothing is open afterwards. What follows later stands for itself. */
  finish?(): Iterable<TranscriptEvent>;
  /**
   * What has to be known to go on after the line read last, while nothing is open: plain JSON, a few KB at most. Asked
   * for after every line, so it should be an object that is at hand and is replaced, not changed, when something changes.
   */
  state(): Fields;
}

/** Makes a reader: for the beginning of a file without a state, else for going on where `state()` was that. */
export type CreateLineReader = (state: Fields | undefined) => LineReader;

const HEAD_BYTES = 500;
const BYTE_ORDER_MARK = 0xfeff;

/**
 * Reads a transcript with one JSON object per line, from a position on: only what is new is read. A file that shrank or
 * began otherwise is read anew. A last line without an end is read if it is a whole object, else next time. `bytes`: the
 * content, where it is not the file itself (a compressed one).
 */
export function readJsonLines(
  source: TranscriptSource,
  position: ReadPosition | undefined,
  createReader: CreateLineReader,
  bytes?: Uint8Array,
): TranscriptReading {
  return new LineReading(source.path, asLinePosition(position), createReader, bytes);
}

class LineReading implements TranscriptReading {
  readonly isResumed: boolean;
  readonly events: Iterable<TranscriptEvent>;
  readonly #path: string;
  readonly #createReader: CreateLineReader;
  readonly #bytes: Uint8Array | undefined;
  /** Where nothing was open, and how many events were handed out since. */
  #anchor: LinePosition;
  #given: number;
  #finishAt: number | undefined;
  #bytesRead: number;
  #linesRead = 0;

  constructor(
    path: string,
    position: LinePosition,
    createReader: CreateLineReader,
    bytes: Uint8Array | undefined,
  ) {
    this.#path = path;
    this.#createReader = createReader;
    this.#bytes = bytes;
    this.#anchor = this.#fits(position) ? position : asLinePosition(undefined);
    this.#given = this.#anchor.given;
    this.#finishAt = this.#anchor.finishAt;
    this.#bytesRead = this.#anchor.offset;
    this.isResumed = this.#anchor.offset > 0 || this.#given > 0;
    this.events = this.#read();
  }

  position(): ReadPosition {
    const { finishAt: _, ...anchor } = this.#anchor;
    return {
      ...anchor,
      given: this.#given,
      ...(this.#finishAt === undefined ? {} : { finishAt: this.#finishAt }),
    };
  }

  bytesRead(): number {
    return this.#bytesRead;
  }

  linesRead(): number {
    return this.#linesRead;
  }

  *#read(): Generator<TranscriptEvent> {
    const content = this.#open();
    try {
      yield* this.#readContent(content);
    } catch (error) {
      throw unreadable(this.#path, error);
    } finally {
      content.close();
    }
  }

  *#readContent(content: FileContent): Generator<TranscriptEvent> {
    const reader = this.#createReader(this.#anchor.state);
    let end = this.#anchor.offset;
    let known = this.#given;
    this.#given = 0;
    const finishAt = this.#finishAt;
    /** Hands out events but for those that the reading before this one handed out. */
    const give = (events: Iterable<TranscriptEvent>) => this.#giveAfter(() => known-- > 0, events);
    let isToFinish = finishAt !== undefined;
    for (const line of linesOf(content, end)) {
      if (isToFinish && finishAt !== undefined && line.offset >= finishAt) {
        isToFinish = false;
        yield* give(reader.finish?.() ?? []);
        this.#settle(reader, end, content);
      }
      const events = eventsOf(reader, line);
      if (!events) break;
      this.#linesRead++;
      this.#bytesRead = line.end;
      yield* give(events);
      end = line.end;
      if (reader.isOpen?.() !== true) this.#settle(reader, end, content);
    }
    if (reader.isOpen?.() !== true) return;
    this.#finishAt = end;
    yield* give(reader.finish?.() ?? []);
    this.#settle(reader, end, content);
  }

  *#giveAfter(isKnown: () => boolean, events: Iterable<TranscriptEvent>): Generator<TranscriptEvent> {
    for (const event of events) {
      this.#given++;
      if (!isKnown()) yield event;
    }
  }

  /** Nothing is open: going on from here needs no more than the reader's state. */
  #settle(reader: LineReader, offset: number, content: FileContent): void {
    const beginning = beginningOf(this.#anchor, offset, content);
    this.#anchor = { offset, given: 0, state: reader.state(), ...beginning };
    this.#given = 0;
    this.#finishAt = undefined;
  }

  #fits(position: LinePosition): boolean {
    const content = this.#open();
    try {
      return stillFits(position, content);
    } catch (error) {
      throw unreadable(this.#path, error);
    } finally {
      content.close();
    }
  }

  #open(): FileContent {
    try {
      return this.#bytes ? contentOf(this.#bytes) : openContent(this.#path);
    } catch (error) {
      throw unreadable(this.#path, error);
    }
  }
}

/** What a line says; undefined for a last line that is not complete. */
function eventsOf(reader: LineReader, line: FileLine): Iterable<TranscriptEvent> | undefined {
  if (!line.bytes) return line.isEnded ? [TOO_LONG] : undefined;
  const reason = line.isEnded ? reader.skipReason?.(line.bytes.toString('latin1', 0, HEAD_BYTES)) : undefined;
  if (reason !== undefined) return [{ type: 'skip', reason }];
  const text = line.bytes.toString('utf8');
  const fields = parseFields(text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text);
  if (fields) return guarded(reader, fields);
  return line.isEnded ? [NO_OBJECT] : undefined;
}

/** One line that the reader cannot cope with is a problem of that line only. */
function* guarded(reader: LineReader, fields: Fields): Generator<TranscriptEvent> {
  try {
    yield* reader.read(fields);
  } catch {
    yield UNEXPECTED;
  }
}

const TOO_LONG: SkipEvent = { type: 'skip', reason: 'line of more than 64 MB', isProblem: true };
const NO_OBJECT: SkipEvent = { type: 'skip', reason: 'not a JSON object', isProblem: true };
const UNEXPECTED: SkipEvent = { type: 'skip', reason: 'not of the expected form', isProblem: true };

function unreadable(path: string, error: unknown): YoreError {
  if (error instanceof YoreError) return error;
  const detail = error instanceof Error ? error.message : String(error);
  return new YoreError('STORAGE', `Cannot read ${path}: ${detail}. Make it readable for you and try again.`, {
    cause: error,
  });
}
