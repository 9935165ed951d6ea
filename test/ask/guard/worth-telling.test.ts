import { describe, expect, test } from 'vitest';
import type { Guard } from '../../../src/ask/guard/guard.ts';
import { describeProject, readKnowledge } from '../../../src/ask/knowledge.ts';
import { storedRows } from '../../rows.ts';
import { DAY, edit, HOUR, Story } from './story.ts';

/** The causes of the active warnings an hour later. */
function activeCauses(story: Story): readonly string[] {
  const now = story.now + HOUR;
  const guard: Guard = story.guard();
  return (guard.ask((each) => each.failures(now)) ?? []).map(({ key }) => key);
}

describe('a new session is told', () => {
  test.each([
    ['an option that does not exist', 'deployctl push --stat', 'unknown flag: --stat'],
    ['a subcommand that does not exist', 'deployctl unlink', 'Error: unknown command "unlink" for "deployctl"'],
    ['a program that is not installed', 'ovenctl heat', 'zsh: command not found: ovenctl'],
    ['a package that does not exist', 'npm install left-padd', "npm error 404  'left-padd@*' is not in this registry."],
    ['a script that is somewhere else', 'scripts/seed.sh --all', 'zsh:1: no such file or directory: scripts/seed.sh'],
  ])('of %s', (_, command, output) => {
    const story = new Story();
    story.fails(command, output);
    expect(activeCauses(story)).toHaveLength(1);
  });

  test('of a path or an error that is not recognised once it was met in two sessions', () => {
    const story = new Story();
    const fail = (sessionId: string): void => {
      story.fails('cat src/commands/index.ts', 'cat: src/commands/index.ts: No such file or directory', { sessionId });
      story.fails('./shipit eu', 'shipit: error: flux capacitor is empty', { sessionId });
    };
    fail('one');
    expect(activeCauses(story)).toEqual([]);
    fail('two');
    expect(activeCauses(story)).toContain('path:src/commands/index.ts');
    expect(activeCauses(story).some((key) => key.startsWith('call:') && key.includes('shipit'))).toBe(true);
  });

  test('of a check that failed with the same error in two sessions and never worked', () => {
    const story = new Story();
    const fail = (sessionId: string): unknown =>
      story.fails('go build -tags=e2e ./e2e/...', 'e2e/env.go:42:26: undefined: defaultAgent', { sessionId });
    fail('one');
    fail('one');
    expect(activeCauses(story)).toEqual([]);
    fail('two');
    expect(activeCauses(story)).toHaveLength(1);
  });
});

describe('a new session is told what to run first, or in which environment', () => {
  /** What is listed as to be avoided, with what worked instead. */
  const toAvoid = (story: Story): readonly (string | undefined)[][] => {
    const known = storedRows(story.folder).ask((rows) =>
      readKnowledge(rows, describeProject(rows, { projectPath: story.folder, displayName: 'app' }, story.now)),
    );
    return (known?.antiPatterns ?? []).map(({ pattern, fix }) => [pattern, fix]);
  };

  test('when a setup step solved it, since another checkout lacks that', () => {
    const story = new Story();
    story.fails('mise run fmt', 'mise ERROR error parsing config file: mise.toml is not trusted');
    story.works('mise trust');
    story.works('mise run fmt');
    expect(toAvoid(story)).toEqual([['mise run fmt', 'mise trust']]);
  });

  test('when the same command worked in another environment', () => {
    const story = new Story();
    story.fails('go test ./...', 'open /home/me/.cache/go-build/69: operation not permitted');
    story.works('env GOCACHE=/tmp/cache go test ./...');
    expect(toAvoid(story)).toEqual([['go test ./...', 'env GOCACHE=/tmp/cache go test ./...']]);
  });

  test('until the command itself works', () => {
    const story = new Story();
    story.fails('go test ./...', 'open /home/me/.cache/go-build/69: operation not permitted');
    story.works('env GOCACHE=/tmp/cache go test ./...');
    story.works('go test ./...', { sessionId: 'two' });
    expect(toAvoid(story)).toEqual([]);
  });

  test('not when an edit or an automatic correction solved it', () => {
    const story = new Story();
    story.fails('npm test', 'src/a.ts:3:1: error: total is not defined');
    story.works('', edit('src/a.ts'));
    story.works('npm test');
    story.fails('npm run lint', 'src/a.ts: Formatter would have printed other content');
    story.works('npx biome check --write src/a.ts');
    story.works('npm run lint');
    expect(toAvoid(story)).toEqual([]);
  });
});

