import '../../../property-seed.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { summariseTurns, truncateToBudget } from '../../../../src/context/compaction/summary/summarise-turns.ts';
import type { Turn } from '../../../../src/context/message.ts';
import { counter } from '../turn-makers.ts';

const user = (content: string): Turn => ({ role: 'user', content });
const assistant = (content: string): Turn => ({ role: 'assistant', content });

const session: Turn[] = [
  user('Two people can book the same berth for overlapping nights. Prevent that, please!'),
  assistant(
    '$ psql marina -c "select 1"\npsql: error: connection to server on port 5433 failed: refused\n(exit code 2)',
  ),
  assistant('$ docker compose up -d db\nContainer db started\n(exit code 0)'),
  assistant('$ psql marina -c "select 1"\n 1\n(exit code 0)'),
  assistant('I changed `src/booking/reserve.ts`. We will use an exclusion constraint instead of a lock.'),
  assistant('$ pnpm test booking\nError: expected 409 to be 201\n1 failed\n(exit code 1)'),
  assistant('Edited src/booking/reserve.ts\nEdited migrations/004_no_overlap.sql'),
  assistant('$ pnpm test booking\n31 passed\n(exit code 0)'),
  assistant('$ pnpm lint\nsrc/booking/reserve.ts: error: unused variable nights\n(exit code 1)'),
  user('Never touch the generated client.'),
  assistant('Understood. The reservation of a berth now takes 12 ms.'),
];

describe('summariseTurns', () => {
  const summary = summariseTurns(session, { counter });

  it('lists requests, edits, commands, failures, decisions and figures', () => {
    expect(summary).toBe(
      [
        'Asked:',
        '- Two people can book the same berth for overlapping nights. Prevent that, please!',
        '- Never touch the generated client.',
        'Files:',
        '- src/booking/reserve.ts',
        '- migrations/004_no_overlap.sql',
        'Worked:',
        '- pnpm test booking',
        '- psql marina -c "select 1"',
        '- docker compose up -d db',
        'Failed → solved:',
        '- Error: expected 409 to be 201 (pnpm test booking)',
        '- psql: error: connection to server on port 5433 failed: refused (psql marina -c "select 1")',
        'Still failing:',
        '- src/booking/reserve.ts: error: unused variable nights (pnpm lint)',
        'Decisions:',
        '- We will use an exclusion constraint instead of a lock.',
        'Figures:',
        '- The reservation of a berth now takes 12 ms.',
      ].join('\n'),
    );
  });

  it('is deterministic', () => {
    expect(summariseTurns(session, { counter })).toBe(summary);
  });

  it('stays within its budget and drops the least relevant lines', () => {
    for (const budgetTokens of [0, 5, 20, 60, 120]) {
      expect(counter.count(summariseTurns(session, { counter, budgetTokens }))).toBeLessThanOrEqual(budgetTokens);
    }
    const short = summariseTurns(session, { counter, budgetTokens: 100 });
    expect(short).toContain('src/booking/reserve.ts');
    expect(short).toContain('pnpm test booking');
    expect(short).not.toContain('port 5433');
  });

  it('is empty without turns, and for turns without content', () => {
    expect(summariseTurns([])).toBe('');
    expect(summariseTurns([user(''), assistant('')])).toBe('');
  });

  it('lists a command that only failed under its failure only', () => {
    const text = summariseTurns([
      user('Deploy the marina'),
      assistant('$ pnpm deploy\nError: no harbour\n(exit code 1)'),
    ]);
    expect(text).not.toContain('Worked:');
    expect(text).toContain('Still failing:\n- Error: no harbour (pnpm deploy)');
  });

  it('prefers repeated commands to one-off lookups', () => {
    const turns = Array.from({ length: 40 }, (_, index) => [
      assistant(`$ sed -n '${index},${index + 40}p' src/berths/part-${index}.ts\nexport {}`),
      assistant('$ pnpm test\nok'),
    ]).flat();
    const lines = summariseTurns(turns, { counter, budgetTokens: 30 }).split('\n');
    expect(lines.slice(0, 2)).toEqual(['Worked:', '- pnpm test']);
  });

  it('puts a given background first, in its share of the budget', () => {
    const background = `The marina can be booked. ${'It has many berths. '.repeat(200)}`;
    const text = summariseTurns(session, { counter, background });
    expect(text.startsWith('The marina can be booked.\n')).toBe(true);
    expect(text).toContain('src/booking/reserve.ts');
    expect(counter.count(text)).toBeLessThanOrEqual(500);
  });

  it('ignores blocks that programs insert into a prompt', () => {
    const prompt =
      '<system-reminder>Always be kind to fish.</system-reminder>\nPaint the pontoons green.\n```\ncode\n```';
    expect(summariseTurns([user(prompt)])).toBe('Asked:\n- Paint the pontoons green.');
  });
});

it('keeps a text that fits', () => {
  expect(truncateToBudget('Two berths are free.', 100, counter)).toBe('Two berths are free.');
});

it('cuts between words', () => {
  const cut = truncateToBudget('Pontoon '.repeat(100), 20, counter);
  expect(cut).toMatch(/^(Pontoon )+Pontoon$/);
});

it('returns a beginning of any text within the budget', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.nat(60), (text, budget) => {
      const cut = truncateToBudget(text, budget, counter);
      expect(text.startsWith(cut)).toBe(true);
      expect(counter.count(cut)).toBeLessThanOrEqual(budget);
    }),
  );
});
