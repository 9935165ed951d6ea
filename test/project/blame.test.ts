import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type FileBlame, type Home, openHome, type Project } from '../../src/project/index.ts';
import { temporaryFolder } from '../temp-folder.ts';

const START = Date.parse('2026-05-18T09:00:00.000Z');
const MINUTE = 60_000;

/** A git repository, the project of it, and a clock. */
class Repository {
  readonly folder: string = temporaryFolder();
  readonly root: string = join(this.folder, 'shop');
  readonly home: Home;
  readonly project: Project;
  now: number = START;

  constructor({ git = true } = {}) {
    mkdirSync(this.root);
    if (git) this.git('init', '--quiet', '--initial-branch=main');
    this.home = openHome({ home: join(this.folder, 'home'), env: { PATH: process.env.PATH }, now: () => this.now });
    onTestFinished(() => this.home.close());
    this.project = this.home.openProject(this.root);
  }

  git(...args: readonly string[]): string {
    const date = new Date(this.now).toISOString();
    return execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], {
      cwd: this.root,
      env: { PATH: process.env.PATH ?? '', HOME: this.folder, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
      encoding: 'utf8',
    });
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), text);
  }

  /** An agent replaces a part of a file, or writes it, in a session. */
  edit(
    session: string,
    request: string,
    path: string,
    { before = '', after }: { before?: string; after: string },
  ): void {
    this.now += MINUTE;
    const call = { sessionId: session, agent: 'claude-code', context: request, outcome: 'success' } as const;
    const args = before === '' ? { content: after } : { old_string: before, new_string: after };
    this.project.record({ ...call, tool: before === '' ? 'Write' : 'Edit', path, args });
  }

  /** The user commits, or an agent in a session does. */
  commit(message: string, session?: string): string {
    this.now += MINUTE;
    this.git('add', '--all');
    const output = this.git('commit', '--message', message);
    const command = `git commit -m "${message}"`;
    if (session !== undefined) {
      const call = { sessionId: session, agent: 'codex', context: 'Commit it', tool: 'shell', command } as const;
      this.project.record({ ...call, outcome: 'success', result: output });
    }
    return this.git('rev-parse', 'HEAD').trim();
  }

  blame(path: string): FileBlame {
    return this.home.files.blame(this.project.info.projectHash, this.root, path);
  }
}

/** For each range: its lines, the session and request, the subject of the commit, and how it is known. */
function summary({ ranges }: FileBlame): readonly string[] {
  return ranges.map(({ from, to, change, commit, basis }) => {
    const origin = change === undefined ? 'nobody' : `${change.sessionId} "${change.request}" by ${basis}`;
    return `${from}-${to} ${origin}, ${commit?.subject ?? 'not committed'}`;
  });
}

const CACHE = 'export function cache() {\n  return new Map();\n}\n';

describe('blame', () => {
  it('names the session and request that wrote each line, from the commit and from recorded text', () => {
    const repository = new Repository();
    repository.write('src/cache.ts', CACHE);
    repository.edit('s1', 'Add a cache', 'src/cache.ts', { after: CACHE });
    const first = repository.commit('Add a cache');
    repository.write('src/cache.ts', CACHE.replace('new Map()', 'new LimitedMap(100)'));
    repository.edit('s2', 'Limit the cache', 'src/cache.ts', { before: 'new Map()', after: 'new LimitedMap(100)' });
    repository.edit('s2', 'Limit the cache', 'src/cache.ts', {
      before: '  return new Map();',
      after: '  return new LimitedMap(100);',
    });
    const second = repository.commit('Limit the cache');
    const blame = repository.blame('src/cache.ts');
    expect(summary(blame)).toEqual([
      '1-1 s1 "Add a cache" by text, Add a cache',
      '2-2 s2 "Limit the cache" by text, Limit the cache',
      '3-3 s1 "Add a cache" by text, Add a cache',
    ]);
    expect(blame.ranges.map(({ commit }) => commit?.hash)).toEqual([first, second, first]);
    expect(blame).toMatchObject({ hasGit: true, lines: ['export function cache() {', expect.anything(), '}'] });
  });

  it('knows uncommitted lines by their text, and says when nobody is recorded', () => {
    const repository = new Repository();
    repository.write('notes.md', 'Written by hand\n');
    repository.commit('Notes');
    repository.edit('s1', 'Explain the cache', 'notes.md', { before: 'x', after: 'The cache holds 100 entries' });
    repository.write('notes.md', 'Written by hand\nThe cache holds 100 entries\nAlso by hand\n');
    expect(summary(repository.blame('notes.md'))).toEqual([
      '1-1 nobody, Notes',
      '2-2 s1 "Explain the cache" by text, not committed',
      '3-3 nobody, not committed',
    ]);
  });

  it('takes the session that made the commit where no recorded text matches', () => {
    const repository = new Repository();
    repository.write('generated.txt', 'line from a generator\n');
    repository.commit('Generate', 's7');
    expect(summary(repository.blame('generated.txt'))).toEqual(['1-1 s7 "Commit it" by commit, Generate']);
    const [range] = repository.blame('generated.txt').ranges;
    const found = repository.home.files.commits(repository.project.info.projectHash, range?.commit?.hash ?? '');
    expect(found.map(({ sessionId }) => sessionId)).toEqual(['s7']);
  });

  it('works without git', () => {
    const repository = new Repository({ git: false });
    repository.write('a.txt', 'first line\nsecond line\n');
    repository.edit('s1', 'Write a file', 'a.txt', { after: 'first line\n' });
    const blame = repository.blame('a.txt');
    expect(summary(blame)).toEqual(['1-1 s1 "Write a file" by text, not committed', '2-2 nobody, not committed']);
    expect(blame.hasGit).toBe(false);
  });

  it('starts no program that the repository configures', () => {
    const repository = new Repository();
    const marker = join(repository.folder, 'started');
    const program = join(repository.folder, 'program.sh');
    writeFileSync(program, `#!/bin/sh\ntouch '${marker}'\ncat\n`);
    chmodSync(program, 0o755);
    repository.write('a.txt', 'one line\n');
    repository.write('.gitattributes', '*.txt diff=evil filter=evil\n');
    repository.commit('Add');
    for (const key of [
      'core.pager',
      'core.fsmonitor',
      'core.editor',
      'diff.external',
      'diff.evil.textconv',
      'diff.evil.command',
      'filter.evil.clean',
      'filter.evil.smudge',
      'filter.evil.process',
      'gpg.program',
      'pager.blame',
    ])
      repository.git('config', key, program);
    repository.git('config', 'blame.ignoreRevsFile', '/does/not/exist');
    repository.git('config', 'log.showSignature', 'true');
    repository.write('a.txt', 'one line\nchanged\n');
    expect(summary(repository.blame('a.txt'))).toEqual(['1-1 nobody, Add', '2-2 nobody, not committed']);
    expect(existsSync(marker)).toBe(false);
  });

  it('reads no file outside of the checkout', () => {
    const repository = new Repository();
    writeFileSync(join(repository.folder, 'secret.txt'), 'secret');
    symlinkSync(join(repository.folder, 'secret.txt'), join(repository.root, 'link.txt'));
    for (const path of ['../secret.txt', join(repository.folder, 'secret.txt'), 'link.txt', 'missing.txt', '.'])
      expect(() => repository.blame(path)).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
  });

  it('masks secrets of the file', () => {
    const repository = new Repository();
    repository.write('.env', 'API_KEY=sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789\n');
    expect(repository.blame('.env').lines.join('')).not.toContain('abcdefghijklmnop');
  });
});

