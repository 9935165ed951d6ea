import { appendFileSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HistoryStore, MAX_IMAGE_BYTES } from '../../src/history/index.ts';
import { appendRecord } from '../../src/log/index.ts';
import type { Problem } from '../../src/record/index.ts';
import { temporaryFolder } from '../temp-folder.ts';

const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** A store whose clock advances by a second with each call. */
function storeIn(directory: string, onProblem?: (problem: Problem) => void): HistoryStore {
  let now = Date.parse('2025-11-18T15:30:00Z');
  return new HistoryStore(directory, {
    project: 'a7b3c2d4',
    now: () => (now += 1000),
    ...(onProblem ? { onProblem } : {}),
  });
}

describe('HistoryStore', () => {
  it('returns appended messages by session', () => {
    const store = storeIn(temporaryFolder());
    const asked = store.append({ role: 'user', content: 'Add Redis caching' });
    store.append({ role: 'assistant', content: 'Installed ioredis.' });
    const messages = store.getSessionMessages(asked.sessionId);
    expect(messages.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'Add Redis caching'],
      ['assistant', 'Installed ioredis.'],
    ]);
  });

  it('adds required fields and omits empty ones', () => {
    const directory = temporaryFolder();
    const store = storeIn(directory);
    store.append({ role: 'user', content: 'Look', files: ['src/a.ts'], filesModified: [], images: [PIXEL] });
    const line = JSON.parse(readFileSync(join(directory, 'history.jsonl'), 'utf8'));
    expect(line).toEqual({
      v: 1,
      id: expect.stringMatching(/^\d{13}-[0-9a-f]{8}$/),
      sessionId: expect.stringMatching(/^sess_\d{13}_[0-9a-f]{6}$/),
      timestamp: '2025-11-18T15:30:01.000Z',
      role: 'user',
      content: 'Look',
      files: ['src/a.ts'],
      imageRefs: [expect.stringMatching(/^[0-9a-f]{12}\.png$/)],
    });
  });

  it('keeps sessions apart', () => {
    const store = storeIn(temporaryFolder());
    const first = store.append({ role: 'user', content: 'one' }).sessionId;
    const second = store.newSession();
    store.append({ role: 'user', content: 'two' });
    expect(store.getSessionMessages(first).map(({ content }) => content)).toEqual(['one']);
    expect(store.getSessionMessages(second).map(({ content }) => content)).toEqual(['two']);
  });

  it('lists sessions by last activity with preview and count, up to the limit', () => {
    const store = storeIn(temporaryFolder());
    const first = store.append({
      role: 'user',
      content: `  A long\n request ${'on and on '.repeat(30)}`,
    }).sessionId;
    store.newSession();
    store.append({ role: 'user', content: 'two' });
    store.append({ role: 'assistant', content: 'later', sessionId: first });
    const sessions = store.listSessions();
    expect(sessions.map(({ sessionId }) => sessionId)[0]).toBe(first);
    expect(sessions[0]).toMatchObject({
      messageCount: 2,
      firstRole: 'user',
      project: 'a7b3c2d4',
      failures: 0,
    });
    expect(sessions[0]?.preview).toMatch(/^A long request on and on .{60,100}…$/);
    expect(sessions[0]?.lastActivity).toBe('2025-11-18T15:30:05.000Z');
    expect(store.listSessions(1)).toHaveLength(1);
    expect(store.listSessions(0)).toHaveLength(0);
  });

  it('counts the attempts of a session', () => {
    const directory = temporaryFolder();
    const store = storeIn(directory);
    const { sessionId } = store.append({ role: 'user', content: 'Add Redis caching' });
    const attempt = {
      v: 1,
      id: '1-a',
      sessionId,
      timestamp: '2025-11-18T16:00:00.000Z',
      tool: 'run_command',
    };
    appendRecord(join(directory, 'failures.jsonl'), {
      ...attempt,
      outcome: 'failure',
      command: 'npm install redis-node',
    });
    appendRecord(join(directory, 'failures.jsonl'), { ...attempt, outcome: 'rejected', command: 'rm -r x' });
    appendRecord(join(directory, 'successes.jsonl'), {
      ...attempt,
      outcome: 'success',
      command: 'bun add ioredis',
    });
    expect(store.listSessions()[0]).toMatchObject({
      failures: 1,
      successes: 1,
      lastActivity: '2025-11-18T16:00:00.000Z',
    });
  });

  it('reads what another instance wrote', () => {
    const directory = temporaryFolder();
    const { sessionId } = storeIn(directory).append({ role: 'user', content: 'kept' });
    expect(storeIn(directory).getSessionMessages(sessionId)).toMatchObject([{ content: 'kept' }]);
  });

  it('skips an invalid line and reports its file and line', () => {
    const directory = temporaryFolder();
    const warnings: unknown[] = [];
    const store = storeIn(directory, (warning) => warnings.push(warning));
    const { sessionId } = store.append({ role: 'user', content: 'before' });
    appendFileSync(join(directory, 'history.jsonl'), '{"v":1,"id":"cut');
    store.append({ role: 'user', content: 'after' });
    appendFileSync(join(directory, 'history.jsonl'), '{"v":99,"sessionId":"x"}\n');
    expect(store.getSessionMessages(sessionId).map(({ content }) => content)).toEqual(['before', 'after']);
    expect(warnings).toEqual([
      { path: join(directory, 'history.jsonl'), line: 2, reason: 'invalid', detail: 'not valid JSON' },
      { path: join(directory, 'history.jsonl'), line: 4, reason: 'newer', detail: 'record version 99' },
    ]);
  });

  it('returns only role, content and images for the context', () => {
    const store = storeIn(temporaryFolder());
    const { sessionId } = store.append({
      role: 'user',
      content: 'Look',
      files: ['a.ts'],
      images: [PIXEL],
      agent: 'x',
    });
    store.append({ role: 'assistant', content: 'Seen', filesModified: ['a.ts'], usage: { outputTokens: 1 } });
    expect(store.getSessionMessagesForContext(sessionId)).toEqual([
      { role: 'user', content: 'Look', images: [PIXEL] },
      { role: 'assistant', content: 'Seen' },
    ]);
  });

  it('returns an empty list for an unknown session', () => {
    const store = storeIn(temporaryFolder());
    expect(store.getSessionMessages('none')).toEqual([]);
    expect(store.getSessionMessagesForContext('none')).toEqual([]);
    expect(store.listSessions()).toEqual([]);
  });

  it('continues a loaded session, and keeps the current one when the id is unknown', () => {
    const directory = temporaryFolder();
    const { sessionId } = storeIn(directory).append({ role: 'user', content: 'first', images: [PIXEL] });
    const store = storeIn(directory);
    const loaded = store.loadSession(sessionId);
    expect(loaded.summary).toMatchObject({ sessionId, messageCount: 1 });
    expect(loaded.messages).toMatchObject([{ content: 'first', images: [PIXEL] }]);
    expect(() => store.loadSession('none')).toThrowError(
      expect.objectContaining({ code: 'NOT_FOUND', message: expect.stringContaining('yore sessions') }),
    );
    expect(store.append({ role: 'user', content: 'second' }).sessionId).toBe(sessionId);
    expect(store.newSession()).not.toBe(sessionId);
  });

  it('restores the compacted state for the context and displays everything', () => {
    const store = storeIn(temporaryFolder());
    const { sessionId } = store.append({ role: 'user', content: 'old question' });
    store.append({ role: 'assistant', content: 'old answer' });
    const kept = store.append({ role: 'user', content: 'recent question' });
    store.checkpoint(sessionId, {
      summary: '[History Summary - 2 earlier messages]\n\nOld.',
      keptFrom: kept.id,
    });
    store.append({ role: 'assistant', content: 'recent answer' });
    expect(store.getSessionMessagesForContext(sessionId).map(({ content }) => content)).toEqual([
      '[History Summary - 2 earlier messages]\n\nOld.',
      'Ok.',
      'recent question',
      'recent answer',
    ]);
    expect(store.getSessionMessages(sessionId)).toHaveLength(5);
    expect(store.listSessions()[0]?.messageCount).toBe(4);
  });

  it('restores a compacted state without a summary from the last checkpoint', () => {
    const store = storeIn(temporaryFolder());
    const { sessionId } = store.append({ role: 'user', content: 'one' });
    store.checkpoint(sessionId, { summary: 'never seen again' });
    const kept = store.append({ role: 'user', content: 'two' });
    store.checkpoint(sessionId, { summary: '', keptFrom: kept.id });
    expect(store.getSessionMessagesForContext(sessionId)).toEqual([{ role: 'user', content: 'two' }]);
  });

  it('hides the records of a deleted session up to its tombstone', () => {
    const directory = temporaryFolder();
    const store = storeIn(directory);
    const { sessionId } = store.append({ role: 'user', content: 'forget me' });
    appendRecord(join(directory, 'history.jsonl'), {
      v: 1,
      kind: 'tombstone',
      sessionId,
      timestamp: '2025-11-18T15:30:01.000Z',
    });
    expect(store.listSessions()).toEqual([]);
    store.append({ role: 'user', content: 'said later' });
    expect(store.getSessionMessages(sessionId).map(({ content }) => content)).toEqual(['said later']);
  });

  it('writes nothing while recording is off', () => {
    const directory = temporaryFolder();
    const store = new HistoryStore(directory, { project: 'p', isRecording: () => false });
    expect(store.append({ role: 'user', content: 'private', images: [PIXEL] })).toMatchObject({
      content: 'private',
    });
    expect(readdirSync(directory)).toEqual([]);
  });
});

