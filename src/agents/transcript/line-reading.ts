import { YoreError } from '../../record/index.ts';
import type { Fields } from './fields.ts';
import { contentOf, type FileContent, type FileLine, linesOf, openContent } from './file-lines.ts';
import { asLinePosition, beginningOf, type LinePosition, stillFits } from './line-position.ts';
import type { TranscriptEvent } from './transcript-event.ts';
import type { ReadPosition, TranscriptReading } from './transcript-source.ts';

/** What a reader of lines has in common, whatever is on the lines. */
export interface OpenEnded {
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
export interface LineEvents extends OpenEnded {
  /** Whether blank lines mean something. */
  readonly hasBlankLines: boolean;
  /** What a line says; undefined for a last line that is not complete: it is read next time. */
  read(line: FileLine): Iterable<TranscriptEvent> | undefined;
}

/** Makes a reader: for the beginning of a file without a state, else for going on where `state()` was that. */
export type OpenLineEvents = (state: Fields | undefined) => LineEvents;

/**
 * A file of lines that is being read, from a position on: only what is new is read. A file that shrank or began otherwise
 * is read anew. `bytes`: the content, where it is not the file itself.
 */
export class LineReading implements TranscriptReading {
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
    for (const line of linesOf(content, end, reader.hasBlankLines)) {
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
      return this.#bytes ? contentOf(this.#bytes) : openContent(this.#path);
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
