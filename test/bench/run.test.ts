import { spawnSync } from 'node:child_process';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../temp-folder.ts';

const RUNNER = fileURLToPath(new URL('../../bench/run.mjs', import.meta.url));

/** Creates a build with just enough code for the benchmark `append`. */
function createBuild(appendRecord: string): string {
  const dist = join(temporaryFolder(), 'dist');
  mkdirSync(join(dist, 'log'), { recursive: true });
  writeFileSync(join(dist, 'package.json'), '{"type":"module"}');
  writeFileSync(
    join(dist, 'log', 'index.js'),
    `import { appendFileSync } from 'node:fs';\nexport function appendRecord(path, record) { ${appendRecord} }`,
  );
  const soon = Date.now() / 1000 + 3_600;
  utimesSync(join(dist, 'log', 'index.js'), soon, soon);
  return dist;
}

const QUICK = 'appendFileSync(path, JSON.stringify(record) + "\\n");';
const SLOW = `${QUICK} const end = performance.now() + 0.2; while (performance.now() < end);`;

function bench(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [RUNNER, ...args], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

describe('npm run bench', () => {
  it('prints a table, and progress on standard error, and exits with 0 if everything is within its limit', () => {
    const { status, stdout, stderr } = bench('append', '--dist', createBuild(QUICK));
    expect(stdout).toMatch(/^name +value +unit +limit +ok\nappend\.ratio +[\d.]+ +× bare +≥ 0\.15 +✓\n/);
    expect(stdout).not.toContain('\x1b');
    expect(stderr).toMatch(/\d s +append/);
    expect(status).toBe(0);
  });

  it('prints only an array with --json, and only the requested figures', () => {
    const { status, stdout } = bench('append.ratio', '--json', '--dist', createBuild(QUICK));
    expect(JSON.parse(stdout)).toEqual([
      { name: 'append.ratio', value: expect.any(Number), unit: '× bare', limit: 0.15, ok: true },
    ]);
    expect(status).toBe(0);
  });

  it('exits with 1 if something is beyond its limit', () => {
    const { status, stdout } = bench('append.ratio', '--json', '--dist', createBuild(SLOW));
    expect(JSON.parse(stdout)).toMatchObject([{ ok: false }]);
    expect(status).toBe(1);
  });

  it('exits with 1 and prints the error if a benchmark throws', () => {
    const { status, stdout, stderr } = bench(
      'append',
      '--json',
      '--dist',
      createBuild("throw new Error('out of ink');"),
    );
    expect(JSON.parse(stdout)).toMatchObject([{ name: 'append', value: null, ok: false }]);
    expect(stderr).toContain('out of ink');
    expect(status).toBe(1);
  });

  it('asks for a build if there is none or it is out of date', () => {
    expect(bench('--dist', join(temporaryFolder(), 'nothing'))).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('npm run build'),
    });
    const dist = createBuild(QUICK);
    utimesSync(join(dist, 'log', 'index.js'), 0, 0);
    expect(bench('--dist', dist)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('is newer than'),
    });
  });

  it('rejects unknown names and options, and lists the valid ones', () => {
    expect(bench('nonsense')).toMatchObject({ status: 2, stderr: expect.stringContaining('append') });
    expect(bench('--nonsense')).toMatchObject({ status: 2, stderr: expect.stringContaining('--full') });
    expect(bench('--shared')).toMatchObject({ status: 2, stderr: expect.stringContaining('--shared needs') });
    expect(bench('--messages', 'many')).toMatchObject({ status: 2, stderr: expect.stringContaining('10,000') });
    expect(bench('--list')).toMatchObject({ status: 0, stdout: expect.stringContaining('append.ratio') });
    expect(bench('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('--json') });
  });
});
