import { describe, expect, test } from 'vitest';
import { DAY, edit, HOUR, NOT_FOUND_404, read, Story } from './guard/story.ts';

describe('a fix is', () => {
  test('another package that was installed in the same session', () => {
    const story = new Story();
    story.fails('npm install redis-node', NOT_FOUND_404('redis-node'));
    story.works('cat package.json');
    story.works('bun add ioredis');
    story.fails('npm install redis-node', NOT_FOUND_404('redis-node'), { sessionId: 'later' });
    expect(story.check('npm install redis-node')?.fix).toBe('bun add ioredis');
  });

  test('the same program without the option', () => {
    const story = new Story();
    story.fails('gh pr diff --stat', 'unknown flag: --stat');
    story.works('gh pr list');
    story.works('gh pr diff --name-only');
    expect(story.check('gh pr diff --stat')?.fix).toBe('gh pr diff --name-only');
  });

  test('a file of the same name elsewhere', () => {
    const story = new Story();
    story.fails('', 'File does not exist.', read('.lint.yml'));
    story.works('', read('README.md'));
    story.works('', read('.lint.yaml'));
    expect(story.check('', read('.lint.yml'))?.fix).toBe('read .lint.yaml');
  });

  test('reading a part of a file that is too large', () => {
    const story = new Story();
    story.fails('', 'File content (31002 tokens) exceeds maximum allowed tokens (25000).', read('big.ts'));
    story.works("sed -n '1,100p' big.ts");
    expect(story.check('', read('big.ts'))?.fix).toBe("sed -n '1,100p' big.ts");
    expect(story.check('', { tool: 'Read', input: { file_path: '/srv/app/big.ts', limit: 9 } })).toBeUndefined();
  });

  test('remembered when the same call fails again weeks later', () => {
    const story = new Story();
    story.fails('npm install redis-node', NOT_FOUND_404('redis-node'));
    story.works('bun add ioredis');
    story.pass(20 * DAY);
    story.fails('npm install redis-node', NOT_FOUND_404('redis-node'), { sessionId: 'later' });
    expect(story.check('npm install redis-node')?.fix).toBe('bun add ioredis');
  });

  test('what the output suggests, until something better is known', () => {
    const story = new Story();
    story.fails('cargo biuld', 'error: no such command: `biuld`\n\n  Did you mean `build`?');
    expect(story.check('cargo biuld')?.fix).toBe('build');
  });
});

describe('a fix is not', () => {
  const failed = (): Story => {
    const story = new Story();
    story.fails('gh pr diff --stat', 'unknown flag: --stat');
    return story;
  };

  test('a success in another session', () => {
    const story = failed();
    story.works('gh pr diff --name-only', { sessionId: 'other' });
    expect(story.check('gh pr diff --stat')?.fix).toBeUndefined();
  });

  test('a success hours later', () => {
    const story = failed();
    story.pass(3 * HOUR).works('gh pr diff --name-only');
    expect(story.check('gh pr diff --stat')?.fix).toBeUndefined();
  });

  test('what passes after an edit, which was what helped', () => {
    const story = new Story();
    story.fails('npm test', '--- FAIL: parses a date');
    story.works('', edit('src/date.ts'));
    story.works('npx vitest run');
    expect(story.guard().ask((guard) => guard.failures(story.now, { all: true }))?.[0]?.fix).toBeUndefined();
  });

  test('a query or an unrelated call', () => {
    const story = failed();
    story.works('ls');
    story.works('npm test');
    expect(story.check('gh pr diff --stat')?.fix).toBeUndefined();
  });
});
