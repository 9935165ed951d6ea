/** Gets told what happens. What it throws is its own affair: it stops neither the others nor what is under way. */
export type Listener<Event> = (event: Event) => void;

/** Those who want to know of events of one kind. */
export class Listeners<Event> {
  readonly #listeners = new Set<{ readonly tell: Listener<Event> }>();

  /** Tells a listener of everything from now on. Returns a function that ends it. */
  on(listener: Listener<Event>): () => void {
    // An object of its own for each call, so that ending one does not end another of the same function.
    const held = { tell: listener };
    this.#listeners.add(held);
    return () => {
      this.#listeners.delete(held);
    };
  }

  /** Tells all listeners, in the order in which they came. */
  emit(event: Event): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener.tell(event);
      } catch {
        // A listener shows things; that it fails must not lose a history.
      }
    }
  }
}
