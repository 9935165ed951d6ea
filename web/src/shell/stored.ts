const PREFIX = 'yore.';

/** A value that this browser remembers; `missing` when there is none or it is not valid. Never throws. */
export function readStored<T>(name: string, missing: T, isValid: (value: unknown) => boolean): T {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(PREFIX + name) ?? 'null');
    return isValid(value) ? (value as T) : missing;
  } catch {
    return missing;
  }
}

/** Remembers a value in this browser, if it lets the page do so. */
export function writeStored(name: string, value: unknown): void {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // Private windows and full disks: the value is lost with the page.
  }
}
