import { isAscii } from 'node:buffer';
import { textHash } from '../../record/id.ts';
import { omitUndefined, parseObject } from '../../record/object.ts';
import { asCount, asFields, type Fields } from './fields.ts';
import { type FileContent, type FileLine, openContent, readLines, toContent } from './file-lines.ts';
import { toReadError } from './files.ts';
import {
  problem,
  type ReadPosition,
  skip,
  type TranscriptEvent,
  type TranscriptReading,
  type TranscriptSource,
} from './transcript.ts';

/** Turns the lines of one transcript, which come in order, into events. `Line` is what it is given for each line. */
interface Reader<Line> {
  /** What a line says. If it throws, the line is reported as a problem and the next one is read. */
  read(line: Line): Iterable<TranscriptEvent>;
  /** Whether something has been read but not returned yet, because more of it may follow. Default: never. */
  isOpen?(): boolean;
  /** Returns what is open at the end of the file. Nothing is open afterwards: what follows later stands for itself. */
  finish?(): Iterable<TranscriptEvent>;
  /**
   * What is needed to continue after the last line, while nothing is open: plain JSON of a few KB at most. Called after
   * every line, so it should return an object that is replaced, not mutated, when something changes.
   */
  state(): Fields;
}

/** Reads the lines of a transcript that has one JSON object per line. */
export interface LineReader extends Reader<Fields> {
  /**
   * Why a line can be skipped, if its first 500 bytes (as Latin-1) show it. Such a line is not parsed, and `read` does
   * not see it.
   */
  skipReason?(head: string): string | undefined;
}

/** Reads the lines of a transcript in plain text. They come without their line break; blank ones come too. */
export type TextLineReader = Reader<string>;

/** Creates a reader: for the beginning of a file without a state, else one that continues from that `state()`. */
export type CreateReader<Created> = (state: Fields | undefined) => Created;

/**
 * Reads a transcript with one JSON object per line from a position on, so that only what is new is read. A file that
 * shrank or begins differently is read from its beginning. A last line without a line break is read if it is a complete
 * object, else next time. `bytes` is the content if it is not the file itself (a compressed one).
 */
export function readJsonLines(
  source: TranscriptSource,
  position: ReadPosition | undefined,
  createReader: CreateReader<LineReader>,
  bytes?: Uint8Array,
): TranscriptReading {
  return new LineReading(source.path, position, createReader, { parse: readJsonLine, bytes });
}

/**
 * Reads a transcript in plain text from a position on, so that only what is new is read. A file that shrank or begins
 * differently is read from its beginning. A last line is read once it has a line break.
 */
export function readTextLines(
  source: TranscriptSource,
  position: ReadPosition | undefined,
  createReader: CreateReader<TextLineReader>,
): TranscriptReading {
  return new LineReading(source.path, position, createReader, { parse: readTextLine, withBlank: true });
}

/** The list with one more item; the oldest are dropped, because a reader's state has to stay small. */
export function appendBounded<T>(list: readonly T[], item: T, max: number): readonly T[] {
  return [...list, item].slice(-max);
}

const HEAD_BYTES = 500;
const BYTE_ORDER_MARK = 0xfeff;
const TOO_LONG = [problem('line of more than 64 MB')];

/** The events of a line; undefined for an incomplete last line, which is read next time. */
type ReadLine<Created> = (reader: Created, line: FileLine) => Iterable<TranscriptEvent> | undefined;

function readJsonLine(reader: LineReader, { bytes, isEnded }: FileLine): Iterable<TranscriptEvent> | undefined {
  if (!bytes) return isEnded ? TOO_LONG : undefined;
  const reason = isEnded ? reader.skipReason?.(bytes.toString('latin1', 0, HEAD_BYTES)) : undefined;
  if (reason !== undefined) return [skip(reason)];
  // Most lines are ASCII, and checking that is ten times as fast as decoding UTF-8.
  const text = bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
  const fields = parseObject(text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text);
  if (!fields) return isEnded ? [problem('not a JSON object')] : undefined;
  try {
    const events = reader.read(fields);
    return Array.isArray(events) ? events : [...events];
  } catch {
    return [problem('not of the expected form')];
  }
}

function readTextLine(reader: TextLineReader, { bytes, isEnded }: FileLine): Iterable<TranscriptEvent> | undefined {
  if (!isEnded) return undefined;
  if (!bytes) return TOO_LONG;
  const text = bytes.toString('utf8');
  return reader.read(text.endsWith('\r') ? text.slice(0, -1) : text);
}

interface LineReadingOptions<Created> {
  readonly parse: ReadLine<Created>;
  readonly withBlank?: boolean;
  readonly bytes?: Uint8Array | undefined;
}

/** A file of lines that is being read from a position on. */
class LineReading<Created extends Reader<never>> implements TranscriptReading {
  readonly isResumed: boolean;
  readonly events: Iterable<TranscriptEvent>;
  bytesRead: number;
  linesRead = 0;
  readonly #path: string;
  readonly #createReader: CreateReader<Created>;
  readonly #options: LineReadingOptions<Created>;
  /** The last position at which nothing was open, and how many events have been returned since. */
  #anchor: LinePosition;
  #returned: number;
  #finishAt: number | undefined;

