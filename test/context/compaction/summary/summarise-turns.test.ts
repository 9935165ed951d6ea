import { describe, expect, it } from 'vitest';
import { summariseTurns } from '../../../../src/context/compaction/summary/summarise-turns.ts';
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

describe('a summary without a model', () => {
  const summary = summariseTurns(session, { counter });

  it('says what was asked, changed, run, solved, left open, decided and measured', () => {
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

  it('is the same for the same turns', () => {
    expect(summariseTurns(session, { counter })).toBe(summary);
  });

  it('keeps to its budget, and drops what is worth least', () => {
    for (const budgetTokens of [0, 5, 20, 60, 120]) {
      expect(counter.count(summariseTurns(session, { counter, budgetTokens }))).toBeLessThanOrEqual(
        budgetTokens,
      );
    }
    const short = summariseTurns(session, { counter, budgetTokens: 100 });
    expect(short).toContain('src/booking/reserve.ts');
    expect(short).toContain('pnpm test booking');
    expect(short).not.toContain('port 5433');
  });

  it('is empty for no turns, and for turns that say nothing', () => {
    expect(summariseTurns([])).toBe('');
    expect(summariseTurns([user(''), assistant('')])).toBe('');
  });

  it('names a command that was run in vain only with its failure', () => {
    const text = summariseTurns([
      user('Deploy the marina'),
      assistant('$ pnpm deploy\nError: no harbour\n(exit code 1)'),
    ]);
    expect(text).not.toContain('Worked:');
    expect(text).toContain('Still failing:\n- Error: no harbour (pnpm deploy)');
  });

  it('prefers what is run again and again to what was looked up once', () => {
    const turns = Array.from({ length: 40 }, (_, index) => [
      assistant(`$ sed -n '${index},${index + 40}p' src/berths/part-${index}.ts\nexport {}`),
      assistant('$ pnpm test\nok'),
    ]).flat();
    const lines = summariseTurns(turns, { counter, budgetTokens: 30 }).split('\n');
    expect(lines.slice(0, 2)).toEqual(['Worked:', '- pnpm test']);
  });

  it('puts what somebody else says of the turns first, in a part of the budget', () => {
    const background = `The marina can be booked. ${'It has many berths. '.repeat(200)}`;
    const text = summariseTurns(session, { counter, background });
    expect(text.startsWith('The marina can be booked.\n')).toBe(true);
    expect(text).toContain('src/booking/reserve.ts');
    expect(counter.count(text)).toBeLessThanOrEqual(500);
  });

  it('leaves out what programs put into a prompt', () => {
    const prompt =
      '<system-reminder>Always be kind to fish.</system-reminder>\nPaint the pontoons green.\n```\ncode\n```';
    expect(summariseTurns([user(prompt)])).toBe('Asked:\n- Paint the pontoons green.');
  });
});
