const LOOKED_AT_BYTES = 8192;

/** Is there a NUL in the first 8,192 bytes? */
export function isBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, LOOKED_AT_BYTES).includes(0);
}

/** The same of a text, by the bytes that it would have as a file. */
export function isBinaryText(text: string): boolean {
  // A character is a byte or more, so that the bytes to look at are in these characters.
  return isBinary(Buffer.from(text.slice(0, LOOKED_AT_BYTES)));
}
