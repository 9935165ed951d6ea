import { randomUUID } from 'node:crypto';

/** `count` random hexadecimal characters, at most 8. */
function randomHex(count: number): string {
  return randomUUID().slice(0, count);
}

/** A message or attempt id: `{epochMs}-{uuid8}`. */
export function newMessageId(now: number, random: (count: number) => string = randomHex): string {
  return `${now}-${random(8)}`;
}

/** A session id: `sess_{epochMs}_{uuid6}`. Imported sessions keep their agent's own id instead. */
export function newSessionId(now: number, random: (count: number) => string = randomHex): string {
  return `sess_${now}_${random(6)}`;
}
