import { describe, expect, test } from 'vitest';
import { maskVolatile } from '../../../src/facts/call/command-needs.ts';
import { command, ROOT } from './calls.ts';

describe('signature: ignores what cannot change the outcome', () => {
  test.each([
    'npm test',
    `cd ${ROOT} && npm test`,
    'timeout 60 npm test',
    'env CI=1 npm test',
    'CI=1 npm test',
    'sudo npm test',
    'nice -n 5 npm test',
    'time npm test',
    'npm test 2>&1',
    'npm test > /tmp/out.log 2>&1',
    'npm test 2>&1 | tail -20',
    'npm test | head -50',
    'npm test | tee log.txt',
    'npm test | tail -20; echo done',
    'echo start && npm test',
    'bash -c "npm test"',
    'set -e; npm test',
    '  npm   test  ',
  ])('%s', (text) => {
    expect(command(text).signature).toBe('sh npm test');
  });

  test.each([
    ['npx vitest run', 'vitest run'],
    ['pnpm exec vitest run', 'vitest run'],
    ['bunx vitest run', 'vitest run'],
    ['uv run pytest -q', 'pytest -q'],
    ['poetry run pytest -q', 'pytest -q'],
    ['bundle exec rspec', 'rspec'],
  ])('%s is %s with a prefix', (text, plain) => {
    expect(command(text).signature).toBe(`sh ${plain}`);
  });
});

describe('signature: keeps what may change the outcome', () => {
  test.each([
    ['npm test', 'npm run test'],
    ['npm test', 'npm test -- --watch'],
    ['cat a.txt', 'cat b.txt'],
    ['git checkout main', 'git checkout next'],
    ['npm test', 'npm test && npm run build'],
    ['make', 'cd sub && make'],
    ['cat /tmp/one.txt', 'cat /tmp/two.txt'],
    ['curl localhost/a', 'curl localhost/b'],
  ])('%s and %s', (a, b) => {
    expect(command(a).signature).not.toBe(command(b).signature);
  });
});

describe('signature: masks volatile parts', () => {
  test.each([
    ['curl http://localhost:3000/a', 'curl http://localhost:3001/a'],
    ['git show 4f3a9c1d', 'git show 99aa00bb'],
    ['kill 41234', 'kill 53210'],
    ['cat /tmp/tmp.Xk29Qa/out', 'cat /tmp/tmp.Pq11Zz/out'],
    ['rm /tmp/build-1738012345', 'rm /tmp/build-1738099999'],
    ['cat /var/folders/ab/cdef/T/tmp.Xk29Qa', 'cat /tmp/tmp.Zz99aa'],
    ['x --since 2026-03-02T10:00:00Z', 'x --since 2026-04-02T11:30:00Z'],
    ['x 3f2b8a64-1c2d-4e5f-8a9b-0c1d2e3f4a5b', 'x aaaaaaaa-1c2d-4e5f-8a9b-0c1d2e3f4a5b'],
  ])('%s and %s are the same call', (a, b) => {
    expect(command(a).signature).toBe(command(b).signature);
  });

  test('keeps names chosen by a person', () => {
    expect(maskVolatile('cat /tmp/report.txt /tmp/my-notes')).toBe('cat /tmp/report.txt /tmp/my-notes');
    expect(maskVolatile('node20 v1.2.3 port 80')).toBe('node20 v1.2.3 port 80');
  });

  test('is idempotent', () => {
    const once = maskVolatile('a 4f3a9c1d /tmp/tmp.Xk29Qa localhost:3000 2026-03-02T10:00:00Z 123456');
    expect(maskVolatile(once)).toBe(once);
  });
});

describe('needs', () => {
  test('finds the same packages for all installers, with and without options and versions', () => {
    for (const text of [
      'npm install redis-node',
      'npm i redis-node --save',
      'npm i -D redis-node@1.2.3',
      'yarn add redis-node',
      'pnpm add redis-node@latest',
      'bun add redis-node',
    ]) {
      expect(command(text).needs).toContain('package:redis-node');
    }
    expect(command('pip install "uvicorn[standard]==0.30"').needs).toContain('package:uvicorn');
    expect(command('python3 -m pip install flask').needs).toContain('package:flask');
    expect(command('npm install').needs.filter((key) => key.startsWith('package:'))).toEqual([]);
  });

  test('treats a version as a need of its own', () => {
    expect(command('npm i chalk@^99').needs).toContain('version:chalk@^99');
    expect(command('npm i chalk').needs.some((key) => key.startsWith('version:'))).toBe(false);
    expect(command('npm i @acme/x').needs.some((key) => key.startsWith('version:'))).toBe(false);
  });

  test('ignores commands whose exit code is hidden', () => {
    const isNeeded = (text: string): boolean => command(text).needs.includes('path:a.txt');
    expect(isNeeded('cat a.txt')).toBe(true);
    expect(isNeeded('cat a.txt | head')).toBe(false);
    expect(isNeeded('cat a.txt || true')).toBe(false);
  });

  test('finds the paths that a command creates', () => {
    expect(command('mkdir -p out && cp a.txt out/b.txt').creates).toEqual(['out', 'out/b.txt']);
    expect(command('echo x > notes/new.txt').creates).toEqual(['notes/new.txt']);
    expect(command('sed -i s/a/b/ src/a.ts').creates).toEqual(['src/a.ts']);
    expect(command('npm test > /dev/null 2>&1').creates).toEqual([]);
  });

  test('recognises probes', () => {
    for (const text of [
      'ls src',
      'test -f a',
      '[ -f a ]',
      'which go',
      'command -v go',
      'ls a && echo yes',
      'git rev-parse x',
    ])
      expect(command(text).isProbe, text).toBe(true);
    for (const text of ['cat a', 'ls && npm test', 'npm test']) expect(command(text).isProbe, text).toBe(false);
  });
});
