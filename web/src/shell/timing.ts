/** An action that can be deferred. */
export interface Debounced<T> {
  /** Runs the action once it has not been called for `delayMs`. */
  later(value: T): void;
  /** Runs the action at once, instead of a deferred one. */
  now(value: T): void;
  /** Drops the deferred action. */
  cancel(): void;
}

/** Defers an action until its last call is `delayMs` old. */
export function debounce<T>(action: (value: T) => void, delayMs: number): Debounced<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const cancel = () => clearTimeout(timer);
  return {
    later(value) {
      cancel();
      timer = setTimeout(() => action(value), delayMs);
    },
    now(value) {
      cancel();
      action(value);
    },
    cancel,
  };
}

/** A step that is run repeatedly; undefined when there is nothing left to do. It must not reject. */
type Step = () => Promise<void> | undefined;

/**
 * Returns a function that runs steps until there is nothing left to do, never two at once. Each step looks at what is
 * wanted at that moment, so what was wanted only in between costs nothing.
 */
export function runSerially(step: Step): () => void {
  let isBusy = false;
  const run = async (): Promise<void> => {
    if (isBusy) return;
    isBusy = true;
    for (let running = step(); running !== undefined; running = step()) await running;
    isBusy = false;
  };
  return () => void run();
}
