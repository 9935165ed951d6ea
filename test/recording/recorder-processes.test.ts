import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { Guard } from '../../src/ask/guard/guard.ts';
import { openHome, type Project } from '../../src/project/index.ts';
import { parseAttempt } from '../../src/record/index.ts';
import type { RowSource } from '../../src/store/project-rows.ts';
import { createRepository } from '../registry/git.ts';
import { overlaidRows } from '../rows.ts';
import { temporaryFolder } from '../temp-folder.ts';

const DIST = new URL('../../dist/', import.meta.url).href;
const PROCESSES = 20;
const CALLS = 2;
const SHARED = 2;

/** What each process does: arguments are the project's folder, checkout, name, and how many calls to make. */
const SCRIPT = `
import { loadConfig } from '${DIST}config/config.js';
import { dirname } from 'node:path';
import { UNKNOWN_MACHINE } from '${DIST}ask/guard/candidates.js';
import { Guard } from '${DIST}ask/guard/guard.js';
import { readGuardOptions } from '${DIST}ask/guard/guard-options.js';
import { Recorder } from '${DIST}recording/recorder.js';
import { OverlaidStore } from '${DIST}store/overlay.js';
const [directory, checkout, name, calls] = process.argv.slice(2);
const config = loadConfig({ homeFile: directory + '/none.json' });
const home = dirname(dirname(directory));
const rows = new OverlaidStore({ home, project: { id: 'app', directory }, pending: () => [], now: Date.now });
const isRecording = () => true;
const guard = new Guard(rows, readGuardOptions(config, { root: checkout, isRecording, machine: UNKNOWN_MACHINE }));
const recorder = new Recorder({ directory, config, root: checkout, isRecording, guard });
const start = Date.parse('2026-03-03T09:00:00.000Z');
const callOf = (command, sessionId, minute, callId) => ({
  sessionId, callId, tool: 'Bash', agent: 'claude-code', input: { command }, cwd: checkout,
  timestamp: new Date(start + minute * 60_000).toISOString(),
});
const given = [];
for (let number = 0; number < Number(calls); number++) {
  for (let shared = 0; shared < ${SHARED}; shared++) {
    const warned = recorder.warn(callOf('npm i shared-' + shared, 'everybody', 0));
    if (warned) given.push(warned.warning.signature);
  }
  const works = number % 2 === 0;
  recorder.record(callOf('./step-' + name + '-' + number, name, number, name + '-' + number), {
    status: works ? 'ok' : 'error', exitCode: works ? 0 : 2, output: 'usage: step\\n' + 'x'.repeat(3000),
  });
  recorder.record(callOf('make shared-' + number, 'everybody', number, 'shared-' + name + '-' + number), {
    status: 'error', exitCode: 1, output: 'usage: make',
  });
}
console.log(JSON.stringify(given));
`;

interface Place {
  readonly checkout: string;
  readonly script: string;
  readonly project: Project;
}

/** A project in which some packages were not found the day before. */
function place(): Place {
  const home = join(temporaryFolder(), 'home');
  const checkout = createRepository(join(temporaryFolder(), 'app'));
  const script = join(temporaryFolder(), 'work.mjs');
  writeFileSync(script, SCRIPT);
  const project = openHome({ home }).openProject(checkout);
  const recorder = project.recorder();
  for (let shared = 0; shared < SHARED; shared++) {
    const call = {
      ...{
        sessionId: 'before',
        callId: `before-${shared}`,
        tool: 'Bash',
        agent: 'claude-code',
        cwd: checkout,
      },
      input: { command: `npm i shared-${shared}` },
      timestamp: '2026-03-02T09:00:00.000Z',
    };
    const output = `npm error 404  'shared-${shared}@*' is not in this registry.`;
    recorder.record(call, { status: 'error', exitCode: 1, output });
  }
  return { checkout, script, project };
}

function environment(): NodeJS.ProcessEnv {
  const { NODE_EXTRA_CA_CERTS: _, ...rest } = process.env;
  return rest;
}

