import { textHash } from '../../record/index.ts';
import { asCount } from './fields.ts';
import { problem, type TranscriptEvent } from './transcript-event.ts';
import type { ReadPosition, TranscriptReading, TranscriptSource } from './transcript-source.ts';

/** A document that its agent writes anew as a whole whenever something is added. */
export interface TranscriptDocument {
  /** What is in it, in order, as plain JSON: tells whether it still begins as it did. */
  readonly items: readonly unknown[];
  /** What an item says. Asked for one after the other, from the first on, also for those told before. */
  read(index: number): Iterable<TranscriptEvent>;
}

/** Larger documents are not read: they would have to be in memory as a whole. */
export const MAX_DOCUMENT_BYTES: number = 64 * 1024 * 1024;

/**
 * Reads a document from a position on: items that were told are not told again. One that no longer begins with them is
 * read anew. `open`: the document, or why there is none; throws STORAGE when it cannot be read.
 */
export function readDocument(
  source: TranscriptSource,
  position: ReadPosition | undefined,
  open: () => TranscriptDocument | string,
): TranscriptReading {
  return new DocumentReading(source, position, open);
}

/** How far a document was read: whole items, their checksum, and events of the item after them. */
interface DocumentPosition {
  readonly items: number;
  readonly checksum: number;
  readonly given: number;
}

const START: DocumentPosition = { items: 0, checksum: 0, given: 0 };

class DocumentReading implements TranscriptReading {
  readonly events: Iterable<TranscriptEvent>;
  readonly #source: TranscriptSource;
  readonly #open: () => TranscriptDocument | string;
  #document: TranscriptDocument | string | undefined;
  #position: DocumentPosition;
  #isResumed: boolean | undefined;
  #share = 0;
  #linesRead = 0;

  constructor(
    source: TranscriptSource,
    position: ReadPosition | undefined,
    open: () => TranscriptDocument | string,
  ) {
    this.#source = source;
    this.#open = open;
    this.#position = asPosition(position);
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

  bytesRead(): number {
    return Math.floor(this.#source.size * this.#share);
  }

  linesRead(): number {
    return this.#linesRead;
  }

  *#read(): Generator<TranscriptEvent> {
    const document = this.#load();
    if (typeof document === 'string') {
      yield problem(document);
      return;
    }
    const { items: told, given } = this.#position;
    for (const [index, item] of document.items.entries()) {
      const events = guarded(document, index);
      // What an item says depends on those before it, so those told before are gone through as well.
      if (index < told) for (const _ of events);
      else yield* this.#give(events, index === told ? given : 0, item);
      this.#share = (index + 1) / document.items.length;
    }
    this.#share = 1;
  }

  *#give(events: Iterable<TranscriptEvent>, known: number, item: unknown): Generator<TranscriptEvent> {
    this.#linesRead++;
    let count = 0;
    for (const event of events) {
      count++;
      if (count <= known) continue;
      this.#position = { ...this.#position, given: count };
      yield event;
    }
    const { items, checksum } = this.#position;
    this.#position = { items: items + 1, checksum: extended(checksum, item), given: 0 };
  }

  #load(): TranscriptDocument | string {
    if (this.#document !== undefined) return this.#document;
    const document = this.#open();
    this.#document = document;
    const { items, given } = this.#position;
    // A document that cannot be understood now, since it is just being written, may be understood again.
    if (typeof document !== 'string' && !fits(this.#position, document)) this.#position = START;
    this.#isResumed = this.#position !== START && (items > 0 || given > 0);
    return document;
  }
}

function* guarded(document: TranscriptDocument, index: number): Generator<TranscriptEvent> {
  try {
    yield* document.read(index);
  } catch {
    yield problem('not of the expected form');
  }
}

function fits(position: DocumentPosition, document: TranscriptDocument): boolean {
  if (position.items > document.items.length) return false;
  return document.items.slice(0, position.items).reduce(extended, 0) === position.checksum;
}

function extended(checksum: number, item: unknown): number {
  return textHash(`${checksum} ${fingerprint(item)}`);
}

/** Of a longer text, its ends and its length tell enough, and outputs may be huge. */
const LONG_TEXT = 600;
const TEXT_END = 250;
/** What lies deeper makes no difference: an item may be nested without end. */
const DEEPEST = 12;

/** A number that tells an item from others, made of plain JSON. */
export function fingerprint(item: unknown): number {
  const parts: string[] = [];
  collect(item, parts, 0);
  return textHash(parts.join(' '));
}

function collect(value: unknown, parts: string[], depth: number): void {
  if (typeof value === 'string') {
    if (value.length <= LONG_TEXT) parts.push(value);
    else parts.push(value.slice(0, TEXT_END), String(value.length), value.slice(-TEXT_END));
  } else if (typeof value !== 'object' || value === null) parts.push(String(value));
  else if (depth < DEEPEST) {
    parts.push(Array.isArray(value) ? '[' : '{');
    for (const [key, inner] of Object.entries(value)) {
      parts.push(key);
      collect(inner, parts, depth + 1);
    }
  }
}

function asPosition(position: ReadPosition | undefined): DocumentPosition {
  const items = asCount(position?.items);
  const checksum = asCount(position?.checksum);
  const given = asCount(position?.given);
  return items === undefined || checksum === undefined || given === undefined
    ? START
    : { items, checksum, given };
}
