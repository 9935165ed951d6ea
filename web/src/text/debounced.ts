/** An action that is put off. */
export interface Debounced<T> {
  /** Does the action when nothing else is asked for `delayMs`. */
  later(value: T): void;
  /** Does it at once, and drops what was put off. */
  now(value: T): void;
  /** Drops what was put off. */
  cancel(): void;
}

/** Does an action only when the last request for it is `delayMs` old. */
export function debounced<T>(action: (value: T) => void, delayMs: number): Debounced<T> {
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
