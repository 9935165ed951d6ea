const PRIME = 0x01000193;

/**
 * A number of 32 bits that tells whether bytes are still what they were. Not against intent. Made here because loading
 * Node's own takes longer than reading what is to be checked.
 */
export function checksum(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let sum = 0x811c9dc5;
  let at = 0;
  for (; at + 4 <= bytes.length; at += 4) sum = mix(sum, view.getInt32(at, true));
  for (; at < bytes.length; at++) sum = mix(sum, view.getUint8(at));
  return sum >>> 0;
}

/** Each step can be undone, so that a change in one place is always noticed. */
function mix(sum: number, value: number): number {
  const product = Math.imul(sum ^ value, PRIME);
  return product ^ (product >>> 15);
}
