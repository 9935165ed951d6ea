import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The output of an example, run as its header says. */
async function run(example: string): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [join(root, 'examples', example)]);
  expect(stderr).toBe('');
  return stdout;
}

describe('the examples', () => {
  it('type-check against the package', async () => {
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [compiler, '-p', join(root, 'examples', 'tsconfig.json')],
      { cwd: root },
    ).catch((cause: { stdout: string }) => cause);
    expect(stdout).toBe('');
  }, 60_000);

  it('sliding-window: keeps the newest turns and finds suggested commands, not quoted ones', async () => {
    expect(await run('sliding-window.mjs')).toBe(
      [
        'user: How do I add Redis?',
        '  suggested: npm install ioredis',
        '  suggested: npm test',
        '  2 turns, about 47 tokens',
        'user: Is it running?',
        '  suggested: redis-cli ping',
        '  4 turns, about 57 tokens',
        'user: Where are its keys?',
        '  suggested: redis-cli --scan',
        '  (2 oldest turns left out)',
        '  4 turns, about 48 tokens',
        'user: How do I remove them all?',
        '  (2 oldest turns left out)',
        '  4 turns, about 59 tokens',
        '',
      ].join('\n'),
    );
  });

  it('keep-in-budget: summarises old turns, drops an earlier topic, and stays within the budget', async () => {
    const printed = await run('keep-in-budget.mjs');
    const compactions = [...printed.matchAll(/^(\w+): \d+ turns, (\d+) -> (\d+) tokens$/gm)];
    expect(compactions.map(([, way]) => way)).toEqual(['summarise', 'truncate']);
    for (const [, , before, after] of compactions) {
      expect(Number(before)).toBeGreaterThan(1_000);
      expect(Number(after)).toBeLessThanOrEqual(1_000);
    }
    expect(printed).toContain('npm test -- test/cache/store-');
    const [, largest, now] = /at most (\d+) tokens of history, now (\d+) of 1000/.exec(printed) ?? [];
    expect(Number(largest)).toBeLessThan(1_200);
    expect(Number(now)).toBeLessThanOrEqual(1_000);
    expect(printed).toContain('first turn now: That is done. Now let us work on the build');
  });

  it('files-in-tiers: promotes stable files and keeps the edited one active', async () => {
    const printed = await run('files-in-tiers.mjs');
    const requests = printed.split(/^(?=request )/m);
    expect(requests).toHaveLength(8);
    for (const request of requests) expect(request).toMatch(/active .*file:src\/draft\.ts \(0\)/);
    expect(requests[0]).not.toMatch(/^ +L[0-3]/m);
    expect(requests.at(-1)).toMatch(/^ +L[0-3] .*file:docs\/architecture\.md/m);
    const markers = requests.map((request) => Number(/(\d+) cache markers/.exec(request)?.[1]));
    expect(Math.min(...markers.slice(1))).toBeGreaterThan(0);
    expect(Math.max(...markers)).toBeLessThanOrEqual(4);
  });
});
