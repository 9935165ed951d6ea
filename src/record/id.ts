/**
 * `count` random hexadecimal characters, at most 8. For telling things apart, not for keeping them secret: the
 * crypto module takes longer to load than a record takes to write.
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
