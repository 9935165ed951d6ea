import { expect, it } from 'vitest';
import { temporaryFolder } from '../temp-folder.ts';
import { ClaudeSession } from './claude-session.ts';

const DAY_ONE = Date.parse('2025-11-17T09:00:00.000Z');
const DAY = 86_400_000;

function missing(name: string): { readonly error: string } {
  return { error: `Exit code 1\nnpm error code E404\nnpm error 404 Not Found - GET https://registry.example/${name}` };
}

/** What the agent is told at the start of a session. */
async function start(session: ClaudeSession): Promise<string> {
  return (await session.fire('SessionStart', { source: 'startup' })).hookSpecificOutput?.additionalContext ?? '';
}

/** What the agent is told with a prompt. */
async function ask(session: ClaudeSession, prompt: string): Promise<string> {
  return (await session.fire('UserPromptSubmit', { prompt })).hookSpecificOutput?.additionalContext ?? '';
}

it('follows three days: what failed and worked, the same pattern the next day, and that it is done already', async () => {
  const folder = temporaryFolder();
  const one = new ClaudeSession(folder, 'day-1', DAY_ONE);
  expect(await start(one)).toBe('');
  expect(await ask(one, 'Add authentication')).toBe('');
  for (const name of ['jsonwebtokens', 'simple-jsonwebtoken', 'jsonwebtoken-easy'])
    await one.run(`npm install ${name}`, missing(name));
  await one.run('npm install jsonwebtoken', { stdout: 'added 1 package' });
  await one.fire('PostToolUse', {
    tool_name: 'Write',
    tool_input: { file_path: `${one.cwd}/src/auth/jwt.ts`, content: 'export function sign() {}\n' },
    tool_use_id: 'write',
    tool_response: { type: 'create', filePath: `${one.cwd}/src/auth/jwt.ts` },
  });
  await one.run('npm test', { stdout: '12 passing' });
  await one.run('git commit -m "Authentication with JWT"', { stdout: '[main 1a2b3c4] Authentication with JWT' });
  await ask(one, 'perfect, that worked');
  await one.fire('SessionEnd');

  const two = new ClaudeSession(folder, 'day-2', DAY_ONE + DAY);
  const briefing = await start(two);
  expect(briefing).toContain('from 1 previous session');
  expect(briefing).toMatch(/2025-11-17: "Add authentication" → .*npm install jsonwebtoken.*Authentication with JWT/);
  for (const name of ['jsonwebtokens', 'simple-jsonwebtoken', 'jsonwebtoken-easy']) {
    expect(briefing).toContain(`\`npm install ${name}\` failed`);
  }
  const pattern = await ask(two, 'Add authentication middleware');
  expect(pattern).toContain('"Add authentication"');
  expect(pattern).toContain('npm install jsonwebtoken');
  expect((await two.run('npm install jsonwebtokens', missing('jsonwebtokens'))).denied).toContain(
    'What worked instead: `npm install jsonwebtoken`',
  );
  await two.fire('SessionEnd');

  const three = new ClaudeSession(folder, 'day-3', DAY_ONE + 2 * DAY);
  expect(await start(three)).toContain('from 2 previous sessions');
  const done = await ask(three, 'Add authentication');
  expect(done).toMatch(/Already done \(2025-11-17, 2 days ago, session day-1\)/);
  expect(done).toContain('Authentication with JWT');
});

it('counts what the user said worked as a successful pattern, unless it is taken back', async () => {
  const folder = temporaryFolder();
  const greeting = async (id: string, day: number): Promise<string | undefined> => {
    const session = new ClaudeSession(folder, id, DAY_ONE + day * DAY);
    return (await session.fire('SessionStart', { source: 'startup' })).systemMessage;
  };
  const one = new ClaudeSession(folder, 'day-1', DAY_ONE);
  await ask(one, 'Export the orders as CSV');
  for (const command of ['pip install pandas', 'mkdir out', 'python export.py', 'wc -l out/orders.csv'])
    await one.run(command, { stdout: 'ok' });
  await ask(one, 'that worked');
  await one.fire('SessionEnd');
  expect(await greeting('day-2', 1)).toBe('📚 yore: 1 previous session · ✅ 1 successful pattern');
  one.now += DAY;
  await ask(one, 'it is still broken, the file is empty');
  await one.fire('SessionEnd');
  expect(await greeting('day-3', 2)).toBe('📚 yore: 1 previous session');
});
