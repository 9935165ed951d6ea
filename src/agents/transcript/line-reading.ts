import { isAscii } from 'node:buffer';
import { textHash, YoreError } from '../../record/index.ts';
import { asCount, asFields, type Fields, parseFields } from './fields.ts';
import { type FileContent, type FileLine, openContent, readLines, toContent } from './file-lines.ts';
import { problem, skip, type TranscriptEvent } from './transcript-event.ts';
import type { ReadPosition, TranscriptReading, TranscriptSource } from './transcript-source.ts';

/** What a reader of lines has in common, whatever is on the lines. */
interface OpenEnded {
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

/** Makes events of the lines of a file. */
interface LineEvents extends OpenEnded {
  /** Whether blank lines mean something. */
  readonly hasBlankLines: boolean;
  /** What a line says; undefined for a last line that is not complete: it is read next time. */
  read(line: FileLine): Iterable<TranscriptEvent> | undefined;
}

/** Makes a reader: for the beginning of a file without a state, else for going on where `state()` was that. */
type OpenLineEvents = (state: Fields | undefined) => LineEvents;

/**
 * A file of lines that is being read, from a position on: only what is new is read. A file that shrank or began otherwise
 * is read anew. `bytes`: the content, where it is not the file itself.
 */
class LineReading implements TranscriptReading {
  readonly isResumed: boolean;
  readonly events: Iterable<TranscriptEvent>;
  readonly #path: string;
  readonly #open: OpenLineEvents;
  readonly #bytes: Uint8Array | undefined;
  /** Where nothing was open, and how many events were handed out since. */
  #anchor: LinePosition;
  #given: number;
  #finishAt: number | undefined;
  #bytesRead: number;
  #linesRead = 0;

