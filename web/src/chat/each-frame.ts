/** How long at most, where no frame is drawn: a page in the background draws none. */
const LONGEST_WAIT_MS = 200;

/** Collects what comes and hands it on once for each frame of the screen. */
export class EachFrame<T> {
  readonly #take: (items: readonly T[]) => void;
  #items: T[] = [];
  #frame = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(take: (items: readonly T[]) => void) {
    this.#take = take;
  }

  add(item: T): void {
    this.#items.push(item);
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => this.#flush(), LONGEST_WAIT_MS);
    this.#frame = requestAnimationFrame(() => this.#flush());
  }

  /** Hands on what was collected, and this, at once. */
  addNow(item: T): void {
    this.#items.push(item);
    this.#flush();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    cancelAnimationFrame(this.#frame);
    this.#timer = undefined;
    const items = this.#items;
    this.#items = [];
    this.#take(items);
  }
}
