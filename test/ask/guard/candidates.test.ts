import { describe, expect, test } from 'vitest';
import { type MachineState, UNKNOWN_MACHINE } from '../../../src/ask/guard/candidates.ts';
import { DAY, edit, HOUR, MINUTE, NOT_FOUND_404, ROOT, read, START, Story } from './story.ts';

const NO_OPTION = 'unknown flag: --stat';
const NO_FILE = 'cat: nope.txt: No such file or directory';
const TESTS_FAIL = 'FAIL src/a.test.ts\nexpected 1 to be 2';

function sees(machine: Partial<MachineState>): { readonly machine: MachineState } {
  return { machine: { ...UNKNOWN_MACHINE, ...machine } };
}

describe('a failure is active', () => {
  test('for the same call in another session', () => {
    const story = new Story();
    story.fails('gh pr diff --stat', NO_OPTION);
    expect(story.check('gh pr diff --stat')?.key).toBe('option:gh pr diff --stat');
  });

  test('for other calls with the same need', () => {
    const story = new Story();
    story.fails('gh pr diff --stat', NO_OPTION);
    expect(story.check('cd docs && gh pr diff 12 --stat 2>&1 | tail -3')).toBeUndefined();
    expect(story.check('cd docs && gh pr diff 12 --stat')).toBeDefined();
    expect(story.check('gh pr diff 12')).toBeUndefined();
    expect(story.check('gh pr view --stat')).toBeUndefined();
  });

  test('for file tools when a command did not find the file, and vice versa', () => {
    const story = new Story();
    story.fails('cat nope.txt', NO_FILE);
    expect(story.check('', read('nope.txt'))?.key).toBe('path:nope.txt');
    story.fails('', 'File does not exist.', read('gone.txt'));
    expect(story.check('cat gone.txt')?.key).toBe('path:gone.txt');
  });
});

describe('right after a failure', () => {
  test('the same session is not warned for two minutes', () => {
    const story = new Story();
    story.fails('gh pr diff --stat', NO_OPTION);
    expect(story.check('gh pr diff --stat', { sessionId: 'one' })).toBeUndefined();
    expect(story.check('gh pr diff --stat', { sessionId: 'two' })).toBeDefined();
    story.pass(2 * MINUTE);
    expect(story.check('gh pr diff --stat', { sessionId: 'one' })).toBeDefined();
  });
});

describe('after the lookback window', () => {
  test('there is no warning', () => {
    const story = new Story();
    story.fails('gh pr diff --stat', NO_OPTION);
    story.pass(6 * DAY);
    expect(story.check('gh pr diff --stat')).toBeDefined();
    story.pass(2 * DAY);
    expect(story.check('gh pr diff --stat')).toBeUndefined();
    expect(story.check('gh pr diff --stat', {}, { failureLookbackDays: 30 })).toBeDefined();
  });
});

describe('a failure is ended by', () => {
  test('a success of the same call', () => {
    const story = new Story();
    story.fails('gh pr diff --stat', NO_OPTION);
    story.works('gh pr diff --stat');
    expect(story.check('gh pr diff --stat')).toBeUndefined();
  });

  test('a success of another call that needs the same', () => {
    const story = new Story();
    story.fails('cat nope.txt', NO_FILE);
    story.works('wc -l nope.txt');
    expect(story.check('cat nope.txt')).toBeUndefined();
  });

  test('writing the file, or one in the folder', () => {
    const story = new Story();
    story.fails('cat nope.txt', NO_FILE);
    story.works('', { tool: 'Write', input: { file_path: `${ROOT}/nope.txt`, content: 'x' } });
    expect(story.check('cat nope.txt')).toBeUndefined();
    story.fails('find docs -name x', 'find: docs: No such file or directory');
    expect(story.check('find docs -name y')).toBeDefined();
    story.works('mkdir -p docs/api && touch docs/api/a.md');
    expect(story.check('find docs -name y')).toBeUndefined();
  });

  test('nothing but calls with the same need', () => {
    const story = new Story();
    story.fails('gh pr diff --stat', NO_OPTION);
    story.works('gh pr diff');
    story.works('git diff --stat');
    expect(story.check('gh pr diff --stat')).toBeDefined();
  });

  test('nothing that hides its exit code', () => {
    const story = new Story();
    story.fails('cat nope.txt', NO_FILE);
    story.works('cat nope.txt | head -3');
    story.works('cat nope.txt || true');
    story.works('cat nope.txt | head -3', {}, NO_FILE);
    expect(story.check('cat nope.txt')).toBeDefined();
    for (const sessionId of ['one', 'two']) story.fails('deploytool push', 'usage: deploytool TARGET', { sessionId });
    story.works('deploytool push | tail -5');
    story.works('deploytool push || true');
    expect(story.check('deploytool push')).toBeDefined();
    story.works('deploytool push');
    expect(story.check('deploytool push')).toBeUndefined();
  });

  test('no call that was rejected, denied, interrupted or of unknown outcome', () => {
    const story = new Story();
    story.fails('gh pr diff --stat', NO_OPTION);
    for (const status of ['rejected', 'denied', 'interrupted', 'cancelled', 'unknown'] as const)
      story.record('gh pr diff --stat', { status });
    expect(story.check('gh pr diff --stat')).toBeDefined();
  });
});

