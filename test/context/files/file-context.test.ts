import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FileContext, type FileContextOptions, MAX_FILE_BYTES } from '../../../src/context/files/file-context.ts';
import { TokenCounter } from '../../../src/context/tokens/token-counter.ts';
import { YoreError } from '../../../src/record/index.ts';
import { temporaryFolder } from '../../temp-folder.ts';
import { CountingCounter } from '../turns/counting-counter.ts';

/** A project with these files, and its file context. */
function project(
  files: Readonly<Record<string, string | Uint8Array>> = {},
  options: FileContextOptions = {},
): { readonly root: string; readonly context: FileContext } {
  const root = temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return { root, context: new FileContext({ root, ...options }) };
}

test('adds a file with given content', () => {
  const { context } = project();
  expect(context.addFile('src/new.ts', 'start();')).toBe(true);
  expect(context.getContent('src/new.ts')).toBe('start();');
  expect(context.hasFile('src/new.ts')).toBe(true);
});

test('adds a file from disk', () => {
  const { context } = project({ 'src/main.ts': 'grün();\n' });
  expect(context.addFile('src/main.ts')).toBe(true);
  expect(context.getContent('src/main.ts')).toBe('grün();\n');
});

test('adds an empty file, from disk or given', () => {
  const { context } = project({ 'empty.txt': '' });
  expect(context.addFile('empty.txt')).toBe(true);
  expect(context.addFile('other.txt', '')).toBe(true);
  expect(context.getFiles()).toEqual(['empty.txt', 'other.txt']);
  expect(context.getContent('other.txt')).toBe('');
});

test('rejects a missing file', () => {
  const { context } = project();
  expect(context.addFile('src/none.ts')).toBe(false);
  expect(context.add('src/none.ts')).toMatchObject({ added: false, reason: 'missing', path: 'src/none.ts' });
  expect(context.getFiles()).toEqual([]);
});

test('rejects a binary file, from disk or given', () => {
  const { context } = project({ 'logo.png': Uint8Array.of(137, 80, 78, 71, 0, 1) });
  expect(context.addFile('logo.png')).toBe(false);
  expect(context.add('logo.png')).toMatchObject({ reason: 'binary' });
  expect(context.add('a.bin', 'x\0y')).toMatchObject({ reason: 'binary' });
});

test('looks for a NUL in the first 8,192 bytes, from disk or given', () => {
  const early = `${'é'.repeat(4095)}x\0`;
  const late = `${'é'.repeat(4096)}\0`;
  const { context } = project({ early, late });
  expect(context.addFile('early')).toBe(false);
  expect(context.addFile('given-early', early)).toBe(false);
  expect(context.addFile('late')).toBe(true);
  expect(context.addFile('given-late', late)).toBe(true);
});

test('accepts text in a legacy encoding', () => {
  const { context } = project({ 'latin.txt': Uint8Array.of(103, 114, 252, 110) });
  expect(context.addFile('latin.txt')).toBe(true);
  expect(context.getContent('latin.txt')).toBe('gr\ufffdn');
});

test('removes one file or all', () => {
  const { context } = project();
  for (const path of ['b.ts', 'a.ts', 'c.ts']) context.addFile(path, path);
  expect(context.removeFile('b.ts')).toBe(true);
  expect(context.removeFile('b.ts')).toBe(false);
  expect(context.getFiles()).toEqual(['a.ts', 'c.ts']);
  expect(context.getContent('b.ts')).toBeUndefined();
  context.clear();
  expect(context.getFiles()).toEqual([]);
});

test('sorts paths, whatever the order of adding', () => {
  const { context } = project();
  for (const path of ['src/z.ts', 'README.md', 'src/a.ts', 'a.ts']) context.addFile(path, '');
  expect(context.getFiles()).toEqual(['README.md', 'a.ts', 'src/a.ts', 'src/z.ts']);
  expect([...context.contents().keys()]).toEqual(context.getFiles());
});

test('normalises different spellings of a path to one', () => {
  const { root, context } = project({ 'src/a.ts': 'a' });
  const names = [
    'src/a.ts',
    'src\\a.ts',
    '/src/a.ts',
    'src/a.ts/',
    './src//a.ts',
    '\\src\\a.ts',
    join(root, 'src/a.ts'),
  ];
  for (const name of names) expect(context.add(name), name).toEqual({ added: true, path: 'src/a.ts' });
  expect(context.getFiles()).toEqual(['src/a.ts']);
  for (const name of names) {
    expect(context.hasFile(name), name).toBe(true);
    expect(context.getContent(name), name).toBe('a');
    expect(context.removeFile(name), name).toBe(true);
    context.addFile('src/a.ts', 'a');
  }
});

test('accepts names such as __proto__', () => {
  const { context } = project();
  expect(context.hasFile('__proto__')).toBe(false);
  expect(context.addFile('__proto__', 'x')).toBe(true);
  expect(context.getFiles()).toEqual(['__proto__']);
});

test('formats all files with path and fence', () => {
  const { context } = project();
  context.addFile('b.md', '```\ncode\n```');
  context.addFile('a.ts', 'start();');
  expect(context.formatForPrompt()).toBe('a.ts\n```\nstart();\n```\n\nb.md\n````\n```\ncode\n```\n````');
  context.clear();
  expect(context.formatForPrompt()).toBe('');
});

