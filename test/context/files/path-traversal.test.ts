import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FileContext } from '../../../src/context/files/file-context.ts';
import { asPlainUser } from '../../as-plain-user.ts';
import { temporaryFolder } from '../../temp-folder.ts';

const SECRET = 'the secret of another folder';

interface Layout {
  /** Holds the project and, beside it, `outside/secret.txt` and `project-two/secret.txt`. */
  readonly above: string;
  readonly root: string;
  readonly context: FileContext;
}

function layout(): Layout {
  const above = temporaryFolder();
  const root = join(above, 'project');
  for (const folder of ['project/src', 'outside', 'project-two']) mkdirSync(join(above, folder), { recursive: true });
  writeFileSync(join(root, 'src/a.ts'), 'a');
  writeFileSync(join(above, 'outside/secret.txt'), SECRET);
  writeFileSync(join(above, 'project-two/secret.txt'), SECRET);
  writeFileSync(join(above, 'secret.txt'), SECRET);
  return { above, root, context: new FileContext({ root }) };
}

test.each([
  '..',
  '../secret.txt',
  '../outside/secret.txt',
  'src/../../secret.txt',
  'src/../a.ts',
  '..\\secret.txt',
  'src\\..\\..\\secret.txt',
  'src/..\\../secret.txt',
  '/../secret.txt',
  './../secret.txt',
  '.. /secret.txt',
  '.../secret.txt',
  '.. ./secret.txt',
  ' ../secret.txt',
  'C:\\Windows\\system.ini',
  'c:/Windows/system.ini',
  'C:secret.txt',
  '\\\\server\\share\\secret.txt',
  '\\\\?\\C:\\secret.txt',
  '\\\\.\\pipe\\secret',
])('rejects %j, which leaves the project, from disk or given', (path) => {
  const { context } = layout();
  expect(context.add(path)).toMatchObject({ added: false, reason: 'outside' });
  expect(context.add(path, 'given')).toMatchObject({ added: false, reason: 'outside' });
  expect(context.addFile(path)).toBe(false);
  expect(context.getFiles()).toEqual([]);
});

test('rejects absolute paths outside the root, even with a common prefix or dots in between', () => {
  const { above, root, context } = layout();
  for (const path of [
    join(above, 'outside/secret.txt'),
    join(above, 'project-two/secret.txt'),
    `${root}/../secret.txt`,
    `${root}/src/../../secret.txt`,
    `/${above}/secret.txt`,
    '/etc/passwd',
  ]) {
    expect(context.add(path), path).toMatchObject({ added: false, reason: 'outside' });
    expect(context.add(path, 'given'), path).toMatchObject({ added: false, reason: 'outside' });
  }
});

test('strips a leading slash that can only mean the project', () => {
  const { context } = layout();
  expect(context.add('/src/a.ts')).toEqual({ added: true, path: 'src/a.ts' });
  expect(context.add('/no-such-top-folder/new.ts', 'new')).toEqual({
    added: true,
    path: 'no-such-top-folder/new.ts',
  });
});

test.each(['', '/', '.', './', '\\', 'a\0.ts', '../\0', '\0'])('rejects %j, which names no file', (path) => {
  const { context } = layout();
  expect(context.add(path)).toMatchObject({ added: false, reason: 'bad-path' });
  expect(context.add(path, 'given')).toMatchObject({ added: false, reason: 'bad-path' });
});

test('rejects the root itself', () => {
  const { root, context } = layout();
  expect(context.addFile(root)).toBe(false);
});

test('does not decode encoded dots', () => {
  const { root, context } = layout();
  const encoded = [
    '%2e%2e/secret.txt',
    '..%2fsecret.txt',
    '%252e%252e/secret.txt',
    '..%5csecret.txt',
    '．．/secret.txt',
  ];
  for (const path of encoded) expect(context.addFile(path), path).toBe(false);
  mkdirSync(join(root, '%2e%2e'));
  writeFileSync(join(root, '%2e%2e/secret.txt'), 'of the project');
  context.addFile('%2e%2e/secret.txt');
  expect(context.getContent('%2e%2e/secret.txt')).toBe('of the project');
});

test('keeps dots inside a name, and dots and spaces at its end', () => {
  const { root, context } = layout();
  for (const name of ['a..b.ts', '..hidden', 'end.', 'end ', '...x', '[...slug].ts']) {
    writeFileSync(join(root, name), name);
    expect(context.addFile(name), name).toBe(true);
    expect(context.getContent(name)).toBe(name);
  }
});

