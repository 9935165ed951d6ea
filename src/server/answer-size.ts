/** So many bytes of content one answer holds at most, unless a single record is larger. */
export const LARGEST_ANSWER: number = 4 * 1024 * 1024;

/** What a value takes on the wire, in bytes. */
export function byteSize(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '');
}
