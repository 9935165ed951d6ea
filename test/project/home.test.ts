import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Home, openHome, type Project } from '../../src/project/index.ts';
import { temporaryFolder } from '../temp-folder.ts';

interface Place {
  readonly home: Home;
  readonly project: Project;
  readonly path: string;
  readonly folder: string;
}

function place(): Place {
  const root = temporaryFolder();
  const path = join(root, 'home');
  const folder = join(root, 'my-app');
  mkdirSync(folder);
  let now = Date.parse('2025-11-18T15:30:00Z');
  // The clock advances by a second with each call.
  const home = openHome({ home: path, now: () => (now += 1000) });
  onTestFinished(() => home.close());
  return { home, project: home.openProject(folder), path, folder };
}

/** All bytes of all files under a folder. */
function everything(folder: string): Buffer {
  return Buffer.concat(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder, name))
      .filter((file) => statSync(file).isFile())
      .map((file) => readFileSync(file)),
  );
}

const PIXEL = `data:image/png;base64,${Buffer.from('not really a picture').toString('base64')}`;

describe('a home', () => {
  it('creates nothing until something is recorded', () => {
    const path = join(temporaryFolder(), 'home');
    const home = openHome({ home: path });
    expect(home.projects()).toEqual([]);
    expect(home.findProject(process.cwd())).toBeUndefined();
    expect(home.search({ text: 'anything' }).hits).toEqual([]);
    expect(home.listSessions().sessions).toEqual([]);
    expect(home.status()).toMatchObject({ sessions: 0, messages: 0, indexState: 'missing' });
    expect(home.check().every(({ ok }) => ok)).toBe(true);
    home.close();
    expect(existsSync(path)).toBe(false);
  });

  it('is the private folder that YORE_HOME names', () => {
    const root = temporaryFolder();
    const home = openHome({ env: { YORE_HOME: join(root, 'elsewhere') } });
    home.openProject(root).history.append({ role: 'user', content: 'hello' });
    home.close();
    expect(statSync(join(root, 'elsewhere')).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(home.path, { recursive: true, encoding: 'utf8' })) {
      const found = statSync(join(home.path, name));
      expect([name, found.mode & 0o777]).toEqual([name, found.isDirectory() ? 0o700 : 0o600]);
    }
  });

  it('that is a file is refused and left unchanged', () => {
    const path = join(temporaryFolder(), 'home');
    writeFileSync(path, 'mine');
    expect(() => openHome({ home: path })).toThrowError(
      expect.objectContaining({
        code: 'STORAGE',
        message: expect.stringMatching(/is a file.*Move or delete the file/),
      }),
    );
    expect(readFileSync(path, 'utf8')).toBe('mine');
  });

  it('with an invalid setting is refused with the key and the file', () => {
    const path = temporaryFolder();
    writeFileSync(join(path, 'config.json'), '{"retrieval":{"minConfidense":1}}');
    expect(() => openHome({ home: path })).toThrowError(
      expect.objectContaining({
        code: 'CONFIG',
        message: expect.stringMatching(/minConfidense.*config\.json/s),
      }),
    );
  });

  it('of another user is refused', () => {
    const path = temporaryFolder();
    // Only root can change the owner of a folder; for other users, a system folder belongs to another user.
    const isRoot = process.getuid?.() === 0;
    if (isRoot) chownSync(path, 65534, 65534);
    expect(() => openHome({ home: isRoot ? path : '/' })).toThrowError(
      expect.objectContaining({
        code: 'NOT_OWNED',
        message: expect.stringMatching(/another user.*YORE_HOME/),
      }),
    );
  });

  it('finds messages and attempts and shows their session', () => {
    const { home, project } = place();
    const { sessionId } = project.history.append({
      role: 'user',
      content: 'Add Redis caching',
      agent: 'codex',
    });
    project.record({
      sessionId,
      outcome: 'failure',
      tool: 'run_command',
      command: 'npm install redis-node',
      error: 'Package not found',
    });
    project.record({ sessionId, outcome: 'success', tool: 'run_command', command: 'bun add ioredis' });
    project.history.append({ role: 'assistant', content: 'ioredis works.' });

    const { hits, sessions, source } = home.search({ text: 'redis-node' });
    expect(source).toBe('index');
    expect(hits).toMatchObject([{ kind: 'attempt', sessionId, outcome: 'failure', match: 'literal' }]);
    expect(sessions).toHaveLength(1);
    expect(home.search({ text: 'IOREDIS', role: 'assistant' }).hits).toMatchObject([
      { kind: 'message', role: 'assistant' },
    ]);
    expect(home.search({ text: '' }).hits).toEqual([]);

    const view = project.session(sessionId);
    expect(view.records.map((entry) => ('role' in entry ? entry.content : entry.command))).toEqual([
      'Add Redis caching',
      'npm install redis-node',
      'bun add ioredis',
      'ioredis works.',
    ]);
    expect(view.summary).toMatchObject({ messageCount: 2, failures: 1, successes: 1, agent: 'codex' });
    expect(home.status(project)).toMatchObject({
      sessions: 1,
      messages: 2,
      failures: 1,
      successes: 1,
      indexState: 'ready',
    });
    expect(home.listSessions()).toMatchObject({
      total: 1,
      sessions: [{ sessionId, project: project.info.projectHash }],
    });
    expect(project.history.listSessions()).toEqual(home.listSessions().sessions);
  });

  it('finds a session by the prefix of its id, and reports no match or several', () => {
    const { home, project } = place();
    for (const id of ['abc-1', 'abc-2', 'abc']) project.history.append({ role: 'user', content: id, sessionId: id });
    expect(home.findSession('abc-1').sessionId).toBe('abc-1');
    expect(home.findSession('abc').sessionId).toBe('abc');
    expect(() => home.findSession('ab')).toThrowError(
      expect.objectContaining({ code: 'USAGE', message: expect.stringContaining('abc-2') }),
    );
    for (const none of ['x', '']) {
      expect(() => home.findSession(none)).toThrowError(
        expect.objectContaining({ code: 'NOT_FOUND', message: expect.stringContaining('yore sessions') }),
      );
    }
  });

  it('finds projects by id, prefix of an id, or name', () => {
    const { home, project } = place();
    project.history.append({ role: 'user', content: 'x' });
    const { projectHash } = project.info;
    for (const name of [projectHash, projectHash.slice(0, 4), 'my-app'])
      expect(home.findProjectByName(name).info.projectHash).toBe(projectHash);
    expect(() => home.findProjectByName('other')).toThrowError(
      expect.objectContaining({ code: 'NOT_FOUND', message: expect.stringContaining('my-app') }),
    );
  });

  it('records nothing while recording is paused in the project or everywhere', () => {
    const { home, project, path, folder } = place();
    project.setRecording(false);
    expect(project.record({ sessionId: 's', outcome: 'success' })).toBeUndefined();
    project.history.append({ role: 'user', content: 'quiet' });
    project.setRecording(true);
    home.setRecording(false);
    const again = openHome({ home: path }).openProject(folder);
    again.history.append({ role: 'user', content: 'quiet' });
    expect(everything(path).includes('quiet')).toBe(false);
  });

  it('returns what it can read and warns of records of a newer version', () => {
    const { home, project } = place();
    const { sessionId } = project.history.append({ role: 'user', content: 'readable words' });
    const log = join(project.directory, 'history.jsonl');
    appendFileSync(log, `{"v":2,"id":"1-a","sessionId":"${sessionId}","whatever":true}\n`);
    const before = readFileSync(log);
    expect(home.search({ text: 'readable' })).toMatchObject({
      hits: [{ sessionId }],
      warnings: [{ code: 'newer' }],
    });
    expect(home.listSessions().warnings).toMatchObject([
      { code: 'newer', message: expect.stringMatching(/line 2.*Upgrade yore/) },
    ]);
    expect(home.check().filter(({ ok }) => !ok)).toMatchObject([{ area: 'logs', code: 'NEWER_VERSION' }]);
    expect(readFileSync(log)).toEqual(before);
  });

  it('reports a damaged index, which a search repairs', () => {
    const { home, project, path } = place();
    project.history.append({ role: 'user', content: 'still here' });
    home.search({ text: 'here' });
    home.close();
    for (const name of readdirSync(path).filter((file) => file.startsWith('store-'))) {
      writeFileSync(join(path, name), 'this is not a database '.repeat(400));
    }
    const again = openHome({ home: path });
    onTestFinished(() => again.close());
    expect(again.check().find(({ area }) => area === 'index')).toMatchObject({
      ok: false,
      fix: 'yore reindex',
    });
    expect(again.status()).toMatchObject({ messages: 1, indexState: 'corrupt' });
    expect(again.search({ text: 'still' })).toMatchObject({
      hits: [{ kind: 'message' }],
      warnings: [{ code: 'rebuilt' }],
    });
    expect(again.status()).toMatchObject({ indexState: 'ready' });
  });
});

