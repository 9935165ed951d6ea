import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { identifyFolder } from '../../src/registry/identity.ts';
import { Registry } from '../../src/registry/registry.ts';
import { temporaryFolder } from '../temp-folder.ts';
import { countingGit, createRepository, git } from './git.ts';
import { errorOf, folder, GIT, home, NOW, open, repository } from './open-registry.ts';

describe('lookup', () => {
  test('returns undefined for an unknown folder and creates nothing', () => {
    const path = home();
    expect(open(path).lookup(repository())).toBeUndefined();
    expect(existsSync(path)).toBe(false);
  });

  test('finds a known folder from anywhere inside it, without git', () => {
    const path = home();
    const root = repository();
    mkdirSync(join(root, 'src/deep'), { recursive: true });
    const { id } = open(path).register(join(root, 'src'));
    const counting = countingGit();
    const registry = open(path, { git: counting.run });
    const link = join(temporaryFolder(), 'link');
    symlinkSync(root, link, 'junction');
    for (const inside of [root, join(root, 'src/deep'), join(root, 'gone'), link, join(link, 'src')]) {
      expect(registry.lookup(inside)).toBe(id);
      expect(registry.register(inside)).toMatchObject({ id, isNew: false });
    }
    expect(counting.count()).toBe(0);
  });

  test('sees what another process registered', () => {
    const path = home();
    const registry = open(path);
    const [first, second] = [folder('first'), folder('second')];
    registry.register(first);
    expect(registry.lookup(second)).toBeUndefined();
    const { id } = open(path).register(second);
    expect(registry.lookup(second)).toBe(id);
  });

  test('does not assign an unknown repository to the folder around it', () => {
    const path = home();
    const outer = repository('outer', 'outer');
    const registry = open(path);
    const { id } = registry.register(outer);
    const inner = createRepository(join(outer, 'inner'), 'inner');
    expect(registry.lookup(inner)).toBeUndefined();
    expect(registry.register(inner).id).not.toBe(id);
    expect(registry.lookup(outer)).toBe(id);
  });

  test('tells another repository at the path of a known one apart, and both stay known', () => {
    const path = home();
    const root = repository('app', 'one container');
    const registry = open(path);
    const first = registry.register(root);
    renameSync(root, `${root}-1`);
    createRepository(root, 'another container');
    expect(registry.lookup(root)).toBeUndefined();
    const second = registry.register(root);
    expect(second).toMatchObject({ isNew: true });
    expect(second.id).not.toBe(first.id);
    renameSync(root, `${root}-2`);
    renameSync(`${root}-1`, root);
    expect(registry.lookup(root)).toBe(first.id);
    renameSync(root, `${root}-1`);
    renameSync(`${root}-2`, root);
    expect(registry.lookup(root)).toBe(second.id);
  });
});

describe('folders without git', () => {
  test('a project includes the folders inside it, but not those beside or above', () => {
    const registry = open(home());
    const root = folder('notes/2025');
    const { id } = registry.register(root);
    expect(registry.lookup(join(root, 'november'))).toBe(id);
    expect(registry.register(join(root, 'november')).id).toBe(id);
    expect(registry.lookup(join(root, '..'))).toBeUndefined();
    expect(registry.lookup(`${root}-old`)).toBeUndefined();
  });

  test('the nearest known folder wins', () => {
    const registry = open(home());
    const inner = folder('notes/2025');
    const outer = join(inner, '..');
    const innerId = registry.register(inner).id;
    const outerId = registry.register(outer).id;
    expect(innerId).not.toBe(outerId);
    expect(registry.lookup(join(inner, 'x'))).toBe(innerId);
    expect(registry.lookup(join(outer, '2024'))).toBe(outerId);
  });

  test("the user's home and the temp folder do not include their subfolders", () => {
    const userHome = folder('me');
    const shared = folder('tmp');
    const registry = open(join(userHome, '.yore'), { multiProjectFolders: [shared] });
    for (const gathering of [userHome, shared]) {
      const { id } = registry.register(gathering);
      expect(registry.lookup(gathering)).toBe(id);
      expect(registry.lookup(join(gathering, 'notes'))).toBeUndefined();
      expect(registry.register(join(gathering, 'notes')).id).not.toBe(id);
    }
  });

  test('a folder that becomes a repository keeps its project, and is then found after a move', () => {
    const path = home();
    const root = folder('app');
    const { id } = open(path).register(root);
    createRepository(root);
    expect(open(path).lookup(root)).toBe(id);
    const registered = open(path).register(root);
    expect(registered).toMatchObject({ id, isNew: false });
    expect(registered.info.identity).toMatch(/^git:[0-9a-f]{40}:$/);
    renameSync(root, `${root}-moved`);
    expect(open(path).register(`${root}-moved`)).toMatchObject({ id, isNew: false });
  });

  test('a folder that no longer exists can be registered and found', () => {
    const registry = open(home());
    const root = join(temporaryFolder(), 'long', 'gone');
    expect(registry.lookup(root)).toBeUndefined();
    const { id } = registry.register(root);
    expect(registry.lookup(root)).toBe(id);
  });
});

