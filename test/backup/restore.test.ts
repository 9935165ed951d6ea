import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Header } from 'tar';
import { describe, expect, test } from 'vitest';
import { restoreHome } from '../../src/backup/restore.ts';
import { temporaryFolder } from '../temp-folder.ts';
import { backedUp, contentOf, createHome, errorOf, KEPT, newFile } from './backup-home.ts';

const NOW = () => Date.parse('2025-11-12T10:00:00Z');

interface Entry {
  readonly path: string;
  readonly text?: string;
  readonly type?: 'File' | 'SymbolicLink' | 'Link' | 'CharacterDevice' | 'FIFO' | 'Directory';
  readonly linkpath?: string;
}

/** An archive with any entries, such as an attacker could create. */
function archiveOf(entries: readonly Entry[]): string {
  const blocks = entries.flatMap(({ path, text = '', type = 'File', linkpath }) => {
    const header = Buffer.alloc(512);
    const size = Buffer.byteLength(text);
    new Header({
      path,
      size,
      mode: 0o644,
      mtime: new Date(0),
      type,
      ...(linkpath ? { linkpath } : {}),
    }).encode(header, 0);
    const body = Buffer.alloc(Math.ceil(size / 512) * 512);
    body.write(text);
    return [header, body];
  });
  const file = newFile('made.tar.gz');
  writeFileSync(file, gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)])));
  return file;
}

const MARKER = { path: 'yore-backup.json', text: '{"format":1}' };

function manifest(files: readonly { path: string; size: number }[], format = 1): Entry {
  return {
    path: 'manifest.json',
    text: JSON.stringify({ format, createdAt: '2025-11-12T10:00:00Z', files }),
  };
}