describe('forgetting', () => {
  it('a session removes every byte of it, keeps all others, and is permanent', () => {
    const { home, project, path } = place();
    const deleted = project.history.append({ role: 'user', content: 'the xylophone plan', images: [PIXEL] });
    project.record({ sessionId: deleted.sessionId, outcome: 'failure', command: 'play xylophone' });
    home.prompts.upsert('the xylophone plan', project.info.projectHash);
    home.prompts.upsert('another plan', project.info.projectHash);
    project.history.newSession();
    const kept = project.history.append({ role: 'user', content: 'another plan' });
    appendFileSync(join(project.directory, 'history.jsonl'), `{"torn":"xylophone","sessionId":"${deleted.sessionId}`);
    home.search({ text: 'xylophone' });

    expect(home.forgetSession(project, deleted.sessionId)).toMatchObject({
      sessions: 1,
      messages: 1,
      attempts: 1,
      images: 1,
      prompts: 1,
    });
    expect(home.search({ text: 'xylophone' }).hits).toEqual([]);
    expect(home.search({ text: 'plan' }).hits).toMatchObject([{ sessionId: kept.sessionId }]);
    expect(home.listSessions().sessions.map(({ sessionId }) => sessionId)).toEqual([kept.sessionId]);
    expect(home.prompts.list().map(({ text }) => text)).toEqual(['another plan']);
    expect(readdirSync(join(project.directory, 'images'))).toEqual([]);
    home.close();
    expect(everything(path).includes('xylophone')).toBe(false);
    expect(everything(path).includes('not really a picture')).toBe(false);

    project.history.append({
      role: 'user',
      content: 'imported again',
      sessionId: deleted.sessionId,
      timestamp: deleted.timestamp,
    });
    expect(home.search({ text: 'imported' }).hits).toEqual([]);
    expect(project.history.getSessionMessages(deleted.sessionId)).toEqual([]);
    project.history.append({ role: 'user', content: 'said later', sessionId: deleted.sessionId });
    expect(home.search({ text: 'later' }).hits).toHaveLength(1);
    expect(() => home.forgetSession(project, 'none')).toThrowError(expect.objectContaining({ code: 'NOT_FOUND' }));
  });

  it('a project removes every byte of its sessions and the project from the list', () => {
    const { home, project, path } = place();
    const { sessionId } = project.history.append({ role: 'user', content: 'xylophone one' });
    project.history.newSession();
    project.history.append({ role: 'user', content: 'xylophone two' });
    project.record({ sessionId, outcome: 'success', command: 'xylophone' });
    expect(home.forgetProject(project)).toMatchObject({ sessions: 2, messages: 2, attempts: 1 });
    expect(home.projects()).toEqual([]);
    home.close();
    expect(everything(path).includes('xylophone')).toBe(false);
  });

  it('keeps an image that another session uses, and records of a newer version', () => {
    const { home, project } = place();
    const deleted = project.history.append({ role: 'user', content: 'one', images: [PIXEL] });
    project.history.newSession();
    const kept = project.history.append({ role: 'user', content: 'two', images: [PIXEL] });
    appendFileSync(
      join(project.directory, 'history.jsonl'),
      '{"v":9,"sessionId":"future","content":"kept as it is"}\n',
    );
    expect(home.forgetSession(project, deleted.sessionId)).toMatchObject({ images: 0 });
    expect(project.history.getSessionMessages(kept.sessionId)).toMatchObject([{ images: [PIXEL] }]);
    expect(everything(project.directory).includes('"content":"kept as it is"')).toBe(true);
  });
});
