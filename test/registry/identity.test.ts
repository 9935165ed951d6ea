import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createGitRunner } from '../../src/registry/git-repository.ts';
import { formatIdentity, type Identity, identifyFolder, parseIdentity } from '../../src/registry/identity.ts';
import { temporaryFolder } from '../temp-folder.ts';
import { countingGit, createRepository, git } from './git.ts';

const RUN = createGitRunner(process.env);

function identify(folder: string): Identity {
  return identifyFolder(folder, { git: RUN });
}

function repository(name = 'app', message?: string): string {
  return createRepository(join(temporaryFolder(), name), message);
}

describe('a repository', () => {
  test('is identified by its root commit and remote', () => {
    const folder = repository();
    const root = git(folder, 'rev-parse', 'HEAD');
    git(folder, 'commit', '-q', '--allow-empty', '-m', 'second');
    git(folder, 'remote', 'add', 'origin', 'git@GitHub.com:me/app.git');
    expect(identify(folder)).toMatchObject({
      root: folder,
      mainRoot: folder,
      identity: `git:${root}:github.com/me/app`,
      displayName: 'app',
      kind: 'git',
    });
  });

  test('without a remote is identified by its root commit, like a copy of it', () => {
    const folder = repository();
    expect(identify(folder).identity).toBe(`git:${git(folder, 'rev-parse', 'HEAD')}:`);
  });

  test('is the same from every folder inside it, including .git and folders that no longer exist', () => {
    const folder = repository();
    mkdirSync(join(folder, 'src', 'deep'), { recursive: true });
    for (const inside of ['src/deep', '.git/hooks', 'src/gone/for/long']) {
      expect(identify(join(folder, inside))).toMatchObject({
        root: folder,
        identity: identify(folder).identity,
      });
    }
  });

  test('keeps its identity when moved, renamed or cloned again', () => {
    const folder = repository('one');
    git(folder, 'remote', 'add', 'origin', 'https://example.com/one');
    const { identity } = identify(folder);
    const moved = join(temporaryFolder(), 'two');
    renameSync(folder, moved);
    expect(identify(moved)).toMatchObject({ identity, root: moved, displayName: 'two' });
    const clone = join(temporaryFolder(), 'three');
    git(moved, 'clone', '-q', moved, clone);
    git(clone, 'remote', 'set-url', 'origin', 'ssh://git@example.com/one.git');
    expect(identify(clone).identity).toBe(identity);
  });

  test('differs from a fork with another remote', () => {
    const folder = repository();
    git(folder, 'remote', 'add', 'origin', 'https://github.com/me/app');
    const fork = join(temporaryFolder(), 'app');
    git(folder, 'clone', '-q', folder, fork);
    git(fork, 'remote', 'set-url', 'origin', 'https://github.com/you/app');
    git(fork, 'remote', 'add', 'upstream', 'https://github.com/me/app');
    expect(identify(fork).identity).not.toBe(identify(folder).identity);
  });

  test('is the same in all worktrees, named after the main one', () => {
    const folder = repository('main-one');
    const tree = join(temporaryFolder(), 'feature');
    git(folder, 'worktree', 'add', '-q', tree);
    mkdirSync(join(tree, 'src'));
    expect(identify(join(tree, 'src'))).toMatchObject({
      root: tree,
      mainRoot: folder,
      identity: identify(folder).identity,
      displayName: 'main-one',
    });
    expect(identify(tree).repository?.commonDir).toBe(join(folder, '.git'));
  });

  test('is the same with a detached HEAD', () => {
    const folder = repository();
    const { identity } = identify(folder);
    git(folder, 'commit', '-q', '--allow-empty', '-m', 'second');
    git(folder, 'checkout', '-q', '--detach', 'HEAD~1');
    expect(identify(folder).identity).toBe(identity);
  });

  test('keeps its identity when another history is merged', () => {
    const folder = repository('app', 'mine');
    const { identity } = identify(folder);
    const other = repository('library', 'not mine');
    git(folder, 'fetch', '-q', other, 'HEAD');
    git(folder, 'merge', '-q', '--allow-unrelated-histories', '-m', 'merge', 'FETCH_HEAD');
    expect(identify(folder).identity).toBe(identity);
  });

  test('with packed refs is identified by its root commit', () => {
    const folder = repository();
    const { identity } = identify(folder);
    git(folder, 'pack-refs', '--all');
    expect(readdirSync(join(folder, '.git/refs/heads'))).toEqual([]);
    expect(identify(folder).identity).toBe(identity);
  });

  test('may be bare, and so may that of a worktree', () => {
    const folder = repository();
    const bare = join(temporaryFolder(), 'app.git');
    git(folder, 'clone', '-q', '--bare', folder, bare);
    git(bare, 'remote', 'set-url', 'origin', 'https://example.com/app');
    const tree = join(temporaryFolder(), 'feature');
    git(bare, 'worktree', 'add', '-q', tree);
    expect(identify(bare)).toMatchObject({ root: bare, displayName: 'app', repository: { isBare: true } });
    expect(identify(tree)).toMatchObject({
      root: tree,
      displayName: 'app',
      identity: identify(bare).identity,
      repository: { isBare: false, commonDir: bare },
    });
  });

  test('as a submodule is a project of its own', () => {
    const library = repository('library', 'library');
    const folder = repository('app', 'app');
    git(folder, 'submodule', '--quiet', 'add', library, 'vendor/library');
    const inside = identify(join(folder, 'vendor/library'));
    expect(inside).toMatchObject({ root: join(folder, 'vendor/library'), displayName: 'library' });
    expect(inside.identity).toContain(git(library, 'rev-parse', 'HEAD'));
    expect(inside.identity).not.toBe(identify(folder).identity);
  });

  test('inside another is a project of its own', () => {
    const folder = repository('outer', 'outer');
    const inner = createRepository(join(folder, 'inner'), 'inner');
    expect(identify(inner).root).toBe(inner);
    expect(identify(inner).identity).not.toBe(identify(folder).identity);
  });

  test('is the same through a symbolic link', () => {
    const folder = repository();
    const link = join(temporaryFolder(), 'link');
    symlinkSync(folder, link, 'junction');
    expect(identify(link)).toEqual(identify(folder));
  });
});

