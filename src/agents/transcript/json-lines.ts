import { isAscii } from 'node:buffer';
import { type Fields, parseFields } from './fields.ts';
import type { FileLine } from './file-lines.ts';
import { asLinePosition } from './line-position.ts';
import { type LineEvents, LineReading, type OpenEnded } from './line-reading.ts';
import { problem, skip } from './skip.ts';
import type { TranscriptEvent } from './transcript-event.ts';
import type { ReadPosition, TranscriptReading, TranscriptSource } from './transcript-source.ts';

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
  return new LineReading(source.path, asLinePosition(position), open, bytes);
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