describe('a new session is not told', () => {
  test.each([
    ['of tests that fail', 'npm test', '3 tests failed'],
    ['of code that does not compile', 'make', "cart.c:14:9: error: 'totl' undeclared"],
    ['of a lock', 'git add .', "fatal: Unable to create '/srv/app/.git/index.lock': File exists."],
    ['of the network', 'curl https://api.example.com', 'curl: (6) Could not resolve host: api.example.com'],
    ['of a path that was a wrong folder', 'cat src/a.ts', 'cat: src/a.ts: No such file or directory'],
    ['of a conflict', 'git merge next', 'CONFLICT (content): Merge conflict in a.ts'],
  ])('%s', (_, command, output) => {
    const story = new Story();
    story.fails(command, output);
    expect(activeCauses(story)).toEqual([]);
  });
});

describe('the very call that failed', () => {
  const calls = [
    ['psql', 'psql shop -c "select * from orders"', 'ERROR:  relation "orders" does not exist', {}],
    ['jq', "jq '.items[] | .name' items.json", 'jq: error (at items.json:1): Cannot iterate over null (null)', {}],
    ['a script', './deploy.sh staging', 'deploy.sh: push failed: quota exceeded', {}],
    ['an MCP tool', '', 'query failed: no column total', { tool: 'mcp__db__query', input: { sql: 'select total' } }],
  ] as const;

  test.each(calls)('is warned of the next time when nothing was done since: %s', (_, command, output, details) => {
    const story = new Story();
    story.fails(command, output, details);
    story.works('ls src', { sessionId: 'another' }).id;
    expect(story.check(command, details)).toBeDefined();
    story.pass(DAY);
    expect(story.check(command, details)).toBeDefined();
  });

  test.each(calls)('is not when something was done since: %s', (_, command, output, details) => {
    const story = new Story();
    story.fails(command, output, details);
    story.works('./migrate.sh up');
    expect(story.check(command, details)).toBeUndefined();
  });

  test('is not when it is quoted in another way', () => {
    const story = new Story();
    story.fails('gh api repos/shop/items?page=2', 'zsh:1: no matches found: repos/shop/items?page=2');
    story.pass(DAY);
    expect(story.check("gh api 'repos/shop/items?page=2'")).toBeUndefined();
  });

  test('is not when a file that it names was changed', () => {
    const story = new Story();
    story.fails('./deploy.sh staging', 'deploy.sh: push failed: quota exceeded');
    const changedAt = (path: string): number | undefined => (path === 'deploy.sh' ? story.now : undefined);
    const unknown = (): undefined => undefined;
    const machine = { changedAt, exists: unknown, hasProgram: unknown, checkedOutAt: unknown, provides: unknown };
    expect(story.check('./deploy.sh staging', {}, { machine })).toBeUndefined();
  });
});

test('a similar call is not the same: what the error names is only that of the call that failed', () => {
  const story = new Story();
  const error = 'usage: deploytool push REGION, but eu-west-1 is closed';
  for (const sessionId of ['one', 'two', 'three']) story.fails('deploytool push --to eu-west-1', error, { sessionId });
  expect(story.check('deploytool push --to eu-west-1')).toBeDefined();
  expect(story.check('deploytool push --to eu-west-2')).toBeUndefined();
});

describe('of a call without a warning is told how often it failed, and why there is none', () => {
  const explain = (story: Story, command: string): string | undefined =>
    story.guard().explainSilence(story.call(command));

  test('when it never failed', () => {
    expect(explain(new Story(), 'npm test')).toBeUndefined();
  });

  test('when it has worked since', () => {
    const story = new Story();
    story.fails('npm test', '3 tests failed');
    story.works('npm test');
    expect(explain(story, 'npm test')).toBe(
      'This failed 1 time, last on 2026-03-02: "3 tests failed". No warning: it worked on 2026-03-02.',
    );
  });

  test('when that was too long ago', () => {
    const story = new Story();
    for (const sessionId of ['one', 'two']) story.fails('deployctl x --stat', 'unknown flag: --stat', { sessionId });
    story.pass(9 * DAY);
    expect(explain(story, 'deployctl x --stat')).toBe(
      'This failed 2 times, last on 2026-03-02: "unknown flag: --stat". No warning: that was more than 7 days ago.',
    );
  });

  test('when a check failed', () => {
    const story = new Story();
    story.fails('npm test', '3 tests failed');
    expect(explain(story, 'npm test')).toContain('No warning: it checks work that may have changed since.');
  });
});