describe('images', () => {
  it('are stored once, in private files', () => {
    const directory = temporaryFolder();
    const store = storeIn(directory);
    store.append({ role: 'user', content: 'a', images: [PIXEL, PIXEL] });
    store.append({ role: 'user', content: 'b', images: [PIXEL] });
    const files = readdirSync(join(directory, 'images'));
    expect(files).toHaveLength(1);
    expect(statSync(join(directory, 'images', files[0] ?? '')).mode & 0o777).toBe(0o600);
  });

  it('get their extension from their type, png by default', () => {
    const directory = temporaryFolder();
    const types = ['image/jpeg', 'image/gif', 'image/webp', 'image/bmp'];
    const message = storeIn(directory).append({
      role: 'user',
      content: '',
      images: types.map((type) => `data:${type};base64,AAAA`),
    });
    expect(message.imageRefs?.map((name) => name.split('.')[1])).toEqual(['jpg', 'gif', 'webp', 'png']);
  });

  it.each([
    ['six of them', Array(6).fill(PIXEL), 'LIMIT', /at most 5/],
    [
      'one over 5 MB',
      [`data:image/png;base64,${Buffer.alloc(MAX_IMAGE_BYTES + 1).toString('base64')}`],
      'LIMIT',
      /5 MB/,
    ],
    ['something else', [PIXEL, 'https://example.com/a.png'], 'USAGE', /Image 2/],
  ])('are refused with a clear error: %s', (_name, images, code, message) => {
    const directory = temporaryFolder();
    expect(() => storeIn(directory).append({ role: 'user', content: 'x', images })).toThrowError(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
    expect(readdirSync(directory)).toEqual([]);
  });

  it('that are missing are skipped with a warning, and names that point elsewhere are not followed', () => {
    const directory = temporaryFolder();
    const warnings: unknown[] = [];
    const store = storeIn(directory, (warning) => warnings.push(warning));
    const { sessionId, imageRefs } = store.append({ role: 'user', content: 'a', images: [PIXEL] });
    rmSync(join(directory, 'images', imageRefs?.[0] ?? ''));
    appendRecord(join(directory, 'history.jsonl'), {
      v: 1,
      id: '2-b',
      sessionId,
      timestamp: '2025-11-18T15:31:00.000Z',
      role: 'user',
      content: 'b',
      imageRefs: ['../history.jsonl'],
    });
    expect(store.getSessionMessages(sessionId).map(({ images }) => images)).toEqual([undefined, undefined]);
    expect(warnings).toHaveLength(2);
  });
});
