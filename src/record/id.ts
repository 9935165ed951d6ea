/**
 * `count` random hexadecimal characters, at most 8. For uniqueness, not for secrets: loading the crypto module would
 * take longer than writing a record.
 */
export function randomHex(count: number): string {
  return Math.floor(Math.random() * 2 ** 32)
    .toString(16)
    .padStart(8, '0')
    .slice(0, count);
}

/** A message or attempt id: `{epochMs}-{uuid8}`. */
export function newMessageId(now: number, random: (count: number) => string = randomHex): string {
  return `${now}-${random(8)}`;
}

/** A session id: `sess_{epochMs}_{uuid6}`. Imported sessions keep their agent's own id instead. */
export function newSessionId(now: number, random: (count: number) => string = randomHex): string {
  return `sess_${now}_${random(6)}`;
}

/** A fast non-cryptographic 53-bit hash. */
export function textHash(text: string): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return 4294967296 * (2097151 & low) + (high >>> 0);
}

/** The hash of a text as a short name, in base 36. */
export function shortHash(text: string): string {
  return textHash(text).toString(36);
}