  constructor(path: string, position: LinePosition, open: OpenLineEvents, bytes?: Uint8Array) {
    this.#path = path;
    this.#open = open;
    this.#bytes = bytes;
    this.#anchor = this.#fits(position) ? position : parseLinePosition(undefined);
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
    const content = this.#openContent();
    try {
      yield* this.#readContent(content);
    } catch (error) {
      throw unreadable(this.#path, error);
    } finally {
      content.close();
    }
  }

  *#readContent(content: FileContent): Generator<TranscriptEvent> {
    const reader = this.#open(this.#anchor.state);
    let end = this.#anchor.offset;
    // Events after the anchor that the reading before this one handed out.
    let known = this.#given;
    this.#given = 0;
    let finishAt = this.#finishAt;
    for (const line of readLines(content, end, reader.hasBlankLines)) {
      if (finishAt !== undefined && line.offset >= finishAt) {
        finishAt = undefined;
        for (const event of reader.finish?.() ?? []) if (++this.#given > known) yield event;
        this.#settle(reader, end, content);
        known = 0;
      }
      const events = reader.read(line);
      if (!events) break;
      this.#linesRead++;
      this.#bytesRead = line.end;
      for (const event of events) if (++this.#given > known) yield event;
      end = line.end;
      if (reader.isOpen?.() === true) continue;
      this.#settle(reader, end, content);
      known = 0;
    }
    if (reader.isOpen?.() !== true) return;
    this.#finishAt = end;
    for (const event of reader.finish?.() ?? []) if (++this.#given > known) yield event;
    this.#settle(reader, end, content);
  }

  /** Nothing is open: going on from here needs no more than the reader's state. */
  #settle(reader: LineEvents, offset: number, content: FileContent): void {
    const beginning = beginningOf(this.#anchor, offset, content);
    this.#anchor = { offset, given: 0, state: reader.state(), ...beginning };
    this.#given = 0;
    this.#finishAt = undefined;
  }

  #fits(position: LinePosition): boolean {
    if (position.offset === 0 && position.beginningBytes === 0) return true;
    const content = this.#openContent();
    try {
      return stillFits(position, content);
    } catch (error) {
      throw unreadable(this.#path, error);
    } finally {
      content.close();
    }
  }

  #openContent(): FileContent {
    try {
      return this.#bytes ? toContent(this.#bytes) : openContent(this.#path);
    } catch (error) {
      throw unreadable(this.#path, error);
    }
  }
}

function unreadable(path: string, error: unknown): YoreError {
  if (error instanceof YoreError) return error;
  const detail = error instanceof Error ? error.message : String(error);
  return new YoreError('STORAGE', `Cannot read ${path}: ${detail}. Make it readable for you and try again.`, {
    cause: error,
  });
}

/** How far a file of lines was read. */
interface LinePosition {
  /** The end of the last line after which nothing was open. */
  readonly offset: number;
  /** The reader's state there; none at the beginning. */
  readonly state?: Fields;
  /** Events after `offset` that were handed out already. */
  readonly given: number;
  /** Where the file ended when what was open was told as it was. */
  readonly finishAt?: number;
  /** How many bytes at the beginning `beginning` was made of. */
  readonly beginningBytes: number;
  readonly beginning: number;
}

const BEGINNING_BYTES = 1024;
const START: LinePosition = { offset: 0, given: 0, beginningBytes: 0, beginning: 0 };

/** A position that was kept; the start of the file when it makes no sense or there is none. */
function parseLinePosition(position: ReadPosition | undefined): LinePosition {
  const offset = asCount(position?.offset);
  const beginningBytes = asCount(position?.beginningBytes);
  const beginning = asCount(position?.beginning);
  if (offset === undefined || beginningBytes === undefined || beginning === undefined) return START;
  const state = asFields(position?.state);
  if (offset > 0 && (!state || beginningBytes === 0)) return START;
  const finishAt = asCount(position?.finishAt);
  return {
    offset,
    given: asCount(position?.given) ?? 0,
    beginningBytes: Math.min(beginningBytes, BEGINNING_BYTES),
    beginning,
    ...(state ? { state } : {}),
    ...(finishAt === undefined ? {} : { finishAt }),
  };
}

/** Whether a position is one in this file: the file has not shrunk and begins as it did. */
function stillFits(position: LinePosition, content: FileContent): boolean {
  if (position.offset > content.size) return false;
  return hashOf(content, position.beginningBytes) === position.beginning || position.beginningBytes === 0;
}

/** What tells this file from another one under its name, as far as it was read; what was known of it is not made anew. */
function beginningOf(
  known: LinePosition,
  offset: number,
  content: FileContent,
): Pick<LinePosition, 'beginningBytes' | 'beginning'> {
  const beginningBytes = Math.min(offset, BEGINNING_BYTES);
  if (beginningBytes === known.beginningBytes) return { beginningBytes, beginning: known.beginning };
  return { beginningBytes, beginning: hashOf(content, beginningBytes) };
}

function hashOf(content: FileContent, length: number): number {
  const bytes = Buffer.allocUnsafe(length);
  return textHash(bytes.toString('latin1', 0, content.read(bytes, 0)));
}

/** Makes events of the lines of one transcript, which come in order. */
export interface LineReader extends OpenEnded {
  /**
   * Why a line is of no interest, if its first 500 bytes tell (as Latin-1): it is then not parsed, and `read` does not
   * see it.
   */
  skipReason?(head: string): string | undefined;
  /** What a line says. Whatever it throws makes the line a problem, and the next one is read. */
  read(fields: Fields): Iterable<TranscriptEvent>;
}

/** Makes a reader: for the beginning of a file without a state, else for going on where `state()` was that. */
export type CreateLineReader = (state: Fields | undefined) => LineReader;

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
  const open = (state: Fields | undefined) => new JsonLines(createReader(state));
  return new LineReading(source.path, parseLinePosition(position), open, bytes);
}

const HEAD_BYTES = 500;
const BYTE_ORDER_MARK = 0xfeff;

class JsonLines implements LineEvents {
  readonly hasBlankLines = false;
  readonly #reader: LineReader;

  constructor(reader: LineReader) {
    this.#reader = reader;
  }

  read(line: FileLine): Iterable<TranscriptEvent> | undefined {
    if (!line.bytes) return line.isEnded ? [problem('line of more than 64 MB')] : undefined;
    const reason = line.isEnded
      ? this.#reader.skipReason?.(line.bytes.toString('latin1', 0, HEAD_BYTES))
      : undefined;
    if (reason !== undefined) return [skip(reason)];
    // Most lines are ASCII, and telling that is ten times as fast as reading them as UTF-8.
    const text = line.bytes.toString(isAscii(line.bytes) ? 'latin1' : 'utf8');
    const fields = parseFields(text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text);
    if (fields) return this.#eventsOf(fields);
    return line.isEnded ? [problem('not a JSON object')] : undefined;
  }

  /** One line that the reader cannot cope with is a problem of that line only. */
  #eventsOf(fields: Fields): Iterable<TranscriptEvent> {
    try {
      const events = this.#reader.read(fields);
      return Array.isArray(events) ? events : [...events];
    } catch {
      return [problem('not of the expected form')];
    }
  }

  isOpen(): boolean {
    return this.#reader.isOpen?.() === true;
  }

  finish(): Iterable<TranscriptEvent> {
    return this.#reader.finish?.() ?? [];
  }

  state(): Fields {
    return this.#reader.state();
  }
}

/** Makes events of the lines of one transcript that is plain text. */
export interface TextLineReader extends OpenEnded {
  /** What a line says, which comes without its break; blank ones come too. */
  read(line: string): Iterable<TranscriptEvent>;
}

/**
 * Reads a transcript of plain text, from a position on: only what is new is read. A file that shrank or began otherwise
 * is read anew. A last line is read when it has an end.
 */
export function readTextLines(
  source: TranscriptSource,
  position: ReadPosition | undefined,
  createReader: (state: Fields | undefined) => TextLineReader,
): TranscriptReading {
  return new LineReading(source.path, parseLinePosition(position), (state) => asEvents(createReader(state)));
}

function asEvents(reader: TextLineReader): LineEvents {
  return {
    hasBlankLines: true,
    read: (line) => eventsOf(reader, line),
    isOpen: () => reader.isOpen?.() === true,
    finish: () => reader.finish?.() ?? [],
    state: () => reader.state(),
  };
}

function eventsOf(reader: TextLineReader, line: FileLine): Iterable<TranscriptEvent> | undefined {
  if (!line.isEnded) return undefined;
  if (!line.bytes) return [problem('line of more than 64 MB')];
  const text = line.bytes.toString('utf8');
  return reader.read(text.endsWith('\r') ? text.slice(0, -1) : text);
}
