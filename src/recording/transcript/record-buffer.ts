import { join } from 'node:path';
import type { TranscriptImage } from '../../agents/transcript/transcript.ts';
import { MAX_IMAGE_BYTES, MAX_IMAGES, saveImages } from '../../history/images.ts';
import { AppendBuffer } from '../../log/append.ts';
import { openSegmentPath } from '../../log/segments.ts';
import { YoreError } from '../../record/error.ts';
import type { Attempt, Message } from '../../record/record.ts';

/** Small enough for any memory, large enough for efficient writes. */
const MAX_BUFFERED_CHARACTERS = 2 * 1024 * 1024;

/** Buffers the records of a project and writes them to its logs in few writes. */
export class RecordBuffer {
  readonly #history: AppendBuffer;
  readonly #failures: AppendBuffer;
  readonly #successes: AppendBuffer;

  readonly #origin: Pick<Message, 'foreign'>;

  /** `directory` is the project's data folder; `origin` is added to every record. */
  constructor(directory: string, origin: Pick<Message, 'foreign'> = {}) {
    this.#origin = origin;
    this.#history = new AppendBuffer(openSegmentPath(directory, 'history'));
    this.#failures = new AppendBuffer(openSegmentPath(directory, 'failures'));
    this.#successes = new AppendBuffer(openSegmentPath(directory, 'successes'));
  }

  /** Whether the buffer should be flushed. */
  get isFull(): boolean {
    return this.#history.length + this.#failures.length + this.#successes.length >= MAX_BUFFERED_CHARACTERS;
  }

  addMessage(message: Message): void {
    this.#history.add({ ...message, ...this.#origin });
  }

  addAttempt(attempt: Attempt): void {
    (attempt.outcome === 'success' ? this.#successes : this.#failures).add({ ...attempt, ...this.#origin });
  }

  /** Writes the buffered records, log by log. */
  flush(): void {
    this.#history.flush();
    this.#failures.flush();
    this.#successes.flush();
  }
}

const KNOWN_TYPE = /^image\/(?:png|jpe?g|gif|webp)$/i;
const BASE64_BYTES = 4 / 3;

/**
 * Stores the images of a message in a project's images folder and returns their names. `onSkip` is called with the
 * reason for each image that is not acceptable.
 */
export function storeImages(
  directory: string,
  images: readonly TranscriptImage[],
  onSkip: (reason: string) => void,
): readonly string[] {
  const names = new Set<string>();
  for (const { mediaType, base64 } of images) {
    if (names.size >= MAX_IMAGES) onSkip('more than five images in a message');
    else if (!KNOWN_TYPE.test(mediaType)) onSkip('image of an unknown type');
    else if (base64.length > MAX_IMAGE_BYTES * BASE64_BYTES + 4) onSkip('image over 5 MB');
    else {
      const name = saveImage(join(directory, 'images'), `data:${mediaType.toLowerCase()};base64,${base64}`);
      if (name === undefined) onSkip('image over 5 MB');
      else names.add(name);
    }
  }
  return [...names];
}

function saveImage(folder: string, dataUri: string): string | undefined {
  try {
    return saveImages(folder, [dataUri])[0];
  } catch (error) {
    if (error instanceof YoreError && error.code === 'LIMIT') return undefined;
    throw error;
  }
}
