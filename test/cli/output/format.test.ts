import { describe, expect, it } from 'vitest';
import { formatBytes, localTime, relativeTime } from '../../../src/cli/output/format.ts';
import { formatCount, formatNumber } from '../../../src/text/format-count.ts';

const now = new Date(2025, 10, 19, 14, 30).getTime();
const ago = (ms: number): string => new Date(now - ms).toISOString();
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('relativeTime', () => {
  it.each([
    [0, 'just now'],
    [59_000, 'just now'],
    [5 * MINUTE, '5 min ago'],
    [2 * HOUR, '2 h ago'],
    [25 * HOUR, 'yesterday'],
    [3 * DAY, '3 days ago'],
    [40 * HOUR, '2 days ago'],
    [5 * DAY - HOUR, '5 days ago'],
    [45 * DAY, 'Oct 5'],
  ])('formats %i ms ago', (age, words) => {
    expect(relativeTime(ago(age), now)).toBe(words);
  });

  it('names another year, and tolerates times in the future', () => {
    expect(relativeTime(ago(400 * DAY), now)).toMatch(/^Oct \d+ 2024$/);
    expect(relativeTime(ago(-30_000), now)).toBe('just now');
    expect(relativeTime(ago(-2 * DAY), now)).toBe('Nov 21');
    expect(relativeTime('rubbish', now)).toBe('unknown time');
  });
});

describe('localTime', () => {
  it('formats a local date and minute', () => {
    expect(localTime(new Date(2025, 10, 8, 9, 5).toISOString())).toBe('2025-11-08 09:05');
    expect(localTime('rubbish')).toBe('unknown time');
  });
});

describe('quantities', () => {
  it('are written with thousands separators and nouns', () => {
    expect(formatNumber(1234567)).toBe('1,234,567');
    expect(formatCount(1, 'session')).toBe('1 session');
    expect(formatCount(2, 'match', 'matches')).toBe('2 matches');
  });

  it('are written as sizes', () => {
    expect([0, 512, 1500, 12_345, 99_999_999, 5e9, 7e12].map(formatBytes)).toEqual([
      '0 B',
      '512 B',
      '1.5 KB',
      '12 KB',
      '100 MB',
      '5.0 GB',
      '7.0 TB',
    ]);
  });
});