describe('failures by class', () => {
  test('transient failures never warn', () => {
    const story = new Story();
    for (const sessionId of ['one', 'two', 'three'])
      story.fails('gh run list', 'error connecting to api.example: connection refused', { sessionId });
    expect(story.confidence('gh run list')).toBe(0);
  });

  test('a missing path warns until it exists', () => {
    const story = new Story();
    story.fails('cat nope.txt', NO_FILE);
    expect(story.check('cat nope.txt', {}, sees({ exists: () => false }))).toBeDefined();
    expect(story.check('cat nope.txt', {}, sees({ exists: (path) => path === 'nope.txt' }))).toBeUndefined();
  });

  test('a missing program warns until it is on the PATH or something was installed', () => {
    const story = new Story();
    story.fails('rg needle', 'zsh: command not found: rg');
    expect(story.check('rg other', {}, sees({ hasProgram: () => false }))).toBeDefined();
    expect(story.check('rg other', {}, sees({ hasProgram: (name) => name === 'rg' }))).toBeUndefined();
    story.works('brew install ripgrep');
    expect(story.check('rg other')).toBeUndefined();
  });

  test('a program that is known to be missing warns, whatever was installed', () => {
    const story = new Story();
    story.fails('rg needle', 'zsh: command not found: rg');
    story.works('npm install left-pad');
    expect(story.check('rg other', {}, sees({ hasProgram: () => false }))).toBeDefined();
    expect(story.check('rg other')).toBeUndefined();
  });

  test('a missing package warns after another one was installed', () => {
    const story = new Story();
    story.fails('npm i redis-node', NOT_FOUND_404('redis-node'));
    story.works('npm i ioredis');
    expect(story.check('npm i redis-node')).toBeDefined();
    story.works('yarn add redis-node');
    expect(story.check('npm i redis-node')).toBeUndefined();
  });

  test('a missing module does not warn after an installation', () => {
    const story = new Story();
    for (const sessionId of ['one', 'two'])
      story.fails('node app.js', "Error: Cannot find module 'express'", { sessionId });
    expect(story.check('node app.js')).toBeDefined();
    expect(story.check('node other.js')).toBeUndefined();
    story.works('npm install');
    expect(story.check('node app.js')).toBeUndefined();
  });

  test('a folder read as a file warns while it exists', () => {
    const story = new Story();
    story.fails('cat src', 'cat: src: Is a directory');
    expect(story.check('', read('src'), sees({ exists: () => true }))?.text).toContain('src is a folder');
    expect(story.check('', read('src'), sees({ exists: () => false }))).toBeUndefined();
  });

  test('failing tests warn only while nothing has changed', () => {
    const untouched = sees({ checkedOutAt: () => START - HOUR, changedAt: () => START - HOUR });
    const fresh = (): Story => {
      const story = new Story();
      story.fails('npm test', TESTS_FAIL);
      return story;
    };
    expect(fresh().check('npm test', {}, untouched)).toBeDefined();
    for (const change of [
      () => edit('src/a.ts'),
      () => ({ input: { command: 'npm install' } }),
      () => ({ input: { command: 'git checkout next' } }),
      () => ({ input: { command: 'git commit -m x' } }),
      () => ({ input: { command: 'echo x > src/b.ts' } }),
    ]) {
      const story = fresh();
      story.works('', change());
      expect(story.check('npm test', {}, untouched)).toBeUndefined();
    }
  });

  test('failing tests do not warn when the checkout has changed outside the session or is unknown', () => {
    const story = new Story();
    story.fails('npm test', TESTS_FAIL);
    const [before, after] = [() => START - HOUR, () => START + HOUR];
    expect(story.check('npm test', {}, sees({ checkedOutAt: before, changedAt: after }))).toBeUndefined();
    expect(story.check('npm test', {}, sees({ checkedOutAt: before }))).toBeUndefined();
    expect(story.check('npm test', {}, sees({ checkedOutAt: () => START + HOUR }))).toBeUndefined();
    expect(story.check('npm test')).toBeUndefined();
  });

  test('an edit whose text was not found warns only for the same edit, until the file changes', () => {
    const story = new Story();
    const stale = edit('src/a.ts', 'not there');
    story.works('', read('src/a.ts'));
    story.fails('', 'String to replace not found in file.', stale);
    const later = { sessionId: 'one' };
    story.pass(5 * MINUTE);
    const before = story.confidence('', { ...stale, ...later });
    expect(before).toBeGreaterThan(0);
    expect(story.confidence('', { ...edit('src/a.ts', 'something else'), ...later })).toBe(0);
    expect(story.confidence('', { ...stale, ...later }, sees({ changedAt: () => START - HOUR }))).toBe(before);
    expect(story.confidence('', { ...stale, ...later }, sees({ changedAt: () => story.now }))).toBe(0);
    story.works('', edit('src/a.ts', 'other text'));
    expect(story.confidence('', { ...stale, ...later })).toBe(0);
  });

  test('an ignored file warns until .gitignore changes', () => {
    const story = new Story();
    const ignored = 'The following paths are ignored by one of your .gitignore files:\ndist';
    story.fails('git add dist/a.js', ignored);
    expect(story.check('git add dist/a.js')?.text).toContain('dist/a.js is ignored');
    expect(story.check('git add -f dist/a.js')).toBeUndefined();
    expect(story.check('git add dist/a.js', {}, sees({ changedAt: () => START + HOUR }))).toBeUndefined();
    story.works('', edit('.gitignore'));
    expect(story.check('git add dist/a.js')).toBeUndefined();
  });

  test('a merge conflict warns until the merge is done', () => {
    const story = new Story();
    story.fails('git merge feature', 'CONFLICT (content): Merge conflict in a.txt');
    expect(story.check('git merge feature')).toBeDefined();
    story.works('git commit --no-edit');
    expect(story.check('git merge feature')).toBeUndefined();
  });

  test('a missing task warns until the project’s files change', () => {
    const story = new Story();
    story.fails('npm run biuld', 'npm error Missing script: "biuld"');
    expect(story.check('npm run biuld')).toBeDefined();
    expect(story.check('npm run biuld', {}, sees({ changedAt: () => START + HOUR }))).toBeUndefined();
    story.works('', edit('package.json'));
    expect(story.check('npm run biuld')).toBeUndefined();
  });

  test('an unknown subcommand warns, whatever is edited', () => {
    const story = new Story();
    story.fails('git biuld', "git: 'biuld' is not a git command.");
    story.works('', edit('package.json'));
    expect(story.check('git biuld')).toBeDefined();
  });

  test('a missing version does not warn about other versions', () => {
    const story = new Story();
    story.fails('npm install chalk@^99', 'npm error notarget No matching version found for chalk@^99.');
    expect(story.check('npm install chalk@^99 --save')).toBeDefined();
    expect(story.check('npm install chalk@5')).toBeUndefined();
    expect(story.check('npm install chalk')).toBeUndefined();
  });

  test('a dependency conflict does not warn about installing with other options', () => {
    const story = new Story();
    story.fails(
      'npm install old-plugin',
      'npm error ERESOLVE unable to resolve dependency tree\nnpm error Could not resolve dependency:',
    );
    expect(story.check('npm install old-plugin --legacy-peer-deps')).toBeUndefined();
  });
});

