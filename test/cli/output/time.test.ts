import { describe, expect, it } from 'vitest';
import { localTime, relativeTime } from '../../../src/cli/output/time.ts';

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
    [45 * DAY, 'Oct 5'],
  ])('says %i ms ago in words', (age, words) => {
    expect(relativeTime(ago(age), now)).toBe(words);
  });

  it('names the year when it is another one, and does not trip over clocks that are ahead', () => {
    expect(relativeTime(ago(400 * DAY), now)).toMatch(/^Oct \d+ 2024$/);
    expect(relativeTime(ago(-30_000), now)).toBe('just now');
    expect(relativeTime(ago(-2 * DAY), now)).toBe('Nov 21');
    expect(relativeTime('rubbish', now)).toBe('unknown time');
  });
});

describe('localTime', () => {
  it('is a local date and minute', () => {
    expect(localTime(new Date(2025, 10, 8, 9, 5).toISOString())).toBe('2025-11-08 09:05');
    expect(localTime('rubbish')).toBe('unknown time');
  });
});
