import { expect, it } from 'vitest';
import { ClaudeSession } from '../../hook/claude-session.ts';
import { temporaryFolder } from '../../temp-folder.ts';
import { type Place, yore, yoreJson } from './run-yore.ts';

const DAY = 24 * 60 * 60_000;

interface Failures {
  readonly failures: readonly { readonly what: string; readonly error: string; readonly fix?: string }[];
}

async function playDay(folder: string, daysAgo: number): Promise<Place> {
  const session = new ClaudeSession(folder, `ago-${daysAgo}`, Date.now() - daysAgo * DAY - 60 * 60_000);
  const { cwd, home } = session;
  const fail = (tool: string, input: object, error: string): Promise<unknown> =>
    session.fire('PostToolUseFailure', {
      tool_name: tool,
      tool_input: input,
      tool_use_id: `${tool}-${daysAgo}`,
      error,
    });
  await session.fire('UserPromptSubmit', { prompt: 'Run the unit tests of the parser' });
  const output = [
    'Exit code 1',
    "// If we can't load the file, start with defaults",
    'func load(path string) (Settings, error) {',
    'ok src/error-line.test.ts',
    'npm error Missing script: "test:unit"',
  ].join('\n');
  const test = `cd ${cwd} && npm run test:unit`;
  const { denied } = await session.run(test, { error: output });
  if (denied !== undefined) await session.run(test, { error: output });
  await session.run(`cd ${cwd} && ls`, { stdout: 'package.json' });
  await session.run('cat package.json', { stdout: '{}' });
  await session.run('npm run --help', { stdout: 'usage' });
  await session.run(`cd ${cwd} && npx vitest run`, { stdout: '12 passed' });
  await fail('Read', { file_path: `${cwd}/config/lint.yml` }, 'File does not exist.');
  await fail(
    'Edit',
    { file_path: `${cwd}/src/parse.ts`, old_string: `a${daysAgo}`, new_string: 'b' },
    'Found 2 matches of the string to replace, but replace_all is false.\nString: // an error is thrown here',
  );
  session.now += 60_000;
  await session.fire('Stop');
  return { folder, home, cwd };
}

it('learns commands without their folder, errors that are errors, and alternatives that do the same job', async () => {
  const folder = temporaryFolder();
  await playDay(folder, 2);
  const place = await playDay(folder, 1);
  const { failures } = yoreJson(place, ['failures', '--all']) as Failures;
  expect(failures).toContainEqual(
    expect.objectContaining({
      what: 'npm run test:unit',
      error: 'npm error Missing script: "test:unit"',
      fix: 'npx vitest run',
    }),
  );
  expect(failures.map(({ what }) => what)).toEqual(
    expect.arrayContaining(['read config/lint.yml', 'edit src/parse.ts']),
  );
  expect(failures.find(({ what }) => what === 'edit src/parse.ts')?.error).toMatch(/^Found 2 matches/);
  expect(yoreJson(place, ['knowledge'])).toMatchObject({
    antiPatterns: [
      { pattern: 'read config/lint.yml', reason: 'File does not exist.' },
      { pattern: 'npm run test:unit', reason: 'npm error Missing script: "test:unit"', fix: 'npx vitest run' },
    ],
  });
  const recap = yore(place, ['recap', '--all'], { env: { LANG: 'C.UTF-8' } }).stdout;
  expect(recap).toMatch(/✗ npm run test:unit: npm error Missing script: "test:unit" → npx vitest run/);
  expect(recap).toMatch(/✗ edit src\/parse\.ts: Found 2 matches/);
});

it('names one command for the tests, although another one runs them before commits', async () => {
  const folder = temporaryFolder();
  let place: Place = { folder, home: '', cwd: '' };
  for (const day of [5, 4, 3, 2, 1]) {
    const session = new ClaudeSession(folder, `ago-${day}`, Date.now() - day * DAY);
    place = { folder, home: session.home, cwd: session.cwd };
    await session.fire('UserPromptSubmit', { prompt: `Add page ${day}` });
    await session.run('mise run test', { stdout: 'ok' });
    await session.fire('PostToolUse', {
      tool_name: 'Write',
      tool_input: { file_path: `${session.cwd}/page.go`, content: `package page // ${day}` },
      tool_use_id: `write-${day}`,
      tool_response: {},
    });
    await session.run('mise run test:ci', { stdout: 'ok' });
    await session.run(`git commit -m "Add page ${day}"`, { stdout: `[main 1a2b3c${day}] Add page ${day}` });
    await session.fire('Stop');
  }
  expect(yoreJson(place, ['knowledge'])).toMatchObject({
    summary: expect.stringContaining('ests with `mise run test`.'),
    patterns: { testCommand: 'mise run test' },
    bestPractices: [{ pattern: 'Run the tests (mise run test) before a commit', evidence: 'before 5 of 5 commits' }],
    workflow: [{ check: 'test', command: 'mise run test' }],
  });
});
