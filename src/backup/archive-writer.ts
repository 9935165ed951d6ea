import { writeSync } from 'node:fs';
import type { Header, Pack, ReadEntry } from 'tar';

/** A file to put into an archive. `chunks` must give exactly `size` bytes. */
export interface ArchiveFile {
  readonly path: string;
  readonly size: number;
  readonly mode: number;
  readonly modified: Date;
  readonly chunks: Iterable<Buffer>;
}

/** The parts of the `tar` package that write; handed in, because it is loaded only when it is needed. */
export interface TarWriting {
  readonly Pack: typeof Pack;
  readonly Header: typeof Header;
  readonly ReadEntry: typeof ReadEntry;
}

/** Writes a `.tar.gz` to an open file, in bounded memory. */
export class ArchiveWriter {
  readonly #tar: TarWriting;
  readonly #pack: Pack;
  #failure: unknown;

  constructor(tar: TarWriting, descriptor: number) {
    this.#tar = tar;
    this.#pack = new tar.Pack({ gzip: true, portable: true });
    this.#pack.on('error', (error) => this.#fail(error));
    this.#pack.on('data', (chunk) => {
      try {
        if (this.#failure === undefined) writeAll(descriptor, chunk);
      } catch (error) {
        this.#fail(error);
      }
    });
  }

  /** Adds a file, and calls `onBytes` as it goes on. Throws what writing throws. */
  add(
    { path, size, mode, modified, chunks }: ArchiveFile,
    onBytes: (bytes: number) => void = () => {},
  ): void {
    const entry = new this.#tar.ReadEntry(
      new this.#tar.Header({ path, size, mode, mtime: modified, type: 'File' }),
    );
    this.#pack.add(entry);
    for (const chunk of chunks) {
      entry.write(chunk);
      this.#check();
      onBytes(chunk.length);
    }
    entry.end();
    this.#check();
  }

  /** Completes the archive. */
  end(): void {
    this.#pack.end();
    this.#check();
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
  }

  #check(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }
}

/** Writes all of it: a nearly full disk takes a part first, and says only then that it is full. */
export function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let position = 0; position < bytes.length; ) position += writeSync(descriptor, bytes, position);
}