describe('without a root commit', () => {
  test('a repository without commits is identified by its git directory, and git is not run', () => {
    const folder = join(temporaryFolder(), 'empty');
    git(temporaryFolder(), 'init', '-q', folder);
    const counting = countingGit();
    const found = identifyFolder(folder, { git: counting.run });
    expect(found).toMatchObject({
      identity: `git-dir:${join(folder, '.git')}`,
      kind: 'git',
      displayName: 'empty',
    });
    expect(counting.count()).toBe(0);
  });

  test('a shallow clone is identified by its remote', () => {
    const folder = repository();
    git(folder, 'commit', '-q', '--allow-empty', '-m', 'second');
    const clone = join(temporaryFolder(), 'clone');
    git(folder, 'clone', '-q', '--depth', '1', `file://${folder}`, clone);
    git(clone, 'remote', 'set-url', 'origin', 'https://example.com/app.git');
    expect(identify(clone).identity).toBe('git::example.com/app');
  });

  test.each([
    ['is not installed', { program: '/nowhere/git' }],
    ['takes too long', { timeoutMs: 1 }],
  ])('a repository is known by its remote or its folder when git %s', (_, options) => {
    const folder = repository();
    const run = createGitRunner(process.env, options);
    expect(identifyFolder(folder, { git: run }).identity).toBe(`git-dir:${join(folder, '.git')}`);
    git(folder, 'remote', 'add', 'origin', 'https://example.com/app');
    expect(identifyFolder(folder, { git: run }).identity).toBe('git::example.com/app');
    expect(identifyFolder(folder).identity).toBe('git::example.com/app');
  });

  test('a worktree is identified by its repository even after that was moved', () => {
    const folder = repository();
    const tree = join(temporaryFolder(), 'feature');
    git(folder, 'worktree', 'add', '-q', tree);
    renameSync(folder, `${folder}-moved`);
    expect(identify(tree)).toMatchObject({ identity: `git-dir:${join(folder, '.git')}`, displayName: 'app' });
  });
});

