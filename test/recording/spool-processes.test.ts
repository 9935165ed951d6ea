import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../temp-folder.ts';

const DIST = new URL('../../dist/', import.meta.url).href;

/** Adds calls, or drains the spool until it is stopped: folder, name, how many calls. */
const SCRIPT = `
import { existsSync, writeSync } from 'node:fs';
import { loadConfig } from '${DIST}config/config.js';
import { drainSpool } from '${DIST}recording/drain-spool.js';
import { Spool, toSpooledCall } from '${DIST}recording/spool.js';
const [directory, name, calls] = process.argv.slice(2);
const config = loadConfig({ homeFile: directory + '/none.json' });
const options = { directory, config, root: '/srv/shop', isRecording: () => true, isShortLived: true };
for (let number = 0; number < Number(calls); number++) {
  const failed = number % 3 === 0;
  const call = {
    sessionId: name, tool: 'Bash', agent: 'claude-code', root: '/srv/shop', timestamp: new Date().toISOString(),
    input: { command: 'make ' + name + '-' + number + '-end' },
    ...(number % 2 === 0 ? { callId: name + '-' + number } : {}),
  };
  new Spool(directory).add(toSpooledCall(call, { status: failed ? 'error' : 'ok', output: 'usage '.repeat(200) }));
  writeSync(1, number + '\\n');
}
while (Number(calls) === 0 && !existsSync(directory + '/enough')) drainSpool(options, { waitMs: 20 });
if (Number(calls) === 0) drainSpool(options, { waitMs: 5000 });
`;

function start(script: string, ...args: readonly string[]): { child: ChildProcess; ended: Promise<string> } {
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout?.on('data', (chunk) => (said += chunk));
  return { child, ended: new Promise((resolve) => child.on('close', () => resolve(said))) };
}

function recorded(directory: string): readonly string[] {
  return ['failures', 'successes']
    .map((log) => join(directory, `${log}.jsonl`))
    .filter(existsSync)
    .flatMap((path) => readFileSync(path, 'utf8').match(/"command":"make [\w-]+-end"/g) ?? [])
    .map((text) => text.slice(16, -5))
    .toSorted();
}

function namesOf(name: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, number) => `${name}-${number}`);
}

test('calls that many processes add are recorded once while others drain and are killed', async () => {
  const directory = temporaryFolder();
  const script = join(temporaryFolder(), 'work.mjs');
  writeFileSync(script, SCRIPT);
  const adding = Array.from({ length: 8 }, (_, index) => start(script, directory, `p${index}`, '40'));
  const draining = Array.from({ length: 3 }, () => start(script, directory, 'drainer', '0'));
  for (let round = 0; round < 8; round++) {
    await wait(40 + round * 7);
    draining.shift()?.child.kill('SIGKILL');
    draining.push(start(script, directory, 'drainer', '0'));
  }
  await Promise.all(adding.map(({ ended }) => ended));
  writeFileSync(join(directory, 'enough'), '');
  await Promise.all(draining.map(({ ended }) => ended));
  expect(recorded(directory)).toEqual(adding.flatMap((_, index) => namesOf(`p${index}`, 40)).toSorted());
  expect(existsSync(join(directory, 'spool.taken'))).toBe(false);
}, 120_000);

test('a process that is killed while adding loses at most one call', async () => {
  const directory = temporaryFolder();
  const script = join(temporaryFolder(), 'work.mjs');
  writeFileSync(script, SCRIPT);
  const adding = Array.from({ length: 8 }, (_, index) => start(script, directory, `k${index}`, '5000'));
  const draining = start(script, directory, 'drainer', '0');
  await wait(600);
  for (const { child } of adding) child.kill('SIGKILL');
  const said = await Promise.all(adding.map(({ ended }) => ended));
  writeFileSync(join(directory, 'enough'), '');
  await draining.ended;
  const found = recorded(directory);
  expect(new Set(found).size).toBe(found.length);
  for (const [index, numbers] of said.entries()) {
    const reported = numbers.split('\n').length - 1;
    const own = found.filter((name) => name.startsWith(`k${index}-`)).length;
    expect([reported, reported + 1]).toContain(own);
    expect(found).toEqual(expect.arrayContaining([...namesOf(`k${index}`, reported)]));
  }
}, 120_000);

test('a drain with a large backlog that is killed again and again records each call once', async () => {
  const directory = temporaryFolder();
  const script = join(temporaryFolder(), 'work.mjs');
  writeFileSync(script, SCRIPT);
  await start(script, directory, 'p0', '10').ended;
  // Without ids of the calls, only the ids of their records tell whether they are in the logs.
  const line = readFileSync(join(directory, 'spool.jsonl'), 'utf8')
    .split('\n')
    .find((text) => !text.includes('"callId"'));
  const output = 'usage '.repeat(400);
  const lines = Array.from({ length: 4_000 }, (_, number) => {
    const call = { ...JSON.parse(line ?? ''), id: `id-${number}`, command: `make b-${number}-end`, error: output };
    return `${JSON.stringify({ ...call, ending: 'failed', exitCode: 2 })}\n`;
  });
  writeFileSync(join(directory, 'spool.jsonl'), lines.join(''));
  let kills = 0;
  for (
    let delay = 100;
    existsSync(join(directory, 'spool.taken')) || existsSync(join(directory, 'spool.jsonl'));
    delay *= 1.3
  ) {
    const { child, ended } = start(script, directory, 'drainer', '0');
    await wait(delay);
    child.kill('SIGKILL');
    await ended;
    kills++;
  }
  expect(kills).toBeGreaterThan(2);
  expect(recorded(directory)).toEqual([...namesOf('b', 4_000)].toSorted());
}, 120_000);