describe('queries', () => {
  test('probes and waiting never warn', () => {
    const story = new Story();
    for (const sessionId of ['one', 'two', 'three']) {
      story.fails('ls nope', 'ls: nope: No such file or directory', { sessionId }, 2);
      story.fails('test -f nope', '', { sessionId });
      story.fails('which nope', 'nope not found', { sessionId });
      story.fails('', 'no such process', { sessionId, tool: 'BashOutput', input: { bash_id: '1' } });
    }
    for (const text of ['ls nope', 'test -f nope', 'which nope']) expect(story.confidence(text)).toBe(0);
    expect(story.confidence('', { tool: 'BashOutput', input: { bash_id: '1' } })).toBe(0);
  });

  test('a search without a match is not a failure', () => {
    const story = new Story();
    for (const sessionId of ['one', 'two', 'three'])
      story.record('grep -r needle src', { status: 'error', exitCode: 1, output: '' }, { sessionId });
    expect(story.confidence('grep -r needle src')).toBe(0);
  });
});

describe('a wrong clock', () => {
  test('a failure from the future does not warn, and a new one does', () => {
    const story = new Story();
    story.pass(5 * 365 * DAY).fails('gh pr diff --stat', NO_OPTION);
    story.pass(-5 * 365 * DAY);
    expect(story.check('gh pr diff --stat')).toBeUndefined();
    story.fails('npm i redis-node', NOT_FOUND_404('redis-node'));
    expect(story.check('npm i redis-node')).toBeDefined();
  });

  test('failures are inactive years later, except for pinned ones', () => {
    const story = new Story();
    story.fails('gh pr diff --stat', NO_OPTION);
    story.choose('pin', 'option:gh pr diff --stat');
    story.fails('npm i redis-node', NOT_FOUND_404('redis-node'));
    story.pass(10 * 365 * DAY);
    expect(story.check('npm i redis-node')).toBeUndefined();
    expect(story.check('gh pr diff --stat')).toBeDefined();
  });

  test('a call whose timestamp cannot be parsed counts as made now', () => {
    const story = new Story();
    story.fails('gh pr diff --stat', NO_OPTION);
    const call = { ...story.call('gh pr diff --stat', { sessionId: 'two' }), timestamp: 'yesterday' };
    expect(story.guard({ now: () => story.now }).check(call)).toBeDefined();
    expect(story.guard({ now: () => story.now + 30 * DAY }).check(call)).toBeUndefined();
  });
});
