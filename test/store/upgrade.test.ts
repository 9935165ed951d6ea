import { renameSync, utimesSync } from 'node:fs';
import { expect, it } from 'vitest';
import { overlaidRows } from '../rows.ts';
import { type TestHome, testHome, timeOf } from '../search/home.ts';

const MONTH_MS = 31 * 86_400_000;
const long = 'a long output '.repeat(300);

/** How many failures hooks know of; undefined if they are silent. */
function knownToHooks({ home, sources: [project] }: TestHome): number | undefined {
  return overlaidRows(project?.directory ?? '', { home, id: 'p1' }).ask(
    ({ connection }) => connection.get<{ readonly count: number }>('SELECT count(*) AS count FROM failure')?.count,
  );
}

function writeAttempts({ write }: TestHome, log: 'failures' | 'successes', count: number): void {
  const outcome = log === 'failures' ? 'failure' : 'success';
  for (let n = 0; n < count; n++)
    write({ outcome, tool: 'Bash', command: `npm run part-${n}`, error: long, timestamp: timeOf(n) }, log);
}

it('hooks need not wait for old logs to be read again after an upgrade', () => {
  const home = testHome();
  writeAttempts(home, 'successes', 400);
  renameSync(home.log('successes'), home.log('successes-1'));
  const old = (Date.now() - MONTH_MS) / 1000;
  utimesSync(home.log('successes-1'), old, old);
  writeAttempts(home, 'failures', 3);
  writeAttempts(home, 'successes', 3);
  expect(knownToHooks(home)).toBe(3);
});

it('after an upgrade, what warnings depend on is read before the history, the newest before the rest', () => {
  const home = testHome();
  for (let n = 0; n < 1_000; n++) home.write({ role: 'user', content: `${n} ${long}` });
  writeAttempts(home, 'failures', 200);
  renameSync(home.log('failures'), home.log('failures-1'));
  writeAttempts(home, 'failures', 2);
  expect(knownToHooks(home)).toBeUndefined();
  const readSome = () => home.index.catchUp(home.sources, { isOver: () => true });
  let rounds = 0;
  while (knownToHooks(home) === undefined) {
    expect(readSome().complete).toBe(false);
    rounds++;
  }
  expect(knownToHooks(home)).toBe(202);
  expect(home.index.counts()).toMatchObject({ failures: expect.any(Number), messages: 0 });
  expect(rounds).toBeLessThan(8);
  while (!readSome().complete);
  expect(home.index.counts()).toMatchObject({ failures: 202, messages: 1_000 });
});