describe('recognising a repository', () => {
  test('folders that are gone are one project if they had the same remote, that of their clone if there is one', () => {
    const path = home();
    const gone = (): string => join(temporaryFolder(), 'gone');
    const [first, second, other] = [gone(), gone(), gone()];
    const { id } = open(path).register(first, 'git@host.example:me/app.git');
    expect(open(path).register(second, 'https://host.example/me/app')).toMatchObject({ id, isNew: false });
    expect(open(path).register(other, 'https://host.example/you/app').id).not.toBe(id);
    expect(open(path).lookup(first)).toBe(id);
    for (const root of [first, second]) expect(open(path).rootOf(join(root, 'src'))).toBe(root);
    const clone = repository();
    git(clone, 'remote', 'add', 'origin', 'https://host.example/me/app.git');
    expect(open(path).register(clone).id).toBe(id);
  });

  test('a folder that is there is what it is, whatever remote is said to be its', () => {
    const path = home();
    const { id } = open(path).register(join(temporaryFolder(), 'gone'), 'https://host.example/me/app');
    expect(open(path).register(folder(), 'https://host.example/me/app').id).not.toBe(id);
  });

  test('worktrees are one project, and git is run for the first only', () => {
    const root = repository('main-one');
    const tree = join(temporaryFolder(), 'feature');
    git(root, 'worktree', 'add', '-q', tree);
    const counting = countingGit();
    const registry = open(home(), { git: counting.run });
    const first = registry.register(tree);
    expect(first.info).toMatchObject({ projectPath: root, displayName: 'main-one' });
    expect(registry.register(root).id).toBe(first.id);
    const another = join(temporaryFolder(), 'orphan');
    git(root, 'worktree', 'add', '-q', '--detach', another);
    git(another, 'checkout', '-q', '--orphan', 'pages');
    git(another, 'commit', '-q', '--allow-empty', '-m', 'another root');
    expect(registry.register(another).id).toBe(first.id);
    expect(counting.count()).toBe(1);
    expect(registry.list()).toHaveLength(1);
  });

  test.each([
    ['with a remote', true],
    ['without a remote', false],
  ])('one that was moved or renamed, %s, is its old project at its new place', (_, hasRemote) => {
    const root = repository('before');
    if (hasRemote) git(root, 'remote', 'add', 'origin', 'https://example.com/app');
    const registry = open(home());
    const { id } = registry.register(root);
    const moved = join(temporaryFolder(), 'after');
    renameSync(root, moved);
    const found = registry.register(moved);
    expect(found).toMatchObject({ id, isNew: false });
    expect(found.info).toMatchObject({ projectPath: moved, displayName: 'after' });
    expect(registry.info(id)).toEqual(found.info);
    expect(registry.list()).toHaveLength(1);
    expect(registry.lookup(moved)).toBe(id);
    mkdirSync(root);
    expect(registry.lookup(root)).toBeUndefined();
  });

  test('a second clone is the same project, beside the first or instead of it', () => {
    const server = repository('server');
    const registry = open(home());
    const first = join(temporaryFolder(), 'first');
    const second = join(temporaryFolder(), 'second');
    git(server, 'clone', '-q', server, first);
    const { id } = registry.register(first);
    git(server, 'clone', '-q', server, second);
    expect(registry.register(second)).toMatchObject({ id, info: { projectPath: first } });
    rmSync(first, { recursive: true });
    git(server, 'clone', '-q', server, first);
    expect(registry.register(first).id).toBe(id);
    expect(registry.list()).toHaveLength(1);
  });

  test('a fork is a project of its own', () => {
    const registry = open(home());
    const root = repository();
    git(root, 'remote', 'add', 'origin', 'https://example.com/me/app');
    const fork = join(temporaryFolder(), 'app');
    git(root, 'clone', '-q', root, fork);
    git(fork, 'remote', 'set-url', 'origin', 'https://example.com/you/app');
    const { id } = registry.register(root);
    const other = registry.register(fork);
    expect(other).toMatchObject({ isNew: true });
    expect(other.id).not.toBe(id);
  });

  test('a copy without a remote is a new project', () => {
    const path = home();
    const root = repository('app');
    const copy = join(temporaryFolder(), 'copy');
    const { id } = open(path).register(root);
    git(root, 'clone', '-q', root, copy);
    git(copy, 'remote', 'remove', 'origin');
    const found = open(path).register(copy);
    expect(found).toMatchObject({ isNew: true });
    expect(found.id).not.toBe(id);
    const counting = countingGit();
    expect(open(path, { git: counting.run }).register(copy)).toMatchObject({ id: found.id, isNew: false });
    expect(counting.count()).toBe(0);
  });

  test('one whose remote changed while it was moved is a new project', () => {
    const registry = open(home());
    const root = repository('app');
    git(root, 'remote', 'add', 'origin', 'https://example.com/old/app');
    const { id } = registry.register(root);
    const moved = join(temporaryFolder(), 'app');
    renameSync(root, moved);
    git(moved, 'remote', 'set-url', 'origin', 'https://example.com/new/app');
    const found = registry.register(moved);
    expect(found).toMatchObject({ isNew: true, info: { identity: expect.stringContaining('new/app') } });
    expect(found.id).not.toBe(id);
  });

  test('a repository that gets its first commit and remote later is found after a move', () => {
    const path = home();
    const root = join(temporaryFolder(), 'app');
    git(temporaryFolder(), 'init', '-q', root);
    const counting = countingGit();
    const { id } = open(path, { git: counting.run }).register(root);
    open(path, { git: counting.run }).register(root);
    expect(counting.count()).toBe(0);
    git(root, 'commit', '-q', '--allow-empty', '-m', 'first');
    expect(open(path, { git: counting.run }).register(root).id).toBe(id);
    expect(counting.count()).toBe(1);
    open(path, { git: counting.run }).register(root);
    expect(counting.count()).toBe(1);
    git(root, 'remote', 'add', 'origin', 'https://example.com/app');
    const moved = join(temporaryFolder(), 'app');
    renameSync(root, moved);
    expect(open(path).register(moved)).toMatchObject({ id, isNew: false });
    expect(open(path).info(id)?.identity).toContain('example.com/app');
  });

  test('without git a repository is identified by its remote, and upgraded once git is available', () => {
    const path = home();
    const root = repository();
    git(root, 'remote', 'add', 'origin', 'https://example.com/app');
    const { id } = Registry.open(path).register(root);
    expect(Registry.open(path).info(id)?.identity).toBe('git::example.com/app');
    expect(open(path).register(root).info.identity).toMatch(/^git:[0-9a-f]{40}:example\.com\/app$/);
    const shallow = join(temporaryFolder(), 'shallow');
    git(root, 'commit', '-q', '--allow-empty', '-m', 'second');
    git(root, 'clone', '-q', '--depth', '1', `file://${root}`, shallow);
    git(shallow, 'remote', 'set-url', 'origin', 'https://example.com/app');
    expect(open(path).register(shallow).id).toBe(id);
  });

  test('git is run only once if it finds no root commit', () => {
    const path = home();
    const root = repository();
    const counting = countingGit({ program: '/nowhere/git' });
    const { id } = open(path, { git: counting.run }).register(root);
    expect(open(path, { git: counting.run }).register(root).id).toBe(id);
    expect(counting.count()).toBe(1);
  });

  test('a submodule is a project of its own', () => {
    const library = repository('library', 'library');
    const root = repository('app', 'app');
    git(root, 'submodule', '--quiet', 'add', library, 'vendor/library');
    const registry = open(home());
    const { id } = registry.register(root);
    expect(registry.lookup(join(root, 'vendor/library'))).toBeUndefined();
    expect(registry.register(join(root, 'vendor/library')).id).not.toBe(id);
    expect(registry.lookup(join(root, 'vendor'))).toBe(id);
  });
});

