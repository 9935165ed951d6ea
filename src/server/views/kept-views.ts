/** Keeps a few things that are costly to make, as long as what they were made from is the same. */
export class KeptViews<T> {
  readonly #most: number;
  /** The one used last at the end. */
  readonly #kept = new Map<string, { readonly stamp: string; readonly view: T }>();

  constructor(most: number) {
    this.#most = most;
  }

  /** What is kept under `key`, made anew when it was made from something else. */
  get(key: string, stamp: string, make: () => T): T {
    const known = this.#kept.get(key);
    const view = known?.stamp === stamp ? known.view : make();
    this.#kept.delete(key);
    this.#kept.set(key, { stamp, view });
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#most) break;
      this.#kept.delete(oldest);
    }
    return view;
  }
}
