import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { listSegments, readLogLines, teamFolder } from '../../src/log/index.ts';
import { hasPostgres, type PostgresServer } from '../postgres/postgres-server.ts';
import { usePostgres } from '../postgres/use-postgres.ts';
import { Machine, YORE } from './machine.ts';

const MACHINES = 5;
const RECORDS = 600;
const PARTS = 2;
const KILLS = 3;
const HOUR = 3_600_000;
const MAX_ATTEMPTS = 200;

/** Appends a part of a machine's records to its logs. */
function record(machine: Machine, directory: string, number: number, part: number): void {
  const lines: string[] = [];
  const first = (part * RECORDS) / PARTS;
  for (let n = first; n < first + RECORDS / PARTS; n++) {
    const timestamp = new Date(machine.now + n * 10).toISOString();
    const common = { v: 1, id: `r${number}-${n}`, sessionId: `s${number}-${Math.floor(n / 100)}`, timestamp };
    lines.push(JSON.stringify({ ...common, role: 'user', content: `Request ${n} on machine ${number}` }));
  }
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'history.jsonl'), `${lines.join('\n')}\n`, { flag: 'a' });
}

/** Runs `yore sync` as a process until it succeeds. */
async function syncUntilDone(machine: Machine): Promise<void> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const { code, stderr } = await runSync(machine);
    if (code === 0) return;
    // 9: the server cannot be used. Anything else is a fault.
    expect(code, stderr).toBe(9);
    await sleep(100);
  }
  throw new Error('The server was never reached');
}

function runSync(machine: Machine): Promise<{ readonly code: number | null; readonly stderr: string }> {
  const child = spawn(process.execPath, [YORE, 'sync'], {
    cwd: machine.cwd,
    env: machine.env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk) => (stderr += chunk));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stderr })));
}

describe.skipIf(!hasPostgres)('many machines', () => {
  let server: PostgresServer;
  usePostgres((started) => {
    server = started;
  });

  it('deliver every record once to the server and to each other, though it is killed three times and clocks are wrong', async () => {
    const machines: { readonly machine: Machine; readonly directory: string }[] = [];
    for (let number = 0; number < MACHINES; number++) {
      // Two clocks are an hour off.
      const machine = new Machine(Date.now() + (number === 3 ? HOUR : number === 4 ? -HOUR : 0));
      await machine.join((await server.invite()).url, 'messages');
      machines.push({ machine, directory: await machine.use((_, project) => project.directory) });
    }
    const countRecords = async (): Promise<number> => {
      const [row] = await server.ownerQuery<{ n: number }>('SELECT count(*)::int AS n FROM yore.record');
      return row?.n ?? 0;
    };
    // The server dies while records arrive: after a quarter, a half and three quarters of them.
    const disturb = async (): Promise<void> => {
      for (let kill = 1; kill <= KILLS; kill++) {
        while ((await countRecords()) < (MACHINES * RECORDS * kill) / (KILLS + 1)) await sleep(20);
        await server.kill();
        await server.start();
      }
    };
    const work = machines.map(async ({ machine, directory }, number) => {
      for (let part = 0; part < PARTS; part++) {
        record(machine, directory, number, part);
        await syncUntilDone(machine);
      }
    });
    await Promise.all([disturb(), ...work]);
    await Promise.all(machines.map(({ machine }) => syncUntilDone(machine)));

    const wanted = machines
      .flatMap((_, number) => Array.from({ length: RECORDS }, (__, n) => `r${number}-${n}`))
      .sort();
    const stored = await server.ownerQuery<{ id: string }>('SELECT id FROM yore.record');
    expect(stored.map(({ id }) => id).sort()).toEqual(wanted);
    for (const [number, { directory }] of machines.entries()) {
      const copied = listSegments(teamFolder(directory), 'history').flatMap(({ path }) =>
        Array.from(readLogLines(path), ({ text }) => String(JSON.parse(text).id)),
      );
      const ofOthers = wanted.filter((id) => !id.startsWith(`r${number}-`));
      expect(copied.sort(), `machine ${number}`).toEqual(ofOthers);
    }
  }, 900_000);
});
