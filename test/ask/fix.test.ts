import { describe, expect, test } from 'vitest';
import { listPastFailures } from '../../src/ask/past-failures.ts';
import { bothRows } from '../rows.ts';
import { DAY, type Details, edit, HOUR, NOT_FOUND_404, ROOT, read, Story } from './guard/story.ts';

function write(path: string): Details {
  return { tool: 'Write', input: { file_path: `${ROOT}/${path}`, content: 'a' } };
}

/** The fix of the only command that failed, as lists of failures tell it. */
function pastFix(story: Story): string | undefined {
  return bothRows(story.folder).ask((rows) => listPastFailures(rows))?.failures[0]?.fix;
}

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

  test('an edit of the file that the error names, after which the same call works', () => {
    const story = new Story();
    story.fails('python app.py', "FileNotFoundError: [Errno 2] No such file or directory: 'config.yml'");
    story.works('pip install requests');
    story.works('', write('config.yml'));
    story.works('', edit('README.md'));
    story.works('python app.py');
    expect(pastFix(story)).toBe('write config.yml');
  });

  test('the only setup after which the same call works', () => {
    const story = new Story();
    story.fails('mise run dev', 'mise ERROR Config files in ~/app/mise.toml are not trusted.');
    story.works('git status');
    story.works('mise trust');
    story.works('mise run dev');
    expect(pastFix(story)).toBe('mise trust');
  });

  test('the command by which a tool corrects what it complained about', () => {
    const story = new Story();
    story.fails('git push', '× Formatter would have printed the following content:');
    story.works('bun run lint:fix');
    story.works('git commit -am "Format"');
    story.works('git push');
    expect(pastFix(story)).toBe('bun run lint:fix');
  });

  test('the same command in another environment', () => {
    const story = new Story();
    story.fails('pnpm install', 'ERR_PNPM_UNEXPECTED_STORE  Unexpected store location');
    story.works('CI=true pnpm install --no-frozen-lockfile');
    expect(pastFix(story)).toBe('CI=true pnpm install --no-frozen-lockfile');
  });

  test('another program for the same where the first one is missing', () => {
    const story = new Story();
    story.fails('redis-cli -h localhost -p 6379 ping', 'bash: redis-cli: command not found', {}, 127);
    story.works('which redis-cli || echo "not installed"');
    story.works('nc -z localhost 6379');
    expect(story.check('redis-cli -h localhost -p 6379 ping')?.fix).toBe('nc -z localhost 6379');
  });

  test('what a session did that was warned', () => {
    const story = new Story();
    const often = { minConfidence: 0.3 };
    story.fails('npm install sharp', 'npm error notsup Unsupported platform for sharp');
    story.pass(DAY);
    expect(story.warn(story.call('npm install sharp', { sessionId: 'warned' }), often)?.warning.fix).toBeUndefined();
    story.works('ls', { sessionId: 'warned' });
    story.works('yarn add sharp', { sessionId: 'warned' });
    story.pass(DAY);
    expect(story.check('npm install sharp', {}, often)?.fix).toBe('yarn add sharp');
  });

  test('what was done in another session before the same call worked', () => {
    const story = new Story();
    story.fails('node scripts/sign.js', "Error: ENOENT: no such file or directory, open 'keys/private.pem'");
    story.pass(DAY);
    story.works('npm install jsonwebtoken', { sessionId: 'next' });
    story.works('openssl genrsa -out keys/private.pem 2048', { sessionId: 'next' });
    story.works('node scripts/sign.js', { sessionId: 'next' });
    expect(pastFix(story)).toBe('openssl genrsa -out keys/private.pem 2048');
  });
});

describe('a fix is not', () => {
  const failed = (): Story => {
    const story = new Story();
    story.fails('gh pr diff --stat', 'unknown flag: --stat');
    return story;
  };

  test('another way of doing the job in a session that did not meet the failure', () => {
    const story = new Story();
    story.fails('go test -race ./...', 'listen tcp6 [::1]:0: bind: operation not permitted');
    story.pass(2 * HOUR);
    story.works('go test ./...', { sessionId: 'two' });
    story.works('go test -race ./...', { sessionId: 'two' });
    expect(pastFix(story)).toBeUndefined();
  });

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

  test('an installation of something else', () => {
    const story = new Story();
    story.fails('npm install redis-node', NOT_FOUND_404('redis-node'));
    story.works('npm install left-pad');
    expect(story.check('npm install redis-node')?.fix).toBeUndefined();
  });

  test('a probe', () => {
    const story = new Story();
    story.fails('docker ps', 'bash: docker: command not found', {}, 127);
    story.works('which docker || ls /usr/local/bin/docker || echo "Docker not found on PATH"');
    expect(story.check('docker ps')?.fix).toBeUndefined();
  });

  test('what the tool proposed, which the warning says as well', () => {
    const story = new Story();
    story.fails('cargo biuld', 'error: no such command: `biuld`\n\n  Did you mean `build`?');
    const warning = story.check('cargo biuld');
    expect(warning?.fix).toBeUndefined();
    expect(warning?.text).toContain('The tool proposed: `build`');
  });

  test('a query or an unrelated call', () => {
    const story = failed();
    story.works('ls');
    story.works('npm test');
    expect(story.check('gh pr diff --stat')?.fix).toBeUndefined();
  });
});