test('counts the tokens of contents, by file and in total', () => {
  const counter = new TokenCounter('gpt-4o');
  const { context } = project({}, { counter });
  context.addFile('b.ts', 'const two = 2;');
  context.addFile('a.ts', 'const one = 1; // the first');
  const byFile = context.getTokensByFile();
  expect([...byFile.keys()]).toEqual(['a.ts', 'b.ts']);
  expect(byFile.get('a.ts')).toBe(counter.count('const one = 1; // the first'));
  expect(context.countTokens(counter)).toBe([...byFile.values()].reduce((sum, tokens) => sum + tokens));
});

test('counts a content once, even if it is removed and comes back unchanged', () => {
  const counter = new CountingCounter();
  const { context } = project({ 'a.ts': 'const a = 1;', 'b.ts': 'const b = 2;' }, { counter });
  context.addFile('a.ts');
  context.addFile('b.ts');
  context.countTokens();
  context.addFile('a.ts');
  context.addFile('b.ts', 'const b = 2;');
  context.removeFile('a.ts');
  context.addFile('a.ts');
  context.reload();
  context.countTokens();
  expect(counter.counted).toEqual(['const a = 1;', 'const b = 2;']);
  context.addFile('a.ts', 'const a = 3;');
  context.countTokens();
  expect(counter.counted.slice(2)).toEqual(['const a = 3;']);
});

test('counts separately for another counter', () => {
  const { context } = project();
  context.addFile('a.ts', 'const a = 1;');
  const first = new CountingCounter();
  const second = new CountingCounter('claude-sonnet-4-5');
  context.countTokens(first);
  context.countTokens(second);
  expect([first.counted.length, second.counted.length]).toEqual([1, 1]);
});

test('throws without a counter', () => {
  expect(() => new FileContext().countTokens()).toThrow(YoreError);
});

test('changes the hash only with the content', () => {
  const { context } = project();
  context.addFile('a.ts', 'one');
  const before = context.hashOf('a.ts');
  context.addFile('a.ts', 'one');
  expect(context.hashOf('a.ts')).toBe(before);
  context.addFile('a.ts', 'two');
  expect(context.hashOf('a.ts')).not.toBe(before);
  expect(context.hashOf('none')).toBe('');
});

test('removes the older version of a file that has disappeared', () => {
  const { root, context } = project({ 'a.ts': 'a' });
  context.addFile('a.ts');
  rmSync(join(root, 'a.ts'));
  expect(context.getContent('a.ts')).toBe('a');
  expect(context.addFile('a.ts')).toBe(false);
  expect(context.hasFile('a.ts')).toBe(false);
});

test('reports changed and missing files on reload, and keeps given contents', () => {
  const { root, context } = project({ 'same.ts': 'same', 'changed.ts': 'old', 'gone.ts': 'gone' });
  for (const path of ['same.ts', 'changed.ts', 'gone.ts']) context.addFile(path);
  context.addFile('given.ts', 'given');
  writeFileSync(join(root, 'changed.ts'), 'new');
  rmSync(join(root, 'gone.ts'));
  expect(context.reload()).toEqual({
    changed: ['changed.ts'],
    dropped: [{ path: 'gone.ts', reason: 'missing', message: 'There is no file gone.ts in the project.' }],
  });
  expect(context.getFiles()).toEqual(['changed.ts', 'given.ts', 'same.ts']);
  expect(context.getContent('changed.ts')).toBe('new');
});

test('reports files as missing when the project has disappeared', () => {
  const { root, context } = project({ 'a.ts': 'a' });
  rmSync(root, { recursive: true });
  expect(context.add('a.ts')).toMatchObject({ reason: 'missing' });
});

test('reads nothing without a root, but accepts given contents', () => {
  const context = new FileContext();
  expect(context.add('package.json')).toMatchObject({ added: false, reason: 'no-root' });
  expect(context.add('/src/a.ts/', 'a')).toEqual({ added: true, path: 'src/a.ts' });
  expect(context.add('../a.ts', 'a')).toMatchObject({ reason: 'outside' });
});

test('rejects a file above the limit with its size and the limit', () => {
  const { context } = project({ 'large.txt': 'x'.repeat(1001), 'fits.txt': 'x'.repeat(1000) }, { maxFileBytes: 1000 });
  expect(context.add('large.txt')).toEqual({
    added: false,
    path: 'large.txt',
    reason: 'too-large',
    message: 'large.txt has 1001 bytes; the limit is 1000. Give the part that matters as content.',
  });
  expect(context.add('given.txt', 'é'.repeat(501))).toMatchObject({ reason: 'too-large' });
  expect(context.addFile('fits.txt')).toBe(true);
});

test('rejects a file of 50 MB unless the limit is raised', () => {
  const { root, context } = project({ 'large.txt': 'line of text\n'.repeat(4_000_000) });
  expect(MAX_FILE_BYTES).toBe(4_194_304);
  expect(context.add('large.txt')).toMatchObject({ added: false, reason: 'too-large' });
  expect(context.getFiles()).toEqual([]);
  const roomy = new FileContext({ root, maxFileBytes: 60_000_000 });
  expect(roomy.addFile('large.txt')).toBe(true);
});

test.each([-1, Number.NaN])('rejects a limit of %d bytes', (maxFileBytes) => {
  expect(() => new FileContext({ maxFileBytes })).toThrow(/maxFileBytes is/);
});
