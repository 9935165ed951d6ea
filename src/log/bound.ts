/** The largest line a log holds, in bytes. */
export const MAX_RECORD_BYTES: number = 1024 * 1024;

const SMALLEST_CUT = 256;

/**
 * Serialises a record as one line of at most {@link MAX_RECORD_BYTES}. Longer records are stored truncated:
 * their longest texts keep head and tail around a marker that says how much is missing.
 */
export function serialiseBounded(record: object): string {
  const line = JSON.stringify(record);
  if (fits(line)) return line;
  for (let limit = MAX_RECORD_BYTES / 4; limit >= SMALLEST_CUT; limit /= 2) {
    const shorter = JSON.stringify(record, (_key, value: unknown) =>
      typeof value === 'string' ? cutText(value, limit) : value,
    );
    if (fits(shorter)) return shorter;
  }
  return JSON.stringify(dropLargestFields(record));
}

/** `text` itself, or its head and tail around a marker when it is longer than `limit` characters. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = safeEnd(text, Math.ceil(limit / 2));
  const tail = safeEnd(text, text.length - Math.floor(limit / 2));
  return `${text.slice(0, head)}\n[… ${tail - head} characters cut by yore …]\n${text.slice(tail)}`;
}

/** A cut position that does not split a surrogate pair. */
function safeEnd(text: string, position: number): number {
  const code = text.charCodeAt(position);
  return code >= 0xdc00 && code <= 0xdfff ? position - 1 : position;
}

function fits(line: string): boolean {
  if (line.length * 3 < MAX_RECORD_BYTES) return true;
  return line.length < MAX_RECORD_BYTES && Buffer.byteLength(line) < MAX_RECORD_BYTES;
}

/** For records that are large in other ways than long texts, such as endless lists. */
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
