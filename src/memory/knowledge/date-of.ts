/** The day of a time as records hold it: `2025-11-18`. */
export function dateOf(timestamp: string): string {
  return timestamp.slice(0, timestamp.indexOf('T') < 0 ? 10 : timestamp.indexOf('T'));
}
