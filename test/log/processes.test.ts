import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { withLock } from '../../src/files/index.ts';
import { appendRecord, readLogLines } from '../../src/log/index.ts';
import { temporaryFolder } from '../temp-folder.ts';

/** Of processes that are killed while they append. */
const KILLS = 30;
const DIST = fileURLToPath(new URL('../../dist', import.meta.url));

/** A program that appends, to be started as a process. */
function program(code: string): string[] {
  return [
    '--input-type=module',
    '-e',
    `import { appendRecord } from ${JSON.stringify(`${DIST}/log/index.js`)};\nimport { withLock } from ${JSON.stringify(`${DIST}/files/index.js`)};\n${code}`,
  ];
}

function run(code: string): ChildProcess {
  return spawn(process.execPath, program(code), { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function finished(child: ChildProcess): Promise<string> {
  let output = '';
  child.stdout?.on('data', (data) => {
    output += data;
  });
  await new Promise((resolve) => child.once('close', resolve));
  return output;
}

/** The lines that can be parsed, and the number of those that cannot. */
function intact(path: string): { records: Record<string, unknown>[]; broken: number } {
  const records: Record<string, unknown>[] = [];
  let broken = 0;
  for (const { text } of readLogLines(path)) {
    try {
      records.push(JSON.parse(text));
    } catch {
      broken++;
    }
  }
  return { records, broken };
}

describe('many processes', () => {
  it('append 8 × 2,000 records concurrently without damaging a line or the order of a writer', async () => {
    const path = join(temporaryFolder(), 'history.jsonl');
    const writers = Array.from({ length: 8 }, (_, writer) =>
      finished(
        run(`for (let n = 0; n < 2000; n++)
               appendRecord(${JSON.stringify(path)}, { writer: ${writer}, n, content: 'word '.repeat(n % 400) });`),
      ),
    );
    await Promise.all(writers);
    const { records, broken } = intact(path);
    expect(broken).toBe(0);
    expect(records.length).toBe(16_000);
    for (let writer = 0; writer < 8; writer++) {
      const own = records.filter((record) => record.writer === writer).map((record) => record.n);
      expect(own).toEqual(Array.from({ length: 2000 }, (_, n) => n));
    }
  }, 60_000);

  it('lose at most the line being written when killed', async () => {
    const path = join(temporaryFolder(), 'history.jsonl');
    let acknowledged = 0;
    const kill = async (round: number) => {
      // Long lines, so that the process may be killed during a write.
      const child = run(`import { writeSync } from 'node:fs';
        for (let n = 0; ; n++) {
          appendRecord(${JSON.stringify(path)}, { round: ${round}, n, content: 'some words '.repeat(40_000) });
          writeSync(1, n + ' ');
        }`);
      const output = finished(child);
      await Promise.race([new Promise((resolve) => child.stdout?.once('data', resolve)), output]);
      await new Promise((resolve) => setTimeout(resolve, (round * 7) % 11));
      child.kill('SIGKILL');
      const written = (await output).trim().split(' ').length;
      acknowledged += written;
      appendRecord(path, { round, after: written });
    };
    for (let round = 0; round < KILLS; round += 2) await Promise.all([kill(round), kill(round + 1)]);

    const { records, broken } = intact(path);
    const perRound = new Map<unknown, { written: number; after: number }>();
    for (const record of records) {
      const entry = perRound.get(record.round) ?? { written: 0, after: -1 };
      if (record.after === undefined) expect(record.n).toBe(entry.written++);
      else entry.after = Number(record.after);
      perRound.set(record.round, entry);
    }
    expect(perRound.size).toBe(KILLS);
    for (const { written, after } of perRound.values()) {
      expect(after).toBeGreaterThan(0);
      // If it was killed after a write and before it reported that, there is one more.
      expect(written - after).toBeGreaterThanOrEqual(-1);
      expect(written - after).toBeLessThanOrEqual(1);
    }
    expect(broken).toBeLessThanOrEqual(KILLS);
    expect(acknowledged).toBeGreaterThanOrEqual(KILLS);
  }, 120_000);

  it('take turns at a lock, and one of them takes over the lock of a killed holder', async () => {
    const folder = temporaryFolder();
    const [lock, counter] = [join(folder, 'lock'), join(folder, 'counter')];
    const held = `withLock(${JSON.stringify(lock)}, () => { console.log('held'); for (;;); });`;
    const count = `import { readFileSync, writeFileSync } from 'node:fs';
      for (let n = 0; n < 20; n++) withLock(${JSON.stringify(lock)}, () =>
        writeFileSync(${JSON.stringify(counter)}, String(1 + Number(readFileSync(${JSON.stringify(counter)}, 'utf8')))));`;
    writeFileSync(counter, '0');
    for (let round = 1; round <= 5; round++) {
      const holder = run(held);
      await new Promise((resolve) => holder.stdout?.once('data', resolve));
      holder.kill('SIGKILL');
      await finished(holder);
      await Promise.all(Array.from({ length: 6 }, () => finished(run(count))));
      expect(readFileSync(counter, 'utf8')).toBe(String(round * 120));
    }
  }, 60_000);

  it('take over a lock whose holder died while creating it', () => {
    const lock = join(temporaryFolder(), 'lock');
    writeFileSync(lock, '');
    expect(withLock(lock, () => 'taken')).toBe('taken');
  });
});

describe('a full disk', () => {
  it('gives a clear error, keeps what was written, and recovers when there is room', () => {
    const folder = temporaryFolder();
    const script = `
      import { readFileSync, rmSync, writeFileSync } from 'node:fs';
      const path = ${JSON.stringify(join(folder, 'history.jsonl'))};
      writeFileSync(${JSON.stringify(join(folder, 'ballast'))}, 'x'.repeat(100_000));
      let written = 0, error;
      try { for (;;) { appendRecord(path, { n: written, content: 'words '.repeat(500) }); written++; } }
      catch (caught) { error = caught; }
      rmSync(${JSON.stringify(join(folder, 'ballast'))});
      appendRecord(path, { n: 'after' });
      console.log(JSON.stringify({ written, code: error.code, message: error.message, text: readFileSync(path, 'utf8') }));`;
    const result = spawnSync(
      'unshare',
      [
        process.getuid?.() === 0 ? '-m' : '-rm',
        'sh',
        '-c',
        'mount -t tmpfs -o size=256k tmpfs "$0" && exec "$@"',
        folder,
        process.execPath,
        ...program(script),
      ],
      { encoding: 'utf8' },
    );
    expect(result.stderr).toBe('');
    const { written, code, message, text } = JSON.parse(result.stdout);
    expect(code).toBe('DISK_FULL');
    expect(message).toMatch(/history\.jsonl.*disk is full.*intact/s);
    expect(written).toBeGreaterThan(5);
    const numbers = text.split('\n').flatMap((line: string) => {
      try {
        return [JSON.parse(line).n];
      } catch {
        return [];
      }
    });
    expect(numbers).toEqual([...Array(written).keys(), 'after']);
  });
});

describe('a read-only folder', () => {
  it('gives a clear error and changes nothing', () => {
    const folder = temporaryFolder();
    chmodSync(folder, 0o755);
    cpSync(DIST, join(folder, 'dist'), { recursive: true });
    mkdirSync(join(folder, 'home'));
    writeFileSync(join(folder, 'home', 'history.jsonl'), '{"n":1}\n');
    chmodSync(join(folder, 'home'), 0o555);
    chmodSync(join(folder, 'home', 'history.jsonl'), 0o444);
    const script = `import { appendRecord } from ${JSON.stringify(join(folder, 'dist/log/index.js'))};
      for (const name of ['history.jsonl', 'new.jsonl', 'folder/new.jsonl'])
        try { appendRecord(${JSON.stringify(join(folder, 'home'))} + '/' + name, { n: 2 }); }
        catch (error) { console.log(error.code, error.message); }`;
    const result = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      cwd: folder,
      // File permissions do not apply to root.
      ...(process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}),
    });
    expect(result.stderr).toBe('');
    const lines = result.stdout.trim().split('\n');
    expect(lines).toHaveLength(3);
    for (const line of lines) expect(line).toMatch(/^READ_ONLY Cannot write to .*permission denied.*YORE_HOME/);
    expect(readFileSync(join(folder, 'home', 'history.jsonl'), 'utf8')).toBe('{"n":1}\n');
    chmodSync(join(folder, 'home'), 0o755);
  });
});
