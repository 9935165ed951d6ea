import { textHash } from '../../record/id.ts';
import { asCount } from './fields.ts';
import {
  problem,
  type ReadPosition,
  type TranscriptEvent,
  type TranscriptReading,
  type TranscriptSource,
} from './transcript.ts';

/** A document that its agent rewrites as a whole whenever something is added. */
export interface TranscriptDocument {
  /** Its items in order, as plain JSON. They show whether the document still begins as it did. */
  readonly items: readonly unknown[];
  /** What an item says. Called for one after the other from the first on, also for those that were returned before. */
  read(index: number): Iterable<TranscriptEvent>;
}

/**
 * Reads a document from a position on: items that were returned before are not returned again. A document that no longer
 * begins with them is read from its beginning. `open` returns the document or why there is none, and throws STORAGE when it
 * cannot be read.
 */
export function readDocument(
  source: TranscriptSource,
  position: ReadPosition | undefined,
  open: () => TranscriptDocument | string,
): TranscriptReading {
  return new DocumentReading(source, position, open);
}

/** How far a document has been read: complete items, their checksum, and events of the item after them. */
interface DocumentPosition {
  readonly items: number;
  readonly checksum: number;
  readonly given: number;
}

const START: DocumentPosition = { items: 0, checksum: 0, given: 0 };

class DocumentReading implements TranscriptReading {
  readonly events: Iterable<TranscriptEvent>;
  bytesRead = 0;
  linesRead = 0;
  readonly #source: TranscriptSource;
  readonly #open: () => TranscriptDocument | string;
  #document: TranscriptDocument | string | undefined;
  #position: DocumentPosition;
  #isResumed: boolean | undefined;

  constructor(source: TranscriptSource, position: ReadPosition | undefined, open: () => TranscriptDocument | string) {
    this.#source = source;
    this.#open = open;
    this.#position = parsePosition(position);
    this.events = this.#read();
  }

  get isResumed(): boolean {
    try {
      this.#load();
    } catch {
      return false;
    }
    return this.#isResumed === true;
  }

  position(): ReadPosition {
    return { ...this.#position };
  }

  *#read(): Generator<TranscriptEvent> {
    const document = this.#load();
    if (typeof document === 'string') return yield problem(document);
    const { items: known, given } = this.#position;
    for (const [index, item] of document.items.entries()) {
      const events = readItem(document, index);
      // What an item says depends on those before it, so known ones are read as well.
      if (index < known) for (const _ of events);
      else yield* this.#return(events, index === known ? given : 0, item);
      this.bytesRead = Math.floor((this.#source.size * (index + 1)) / document.items.length);
    }
    this.bytesRead = this.#source.size;
  }

  *#return(events: Iterable<TranscriptEvent>, known: number, item: unknown): Generator<TranscriptEvent> {
    this.linesRead++;
    let count = 0;
    for (const event of events) {
      count++;
      if (count <= known) continue;
      this.#position = { ...this.#position, given: count };
      yield event;
    }
    const { items, checksum } = this.#position;
    this.#position = { items: items + 1, checksum: extendChecksum(checksum, item), given: 0 };
  }

  #load(): TranscriptDocument | string {
    if (this.#document !== undefined) return this.#document;
    const document = this.#open();
    this.#document = document;
    const { items, given } = this.#position;
    // A document that is invalid now, because it is being written, may be valid next time.
    if (typeof document !== 'string' && !fits(this.#position, document)) this.#position = START;
    this.#isResumed = this.#position !== START && (items > 0 || given > 0);
    return document;
  }
}

function* readItem(document: TranscriptDocument, index: number): Generator<TranscriptEvent> {
  try {
    yield* document.read(index);
  } catch {
    yield problem('not of the expected form');
  }
}

function fits(position: DocumentPosition, document: TranscriptDocument): boolean {
  if (position.items > document.items.length) return false;
  return document.items.slice(0, position.items).reduce(extendChecksum, 0) === position.checksum;
}

function extendChecksum(checksum: number, item: unknown): number {
  return textHash(`${checksum} ${hashItem(item)}`);
}

/** A longer text is represented by its ends and its length: outputs may be huge. */
const MAX_HASHED_TEXT = 600;
const TEXT_END = 250;
/** Deeper levels are ignored: an item may be nested without limit. */
const MAX_DEPTH = 12;

/** A hash of plain JSON. */
export function hashItem(item: unknown): number {
  const parts: string[] = [];
  collect(item, parts, 0);
  return textHash(parts.join(' '));
}

function collect(value: unknown, parts: string[], depth: number): void {
  if (typeof value === 'string') {
    if (value.length <= MAX_HASHED_TEXT) parts.push(value);
    else parts.push(value.slice(0, TEXT_END), String(value.length), value.slice(-TEXT_END));
  } else if (typeof value !== 'object' || value === null) parts.push(String(value));
  else if (depth < MAX_DEPTH) {
    parts.push(Array.isArray(value) ? '[' : '{');
    for (const [key, inner] of Object.entries(value)) {
      parts.push(key);
      collect(inner, parts, depth + 1);
    }
  }
}

function parsePosition(position: ReadPosition | undefined): DocumentPosition {
  const items = asCount(position?.items);
  const checksum = asCount(position?.checksum);
  const given = asCount(position?.given);
  return items === undefined || checksum === undefined || given === undefined ? START : { items, checksum, given };
}
