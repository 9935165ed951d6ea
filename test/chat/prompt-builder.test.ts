import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatFileTree } from '../../src/chat/prompt-builder.ts';
import { temporaryFolder } from '../temp-folder.ts';

function folderWith(paths: readonly string[]): string {
  const root = temporaryFolder();
  for (const path of paths) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), '');
  }
  return root;
}

describe('the file tree of a project', () => {
  it('lists files by path, without generated or downloaded ones', () => {
    const root = folderWith(['src/b.ts', 'src/a.ts', 'README.md', 'node_modules/x/index.js', '.git/HEAD']);
    expect(formatFileTree(root)).toBe('README.md\nsrc/a.ts\nsrc/b.ts');
  });

  it('leaves out the deepest files beyond the limit, and says how many', () => {
    const root = folderWith([
      'top.txt',
      ...Array.from({ length: 310 }, (_, index) => `deep/er/file-${String(index).padStart(3, '0')}.txt`),
    ]);
    const lines = formatFileTree(root).split('\n');
    expect(lines).toHaveLength(301);
    expect(lines).toContain('top.txt');
    expect(lines.at(-1)).toBe('(11 more)');
  });

  it('does not follow symlinks', () => {
    const root = folderWith(['a.txt']);
    symlinkSync(root, join(root, 'loop'));
    expect(formatFileTree(root)).toBe('a.txt');
  });

  it('is empty for a missing folder', () => {
    expect(formatFileTree(join(temporaryFolder(), 'gone'))).toBe('');
  });
});
