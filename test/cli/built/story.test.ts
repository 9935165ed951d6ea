import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AUTHENTICATION, playSessions, REDIS } from './agent.ts';
import { createPlace, yore, yoreJson } from './run-yore.ts';

const UTF8 = { LANG: 'C.UTF-8' };
const AGAIN = ['check', '--', 'npm', 'install', 'redis-node'];

describe('the Redis story', () => {
  it('warns about the package that does not exist, and names the one that worked', () => {
    const place = createPlace();
    playSessions(place, [REDIS]);
    const { code, stdout, stderr } = yore(place, AGAIN, { env: UTF8 });
    expect({ code, stderr }).toEqual({ code: 3, stderr: '' });
    expect(stdout).toMatch(/^⚠ This was attempted on \d{4}-\d\d-\d\d and failed:\n/);
    expect(stdout).toMatch(/✗ npm install redis-node\n +Package not found: redis-node/);
    expect(stdout).toMatch(/Worked instead:\n +✓ bun add ioredis\n/);
    expect(stdout).toMatch(/\d\d% confidence · f-\w+ · evidence: yore show redis-1/);
    expect(stdout).toMatch(/yore dismiss f-\w+ · always: yore pin f-\w+/);
  });

  it('gives the same warning as JSON', () => {
    const place = createPlace();
    playSessions(place, [REDIS]);
    const ran = yore(place, [...AGAIN.slice(0, 1), '--json', ...AGAIN.slice(1)]);
    expect(ran.code).toBe(3);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      warns: true,
      project: expect.stringMatching(/^[0-9a-f]{8}/),
      call: { kind: 'command', tool: 'Bash', command: 'npm install redis-node' },
      warning: {
        failure: expect.stringMatching(/^f-\w+$/),
        failed: 'npm install redis-node',
        reason: 'Package not found: redis-node',
        class: 'missing',
        count: 1,
        sessions: 1,
        sessionId: 'redis-1',
        fix: 'bun add ioredis',
        confidence: expect.toSatisfy((value: number) => value >= 0.75 && value < 1),
      },
    });
  });

  it('does not warn about what worked or was never tried', () => {
    const place = createPlace();
    playSessions(place, [REDIS]);
    for (const command of ['bun add ioredis', 'bun test', 'npm install left-pad', 'echo redis-node']) {
      const { code, stdout } = yore(place, ['check', command]);
      expect({ command, code }).toEqual({ command, code: 0 });
      expect(stdout).toMatch(/^No warning/);
    }
    expect(yoreJson(place, ['check', 'bun test'])).toMatchObject({
      warns: false,
      call: { command: 'bun test' },
    });
  });

  it('shows it in every listing', () => {
    const place = createPlace();
    playSessions(place, [REDIS]);
    const said = (...args: string[]): string => {
      const { code, stdout, stderr } = yore(place, args, { env: UTF8 });
      expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' });
      return stdout;
    };
    expect(said('failures')).toMatch(
      /missing {2}npm install redis-node\n +Package not found.*\n +✓ worked instead: bun add ioredis/,
    );
    expect(said('successes')).toMatch(
      /✓ Add Redis caching\n +installed with bun add ioredis → created src\/cache\/redis\.ts → tests passed/,
    );
    expect(said('recap')).toMatch(
      /^my-app · 1 session on 1 day, [-\d]+: 1 request, [\s\S]*Add Redis caching\n[\s\S]*✗ npm install redis-node: Package not found: redis-node → bun add ioredis/,
    );
    expect(said('timeline')).toMatch(/█+▒+ +1 session +✓3 +✗1/);
    expect(said('knowledge')).toMatch(/Avoid\n +✗ npm install redis-node\n[\s\S]*worked instead: bun add ioredis/);
    const status = said();
    expect(status).toContain('📚 yore: 1 previous session · ⚠️ 1 failed attempt to avoid');
    expect(status).toMatch(/Avoid\n +✗ npm install redis-node/);
  });
});

