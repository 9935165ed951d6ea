import { describe, expect, it } from 'vitest';
import { findTimePhrases } from '../../src/text/time-phrases.ts';

const NOW = new Date(2025, 10, 19, 15).getTime(); // A Wednesday.
const day = (year: number, month: number, date: number) => new Date(year, month - 1, date).getTime();

describe('times that a text names', () => {
  it.each([
    ['what happened on Feb 10?', day(2025, 2, 10), day(2025, 2, 11)],
    ['what happened on 10 February 2024', day(2024, 2, 10), day(2024, 2, 11)],
    ['what happened on December 3rd', day(2024, 12, 3), day(2024, 12, 4)],
    ['the release of 2025-03-04', day(2025, 3, 4), day(2025, 3, 5)],
    ['in May 2023', day(2023, 5, 1), day(2023, 6, 1)],
    ['what broke in August?', day(2025, 8, 1), day(2025, 9, 1)],
    ['what broke in 2024?', day(2024, 1, 1), day(2025, 1, 1)],
    ['yesterday', day(2025, 11, 18), day(2025, 11, 19)],
    ['last Tuesday', day(2025, 11, 18), day(2025, 11, 19)],
    ['last week', day(2025, 11, 10), day(2025, 11, 17)],
    ['3 days ago', day(2025, 11, 16), day(2025, 11, 17)],
  ])('finds %s', (text, since, until) => {
    expect(findTimePhrases(text, NOW)).toMatchObject([{ since, until }]);
  });

  it.each(['it may fail', 'on February 30', 'version 10', 'the second step', 'in 2000 files', 'in 2031'])(
    'finds none in "%s"',
    (text) => {
      expect(findTimePhrases(text, NOW)).toEqual([]);
    },
  );

  it('takes a day without a year as that of any year', () => {
    const [phrase] = findTimePhrases('on Feb 10', NOW);
    expect(phrase?.includes(day(2023, 2, 10))).toBe(true);
    expect(phrase?.includes(day(2023, 2, 11))).toBe(false);
  });
});
