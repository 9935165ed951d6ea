import { join } from 'node:path';
import type { TranscriptImage } from '../../agents/transcript/transcript-event.ts';
import { MAX_IMAGE_BYTES, MAX_IMAGES, saveImages } from '../../history/index.ts';
import { AppendBuffer, type LogName, openSegmentPath } from '../../log/index.ts';
import { type Attempt, type Message, YoreError } from '../../record/index.ts';

/** What waits for being written, at most, in characters: little enough for any memory, enough to write in large pieces. */
const MAX_BUFFERED_CHARACTERS = 2 * 1024 * 1024;

/** Gathers records and writes them to a project's logs in few writes. */
export class RecordBuffer {
  readonly #history: AppendBuffer;
  readonly #failures: AppendBuffer;
  readonly #successes: AppendBuffer;

  /** `directory` holds the project's logs. */
  constructor(directory: string) {
    const bufferOf = (log: LogName): AppendBuffer => new AppendBuffer(openSegmentPath(directory, log));
    this.#history = bufferOf('history');
    this.#failures = bufferOf('failures');
    this.#successes = bufferOf('successes');
  }

  /** Whether it is time to write. */
  get isFull(): boolean {
    return this.#history.length + this.#failures.length + this.#successes.length >= MAX_BUFFERED_CHARACTERS;
  }

  addMessage(message: Message): void {
    this.#history.add(message);
  }

  addAttempt(attempt: Attempt): void {
    (attempt.outcome === 'success' ? this.#successes : this.#failures).add(attempt);
  }

  /** Writes what waits, in the order it came, log by log. */
  flush(): void {
    this.#history.flush();
    this.#failures.flush();
    this.#successes.flush();
  }
}

const KNOWN_TYPE = /^image\/(?:png|jpe?g|gif|webp)$/i;
const BASE64_BYTES = 4 / 3;

/**
 * Stores the images of a message in a project's images folder and returns their names. Those that are too many, too
 * large or of an unknown kind are left out and reported.
 */
export function storeImages(
  directory: string,
  images: readonly TranscriptImage[],
  leaveOut: (reason: string) => void,
): readonly string[] {
  const names = new Set<string>();
  for (const { mediaType, base64 } of images) {
    if (names.size >= MAX_IMAGES) leaveOut('image beyond the fifth of a message');
    else if (!KNOWN_TYPE.test(mediaType)) leaveOut('image of an unknown kind');
    else if (base64.length > MAX_IMAGE_BYTES * BASE64_BYTES + 4) leaveOut('image over 5 MB');
    else {
      const name = save(join(directory, 'images'), `data:${mediaType.toLowerCase()};base64,${base64}`);
      if (name === undefined) leaveOut('image over 5 MB');
      else names.add(name);
    }
  }
  return [...names];
}

function save(folder: string, dataUri: string): string | undefined {
  try {
    return saveImages(folder, [dataUri])[0];
  } catch (error) {
    if (error instanceof YoreError && error.code === 'LIMIT') return undefined;
    throw error;
  }
}