describe('three days of authentication', () => {
  it('separates failures from what worked, and shows that the request was done', () => {
    const place = createPlace();
    playSessions(place, [AUTHENTICATION]);
    expect(yoreJson(place, ['status'])).toMatchObject({ failures: 3 });
    expect(yore(place, ['check', 'npm install passport-magic']).code).toBe(3);
    for (const command of ['npm install jsonwebtoken', 'npm test'])
      expect({ command, code: yore(place, ['check', command]).code }).toEqual({ command, code: 0 });
    const { requests } = yoreJson(place, ['successes']) as { requests: { steps: { text: string }[] }[] };
    expect(requests).toMatchObject([{ sessionId: 'auth-1', request: 'Add authentication', outcome: 'worked' }]);
    expect(requests[0]?.steps.map(({ text }) => text)).toEqual(
      expect.arrayContaining(['npm install jsonwebtoken', 'src/auth/jwt.ts', 'npm test']),
    );
    expect(yoreJson(place, ['recap'])).toMatchObject({
      days: [{ sessions: [{ requests: [{ text: 'Add authentication', outcome: 'worked' }] }] }],
      totals: { sessions: 1, failures: 3 },
    });
    const recap = yore(place, ['recap', '--all'], { env: UTF8 }).stdout;
    expect(recap).toContain('✓ Add authentication');
  });

  it('shows later days beside it', () => {
    const place = createPlace();
    playSessions(place, [
      AUTHENTICATION,
      {
        sessionId: 'auth-2',
        daysAgo: 1,
        request: 'Add authorization middleware',
        done: [{ writes: 'src/auth/middleware.ts' }, { command: 'npm test', output: '11 passing' }],
      },
    ]);
    const { days, totals } = yoreJson(place, ['recap']) as { days: unknown[]; totals: unknown };
    expect(days).toHaveLength(2);
    expect(totals).toMatchObject({ sessions: 2, requests: 2 });
    expect(yoreJson(place, ['recap', '--since', '36h'])).toMatchObject({ totals: { sessions: 1 } });
    expect(yoreJson(place, ['recap', '--days', '1'])).toMatchObject({ totals: { sessions: 1 } });
    // That the user said it worked is not counted.
    expect(yoreJson(place, ['timeline'])).toMatchObject({
      total: 2,
      days: [
        { successes: 3, failures: 3 },
        { successes: 2, failures: 0 },
      ],
    });
    expect(yoreJson(place, ['timeline', '--days', '1'])).toMatchObject({ total: 2, days: [{ failures: 0 }] });
  });
});

describe('yore check', () => {
  it('checks the file that a tool would read, relative to the current folder', () => {
    const place = createPlace();
    playSessions(place, [
      {
        sessionId: 'read-1',
        daysAgo: 1,
        request: 'Fix the linter',
        done: [{ command: 'cat config/lint.yml', error: 'cat: config/lint.yml: No such file or directory' }],
      },
    ]);
    const nested = join(place.cwd, 'config');
    mkdirSync(nested);
    expect(yore(place, ['check', '--path', 'config/lint.yml']).code).toBe(3);
    expect(yore(place, ['check', '--tool', 'Read', '--path', 'lint.yml'], { cwd: nested }).code).toBe(3);
    expect(yore(place, ['check', '--path', 'config/other.yml']).code).toBe(0);
    execFileSync('touch', [join(nested, 'lint.yml')]);
    expect(yore(place, ['check', '--path', 'config/lint.yml']).code).toBe(0);
  });

  it('finds a project by name from any folder', () => {
    const place = createPlace();
    playSessions(place, [REDIS]);
    const elsewhere = join(place.folder, 'elsewhere');
    mkdirSync(elsewhere);
    expect(yore(place, AGAIN, { cwd: elsewhere }).code).toBe(0);
    expect(yore(place, ['check', '--project', 'my-app', 'npm install redis-node'], { cwd: elsewhere }).code).toBe(3);
  });

  it('gives no warning while warnings or recording are off, and says so', () => {
    const place = createPlace();
    playSessions(place, [REDIS]);
    yore(place, ['config', 'set', 'retrieval.warnOnDuplicateFailure', 'off']);
    expect(yore(place, AGAIN)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('warnOnDuplicateFailure'),
    });
    yore(place, ['config', 'unset', 'retrieval.warnOnDuplicateFailure']);
    yore(place, ['pause']);
    expect(yore(place, AGAIN)).toMatchObject({ code: 0, stdout: expect.stringContaining('yore resume') });
    yore(place, ['resume']);
    yore(place, ['config', 'set', 'retrieval.minConfidence', '1']);
    expect(yore(place, AGAIN).code).toBe(0);
  });
});
