import { safeCut } from '../text/characters.ts';

/** Maximum size of a log line in bytes. */
export const MAX_RECORD_BYTES: number = 1024 * 1024;

const MIN_TEXT_LIMIT = 256;

/**
 * Serialises a record as one line of at most {@link MAX_RECORD_BYTES}. The longest texts of larger records are
 * truncated in the middle, with a marker that says how much is missing.
 */
export function serialiseBounded(record: object): string {
  const line = JSON.stringify(record);
  if (fits(line)) return line;
  for (let limit = MAX_RECORD_BYTES / 4; limit >= MIN_TEXT_LIMIT; limit /= 2) {
    const shorter = JSON.stringify(record, (_key, value: unknown) =>
      typeof value === 'string' ? truncateMiddle(value, limit) : value,
    );
    if (fits(shorter)) return shorter;
  }
  return JSON.stringify(dropLargestFields(record));
}

/** Replaces the middle of a text longer than `limit` characters by a marker. */
export function truncateMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = safeCut(text, Math.ceil(limit / 2));
  const tail = safeCut(text, text.length - Math.floor(limit / 2));
  return `${text.slice(0, head)}\n[… ${tail - head} characters cut by yore …]\n${text.slice(tail)}`;
}

function fits(line: string): boolean {
  if (line.length * 3 < MAX_RECORD_BYTES) return true;
  return line.length < MAX_RECORD_BYTES && Buffer.byteLength(line) < MAX_RECORD_BYTES;
}

/** Last resort for records that are large without long texts, e.g. with endless lists. */
function dropLargestFields(record: object): object {
  const sizes = Object.entries(record).map(([key, value]) => ({
    key,
    size: JSON.stringify(value)?.length ?? 0,
  }));
  const kept = new Set(sizes.filter(({ size }) => size <= MAX_RECORD_BYTES / 32).map(({ key }) => key));
  const dropped = sizes.filter(({ key }) => !kept.has(key)).map(({ key }) => key);
  return {
    ...Object.fromEntries(Object.entries(record).filter(([key]) => kept.has(key))),
    truncated: dropped,
  };
}