describe('the files of a project', () => {
  it('are listed with how often and by how many sessions they were changed', () => {
    const repository = new Repository({ git: false });
    repository.edit('s1', 'One', 'src/a.ts', { after: 'a' });
    repository.edit('s2', 'Two', 'src/a.ts', { before: 'a', after: 'b' });
    repository.edit('s2', 'Two', 'src/a.ts', { before: 'b', after: 'c' });
    repository.edit('s2', 'Two', 'docs/b.md', { after: 'b' });
    const { files } = repository.home;
    const project = repository.project.info.projectHash;
    const list = (options: object = {}) => {
      const found = files.list({ project, ...options });
      return found.files.map(({ path, sessions, changes }) => `${path} ${sessions} ${changes}`);
    };
    expect(list()).toEqual(['docs/b.md 1 1', 'src/a.ts 2 3']);
    expect(list({ order: 'changes' })).toEqual(['src/a.ts 2 3', 'docs/b.md 1 1']);
    expect(list({ query: 'SRC' })).toEqual(['src/a.ts 2 3']);
    expect(files.list({ project, limit: 1 })).toMatchObject({ total: 2, files: [{ path: 'docs/b.md' }] });
    expect(files.list({ project: 'deadbeef' })).toEqual({ files: [], total: 0 });
  });

  it('have their changes, the latest first, with request and diff', () => {
    const repository = new Repository({ git: false });
    repository.edit('s1', 'One', 'src/a.ts', { after: 'first' });
    repository.edit('s2', 'Two', 'src/a.ts', { before: 'first', after: 'second' });
    repository.project.history.append({
      sessionId: 's2',
      role: 'assistant',
      content: 'Done',
      filesModified: ['src/a.ts'],
    });
    repository.now += MINUTE;
    repository.project.history.append({
      sessionId: 's3',
      role: 'assistant',
      content: 'Done',
      agent: 'aider',
      editResults: [{ path: 'src/a.ts', diff: '-second\n+third' }],
    });
    const project = repository.project.info.projectHash;
    const found = repository.home.files.changes(project, 'src/a.ts');
    expect(found).toMatchObject({ total: 3, sessions: 3 });
    expect(found.changes).toMatchObject([
      { sessionId: 's3', agent: 'aider', added: 1, removed: 1 },
      { sessionId: 's2', request: 'Two', hunks: [{ lines: [{ text: 'first' }, { text: 'second' }] }] },
      { sessionId: 's1', request: 'One', change: 'created', added: 1 },
    ]);
    expect(repository.home.files.changes(project, 'src/a.ts', { limit: 1, offset: 1 }).changes).toMatchObject([
      { sessionId: 's2' },
    ]);
    repository.home.forgetSession(repository.project, 's1');
    expect(repository.home.files.changes(project, 'src/a.ts').sessions).toBe(2);
  });
});
