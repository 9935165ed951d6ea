/** Order of two texts by code units, for sorting: the same everywhere, whatever the language of the machine. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The later of two times in the form in which records hold them. */
export function laterOf(a: string, b: string): string {
  return compareText(a, b) < 0 ? b : a;
}

/** The earlier of two times in the form in which records hold them. */
export function earlierOf(a: string, b: string): string {
  return compareText(a, b) > 0 ? b : a;
}
