import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../../../property-seed.ts';
import { summaryPair } from '../../../../src/context/compaction/compaction.ts';
import { summariseTurns } from '../../../../src/context/compaction/summary/summarise-turns.ts';

/** Fragments that mean something to one of the parsers, combined at random. */
const piece = fc.constantFrom(
  ...[
    '$ ',
    '\n',
    '```',
    '```bash\n',
    '~~~',
    'CMD: ',
    'Ran: ',
    '{"command":"',
    '"}',
    '{',
    '[',
    '\\',
    '"',
    '`',
    '<<EOF\n',
  ],
  ...[
    '<invoke name="',
    '<parameter name="command">',
    '</parameter>',
    '<result>',
    '<path>',
    '>',
    '<',
    '</',
    '=',
    'Bash(',
  ],
  ...[
    '*** Update File: ',
    '+++ b/',
    '<<<<<<< SEARCH\n',
    'Edited ',
    'src/a.ts',
    '/',
    '..',
    '(exit code 1)',
    'Error: ',
    '\u0000',
  ],
  ...[
    '\ud800',
    '\u202e',
    '\x1b[31m',
    '[History Summary - 3 earlier messages]',
    'Asked:\n- ',
    'npm test',
    'I changed ',
    '1 failed',
  ],
);
const content = fc
  .array(fc.oneof(piece, fc.string({ maxLength: 8 })), { maxLength: 60 })
  .map((pieces) => pieces.join(''));
const turn = fc.record({ role: fc.constantFrom('user' as const, 'assistant' as const), content });

describe('hostile turns', () => {
  it('are summarised within the budget', () => {
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 12 }), fc.nat(200), (turns, budgetTokens) => {
        const counter = { count: (text: string) => Math.ceil(text.length / 4) };
        expect(counter.count(summariseTurns(turns, { budgetTokens, counter }))).toBeLessThanOrEqual(budgetTokens);
      }),
      { numRuns: 500 },
    );
  });

  it('are summarised again if they contain a summary', () => {
    fc.assert(
      fc.property(content, fc.nat(10_000), (text, covers) => {
        expect(typeof summariseTurns([...summaryPair(text, covers), { role: 'user', content: text }])).toBe('string');
      }),
    );
  });

  const LONG = 390_000;
  it.each([
    ['prompts', '$ a\nFAIL\n'],
    ['here-documents that never end', '$ cat <<EOF\n'],
    ['fences', '```bash\n'],
    ['lines in a fence', 'a\n', '```bash\n'],
    ['tags that never end', '<a>'],
    ['tags on lines', '<parameter name="command">\n'],
    ['attributes', '<a b="c" '],
    ['quotes', '{"name":"'],
    ['escapes', '"command": "\\\\'],
    ['brackets', '[{'],
    ['slashes', 'a/'],
    ['dots', 'a.b'],
    ['words on one line', 'Always use berths. '],
    ['edits', 'Edited src/a.ts\n'],
    ['dashes', '- '],
    ['joined lines', '$ a \\\n'],
    ['errors', 'error: x\n'],
    ['spaces', ' '],
  ])('are read in one go when they are nothing but %s', (_, pattern, start = '') => {
    const long = start + pattern.repeat(Math.ceil(LONG / pattern.length));
    const turns = [
      { role: 'user' as const, content: long },
      { role: 'assistant' as const, content: long },
    ];
    expect(summariseTurns(turns).length).toBeLessThanOrEqual(2_000);
  });
});