  constructor(
    path: string,
    position: ReadPosition | undefined,
    createReader: CreateReader<Created>,
    options: LineReadingOptions<Created>,
  ) {
    this.#path = path;
    this.#createReader = createReader;
    this.#options = options;
    const stored = parseLinePosition(position);
    this.#anchor = this.#fits(stored) ? stored : START;
    this.#returned = this.#anchor.given;
    this.#finishAt = this.#anchor.finishAt;
    this.bytesRead = this.#anchor.offset;
    this.isResumed = this.#anchor.offset > 0 || this.#returned > 0;
    this.events = this.#read();
  }

  position(): ReadPosition {
    const { finishAt: _, ...anchor } = this.#anchor;
    return { ...anchor, given: this.#returned, ...omitUndefined({ finishAt: this.#finishAt }) };
  }

  *#read(): Generator<TranscriptEvent> {
    const content = this.#openContent();
    try {
      yield* this.#readContent(content);
    } catch (error) {
      throw toReadError(this.#path, error);
    } finally {
      content.close();
    }
  }

  *#readContent(content: FileContent): Generator<TranscriptEvent> {
    const { parse, withBlank = false } = this.#options;
    const reader = this.#createReader(this.#anchor.state);
    let end = this.#anchor.offset;
    // Events after the anchor that the previous reading has returned already.
    let known = this.#returned;
    this.#returned = 0;
    let finishAt = this.#finishAt;
    for (const line of readLines(content, end, withBlank)) {
      if (finishAt !== undefined && line.offset >= finishAt) {
        finishAt = undefined;
        for (const event of reader.finish?.() ?? []) if (++this.#returned > known) yield event;
        this.#moveAnchor(reader, end, content);
        known = 0;
      }
      const events = parse(reader, line);
      if (!events) break;
      this.linesRead++;
      this.bytesRead = line.end;
      for (const event of events) if (++this.#returned > known) yield event;
      end = line.end;
      if (reader.isOpen?.() === true) continue;
      this.#moveAnchor(reader, end, content);
      known = 0;
    }
    if (reader.isOpen?.() !== true) return;
    this.#finishAt = end;
    for (const event of reader.finish?.() ?? []) if (++this.#returned > known) yield event;
    this.#moveAnchor(reader, end, content);
  }

  /** Nothing is open: continuing from here needs only the reader's state. */
  #moveAnchor(reader: Created, offset: number, content: FileContent): void {
    const beginning = hashBeginning(this.#anchor, offset, content);
    this.#anchor = { offset, given: 0, state: reader.state(), ...beginning };
    this.#returned = 0;
    this.#finishAt = undefined;
  }

  /** Whether a position belongs to this file: it has not shrunk and begins as it did. */
  #fits({ offset, beginningBytes, beginning }: LinePosition): boolean {
    if (offset === 0 && beginningBytes === 0) return true;
    const content = this.#openContent();
    try {
      if (offset > content.size) return false;
      return beginningBytes === 0 || hashBytes(content, beginningBytes) === beginning;
    } catch (error) {
      throw toReadError(this.#path, error);
    } finally {
      content.close();
    }
  }

  #openContent(): FileContent {
    const { bytes } = this.#options;
    try {
      return bytes ? toContent(bytes) : openContent(this.#path);
    } catch (error) {
      throw toReadError(this.#path, error);
    }
  }
}

/** How far a file of lines has been read. */
interface LinePosition {
  /** The end of the last line after which nothing was open. */
  readonly offset: number;
  /** The reader's state there; none at the beginning. */
  readonly state?: Fields;
  /** How many events after `offset` have been returned already. */
  readonly given: number;
  /** Where the file ended when what was open was returned as it was. */
  readonly finishAt?: number;
  /** How many bytes at the beginning of the file `beginning` is a hash of. */
  readonly beginningBytes: number;
  readonly beginning: number;
}

const MAX_BEGINNING_BYTES = 1024;
const START: LinePosition = { offset: 0, given: 0, beginningBytes: 0, beginning: 0 };

/** A stored position; the start of the file when there is none or it is malformed. */
function parseLinePosition(position: ReadPosition | undefined): LinePosition {
  const offset = asCount(position?.offset);
  const beginningBytes = asCount(position?.beginningBytes);
  const beginning = asCount(position?.beginning);
  if (offset === undefined || beginningBytes === undefined || beginning === undefined) return START;
  const state = asFields(position?.state);
  if (offset > 0 && (!state || beginningBytes === 0)) return START;
  return {
    offset,
    given: asCount(position?.given) ?? 0,
    beginningBytes: Math.min(beginningBytes, MAX_BEGINNING_BYTES),
    beginning,
    ...omitUndefined({ state, finishAt: asCount(position?.finishAt) }),
  };
}

/** What identifies this file as far as it has been read; a hash that is known already is not computed again. */
function hashBeginning(
  known: LinePosition,
  offset: number,
  content: FileContent,
): Pick<LinePosition, 'beginningBytes' | 'beginning'> {
  const beginningBytes = Math.min(offset, MAX_BEGINNING_BYTES);
  if (beginningBytes === known.beginningBytes) return { beginningBytes, beginning: known.beginning };
  return { beginningBytes, beginning: hashBytes(content, beginningBytes) };
}

function hashBytes(content: FileContent, length: number): number {
  const bytes = Buffer.allocUnsafe(length);
  return textHash(bytes.toString('latin1', 0, content.read(bytes, 0)));
}
