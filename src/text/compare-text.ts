/** Compares two texts by UTF-16 units, for sorting: the same order on every machine, whatever its language. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The later of two timestamps in the format of records. */
export function laterOf(a: string, b: string): string {
  return compareText(a, b) < 0 ? b : a;
}

/** The earlier of two timestamps in the format of records. */
export function earlierOf(a: string, b: string): string {
  return compareText(a, b) > 0 ? b : a;
}