describe('ids', () => {
  test('are the first 8 characters of the SHA-256 of the identity', () => {
    const root = folder();
    const { id, info, directory } = open(home()).register(root);
    expect(id).toBe(createHash('sha256').update(`folder:${root}`).digest('hex').slice(0, 8));
    expect(info).toMatchObject({ projectHash: id, identity: `folder:${root}`, generation: 0, v: 1 });
    expect(info.firstSeen).toBe(new Date(NOW).toISOString());
    expect(basename(directory)).toBe(id);
  });

  test('are longer when another project has the same characters', () => {
    const root = folder();
    const { id } = open(home()).register(root);
    const path = home();
    const other = join(path, 'projects', id);
    mkdirSync(other, { recursive: true });
    const info = { ...open(home()).register(folder('other')).info, projectHash: id };
    writeFileSync(join(other, 'index.json'), JSON.stringify(info));
    const found = open(path).register(root);
    expect(found.id).toHaveLength(12);
    expect(found.id.startsWith(id)).toBe(true);
    expect(open(path).list()).toHaveLength(2);
  });
});

describe('index.json', () => {
  test('is updated without losing unknown fields', () => {
    const registry = open(home());
    const { id, directory } = registry.register(folder());
    const file = join(directory, 'index.json');
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), techStack: ['x'] }));
    expect(registry.updateInfo(id, { generation: 3 }).generation).toBe(3);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ generation: 3, techStack: ['x'] });
    expect(errorOf(() => registry.updateInfo('ffffffff', {})).code).toBe('NOT_FOUND');
  });

  test('of a newer version is read but not rewritten', () => {
    const registry = open(home());
    const { id, directory } = registry.register(folder());
    const text = JSON.stringify({ ...registry.info(id), v: 99, news: true });
    writeFileSync(join(directory, 'index.json'), text);
    registry.updateInfo(id, { generation: 3 });
    expect(readFileSync(join(directory, 'index.json'), 'utf8')).toBe(text);
    expect(registry.list()).toHaveLength(1);
  });

  test('that is damaged causes a warning and is rewritten when the project is used', () => {
    const registry = open(home());
    const root = folder();
    const { id, directory } = registry.register(root);
    writeFileSync(join(directory, 'index.json'), '{');
    expect(registry.list()).toEqual([]);
    expect(registry.diagnostics[0]?.message).toContain(join(directory, 'index.json'));
    expect(registry.register(root)).toMatchObject({ id });
    expect(registry.info(id)?.projectPath).toBe(root);
  });
});

test('lists projects by last activity', () => {
  const registry = open(home());
  const ids = ['a', 'b', 'c'].map((name) => registry.register(folder(name)).id);
  registry.updateInfo(String(ids[1]), { lastActiveAt: '2025-11-14T00:00:00.000Z' });
  registry.updateInfo(String(ids[0]), { lastActiveAt: '2025-11-13T00:00:00.000Z' });
  expect(registry.list().map((info) => info.displayName)).toEqual(['b', 'a', 'c']);
});

test('register agrees with identifyFolder', () => {
  const root = repository();
  const { info } = open(home()).register(root);
  expect(info.identity).toBe(identifyFolder(root, { git: GIT }).identity);
});
