import { expect, it } from 'vitest';
import { ClaudeSession } from '../../hook/claude-session.ts';
import { temporaryFolder } from '../../temp-folder.ts';
import { type Place, yore, yoreJson } from './run-yore.ts';

const DAY = 24 * 60 * 60_000;
const BAD = 'npm install redis-node';
const NOT_FOUND = {
  error: "Exit code 1\nnpm error code E404\nnpm error 404  'redis-node@*' is not in this registry.",
};

/** Expects every list, answer and warning to name what worked instead. Returns the recap of the last day of work. */
function expectFix(place: Place, fix: string, count: number): string {
  const say = (args: readonly string[], input = ''): string =>
    yore(place, args, { input, env: { LANG: 'C.UTF-8' } }).stdout.replace(/\s+/g, ' ');
  for (const command of [[], ['failures']]) expect(say(command)).toContain(`worked instead: ${fix}`);
  expect(say(['check', BAD])).toContain(`Worked instead: ✓ ${fix}`);
  expect(say(['chat', '--new'], 'What failed?')).toContain(`\`${fix}\` worked instead`);
  expect(yoreJson(place, ['knowledge'])).toMatchObject({ antiPatterns: [{ pattern: BAD, count, fix }] });
  return say(['recap', '--days', '1', '--all']);
}

it('names what worked instead of a solved failure on every later day, however often it fails again unsolved', async () => {
  const folder = temporaryFolder();
  const now = Date.now();
  const begin = async (day: number, request: string) => {
    const session = new ClaudeSession(folder, `day-${day}`, now - (5 - day) * DAY - 60 * 60_000);
    const briefing = (await session.fire('SessionStart', { source: 'startup' })).hookSpecificOutput?.additionalContext;
    await session.fire('UserPromptSubmit', { prompt: request });
    return { session, briefing };
  };
  const end = async (session: ClaudeSession): Promise<void> => {
    session.now += 60_000;
    await session.fire('Stop');
    await session.fire('SessionEnd', { reason: 'exit' });
  };

  const one = await begin(1, 'Add Redis caching to the catalogue');
  const place: Place = { folder, home: one.session.home, cwd: one.session.cwd };
  expect(one.briefing).toBeUndefined();
  await one.session.run(BAD, NOT_FOUND);
  await one.session.run('bun add ioredis', { stdout: 'installed ioredis@5.4.1' });
  await end(one.session);
  expect(expectFix(place, 'bun add ioredis', 1)).toMatch(/✗ npm install redis-node: .* → bun add ioredis/);

  const two = await begin(2, 'Add Redis caching to the checkout');
  expect(two.briefing).toMatch(/`npm install redis-node` failed: .*; `bun add ioredis` worked instead/);
  expect((await two.session.run(BAD, NOT_FOUND)).denied).toContain('What worked instead: `bun add ioredis`');
  await two.session.run(BAD, NOT_FOUND);
  await two.session.run('ls node_modules', { stdout: 'left-pad' });
  await end(two.session);
  expect(expectFix(place, 'bun add ioredis', 2)).toMatch(/✗ npm install redis-node: .* → bun add ioredis/);

  const three = await begin(3, 'Cache the search results in Redis');
  expect(three.briefing).toMatch(
    /`npm install redis-node` failed: .* \(2 times, last on .*\); `bun add ioredis` worked instead/,
  );
  expect((await three.session.run(BAD, NOT_FOUND)).denied).toContain('What worked instead: `bun add ioredis`');
  await three.session.run(BAD, NOT_FOUND);
  await end(three.session);
  expectFix(place, 'bun add ioredis', 3);
  expect(yore(place, ['why']).stdout).toContain('overridden');

  const four = await begin(4, 'Cache the prices in Redis');
  expect(four.briefing).toMatch(/\(3 times, last on .*\); `bun add ioredis` worked instead/);
  expect((await four.session.run(BAD, NOT_FOUND)).denied).toContain('What worked instead: `bun add ioredis`');
  await four.session.run(BAD, NOT_FOUND);
  await four.session.run(`cd ${place.cwd} && pnpm add ioredis`, { stdout: '+ ioredis 5.4.1' });
  await end(four.session);
  expect(expectFix(place, 'pnpm add ioredis', 4)).toMatch(/✗ npm install redis-node: .* → pnpm add ioredis/);

  const five = await begin(5, 'Cache the sessions in Redis');
  expect(five.briefing).toMatch(/\(4 times, last on .*\); `pnpm add ioredis` worked instead/);
  expect((await five.session.run(BAD, NOT_FOUND)).denied).toContain('What worked instead: `pnpm add ioredis`');
  await end(five.session);
  expectFix(place, 'pnpm add ioredis', 4);
}, 180_000);

it('names what worked instead after weeks, when the guard no longer knows the first failure', async () => {
  const folder = temporaryFolder();
  const first = new ClaudeSession(folder, 'first', Date.now() - 40 * DAY);
  const place: Place = { folder, home: first.home, cwd: first.cwd };
  await first.run(BAD, NOT_FOUND);
  await first.run('bun add ioredis', { stdout: 'installed ioredis@5.4.1' });
  await first.fire('Stop');
  const second = new ClaudeSession(folder, 'second', Date.now() - DAY);
  await second.run(BAD, NOT_FOUND);
  await second.fire('Stop');
  expectFix(place, 'bun add ioredis', 2);
  const third = new ClaudeSession(folder, 'third', Date.now());
  expect((await third.run(BAD, NOT_FOUND)).denied).toContain('What worked instead: `bun add ioredis`');
});
