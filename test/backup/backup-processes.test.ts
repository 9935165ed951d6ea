import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { restoreHome } from '../../src/backup/restore.ts';
import { readSourceFiles } from '../../src/backup/source-files.ts';
import { listSegments, readLogLines } from '../../src/log/index.ts';
import { temporaryFolder } from '../temp-folder.ts';
import { backedUp, contentOf, createHome, KEPT, newFile } from './backup-home.ts';

const DIST = new URL('../../dist/', import.meta.url);

/** Writes a program that uses the built package. */
function program(code: string): string {
  const file = newFile('program.mjs');
  writeFileSync(
    file,
    `import { appendRecord, rotate } from ${JSON.stringify(new URL('log/index.js', DIST).href)};
     import { backupHome } from ${JSON.stringify(new URL('backup/backup.js', DIST).href)};
     import { restoreHome } from ${JSON.stringify(new URL('backup/restore.js', DIST).href)};
     ${code}`,
  );
  return file;
}

describe('with concurrent processes', () => {
  test('a backup contains each log without gaps while others append to and rotate it', async () => {
    const home = createHome({ 'projects/1a2b3c4d/index.json': '{}' });
    const folder = join(home, 'projects/1a2b3c4d');
    const writer = program(`
      for (let n = 0; ; n++) {
        appendRecord(process.argv[2] + '/history.jsonl', { n, content: 'words '.repeat(n % 50) });
        if (n % 50 === 49) rotate(process.argv[2], 'history');
      }`);
    const child = spawn(process.execPath, [writer, folder], { stdio: 'inherit' });
    try {
      while (listSegments(folder, 'history').length < 6) await setTimeout(5);
      for (let round = 0; round < 3; round++) {
        const target = join(temporaryFolder(), 'home');
        await restoreHome(await backedUp(home), target);
        const segments = listSegments(join(target, relative(home, folder)), 'history');
        const numbers = segments.flatMap(({ path }) => [...readLogLines(path)].map(({ text }) => JSON.parse(text).n));
        expect(numbers.length).toBeGreaterThan(200);
        expect(numbers).toEqual([...numbers.keys()]);
      }
    } finally {
      child.kill('SIGKILL');
    }
  });

  test('a log has no gaps however often it is rotated during a backup', async () => {
    const home = temporaryFolder();
    const writer = program(`
      for (let round = 0; ; round++) {
        const directory = process.argv[2] + '/' + round;
        for (let n = 0; n < 80; n++) {
          appendRecord(directory + '/history.jsonl', { n });
          if (n % 2 === 1) rotate(directory, 'history');
        }
      }`);
    const child = spawn(process.execPath, [writer, home], { stdio: 'inherit' });
    try {
      while (readdirSync(home).length === 0) await setTimeout(5);
      for (let sample = 0; sample < 2000; sample++) {
        const folder = join(home, String(readdirSync(home).length - 1));
        let text = '';
        for (const file of readSourceFiles(folder, () => {})) text += Buffer.concat([...file.chunks()]).toString();
        const numbers = text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).n]));
        expect(numbers).toEqual([...numbers.keys()]);
      }
    } finally {
      child.kill('SIGKILL');
    }
  });

  test('a restore that is killed at any moment leaves the old home or the new one', async () => {
    const images = Array.from({ length: 300 }, (_, n) => [`projects/1a2b3c4d/images/${n}.png`, `${n}`]);
    const restored = { ...KEPT, ...Object.fromEntries(images) };
    const file = await backedUp(createHome(restored));
    const mine = { 'config.json': 'mine' };
    const script = program(`
      console.log('ready');
      await restoreHome(process.argv[2], process.argv[3], { replace: true });`);

    /** Kills a restore after `delay` milliseconds, checks the home, and returns how long it ran. */
    async function killedAfter(delay: number): Promise<{ isKilled: boolean; milliseconds: number }> {
      const target = createHome(mine);
      const child = spawn(process.execPath, [script, file, target], { stdio: ['ignore', 'pipe', 'inherit'] });
      const ended = new Promise((resolve) => child.once('close', resolve));
      await new Promise((resolve) => child.stdout.once('data', resolve));
      const start = performance.now();
      await Promise.race([setTimeout(delay), ended]);
      child.kill('SIGKILL');
      await ended;
      const milliseconds = performance.now() - start;

      const names = readdirSync(dirname(target));
      const moved = names.find((name) => name.includes('.before-restore-'));
      const old = moved === undefined ? target : join(dirname(target), moved);
      expect(contentOf(old)).toEqual(mine);
      if (moved !== undefined && names.includes('home')) expect(contentOf(target)).toEqual(restored);
      await restoreHome(file, target, { replace: true });
      expect(contentOf(target)).toEqual(restored);
      expect(readdirSync(dirname(target)).filter((name) => name.includes('unfinished'))).toEqual([]);
      return { isKilled: child.signalCode === 'SIGKILL', milliseconds };
    }

    const whole = await killedAfter(20_000);
    expect(whole.isKilled).toBe(false);
    let longest = whole.milliseconds;
    let killed = 0;
    for (let attempt = 0; killed < 6; attempt++) {
      expect(attempt).toBeLessThan(60);
      const delay = (longest * ((attempt % 6) + 1)) / 6;
      if ((await killedAfter(delay)).isKilled) killed++;
      else longest = Math.min(longest, delay) * 0.8; // the first restore was slower, or a later one is faster
    }
  });

  test.skipIf(process.platform !== 'linux')('a full disk is a clear error, and what was there stays', () => {
    const folder = temporaryFolder();
    const home = createHome({
      'projects/1a2b3c4d/history.jsonl': Array.from({ length: 20_000 }, () => `{"n":${Math.random()}}\n`).join(''),
    });
    const script = program(`
      import { existsSync, readdirSync, readFileSync, writeFileSync, mkdirSync } from 'node:fs';
      const [home, folder, good] = process.argv.slice(2);
      writeFileSync(folder + '/yore.tar.gz', 'older backup');
      mkdirSync(folder + '/home');
      writeFileSync(folder + '/home/config.json', 'mine');
      const errors = [];
      for (const work of [
        () => backupHome(home, folder + '/yore.tar.gz'),
        () => restoreHome(good, folder + '/home', { replace: true }),
      ]) await work().then(() => errors.push('none'), ({ code, message }) => errors.push(code + ' ' + message));
      console.log(JSON.stringify({
        errors,
        names: readdirSync(folder).sort(),
        backup: readFileSync(folder + '/yore.tar.gz', 'utf8'),
        config: readFileSync(folder + '/home/config.json', 'utf8'),
      }));`);
    const good = newFile();
    const made = spawnSync(
      process.execPath,
      [program('await backupHome(process.argv[2], process.argv[3])'), home, good],
      { encoding: 'utf8' },
    );
    expect(made.stderr).toBe('');
    const result = spawnSync(
      'unshare',
      [
        process.getuid?.() === 0 ? '-m' : '-rm',
        'sh',
        '-c',
        'mount -t tmpfs -o size=128k tmpfs "$0" && exec "$@"',
        folder,
        process.execPath,
        script,
        home,
        folder,
        good,
      ],
      { encoding: 'utf8' },
    );
    expect(result.stderr).toBe('');
    const { errors, names, backup, config } = JSON.parse(result.stdout);
    expect(errors[0]).toMatch(/^DISK_FULL .*yore\.tar\.gz.*disk is full/);
    expect(errors[1]).toMatch(/^DISK_FULL .*home.*disk is full/);
    expect({ names, backup, config }).toEqual({
      names: ['home', 'yore.tar.gz'],
      backup: 'older backup',
      config: 'mine',
    });
  });
});