test('rejects symlinks that leave the project: files, folders, chains', () => {
  const { above, root, context } = layout();
  symlinkSync(join(above, 'secret.txt'), join(root, 'absolute.txt'));
  symlinkSync('../secret.txt', join(root, 'relative.txt'));
  symlinkSync('../outside', join(root, 'folder'));
  symlinkSync('relative.txt', join(root, 'chain.txt'));
  symlinkSync('..', join(root, 'up'));
  symlinkSync('/', join(root, 'everything'));
  for (const path of [
    'absolute.txt',
    'relative.txt',
    'folder/secret.txt',
    'chain.txt',
    'up/secret.txt',
    'up/project-two/secret.txt',
    'everything/etc/passwd',
  ]) {
    expect(context.add(path), path).toMatchObject({ added: false, reason: 'outside', path });
  }
});

test('follows symlinks that stay in the project, even through a parent folder', () => {
  const { root, context } = layout();
  symlinkSync('src/a.ts', join(root, 'link.ts'));
  symlinkSync('src', join(root, 'folder'));
  symlinkSync('..', join(root, 'up'));
  for (const path of ['link.ts', 'folder/a.ts', 'up/project/src/a.ts']) {
    expect(context.addFile(path), path).toBe(true);
    expect(context.getContent(path)).toBe('a');
  }
});

test('rejects dangling and circular symlinks', () => {
  const { root, context } = layout();
  symlinkSync('nowhere', join(root, 'dangling'));
  symlinkSync('two', join(root, 'one'));
  symlinkSync('one', join(root, 'two'));
  expect(context.add('dangling')).toMatchObject({ reason: 'missing' });
  expect(context.add('one')).toMatchObject({ reason: 'unreadable' });
});

test('accepts a root given as a symlink, and absolute paths by either name', () => {
  const { above, root } = layout();
  const link = join(above, 'link');
  symlinkSync(root, link);
  const context = new FileContext({ root: link });
  for (const path of ['src/a.ts', join(link, 'src/a.ts'), join(root, 'src/a.ts')]) {
    expect(context.add(path), path).toEqual({ added: true, path: 'src/a.ts' });
  }
  expect(context.add(join(above, 'secret.txt'))).toMatchObject({ reason: 'outside' });
  symlinkSync('../secret.txt', join(root, 'leak.txt'));
  expect(context.add('leak.txt')).toMatchObject({ reason: 'outside' });
});

test('treats case as significant, unless the file system does not', () => {
  const { above, root, context } = layout();
  if (existsSync(join(above, 'PROJECT'))) return;
  expect(context.add(root.replace(/project$/, 'PROJECT/src/a.ts'))).toMatchObject({ reason: 'outside' });
  expect(context.add('SRC/a.ts')).toMatchObject({ reason: 'missing' });
});

test('rejects folders, pipes, sockets and devices without blocking', async () => {
  const { root, context } = layout();
  execFileSync('mkfifo', [join(root, 'pipe')]);
  const server = createServer().listen(join(root, 'socket'));
  await new Promise((resolve) => server.once('listening', resolve));
  try {
    for (const path of ['src', 'src/', 'pipe', 'socket']) {
      expect(context.add(path), path).toMatchObject({ added: false, reason: 'not-a-file' });
    }
    const devices = new FileContext({ root: '/dev' });
    for (const path of ['zero', 'null', 'tty']) expect(devices.addFile(path), path).toBe(false);
  } finally {
    server.close();
  }
});

test('rejects a path through a file, and a name that is too long', () => {
  const { context } = layout();
  expect(context.add('src/a.ts/b.ts')).toMatchObject({ reason: 'missing' });
  expect(context.add('x'.repeat(10_000))).toMatchObject({ reason: 'missing' });
  expect(context.add('x/'.repeat(10_000))).toMatchObject({ reason: 'missing' });
});

test('rejects an unreadable file with the reason', () => {
  const { above, root, context } = layout();
  for (const folder of [above, root, join(root, 'src')]) chmodSync(folder, 0o755);
  chmodSync(join(root, 'src/a.ts'), 0);
  const addition = asPlainUser(() => context.add('src/a.ts'));
  expect(addition).toMatchObject({ added: false, reason: 'unreadable' });
  expect(addition).toHaveProperty('message', expect.stringContaining('EACCES'));
});

test('never reads anything outside, whatever the path', () => {
  const { above, root, context } = layout();
  symlinkSync('../outside', join(root, 'link'));
  const part = fc.constantFrom(
    ...['..', '.', '', '/', '\\', 'src', 'link', 'project', 'outside', 'secret.txt', 'a.ts', '%2e%2e', '~', '\0', ' '],
    above,
    root,
    'C:',
    'file://',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), fc.constantFrom('/', '\\', ''), (parts, separator) => {
      const path = parts.join(separator);
      const result = context.add(path);
      if (result.added) expect(context.getContent(result.path)).toBe('a');
      expect(context.formatForPrompt()).not.toContain(SECRET);
    }),
    { numRuns: 1000 },
  );
});