describe('running git', () => {
  test('ignores GIT_* variables', () => {
    const folder = repository('app', 'mine');
    const other = repository('other', 'other');
    const run = createGitRunner({
      ...process.env,
      GIT_DIR: join(other, '.git'),
      GIT_OBJECT_DIRECTORY: '/nowhere',
      git_work_tree: other,
    });
    expect(identifyFolder(folder, { git: run }).identity).toBe(identify(folder).identity);
  });

  test('starts no program of the repository', () => {
    const folder = repository();
    const trap = join(temporaryFolder(), 'trap');
    const script = join(temporaryFolder(), 'trap.sh');
    writeFileSync(script, `#!/bin/sh\ntouch ${trap}\n`);
    chmodSync(script, 0o755);
    for (const key of ['core.fsmonitor', 'core.pager', 'core.sshCommand', 'core.askPass', 'gpg.program']) {
      git(folder, 'config', key, script);
    }
    git(folder, 'config', 'log.showSignature', 'true');
    writeFileSync(join(folder, '.git/hooks/post-checkout'), `#!/bin/sh\ntouch ${trap}\n`, { mode: 0o755 });
    expect(identify(folder).identity).toMatch(/^git:[0-9a-f]{40}:$/);
    expect(readdirSync(join(trap, '..'))).toEqual([]);
  });

  test('reads a repository whose owner git distrusts', () => {
    const folder = repository();
    const program = join(temporaryFolder(), 'git');
    writeFileSync(program, '#!/bin/sh\nGIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec git "$@"\n', { mode: 0o755 });
    expect(() => execFileSync(program, ['-C', folder, 'status'], { stdio: 'pipe' })).toThrow('dubious ownership');
    const found = identifyFolder(folder, { git: createGitRunner(process.env, { program }) });
    expect(found.identity).toBe(identify(folder).identity);
    expect(found.identity).toMatch(/^git:[0-9a-f]{40}:$/);
  });
});

describe('a folder without git', () => {
  test('is identified by its real path', () => {
    const folder = join(temporaryFolder(), 'Notes');
    mkdirSync(folder);
    const link = join(temporaryFolder(), 'link');
    symlinkSync(folder, link, 'junction');
    expect(identify(link)).toEqual({
      root: folder,
      mainRoot: folder,
      identity: `folder:${folder}`,
      displayName: 'Notes',
      kind: 'folder',
    });
  });

  test('has the case that it has on disk', () => {
    const folder = join(temporaryFolder(), 'Notes');
    mkdirSync(folder);
    const other = join(folder, '..', 'nOTES');
    let expected = join(folder, '..', 'nOTES');
    try {
      expected = realpathSync.native(other);
    } catch {
      // a case-sensitive file system
    }
    expect(identify(other).root).toBe(expected);
  });

  test('that no longer exists is identified by its path', () => {
    const folder = temporaryFolder();
    rmSync(folder, { recursive: true });
    expect(identify(join(folder, 'x')).identity).toBe(`folder:${join(folder, 'x')}`);
  });

  test('with a broken .git is an ordinary folder', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, '.git'));
    expect(identify(folder).kind).toBe('folder');
    rmSync(join(folder, '.git'), { recursive: true });
    writeFileSync(join(folder, '.git'), 'nonsense');
    expect(identify(folder).kind).toBe('folder');
  });

  test('must not be a file', () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    expect(() => identify(file)).toThrow(`${file} is a file`);
  });
});

test.each([
  { kind: 'commit', rootCommit: 'ab12', remote: 'host:2222/a:b' },
  { kind: 'commit', rootCommit: 'ab12' },
  { kind: 'commit', remote: 'file:/srv/app' },
  { kind: 'gitDir', path: '/a:b/.git' },
  { kind: 'folder', path: 'C:\\work' },
] as const)('identity %j can be read back', (parts) => {
  expect(parseIdentity(formatIdentity(parts))).toEqual(parts);
});

test('rejects invalid identities', () => {
  for (const text of ['', 'git:', 'git:xyz:host', 'other:1', 'git']) expect(parseIdentity(text)).toBeUndefined();
});
