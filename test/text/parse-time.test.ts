import { describe, expect, it } from 'vitest';
import { parseTime } from '../../src/text/parse-time.ts';

const now = new Date(2025, 10, 19, 14, 30).getTime();
const ago = (ms: number): string => new Date(now - ms).toISOString();
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('parseTime', () => {
  it('parses durations before now', () => {
    expect(parseTime('30m', now, 'since')).toBe(ago(30 * MINUTE));
    expect(parseTime('12h', now, 'since')).toBe(ago(12 * HOUR));
    expect(parseTime('7d', now, 'since')).toBe(ago(7 * DAY));
    expect(parseTime('2w ago', now, 'since')).toBe(ago(14 * DAY));
  });

  it('takes the start of a day for since and its end for until', () => {
    expect(parseTime('2025-11-18', now, 'since')).toBe(new Date(2025, 10, 18).toISOString());
    expect(parseTime('2025-11-18', now, 'until')).toBe(new Date(2025, 10, 18, 23, 59, 59, 999).toISOString());
    expect(parseTime('yesterday', now, 'since')).toBe(new Date(2025, 10, 18).toISOString());
    expect(parseTime('today', now, 'until')).toBe(new Date(2025, 10, 19, 23, 59, 59, 999).toISOString());
  });

  it('parses a date with a time, local or with a zone', () => {
    expect(parseTime('2025-11-18 15:30', now, 'since')).toBe(new Date(2025, 10, 18, 15, 30).toISOString());
    expect(parseTime('2025-11-18T15:30:00Z', now, 'until')).toBe('2025-11-18T15:30:00.000Z');
  });

  it.each(['', 'soon', '7', '7y', '2025-02-30', '2025-13-01', '2025-11-18T99:99', '99999999999d'])(
    'does not guess what "%s" means',
    (given) => {
      expect(parseTime(given, now, 'since')).toBeUndefined();
    },
  );
});
