import { describe, expect, it } from 'vitest';
import { projectKey, toSharedRecord } from '../../src/team/shared-records.ts';

const ATTEMPT = {
  v: 1,
  id: 'a1',
  sessionId: 'one',
  timestamp: '2026-03-02T10:00:00.000Z',
  outcome: 'failure',
  tool: 'Bash',
  command: 'cat /srv/work/shop/a.txt',
  error: 'cat: /srv/work/shop/a.txt: No such file',
  context: 'Read the secret plan',
  circumstances: ['worktree:/srv/work/shop'],
};
const MESSAGE = {
  v: 1,
  id: 'm1',
  sessionId: 'one',
  timestamp: '2026-03-02T10:00:00.000Z',
  role: 'user',
  content: 'Read the plan',
  imageRefs: ['0123456789ab.png'],
};

const share = (log: 'history' | 'failures', record: object, level: 'nothing' | 'attempts' | 'messages') =>
  toSharedRecord(log, JSON.stringify(record), level)?.record;

describe('what is shared of a record', () => {
  it('is nothing by default', () => {
    expect(share('failures', ATTEMPT, 'nothing')).toBeUndefined();
    expect(share('history', MESSAGE, 'nothing')).toBeUndefined();
  });

  it('is an attempt without the request it served, and without the place of the checkout', () => {
    const shared = share('failures', ATTEMPT, 'attempts');
    expect(shared).toMatchObject({ command: 'cat a.txt', error: 'cat: a.txt: No such file' });
    expect(JSON.stringify(shared)).not.toMatch(/secret plan|\/srv\/work/);
    expect(share('history', MESSAGE, 'attempts')).toBeUndefined();
    expect(share('failures', { ...ATTEMPT, kind: 'feedback' }, 'attempts')).toBeUndefined();
  });

  it('is a message without its images', () => {
    expect(share('history', MESSAGE, 'messages')).toEqual(
      expect.not.objectContaining({ imageRefs: expect.anything() }),
    );
    expect(share('history', MESSAGE, 'messages')).toMatchObject({ content: 'Read the plan' });
    expect(share('failures', ATTEMPT, 'messages')).toMatchObject({ context: 'Read the secret plan' });
  });

  it('is the title of a session, but neither its star nor its tags', () => {
    const title = { ...MESSAGE, kind: 'title', content: 'The plan', starred: true, tags: ['later'] };
    const shared = share('history', title, 'messages');
    expect(shared).toMatchObject({ kind: 'title', content: 'The plan' });
    expect(JSON.stringify(shared)).not.toMatch(/starred|later/);
    expect(share('history', { ...title, content: '' }, 'messages')).toBeUndefined();
  });

  it('is redacted again', () => {
    const token = ['ghp_R8xq2LmV7t', 'Yc4ZpK1nWs', '9BdF3hJg6Q', 'aUe0Xo'].join('');
    const shared = share('history', { ...MESSAGE, content: `Use ${token} there` }, 'messages');
    expect(JSON.stringify(shared)).not.toContain(token);
  });

  it.each([
    ['foreign', { ...MESSAGE, foreign: true }],
    ["a colleague's", { ...MESSAGE, author: 'member-000000' }],
    ["said in yore's chat", { ...MESSAGE, agent: 'yore' }],
    ['the summary of a compaction', { ...MESSAGE, kind: 'checkpoint' }],
    ['a tombstone', { v: 1, kind: 'tombstone', sessionId: 'one', timestamp: MESSAGE.timestamp }],
    ['of a newer version', { ...MESSAGE, v: 99 }],
  ])('is nothing of what is %s', (_name, record) => {
    expect(share('history', record, 'messages')).toBeUndefined();
  });
});

describe('the key of a project in its team', () => {
  it('is the same for every clone, also a shallow one, and differs between teams and repositories', () => {
    const full = { identity: 'git:0123abcd:git.example.org/acme/shop' };
    const shallow = { identity: 'git::git.example.org/acme/shop' };
    expect(projectKey('t1', full)).toBe(projectKey('t1', shallow));
    expect(projectKey('t1', full)).not.toBe(projectKey('t2', full));
    expect(projectKey('t1', full)).not.toBe(projectKey('t1', { identity: 'git:0123abcd:git.example.org/acme/other' }));
    expect(projectKey('t1', full)).toMatch(/^[0-9a-f]{32}$/);
  });

  it('needs a repository or a name', () => {
    const folder = { identity: 'folder:/srv/notes' };
    expect(projectKey('t1', folder)).toBeUndefined();
    expect(projectKey('t1', folder, 'notes')).toBe(projectKey('t1', { identity: 'git-dir:/x' }, 'notes'));
  });
});