describe('a restore', () => {
  test('refuses a home that is not empty', async () => {
    const file = await backedUp(createHome());
    const target = createHome({ 'config.json': 'mine' });
    const error = await errorOf(restoreHome(file, target));
    expect(error).toMatchObject({ code: 'USAGE', message: expect.stringContaining('--replace') });
    expect(contentOf(target)).toEqual({ 'config.json': 'mine' });
    expect(readdirSync(dirname(target))).toEqual(['home']);
  });

  test('replaces a home that contains nothing but what can be rebuilt', async () => {
    const file = await backedUp(createHome());
    for (const target of [createHome({}), createHome({ 'log/yore.log': 'x', 'search.db': 'x' })]) {
      expect(await restoreHome(file, target)).not.toHaveProperty('keptAside');
      expect(contentOf(target)).toEqual(KEPT);
      expect(readdirSync(dirname(target))).toEqual(['home']);
    }
  });

  test('moves the old home away with replace, and reports where', async () => {
    const file = await backedUp(createHome());
    const target = createHome({ 'config.json': 'mine', 'search.db': 'x' });
    const aside = `${target}.before-restore-20251112T100000Z`;
    mkdirSync(aside);
    const report = await restoreHome(file, target, { replace: true, now: NOW });
    expect(report.keptAside).toBe(`${aside}-2`);
    expect(contentOf(`${aside}-2`)).toEqual({ 'config.json': 'mine', 'search.db': 'x' });
    expect(contentOf(target)).toEqual(KEPT);
  });

  test.skipIf(process.platform === 'win32')('a home that is a link stays one', async () => {
    const file = await backedUp(createHome());
    const real = createHome({});
    const link = join(temporaryFolder(), 'link');
    symlinkSync(real, link);
    await restoreHome(file, link);
    expect(contentOf(real)).toEqual(KEPT);
    expect(contentOf(link)).toEqual(KEPT);
  });

  test('reports a file in place of the home', async () => {
    const file = await backedUp(createHome());
    const target = newFile('home');
    writeFileSync(target, 'a file');
    const error = await errorOf(restoreHome(file, target, { replace: true }));
    expect(error).toMatchObject({ code: 'STORAGE', message: expect.stringContaining('is a file') });
    expect(readFileSync(target, 'utf8')).toBe('a file');
  });

  test('refuses a missing file and a folder', async () => {
    const target = join(temporaryFolder(), 'home');
    expect((await errorOf(restoreHome(newFile(), target))).code).toBe('NOT_FOUND');
    expect((await errorOf(restoreHome(temporaryFolder(), target))).code).toBe('USAGE');
  });

  test.each([
    ['text', Buffer.from('hello')],
    ['nothing', Buffer.alloc(0)],
    ['noise', Buffer.from(Array.from({ length: 5000 }, (_, index) => (index * 7919) % 251))],
    ['compressed text', gzipSync('hello '.repeat(1000))],
    ['an empty archive', gzipSync(Buffer.alloc(1024))],
  ])('refuses %s', async (_, bytes) => {
    const file = newFile();
    writeFileSync(file, bytes);
    const target = createHome({ 'config.json': 'mine' });
    const error = await errorOf(restoreHome(file, target, { replace: true }));
    expect(error.message).toMatch(/is not a yore backup|is damaged/);
    expect(contentOf(target)).toEqual({ 'config.json': 'mine' });
    expect(readdirSync(dirname(target))).toEqual(['home']);
  });

  test('refuses an archive that is not a backup', async () => {
    const error = await errorOf(
      restoreHome(archiveOf([{ path: 'home/x', text: 'x' }]), join(temporaryFolder(), 'home')),
    );
    expect(error).toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining('is not a yore backup'),
    });
  });

  test('refuses an archive truncated anywhere', async () => {
    const whole = readFileSync(await backedUp(createHome()));
    const target = createHome({ 'config.json': 'mine' });
    const file = newFile();
    for (const part of [0.01, 0.2, 0.5, 0.8, 0.95, 0.999]) {
      writeFileSync(file, whole.subarray(0, Math.floor(whole.length * part)));
      const error = await errorOf(restoreHome(file, target, { replace: true }));
      expect(error.message).toMatch(/is damaged|is not a yore backup/);
      expect(contentOf(target)).toEqual({ 'config.json': 'mine' });
    }
    expect(readdirSync(dirname(target))).toEqual(['home']);
  });

  test('refuses an archive that was truncated and compressed again', async () => {
    const bytes = gunzipSync(readFileSync(await backedUp(createHome())));
    const file = newFile();
    for (let length = 1024; length < bytes.length - 2048; length += 1536) {
      writeFileSync(file, gzipSync(bytes.subarray(0, length)));
      const error = await errorOf(restoreHome(file, join(temporaryFolder(), 'home')));
      expect(error).toMatchObject({ code: 'STORAGE', message: expect.stringContaining('is damaged') });
    }
  });

  test('detects a flipped byte unless it is harmless', async () => {
    const whole = readFileSync(await backedUp(createHome()));
    const file = newFile();
    for (let place = 10; place < whole.length; place += 97) {
      const bytes = Buffer.from(whole);
      bytes[place] = (bytes[place] ?? 0) ^ 0x5a;
      writeFileSync(file, bytes);
      const target = join(temporaryFolder(), 'home');
      const result = await restoreHome(file, target).catch((error: unknown) => error);
      if (result instanceof Error) expect(existsSync(target)).toBe(false);
      else expect(contentOf(target)).toEqual(KEPT);
    }
  });

  test.each<[string, Entry]>([
    ['an absolute path', { path: '/etc/passwd' }],
    ['a path outside of the home', { path: 'home/../../x' }],
    ['a path that ends in ..', { path: 'home/projects/..' }],
    ['a file beside the home', { path: 'other/x' }],
    ['the home itself', { path: 'home/' }],
    ['a drive', { path: 'home/C:/x' }],
    ['a backslash', { path: 'home/..\\x' }],
    ['a symbolic link', { path: 'home/x', type: 'SymbolicLink', linkpath: '/etc/passwd' }],
    ['a hard link', { path: 'home/x', type: 'Link', linkpath: '/etc/passwd' }],
    ['a device', { path: 'home/x', type: 'CharacterDevice' }],
    ['a pipe', { path: 'home/x', type: 'FIFO' }],
  ])('refuses %s', async (_, entry) => {
    const file = archiveOf([MARKER, entry, manifest([])]);
    const folder = temporaryFolder();
    const error = await errorOf(restoreHome(file, join(folder, 'home')));
    expect(error).toMatchObject({ code: 'STORAGE', message: expect.stringContaining('is not allowed') });
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each<[string, readonly Entry[], string]>([
    ['a missing file', [MARKER, manifest([{ path: 'x', size: 1 }])], 'files are missing'],
    ['an unexpected file', [MARKER, { path: 'home/x', text: 'x' }, manifest([])], 'unexpected'],
    [
      'a file of another size',
      [MARKER, { path: 'home/x', text: 'xx' }, manifest([{ path: 'x', size: 1 }])],
      'x is incomplete',
    ],
    ['a missing manifest', [MARKER, { path: 'home/x', text: 'x' }], 'it is truncated'],
    ['an invalid manifest', [MARKER, { path: 'manifest.json', text: '{"files": [1]}' }], 'its manifest cannot be read'],
    [
      'a duplicate file',
      [MARKER, { path: 'home/x' }, { path: 'home/x' }, manifest([{ path: 'x', size: 0 }])],
      'is not allowed',
    ],
    ['a file after the manifest', [MARKER, manifest([]), { path: 'home/x' }], 'is not allowed'],
  ])('detects %s', async (_, entries, message) => {
    const error = await errorOf(restoreHome(archiveOf(entries), join(temporaryFolder(), 'home')));
    expect(error).toMatchObject({ code: 'STORAGE', message: expect.stringContaining(message) });
  });

  test('refuses a backup of a newer version', async () => {
    const file = archiveOf([{ path: 'yore-backup.json', text: '{"format":2}' }, manifest([], 2)]);
    const error = await errorOf(restoreHome(file, join(temporaryFolder(), 'home')));
    expect(error).toMatchObject({ code: 'NEWER_VERSION', message: expect.stringContaining('Update yore') });
  });

  test('restores very repetitive logs', async () => {
    const home = createHome({ 'projects/1a2b3c4d/history.jsonl': `${'a'.repeat(999_999)}\n`.repeat(20) });
    const target = join(temporaryFolder(), 'home');
    expect(await restoreHome(await backedUp(home), target)).toMatchObject({ bytes: 20_000_000 });
  });
});
