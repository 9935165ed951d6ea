import { describe, expect, it } from 'vitest';
import { parseShared } from '../../src/postgres/index.ts';
import type { Attempt, Message } from '../../src/record/index.ts';
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

/** Every field of a message, so that a new one has to be listed below. */
const FULL_MESSAGE: Required<Message> = {
  v: 1,
  id: 'm1',
  sessionId: 'one',
  timestamp: MESSAGE.timestamp,
  role: 'user',
  content: 'Read the plan',
  kind: 'title',
  keptFrom: 'm0',
  starred: true,
  tags: ['mine'],
  usage: { inputTokens: 7 },
  parentSessionId: 'zero',
  isFork: true,
  imageRefs: ['0123456789ab.png'],
  images: 3,
  files: ['a.ts'],
  filesModified: ['b.ts'],
  editResults: [{ path: 'b.ts', diff: '+1' }],
  agent: 'codex',
  model: 'large',
  branch: 'main',
  turnId: 't1',
  systemEvent: true,
  foreign: true,
  author: 'somebody else',
};
const FULL_ATTEMPT: Required<Attempt> = {
  v: 1,
  id: 'a1',
  timestamp: MESSAGE.timestamp,
  sessionId: 'one',
  outcome: 'failure',
  callId: 'c1',
  parentSessionId: 'zero',
  agent: 'codex',
  tool: 'Bash',
  command: 'make it',
  path: 'a.ts',
  args: { a: 1 },
  error: 'broken',
  result: 'done',
  exitCode: 1,
  durationMs: 5,
  context: 'Make it',
  tags: ['build'],
  branch: 'main',
  commit: { hash: '0123abcd', message: 'Make it', files: ['a.ts'] },
  testFiles: ['a.test.ts'],
  cwd: 'src',
  circumstances: ['worktree:/srv/reader/shop', 'env:CI'],
  signature: 'sh make it',
  errorSignature: 'broken',
  kind: 'missing',
  pattern: 'make it',
  description: 'It breaks',
  foreign: true,
  author: 'somebody else',
};
const READERS_MESSAGE_FIELDS = ['keptFrom', 'starred', 'tags', 'imageRefs', 'images'];
/** Records with these are not sent, and not accepted either. */
const NEVER_SHARED = ['foreign'];

const receive = (log: 'history' | 'failures', record: object) =>
  parseShared(log, JSON.stringify(record), 'member-1', 'Ana');

describe.each([
  ['history', FULL_MESSAGE, READERS_MESSAGE_FIELDS],
  ['failures', FULL_ATTEMPT, []],
] as const)('in a record of %s that a hostile client sends', (log, full, readersFields) => {
  const { foreign: _, ...own } = full;

  it.each(Object.keys(full).map((field) => [field]))(
    'the field %s is accepted only if it is for its author to say',
    (field) => {
      const received = receive(log, NEVER_SHARED.includes(field) ? full : own) as Record<string, unknown> | undefined;
      const value = full[field as keyof typeof full];
      if (NEVER_SHARED.includes(field)) expect(received).toBeUndefined();
      else if ((readersFields as readonly string[]).includes(field)) expect(received).not.toHaveProperty(field);
      else if (field === 'author') expect(received?.author).toBe('Ana');
      else if (field === 'circumstances') expect(received?.circumstances).toEqual(['worktree:.', 'env:CI']);
      else if (/sessionId/i.test(field)) expect(received?.[field]).toBe(`${value}@member-1`);
      else expect(received?.[field]).toEqual(value);
    },
  );

  it('exactly what is sent is accepted', () => {
    const { author: _author, ...mine } = own;
    const sent = toSharedRecord(log, JSON.stringify(mine), 'messages')?.record;
    if (sent === undefined) throw new Error('nothing is sent');
    const { sessionId, parentSessionId, ...rest } = sent;
    expect(receive(log, own)).toEqual({
      ...rest,
      sessionId: `${sessionId}@member-1`,
      parentSessionId: `${parentSessionId}@member-1`,
      author: 'Ana',
    });
  });
});

describe.each([
  ['a message', 'history', MESSAGE, true],
  ['a title', 'history', { ...MESSAGE, kind: 'title' }, true],
  ['labels without a title', 'history', { ...MESSAGE, kind: 'title', content: '', starred: true }, false],
  ['the summary of a compaction', 'history', { ...MESSAGE, kind: 'checkpoint' }, false],
  ['a tombstone', 'history', { v: 1, kind: 'tombstone', sessionId: 'one', timestamp: MESSAGE.timestamp }, false],
  ["a message of yore's chat", 'history', { ...MESSAGE, agent: 'yore' }, false],
  ["a call of yore's chat", 'failures', { ...ATTEMPT, agent: 'yore' }, false],
  ['a failure', 'failures', ATTEMPT, true],
  ['a note', 'failures', { ...ATTEMPT, kind: 'note', pattern: 'Avoid it' }, true],
  ['feedback', 'failures', { ...ATTEMPT, kind: 'feedback' }, true],
  ['a record of another log', 'failures', MESSAGE, false],
] as const)('%s', (_name, log, record, isShared) => {
  it(`is ${isShared ? 'sent and accepted' : 'neither sent nor accepted'}`, () => {
    expect(toSharedRecord(log, JSON.stringify(record), 'messages') !== undefined).toBe(isShared);
    expect(receive(log, record) !== undefined).toBe(isShared);
  });
});
