import {
  appendFileSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rewriteSegment, rotate } from '../../src/log/index.ts';
import { SearchIndex } from '../../src/search/index.ts';
import { testHome, timeOf } from './home.ts';

describe('catching up', () => {
  it('reads what is new, and nothing twice', () => {
    const { say, catchUp, find } = testHome();
    const first = say('one redis', 'two redis');
    expect(catchUp()).toEqual({ bytesRead: first.length, documents: 2, complete: true });
    expect(catchUp()).toEqual({ bytesRead: 0, documents: 0, complete: true });
    const second = say('three redis');
    expect(catchUp()).toEqual({ bytesRead: second.length, documents: 1, complete: true });
    expect(find('redis')).toHaveLength(3);
  });

  it('does not read again what another process indexed', () => {
    const { say, catchUp, find, home, sources } = testHome();
    say('one');
    catchUp();
    say('two');
    const other = SearchIndex.open(home);
    expect(other.catchUp(sources).documents).toBe(1);
    other.close();
    expect(catchUp()).toEqual({ bytesRead: 0, documents: 0, complete: true });
    expect(find('two')).toEqual(['two']);
  });

  it('reports its progress', () => {
    const { say, index, sources } = testHome();
    const written = say('one', 'two');
    const seen: (readonly [number, number])[] = [];
    index.catchUp(sources, { onProgress: (done, total) => seen.push([done, total]) });
    expect(seen.at(-1)).toEqual([written.length, written.length]);
  });

  it('recognises a segment that was renamed when it was closed', () => {
    const { say, catchUp, find, sources } = testHome();
    say('old message');
    catchUp();
    rotate(sources[0]?.directory ?? '', 'history');
    const added = say('new message');
    expect(catchUp().bytesRead).toBe(added.length);
    expect(find('message')).toEqual(['new message', 'old message']);
  });

  it('keeps the counts of a session when one log is rewritten while another is renamed', () => {
    const { say, catchUp, index, sources } = testHome();
    const directory = sources[0]?.directory ?? '';
    say('a message that stays');
    const failure = {
      v: 1,
      id: 'f1',
      sessionId: 's1',
      timestamp: timeOf(1),
      outcome: 'failure',
      command: 'gone',
    };
    appendFileSync(join(directory, 'failures.jsonl'), `${JSON.stringify(failure)}\n`);
    catchUp();
    const before = index.counts();
    for (const log of ['history', 'failures'] as const) rotate(directory, log);
    rewriteSegment(join(directory, 'failures-1.jsonl'), () => true);
    catchUp();
    expect(index.counts()).toMatchObject({ messages: before?.messages, failures: 0 });
  });

  it('recognises a file that was restored from a copy', () => {
    const { say, catchUp, find, log } = testHome();
    say('kept message');
    catchUp();
    copyFileSync(log(), `${log()}.copy`);
    rmSync(log());
    renameSync(`${log()}.copy`, log());
    expect(catchUp().bytesRead).toBe(0);
    expect(find('message')).toEqual(['kept message']);
  });

  it('recognises the logs of a home that was copied to another folder', () => {
    const { say, write, catchUp, sources, index, home } = testHome();
    say('old message');
    rotate(sources[0]?.directory ?? '', 'history');
    say('kept message');
    write({ outcome: 'failure', command: 'gone' }, 'failures');
    catchUp();
    const copy = join(home, 'copy');
    cpSync(sources[0]?.directory ?? '', copy, { recursive: true });
    const moved = [{ id: 'p1', directory: copy }];
    expect(index.catchUp(moved)).toEqual({ bytesRead: 0, documents: 0, complete: true });
    const texts = index.search({ text: 'message' }).hits.map((hit) => hit.snippet.text);
    expect(texts.toSorted()).toEqual(['kept message', 'old message']);
  });

  it('removes what was truncated and continues', () => {
    const { say, catchUp, find, log } = testHome();
    const kept = say('first message');
    say('second message');
    catchUp();
    truncateSync(log(), kept.length);
    expect(find('message')).toEqual(['first message']);
    say('third message');
    expect(find('message')).toEqual(['third message', 'first message']);
  });

  it('notices a file that was replaced by one of the same size and mtime', () => {
    const { say, catchUp, find, log } = testHome();
    say('aaaa redis');
    catchUp();
    const time = new Date();
    writeFileSync(log(), readFileSync(log(), 'utf8').replace('aaaa', 'bbbb'));
    utimesSync(log(), time, time);
    expect(find('redis')).toEqual(['bbbb redis']);
  });

  it('reads only the rewritten segment again', () => {
    const { say, write, catchUp, find, index, sources } = testHome();
    const directory = sources[0]?.directory ?? '';
    say('first redis');
    write({ role: 'user', content: 'secret redis', sessionId: 'gone' });
    rotate(directory, 'history');
    say('second redis');
    catchUp();
    rewriteSegment(join(directory, 'history-1.jsonl'), (text) => text.includes('"gone"'));
    const again = readFileSync(join(directory, 'history-1.jsonl')).length;
    expect(catchUp().bytesRead).toBe(again);
    expect(index.search({ text: 'redis' }).hits).toHaveLength(2);
    expect(catchUp().bytesRead).toBe(0);
    expect(find('secret')).toEqual([]);
  });

  it('removes the records of deleted files and projects', () => {
    const { say, write, catchUp, find, log, index } = testHome();
    say('kept redis');
    write({ outcome: 'failure', command: 'redis-cli ping' }, 'failures');
    catchUp();
    rmSync(log('failures'));
    expect(find('redis')).toEqual(['kept redis']);
    expect(index.counts()).toMatchObject({ sessions: 1, messages: 1, failures: 0 });
    rmSync(log());
    expect(find('redis')).toEqual([]);
    expect(index.listSessions().total).toBe(0);
  });

  it('indexes a complete record without a line break and checks it again later', () => {
    const { say, catchUp, find, log } = testHome();
    const written = say('torn message');
    truncateSync(log(), written.length - 1);
    expect(find('torn')).toEqual(['torn message']);
    appendFileSync(log(), '\n');
    say('next message');
    expect(find('message')).toEqual(['next message', 'torn message']);
    truncateSync(log(), readFileSync(log()).length - 1);
    catchUp();
    // Now the last line is no record any more.
    appendFileSync(log(), 'garbage\n');
    expect(find('message')).toEqual(['torn message']);
  });

  it('ignores a torn line until it is ended', () => {
    const { say, catchUp, find, log, index } = testHome();
    const written = say('half a message');
    truncateSync(log(), written.length - 10);
    expect(catchUp().documents).toBe(0);
    expect(index.diagnostics()).toEqual([]);
    appendFileSync(log(), '\n');
    say('whole message');
    expect(find('message')).toEqual(['whole message']);
    expect(index.diagnostics()).toMatchObject([{ code: 'invalid', message: expect.stringContaining('line 1') }]);
  });

  it('skips unusable lines and reports them', () => {
    const { say, catchUp, log, index } = testHome();
    say('one');
    appendFileSync(log(), 'not json\n\n{"v":99,"sessionId":"s1"}\n');
    say('two');
    catchUp();
    expect(index.problems()).toEqual([
      { path: log(), line: 2, reason: 'invalid', detail: expect.any(String) },
      { path: log(), line: 4, reason: 'newer', detail: 'record version 99' },
    ]);
    expect(index.search({ text: 'two' }).warnings.map(({ code }) => code)).toEqual(['invalid', 'newer']);
  });

  it('keeps the order of the log within one second', () => {
    const { write, catchUp, index } = testHome();
    for (let n = 0; n < 200; n++) {
      write({ id: `same-${n}`, role: 'user', content: 'redis', timestamp: timeOf(0) });
      if (n % 50 === 0) catchUp();
    }
    catchUp();
    const until = timeOf(0);
    expect(index.search({ text: 'redis', limit: 500, until, since: until }).hits).toHaveLength(200);
    expect(index.search({ text: 'redis', limit: 500, since: timeOf(1) }).hits).toEqual([]);
  });

  it('accepts dates of any age', () => {
    const { write, find } = testHome();
    for (const timestamp of ['1969-12-31T00:00:00Z', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z']) {
      write({ role: 'user', content: `redis ${timestamp}`, timestamp });
    }
    expect(find('redis')).toHaveLength(3);
  });
});

describe('a tombstone', () => {
  it('hides a session up to its time, in all logs and whenever its records arrive', () => {
    const { write, find, index } = testHome();
    write({ role: 'user', content: 'before redis', sessionId: 'x', timestamp: timeOf(1) });
    write({ outcome: 'failure', command: 'failed redis', sessionId: 'x', timestamp: timeOf(2) }, 'failures');
    write({ role: 'user', content: 'other redis', sessionId: 'y', timestamp: timeOf(1) });
    expect(find('redis')).toHaveLength(3);
    write({ kind: 'tombstone', sessionId: 'x', timestamp: timeOf(5) });
    expect(find('redis')).toEqual(['other redis']);
    write({ role: 'user', content: 'imported redis', sessionId: 'x', timestamp: timeOf(3) });
    write({ role: 'user', content: 'later redis', sessionId: 'x', timestamp: timeOf(9) });
    expect(find('redis').toSorted()).toEqual(['later redis', 'other redis']);
    expect(index.listSessions().sessions.find(({ sessionId }) => sessionId === 'x')).toMatchObject({
      messageCount: 1,
      failures: 0,
      preview: 'later redis',
    });
  });

  it('hides nothing any more once it is gone from the log', () => {
    const { write, find, log } = testHome();
    write({ outcome: 'failure', command: 'failed redis', sessionId: 'x', timestamp: timeOf(1) }, 'failures');
    write({ role: 'user', content: 'said redis', sessionId: 'x', timestamp: timeOf(1) });
    const before = readFileSync(log()).length;
    write({ kind: 'tombstone', sessionId: 'x', timestamp: timeOf(5) });
    expect(find('redis')).toEqual([]);
    truncateSync(log(), before);
    expect(find('redis').toSorted()).toEqual(['failed redis', 'said redis']);
  });

  it('does not affect the same session of another project', () => {
    const { home, write, index, sources } = testHome();
    const directory = join(home, 'projects', 'p2');
    mkdirSync(directory);
    const record = { v: 1, id: 'm', sessionId: 'x', timestamp: timeOf(1), role: 'user', content: 'redis' };
    appendFileSync(join(directory, 'history.jsonl'), `${JSON.stringify(record)}\n`);
    write({ kind: 'tombstone', sessionId: 'x', timestamp: timeOf(5) });
    index.catchUp([...sources, { id: 'p2', directory }]);
    expect(index.search({ text: 'redis' }).hits).toMatchObject([{ project: 'p2' }]);
  });
});
