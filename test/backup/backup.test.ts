import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isExcluded } from '../../src/backup/archive-format.ts';
import { backupHome } from '../../src/backup/backup.ts';
import { restoreHome } from '../../src/backup/restore.ts';
import { temporaryFolder } from '../temp-folder.ts';
import { backedUp, contentOf, createHome, errorOf, FILES, KEPT, newFile } from './backup-home.ts';

describe('a backup', () => {
  test('restores everything except snapshots and the index', async () => {
    const home = createHome();
    chmodSync(join(home, 'bin/yore'), 0o755);
    const file = newFile();
    const report = await backupHome(home, file);
    expect(report).toEqual({
      files: Object.keys(KEPT).length,
      bytes: Object.values(KEPT).reduce((sum, text) => sum + Buffer.byteLength(text), 0),
      skipped: [],
    });
    const target = join(temporaryFolder(), 'new', 'home');
    expect(await restoreHome(file, target)).toEqual(report);
    expect(contentOf(target)).toEqual(KEPT);
    expect(contentOf(home)).toEqual(FILES);
    expect(readdirSync(dirname(target))).toEqual(['home']);
  });

  test.skipIf(process.platform === 'win32')(
    'can be read by its owner only, and so can what it brings back',
    async () => {
      const home = createHome();
      chmodSync(join(home, 'bin/yore'), 0o755);
      chmodSync(join(home, 'config.json'), 0o644);
      const file = await backedUp(home);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      const target = join(temporaryFolder(), 'home');
      await restoreHome(file, target);
      for (const entry of readdirSync(target, { recursive: true, withFileTypes: true })) {
        const { mode } = statSync(join(entry.parentPath, entry.name));
        expect(mode & 0o777).toBe(entry.isDirectory() || entry.name === 'yore' ? 0o700 : 0o600);
      }
      expect(statSync(target).mode & 0o777).toBe(0o700);
    },
  );

  test('is a regular .tar.gz with a manifest at the end', async () => {
    const file = await backedUp(createHome());
    const { stdout } = await promisify(execFile)('tar', ['tzf', file]);
    const names = stdout.trim().split('\n');
    expect(names[0]).toBe('yore-backup.json');
    expect(names.at(-1)).toBe('manifest.json');
    expect(names).toContain('home/projects/1a2b3c4d/history.jsonl');
  });

  test('reports progress up to the end', async () => {
    const home = createHome({ 'projects/1a2b3c4d/history.jsonl': '{}\n'.repeat(500_000) });
    const steps: [number, number][] = [];
    const file = newFile();
    await backupHome(home, file, (done, total) => steps.push([done, total]));
    expect(steps.length).toBeGreaterThan(3);
    expect(steps.at(-1)).toEqual([1_500_000, 1_500_000]);
    expect(steps.every(([done], index) => done >= (steps[index - 1]?.[0] ?? 0))).toBe(true);
    const restoring: [number, number][] = [];
    await restoreHome(file, join(temporaryFolder(), 'home'), {
      onProgress: (done, total) => restoring.push([done, total]),
    });
    expect(restoring.at(-1)).toEqual([statSync(file).size, statSync(file).size]);
  });

  test('replaces an older one only when it is complete', async () => {
    const file = await backedUp(createHome({ 'config.json': 'old' }));
    const before = readFileSync(file);
    const missing = await errorOf(backupHome(join(temporaryFolder(), 'none'), file));
    expect(missing.code).toBe('NOT_FOUND');
    expect(readFileSync(file)).toEqual(before);
    await backupHome(createHome({ 'config.json': 'new' }), file);
    const target = join(temporaryFolder(), 'home');
    await restoreHome(file, target);
    expect(contentOf(target)).toEqual({ 'config.json': 'new' });
    expect(readdirSync(dirname(file))).toEqual(['yore.tar.gz']);
  });

  test('drops a torn last line and keeps a record without a line break', async () => {
    const home = createHome({
      'projects/1a2b3c4d/history.jsonl': '{"n":1}\n{"n":2,"con',
      'projects/1a2b3c4d/failures.jsonl': '{"n":1}\n{"n":2}',
      'projects/1a2b3c4d/successes.jsonl': '{"torn',
      'projects/1a2b3c4d/warnings.jsonl': '',
    });
    const target = join(temporaryFolder(), 'home');
    await restoreHome(await backedUp(home), target);
    expect(contentOf(target)).toEqual({
      'projects/1a2b3c4d/history.jsonl': '{"n":1}\n',
      'projects/1a2b3c4d/failures.jsonl': '{"n":1}\n{"n":2}',
      'projects/1a2b3c4d/successes.jsonl': '',
      'projects/1a2b3c4d/warnings.jsonl': '',
    });
  });

  test.skipIf(process.platform === 'win32')('follows links, once, and leaves out what is no file', async () => {
    const home = createHome({ 'config.json': '{}' });
    const elsewhere = createHome({ 'index.json': 'linked' });
    mkdirSync(join(home, 'projects'));
    symlinkSync(elsewhere, join(home, 'projects', '1a2b3c4d'));
    symlinkSync(home, join(home, 'projects', 'round'));
    symlinkSync('/nowhere', join(home, 'dangling'));
    const server = createServer().listen(join(home, 'socket'));
    await setTimeout(20);
    const file = newFile();
    const report = await backupHome(home, file);
    server.close();
    expect(report.skipped).toEqual(['socket']);
    const target = join(temporaryFolder(), 'home');
    await restoreHome(file, target);
    expect(contentOf(target)).toEqual({ 'config.json': '{}', 'projects/1a2b3c4d/index.json': 'linked' });
  });

  test('is not written to a folder, into the home or into a missing folder', async () => {
    const home = createHome();
    const folder = temporaryFolder();
    expect(await errorOf(backupHome(home, folder))).toMatchObject({ code: 'USAGE' });
    expect((await errorOf(backupHome(home, join(home, 'x.tar.gz')))).message).toContain("inside yore's home");
    expect(await errorOf(backupHome(home, join(folder, 'no/x.tar.gz')))).toMatchObject({ code: 'STORAGE' });
    expect(contentOf(home)).toEqual(FILES);
  });

  test('removes temporary files of killed processes, but not of running ones', async () => {
    const file = newFile();
    const { pid } = spawnSync(process.execPath, ['-e', '0']);
    writeFileSync(`${file}.unfinished-${pid}-0123abcd`, 'x');
    writeFileSync(`${file}.unfinished-${process.pid}-0123abcd`, 'x');
    await backupHome(createHome(), file);
    expect(readdirSync(dirname(file)).sort()).toEqual([
      'yore.tar.gz',
      `yore.tar.gz.unfinished-${process.pid}-0123abcd`,
    ]);
  });

  test('restores any file unchanged', async () => {
    const name = fc.stringMatching(/^[a-zé日][a-zé日0-9 ._-]{0,40}[a-z]$/);
    const files = fc.dictionary(name, fc.string({ maxLength: 3000 }), { maxKeys: 5 });
    await fc.assert(
      fc.asyncProperty(files, async (content) => {
        const kept = Object.fromEntries(
          Object.entries(content).filter(([path]) => !isExcluded(path) && !path.endsWith('.jsonl')),
        );
        const home = createHome(kept);
        const target = join(temporaryFolder(), 'home');
        await restoreHome(await backedUp(home), target);
        expect(contentOf(target)).toEqual(kept);
      }),
      { numRuns: 30 },
    );
  });
});
