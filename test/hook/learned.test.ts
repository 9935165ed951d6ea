import { expect, it } from 'vitest';
import { temporaryFolder } from '../temp-folder.ts';
import { ClaudeSession } from './claude-session.ts';

const START = Date.parse('2025-11-17T09:00:00.000Z');
const DAY = 86_400_000;

/** What the agent is told with a prompt. */
async function ask(session: ClaudeSession, prompt: string): Promise<string> {
  return (await session.fire('UserPromptSubmit', { prompt })).hookSpecificOutput?.additionalContext ?? '';
}

/** A day of work, which ends the session. */
async function day(folder: string, number: number, work: (session: ClaudeSession) => Promise<unknown>): Promise<void> {
  const session = new ClaudeSession(folder, `day-${number}`, START + number * DAY);
  await session.fire('SessionStart', { source: 'startup' });
  await work(session);
  await session.fire('Stop');
  await session.fire('SessionEnd');
}

it('what an agent does instead after a warning is named by the next one', async () => {
  const folder = temporaryFolder();
  const missing = {
    error: 'Exit code 1\nnpm error code E404\nnpm error 404 Not Found - GET https://registry.example/sharpe',
  };
  const denials: (string | undefined)[] = [];
  for (const number of [0, 1, 2])
    await day(folder, number, async (session) => {
      await ask(session, 'Resize the pictures');
      denials.push((await session.run('npm install sharpe', missing)).denied);
      if (number === 1) await session.run('yarn add sharp', { stdout: 'added sharp' });
    });
  expect(denials[0]).toBeUndefined();
  expect(denials[1]).not.toContain('yarn add sharp');
  expect(denials[2]).toContain('yarn add sharp');
});

it('an identical call that failed in the same way the day before is warned of', async () => {
  const folder = temporaryFolder();
  const command = 'psql shop -c "select * from orders"';
  const missing = { error: 'Exit code 1\nERROR:  relation "orders" does not exist' };
  const denials: (string | undefined)[] = [];
  for (const number of [0, 1])
    await day(folder, number, async (session) => {
      await ask(session, 'Count the orders');
      denials.push((await session.run(command, missing)).denied);
    });
  expect(denials[0]).toBeUndefined();
  expect(denials[1]).toContain("relation 'orders' does not exist");
});

it('work that recurs gets the latest time and the steps that it takes, and another number is another task', async () => {
  const folder = temporaryFolder();
  for (const number of [0, 1, 2, 3])
    await day(folder, number, async (session) => {
      await ask(session, `Release version 1.${number} to npm`);
      await session.run('npm test', { stdout: '12 passing' });
      await session.run(`npm version 1.${number}.0`, { stdout: `v1.${number}.0` });
      await session.run('npm publish', { stdout: `+ shop@1.${number}.0` });
      await session.run(`git commit -am "Release 1.${number}"`, {
        stdout: `[main 1a2b3c${number}] Release 1.${number}`,
      });
    });
  await day(folder, 5, async (session) => {
    const recalled = await ask(session, 'Release version 1.11 to npm');
    expect(recalled).toContain('Release version 1.3 to npm');
    expect(recalled).toContain('npm test');
    expect(recalled).not.toContain('Already done');
  });
});

it('the same task in the same words is already done, another one is not', async () => {
  const folder = temporaryFolder();
  await day(folder, 0, async (session) => {
    await ask(session, 'Fix issue #12');
    await session.run('git commit -am "Close the lid (#12)"', { stdout: '[main 1a2b3c4] Close the lid (#12)' });
  });
  await day(folder, 1, async (session) => expect(await ask(session, 'Fix issue #13')).not.toContain('Already done'));
  await day(folder, 2, async (session) => expect(await ask(session, 'Fix issue #12')).toContain('Already done'));
});
