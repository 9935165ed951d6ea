import type { FoundSource } from './find-sources.ts';
import type { SourceTaker } from './source-taker.ts';

/** Thrown where a thread ends because another one failed or the import was stopped. */
export class Stopped extends Error {}

const NEXT = 0;
const STOP = 1;
const FLAGS_BYTES = 8;

/** What the threads of an import have in common: which group is next, how far each one is, whether to stop. */
export class GroupQueue {
  /** To be handed to other threads. */
  readonly memory: SharedArrayBuffer;
  readonly #flags: Int32Array;
  readonly #bytes: Float64Array;

  private constructor(memory: SharedArrayBuffer) {
    this.memory = memory;
    this.#flags = new Int32Array(memory, 0, 2);
    this.#bytes = new Float64Array(memory, FLAGS_BYTES);
  }

  static create(threads: number): GroupQueue {
    return new GroupQueue(new SharedArrayBuffer(FLAGS_BYTES + threads * Float64Array.BYTES_PER_ELEMENT));
  }

  /** The queue that another thread made. */
  static at(memory: SharedArrayBuffer): GroupQueue {
    return new GroupQueue(memory);
  }

  get isStopped(): boolean {
    return Atomics.load(this.#flags, STOP) !== 0;
  }

  /** How many bytes all threads have read. */
  get bytesDone(): number {
    return this.#bytes.reduce((sum, bytes) => sum + bytes, 0);
  }

  /** Makes all threads end soon. What they have read by then is kept. */
  stop(): void {
    Atomics.store(this.#flags, STOP, 1);
  }

  /** Takes in groups until none is left. Throws {@link Stopped}, and what `onProgress` throws. */
  async work(
    thread: number,
    groups: readonly (readonly FoundSource[])[],
    taker: SourceTaker,
    onProgress: () => void = () => {},
  ): Promise<void> {
    let done = 0;
    for (let at = this.#next(); at < groups.length; at = this.#next()) {
      for (const found of groups[at] ?? []) {
        await taker.take(found, (bytes) => {
          this.#bytes[thread] = done + bytes;
          if (this.isStopped) throw new Stopped();
          onProgress();
        });
        done += found.source.size;
      }
    }
  }

  #next(): number {
    return Atomics.add(this.#flags, NEXT, 1);
  }
}
