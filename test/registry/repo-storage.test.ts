import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../temp-folder.ts';
import { git } from './git.ts';
import { errorOf, folder, home, open, repository } from './open-registry.ts';

describe('storage in the repository', () => {
  function ignored(root: string): string {
    return existsSync(join(root, '.gitignore')) ? readFileSync(join(root, '.gitignore'), 'utf8') : '';
  }

  test('stores the project in .yore/ and adds that to .gitignore once', () => {
    const path = home();
    const root = repository();
    const registry = open(path, { storage: 'repo' });
    const { id, directory } = registry.register(root);
    expect(dirname(directory)).toBe(join(root, '.yore'));
    expect(basename(directory)).toMatch(/^[0-9a-f]{32}$/);
    expect(registry.directory(id)).toBe(directory);
    expect(existsSync(join(directory, 'index.json'))).toBe(true);
    expect(existsSync(join(path, 'projects'))).toBe(false);
    expect(ignored(root)).toBe('.yore/\n');
    expect(git(root, 'status', '--porcelain')).toBe('?? .gitignore');
    rmSync(directory, { recursive: true });
    registry.register(root);
    expect(ignored(root)).toBe('.yore/\n');
    expect(
      open(path)
        .list()
        .map((info) => info.projectHash),
    ).toEqual([id]);
  });

  test.each(['.yore', '.yore/', '/.yore', '/.yore/', '**/.yore/', '.yore/*', '.yore/**', '!.yore/'])(
    'adds nothing when .gitignore has "%s"',
    (pattern) => {
      const root = repository();
      writeFileSync(join(root, '.gitignore'), `node_modules\r\n${pattern}\r\n`);
      open(home(), { storage: 'repo' }).register(root);
      expect(ignored(root)).toBe(`node_modules\r\n${pattern}\r\n`);
    },
  );

  test('uses .git/info/exclude instead of a .gitignore that is a link', () => {
    const root = repository();
    const target = join(temporaryFolder(), 'profile');
    writeFileSync(target, 'umask 077\n');
    symlinkSync(target, join(root, '.gitignore'));
    open(home(), { storage: 'repo' }).register(root);
    expect(readFileSync(target, 'utf8')).toBe('umask 077\n');
    expect(readFileSync(join(root, '.git/info/exclude'), 'utf8')).toMatch(/^\.yore\/$/m);
  });

  test('adds nothing when .git/info/exclude lists it', () => {
    const root = repository();
    mkdirSync(join(root, '.git/info'), { recursive: true });
    writeFileSync(join(root, '.git/info/exclude'), '.yore\n');
    open(home(), { storage: 'repo' }).register(root);
    expect(existsSync(join(root, '.gitignore'))).toBe(false);
  });

  test.each([
    ['a\r\nb', 'a\r\nb\r\n.yore/\r\n'],
    ['a', 'a\n.yore/\n'],
    ['a\n', 'a\n.yore/\n'],
    ['# .yore/\nx.yore\n', '# .yore/\nx.yore\n.yore/\n'],
  ])('to %j it makes %j', (before, after) => {
    const root = repository();
    writeFileSync(join(root, '.gitignore'), before);
    open(home(), { storage: 'repo' }).register(root);
    expect(ignored(root)).toBe(after);
  });

  test('uses the main worktree for all worktrees', () => {
    const root = repository();
    const tree = join(temporaryFolder(), 'tree');
    git(root, 'worktree', 'add', '-q', tree);
    const registry = open(home(), { storage: 'repo' });
    const { directory } = registry.register(tree);
    expect(dirname(directory)).toBe(join(root, '.yore'));
    expect(registry.register(root).directory).toBe(directory);
    expect(existsSync(join(tree, '.gitignore'))).toBe(false);
  });

  test('moves with the repository', () => {
    const path = home();
    const root = repository();
    const { id, directory } = open(path, { storage: 'repo' }).register(root);
    writeFileSync(join(directory, 'history.jsonl'), '{}\n');
    const moved = join(temporaryFolder(), 'moved');
    renameSync(root, moved);
    const found = open(path).register(moved);
    expect(found).toMatchObject({ id, isNew: false, directory: join(moved, '.yore', basename(directory)) });
    expect(found.info.projectPath).toBe(moved);
    expect(open(path).list()).toHaveLength(1);
  });

  test('is found again when the registry was lost', () => {
    const path = home();
    const root = repository();
    const { id } = open(path, { storage: 'repo' }).register(root);
    rmSync(join(path, 'registry.json'));
    expect(open(path, { storage: 'repo' }).register(root)).toMatchObject({ id, isNew: false });
  });

  test('leaves known projects where they are when the setting changes', () => {
    const path = home();
    const root = repository();
    const { directory } = open(path).register(root);
    expect(open(path, { storage: 'repo' }).register(root).directory).toBe(directory);
    expect(existsSync(join(root, '.yore'))).toBe(false);
  });

  test('uses nothing of a .yore folder of another project or another home, and refuses a link', () => {
    const [one, two, three] = [repository('one', '1'), repository('two', '2'), repository('three', '3')];
    const registry = open(home(), { storage: 'repo' });
    const { directory } = registry.register(one);
    renameSync(join(one, '.yore'), join(two, '.yore'));
    for (const each of [registry, open(home(), { storage: 'repo' })]) {
      expect(each.register(two)).toMatchObject({ isNew: true, info: { projectPath: two } });
      expect(basename(each.register(two).directory)).not.toBe(basename(directory));
    }
    symlinkSync(temporaryFolder(), join(three, '.yore'), 'junction');
    expect(errorOf(() => registry.register(three)).message).toContain('is a link');
  });

  test('refuses a .yore folder that came with a clone', () => {
    const root = repository();
    git(root, 'remote', 'add', 'origin', 'https://example.com/app');
    open(home(), { storage: 'repo' }).register(root);
    git(root, 'add', '--force', '.yore');
    git(root, 'commit', '-q', '-m', 'planted');
    const clone = join(temporaryFolder(), 'app');
    git(root, 'clone', '-q', root, clone);
    git(clone, 'remote', 'set-url', 'origin', 'https://example.com/app');
    const error = errorOf(() => open(home(), { storage: 'repo' }).register(clone));
    expect(error).toMatchObject({
      code: 'STORAGE',
      message: expect.stringContaining('git rm -r --cached .yore'),
    });
  });

  test('ignores a .yore folder that came with a clone if projects are stored in the home', () => {
    const root = repository();
    const { directory } = open(home(), { storage: 'repo' }).register(root);
    writeFileSync(join(directory, 'history.jsonl'), '{"planted": true}\n');
    const path = home();
    const found = open(path).register(root);
    expect(found.directory).toBe(join(path, 'projects', found.id));
    expect(readdirSync(found.directory)).toEqual(['index.json']);
  });

  test('creates no .gitignore without git, and stores a bare repository in the home', () => {
    const path = home();
    const registry = open(path, { storage: 'repo' });
    const plain = folder();
    expect(dirname(registry.register(plain).directory)).toBe(join(plain, '.yore'));
    expect(existsSync(join(plain, '.gitignore'))).toBe(false);
    const bare = join(temporaryFolder(), 'bare.git');
    git(temporaryFolder(), 'init', '-q', '--bare', bare);
    const { id, directory } = registry.register(bare);
    expect(directory).toBe(join(path, 'projects', id));
  });

  test("does not confuse a repository of the user's home with yore's home", () => {
    const userHome = repository('me');
    const path = join(userHome, '.yore');
    const { id, directory } = open(path, { storage: 'repo' }).register(userHome);
    expect(directory).toBe(join(path, 'projects', id));
  });
});
