import type { Fields } from './fields.ts';
import type { FileLine } from './file-lines.ts';
import { asLinePosition } from './line-position.ts';
import { type LineEvents, LineReading, type OpenEnded } from './line-reading.ts';
import { problem } from './skip.ts';
import type { TranscriptEvent } from './transcript-event.ts';
import type { ReadPosition, TranscriptReading, TranscriptSource } from './transcript-source.ts';

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
  return new LineReading(source.path, asLinePosition(position), (state) => asEvents(createReader(state)));
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