function linesOf(project: Project, log: string): string[] {
  const path = join(project.directory, `${log}.jsonl`);
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  // A line that another process is just writing looks torn: it is closed twice, which leaves a blank one. A process
  // killed within its write() leaves a line without an end.
  return text
    .split('\n')
    .slice(0, -1)
    .filter((line) => line.endsWith('}'));
}

function callIds(project: Project): string[] {
  return ['failures', 'successes'].flatMap((log) =>
    linesOf(project, log).map((line) => {
      const parsed = parseAttempt(JSON.parse(line));
      if (!parsed.ok || parsed.record.callId === undefined) throw new Error(`not a record: ${line}`);
      return parsed.record.callId;
    }),
  );
}

/** Hooks, which read what the store lacks from the logs, know the same failures as commands. */
function expectSameForHooks({ project }: Place): void {
  const keys = (rows: RowSource): unknown =>
    new Guard(rows, { failureLookbackDays: 7, minConfidence: 0.75 }).ask((guard) =>
      guard.failures(NOW, { all: true }).map(({ key, count, sessions }) => [key, count, sessions.length]),
    );
  const id = project.info.projectHash;
  const home = dirname(dirname(project.directory));
  const byHooks = keys(overlaidRows(project.directory, { home, id }));
  expect(byHooks).toEqual(keys(project.rows));
}

const NOW = Date.parse('2026-03-03T12:00:00.000Z');

test('twenty processes that record and check at once lose nothing and give each warning once', async () => {
  const where = place();
  const names = Array.from({ length: PROCESSES }, (_, number) => `process-${number}`);
  const outputs = await Promise.all(
    names.map((name) =>
      promisify(execFile)(
        process.execPath,
        [where.script, where.project.directory, where.checkout, name, String(CALLS)],
        {
          env: environment(),
        },
      ),
    ),
  );

  const given = outputs.flatMap(({ stdout }) => JSON.parse(stdout) as string[]);
  expect(given.sort()).toEqual(Array.from({ length: SHARED }, (_, shared) => `sh npm i shared-${shared}`));
  const warnings = linesOf(where.project, 'warnings').map((line) => JSON.parse(line) as { kind: string });
  expect(warnings.filter(({ kind }) => kind === 'warning')).toHaveLength(SHARED);

  const expected = names.flatMap((name) =>
    Array.from({ length: CALLS }, (_, number) => [`${name}-${number}`, `shared-${name}-${number}`]).flat(),
  );
  expect(
    callIds(where.project)
      .filter((id) => !id.startsWith('before'))
      .sort(),
  ).toEqual(expected.sort());
  expectSameForHooks(where);
  expect(readdirSync(where.project.directory).filter((name) => /lock|tmp/.test(name))).toEqual([]);
}, 180_000);

test('killed processes leave everything readable for others', async () => {
  const where = place();
  for (let round = 0; round < 3; round++) {
    const started: ChildProcess[] = ['a', 'b', 'c'].map((name) =>
      spawn(process.execPath, [where.script, where.project.directory, where.checkout, `${name}-${round}`, '100000'], {
        env: environment(),
        stdio: 'ignore',
      }),
    );
    const before = callIds(where.project).length;
    const deadline = Date.now() + 20_000;
    while (callIds(where.project).length < before + 20 && Date.now() < deadline) await wait(20);
    await Promise.all(
      started.map(async (child, at) => {
        await wait(at * 15);
        child.kill('SIGKILL');
        await new Promise((resolve) => child.once('close', resolve));
      }),
    );
  }

  const kept = callIds(where.project);
  expect(kept.length).toBeGreaterThan(40);
  expect(new Set(kept).size).toBe(kept.length);
  for (const line of linesOf(where.project, 'warnings')) JSON.parse(line);
  expectSameForHooks(where);
  await promisify(execFile)(process.execPath, [where.script, where.project.directory, where.checkout, 'after', '3'], {
    env: environment(),
  });
  expect(callIds(where.project)).toHaveLength(kept.length + 6);
}, 120_000);
