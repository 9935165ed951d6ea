import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { debounce } from '../../web/src/shell/timing.ts';
import {
  agoText,
  cleanText,
  formatDayAndTime,
  formatDays,
  formatDuration,
  shortNumber,
} from '../../web/src/text/format.ts';
import { isSafeMarkdown } from '../../web/src/text/markdown-blocks.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a debounced action runs once, after the last call', () => {
  const done: string[] = [];
  const search = debounce((query: string) => done.push(query), 300);
  search.later('a');
  vi.advanceTimersByTime(299);
  search.later('ab');
  vi.advanceTimersByTime(299);
  expect(done).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(done).toEqual(['ab']);
  search.later('abc');
  search.cancel();
  search.later('abcd');
  search.now('now');
  vi.advanceTimersByTime(1_000);
  expect(done).toEqual(['ab', 'now']);
});

test.each([
  ['2026-11-15T11:59:40.000Z', 'now'],
  ['2026-11-15T11:55:00.000Z', '5 min'],
  ['2026-11-15T09:00:00.000Z', '3 h'],
  ['2026-11-12T12:00:00.000Z', '3 d'],
  ['2026-11-03T12:00:00.000Z', 'Nov 3'],
  ['2024-11-03T12:00:00.000Z', 'Nov 3, 2024'],
  ['yesterday', ''],
])('formats %s as %j', (timestamp, expected) => {
  expect(agoText(timestamp, Date.parse('2026-11-15T12:00:00.000Z'))).toBe(expected);
});

test('days are those of the calendar, not of 24 hours', () => {
  const now = new Date(2026, 10, 15, 12).getTime();
  expect(agoText(new Date(2026, 10, 12, 22).toISOString(), now)).toBe('3 d');
});

test('formatDayAndTime has the day and the time', () => {
  const now = new Date(2026, 10, 15, 12).getTime();
  expect(formatDayAndTime(new Date(2026, 10, 3, 9, 5).toISOString(), now)).toBe('Nov 3, 09:05');
  expect(formatDayAndTime('soon', now)).toBe('soon');
});

test('days in a text are written as elsewhere', () => {
  const now = Date.parse('2026-11-15T12:00:00.000Z');
  expect(formatDays('worked 3 times, last on 2026-11-03', now)).toBe('worked 3 times, last on Nov 3');
  expect(formatDays('noted on 2025-12-31', now)).toBe('noted on Dec 31, 2025');
  expect(formatDays('version 2026-99-99 of 12026-11-03', now)).toBe('version 2026-99-99 of 12026-11-03');
});

test('numbers and durations are short', () => {
  expect([7, 999, 1_000, 1_250, 34_400, 999_999, 1_500_000].map(shortNumber)).toEqual([
    ...['7', '999', '1 k', '1.3 k', '34 k', '1 M', '1.5 M'],
  ]);
  expect([120, 4_200, 61_000].map(formatDuration)).toEqual(['120 ms', '4.2 s', '1 min']);
});

test('cleanText removes control characters and spells out direction changes', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('\u001b', '[', ']', '3', 'm', '\u202e', '\u0007', 'x') }),
      (a, b) => {
        const shown = cleanText(a + b);
        expect(shown).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
        expect(cleanText(shown)).toBe(shown);
      },
    ),
  );
  expect(cleanText('\u001b[31mred\u001b[0m\u001b]8;;https://x\u0007link\u202e')).toBe('redlink⟨U+202E⟩');
});

test('a text that is too long, or has a line that is, is not parsed as Markdown', () => {
  expect(isSafeMarkdown('# short\n\ntext')).toBe(true);
  expect(isSafeMarkdown('x'.repeat(5_001))).toBe(false);
  expect(isSafeMarkdown(`${'x'.repeat(4_000)}\n`.repeat(4))).toBe(true);
  expect(isSafeMarkdown(`${'x'.repeat(4_000)}\n${'y'.repeat(6_000)}\n`)).toBe(false);
  expect(isSafeMarkdown('x\n'.repeat(20_000))).toBe(false);
});

test.each([
  ['emphasis without end', `${'*a_'.repeat(1_600)}\n`.repeat(4)],
  ['a quote of quotes', `${'>'.repeat(4_000)}x`],
  ['a list of lists', `${'- '.repeat(2_000)}x`],
  ['lists in quotes', `${'> 1. '.repeat(900)}x`],
])('%s is not read as Markdown', (_name, text) => {
  expect(isSafeMarkdown(text)).toBe(false);
});

test.each([
  ['a report', '# Title\n\n- **one** of _two_\n  - deeper\n    - deepest\n\n> > quoted twice\n'],
  ['code', `\`\`\`py\n${'__init__ = snake_case_name ** 2\n'.repeat(300)}\`\`\`\n`],
  ['paragraphs', 'A **bold** word and a `name_of_it`.\n\n'.repeat(400)],
])('%s is read as Markdown', (_name, text) => {
  expect(isSafeMarkdown(text)).toBe(true);
});
