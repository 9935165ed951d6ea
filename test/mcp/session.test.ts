import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findSessionPage, splitEntry, splitIntoPages } from '../../src/mcp/tools/session.ts';
import type { Attempt, Message } from '../../src/record/index.ts';
import { safeText } from '../../src/text/one-line.ts';

const LARGEST_PAGE = 6000;
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 50 }),
  fc.string({ unit: 'grapheme', maxLength: 3000 }),
  fc.nat(20_000).map((length) => 'word '.repeat(length / 5)),
  fc.constant(''),
);

const message = fc.record({ content: text, role: fc.constantFrom('user' as const, 'assistant' as const) });
const attempt = fc.record({
  outcome: fc.constantFrom('success' as const, 'failure' as const, 'unclear' as const),
  tool: fc.constantFrom('Bash', 'Read'),
  command: text,
  error: fc.option(text, { nil: undefined }),
  result: fc.option(text, { nil: undefined }),
  exitCode: fc.option(fc.nat(255), { nil: undefined }),
});

const session = fc.array(fc.oneof(message, attempt), { maxLength: 40 }).map((entries) =>
  entries.map((entry, n): Message | Attempt => {
    const { error, result, exitCode, ...rest } = {
      error: undefined,
      result: undefined,
      exitCode: undefined,
      ...entry,
    };
    return {
      v: 1,
      id: `id-${n}`,
      sessionId: 's',
      timestamp: new Date(1_763_000_000_000 + n * 1000).toISOString(),
      ...rest,
      ...(error === undefined ? {} : { error }),
      ...(result === undefined ? {} : { result }),
      ...(exitCode === undefined ? {} : { exitCode }),
    };
  }),
);

/** An unpaired surrogate. */
const HALF = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
const CONTROL = /(?!\n)[\p{Cc}\p{Cf}\u2028\u2029]/u;

describe('the pages of a session', () => {
  it('hold every entry once, in order, in pages of bounded size without unsafe characters', () => {
    fc.assert(
      fc.property(session, (entries) => {
        const pages = splitIntoPages(entries);
        expect(pages.flat().map(({ id }) => id)).toEqual(entries.map(({ id }) => id));
        for (const [index, page] of pages.entries()) {
          expect(page.length).toBeGreaterThan(0);
          expect(page.reduce((sum, entry) => sum + entry.text.length, 0)).toBeLessThan(LARGEST_PAGE);
          for (const entry of page) {
            expect(entry.text).not.toMatch(CONTROL);
            expect(entry.text).not.toMatch(HALF);
            expect(findSessionPage(pages, entry.id)).toBe(index + 1);
          }
        }
      }),
    );
  });

  it('stay the same when the session grows', () => {
    fc.assert(
      fc.property(session, session, (before, after) => {
        const grown = [...before, ...after.map((entry) => ({ ...entry, id: `late-${entry.id}` }))];
        const pages = splitIntoPages(before).slice(0, -1);
        expect(splitIntoPages(grown).slice(0, pages.length)).toEqual(pages);
      }),
    );
  });

  it('of a single entry hold its whole text', () => {
    fc.assert(
      fc.property(message, ({ content, role }) => {
        const entry: Message = {
          v: 1,
          id: 'm',
          sessionId: 's',
          timestamp: '2025-11-18T12:00:00Z',
          role,
          content,
        };
        const pages = splitEntry(entry);
        expect(
          pages
            .flat()
            .map((part) => part.text)
            .join(''),
        ).toBe(safeText(content).trim());
        for (const [part] of pages) {
          expect(part?.text.length).toBeLessThan(LARGEST_PAGE);
          expect(part?.text).not.toMatch(HALF);
        }
      }),
    );
  });

  it('say how much of a long entry is left out', () => {
    const entry: Message = {
      v: 1,
      id: 'm',
      sessionId: 's',
      timestamp: '2025-11-18T12:00:00Z',
      role: 'user',
      content: 'x'.repeat(50_000),
    };
    expect(splitIntoPages([entry])).toMatchObject([[{ text: `${'x'.repeat(1000)}…`, leftOut: 49_000 }]]);
    expect(splitEntry(entry)).toHaveLength(10);
  });
});
