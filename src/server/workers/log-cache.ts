import { statIfExists } from '../../files/index.ts';
import { type LogName, listSegments } from '../../log/index.ts';

/** A small cache of values that were computed from logs. An entry is valid as long as its stamp is the same. */
export class StampedCache<T> {
  readonly #capacity: number;
  /** The least recently used entry first. */
  readonly #entries = new Map<string, { readonly stamp: string; readonly value: T }>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** The cached value of `key`, computed again when `stamp` has changed. */
  get(key: string, stamp: string, compute: () => T): T {
    const cached = this.#entries.get(key);
    const value = cached?.stamp === stamp ? cached.value : compute();
    this.#entries.delete(key);
    this.#entries.set(key, { stamp, value });
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#capacity) break;
      this.#entries.delete(oldest);
    }
    return value;
  }
}

const LOGS: readonly LogName[] = ['history', 'failures', 'successes', 'warnings'];

/** Like {@link logStamp}; while the index is behind the logs, no value is valid for longer than a moment. */
export function indexStamp(home: { readonly isIndexed: () => boolean }, directory: string, now: number): string {
  return `${logStamp(directory)} ${home.isIndexed() ? '' : now}`;
}

/** A text that changes whenever the logs of a project change. */
function logStamp(directory: string): string {
  return LOGS.flatMap((log) => listSegments(directory, log))
    .map(({ name, path }) => {
      const found = statIfExists(path);
      return `${name} ${found?.ino} ${found?.size} ${found?.mtimeMs}`;
    })
    .join('\n');
}
