import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SearchIndex } from '../../src/search/index.ts';
import { storePath } from '../../src/store/store-files.ts';
import { type TestHome, testHome } from './home.ts';

describe.each(['index', 'scan'] as const)('ranking by %s', (way) => {
  function search(home: TestHome, text: string, limit?: number) {
    const options = { text, ...(limit === undefined ? {} : { limit }) };
    if (way === 'index') {
      home.catchUp();
      return home.index.search(options);
    }
    const blocked = join(home.home, 'blocked');
    mkdirSync(join(storePath(blocked), 'in', 'the', 'way'), { recursive: true });
    const scanning = SearchIndex.open(blocked);
    scanning.catchUp(home.sources);
    return scanning.search(options);
  }
  const texts = (home: TestHome, text: string, limit?: number) =>
    search(home, text, limit).hits.map((hit) => hit.snippet.text);

  it('puts literal matches before those with all words', () => {
    const home = testHome();
    home.say('refused connection', 'connection refused', 'the connection was refused', 'connection only');
    const { hits } = search(home, 'connection refused');
    expect(hits.map(({ match }) => match)).toEqual(['literal', 'words', 'words']);
    expect(hits[0]?.snippet.text).toBe('connection refused');
  });

  it('puts every literal match first, even when the words are everywhere', () => {
    const home = testHome();
    home.say('say no verify please');
    home.say(...Array.from({ length: 80 }, (_, n) => `git commit --no-verify ${n}`));
    const { hits } = search(home, 'no verify', 10);
    expect(hits).toHaveLength(10);
    expect(hits[0]).toMatchObject({ match: 'literal', snippet: { text: 'say no verify please' } });
  });

  it('prefers more relevant records, and the newer of equals', () => {
    const home = testHome();
    home.say('redis redis redis', 'redis once', `redis ${'and much more text '.repeat(40)}`, 'redis once');
    const { hits } = search(home, 'redis');
    expect(hits[0]?.id).toBe('m0');
    expect(hits.slice(1, 3).map(({ id }) => id)).toEqual(['m3', 'm1']);
    expect(hits[3]?.id).toBe('m2');
  });

  it('returns the newest when there are more than the limit', () => {
    const home = testHome();
    home.say(...Array.from({ length: 400 }, (_, n) => `redis ${1000 + n}`));
    const found = texts(home, 'redis', 20);
    expect(found).toHaveLength(20);
    expect(found).toContain('redis 1399');
    expect(found).not.toContain('redis 1000');
  });

  it('falls back to related records, rarest words first, when none has all words', () => {
    const home = testHome();
    home.say('we talked about the weather', 'the installation of ioredis failed', 'what is the time', 'nothing to see');
    const { hits } = search(home, 'what did we decide about installing ioredis?');
    expect(hits[0]).toMatchObject({
      match: 'related',
      snippet: { text: 'the installation of ioredis failed' },
    });
  });

  it('groups by session, the session with the best hit first', () => {
    const home = testHome();
    for (const [sessionId, content] of [
      ['a', 'redis'],
      ['b', 'redis cache'],
      ['a', 'cache and redis'],
    ]) {
      home.write({ role: 'user', sessionId, content });
    }
    const { hits, sessions } = search(home, 'redis cache');
    expect(hits.map(({ sessionId }) => sessionId)).toEqual(['b', 'a']);
    expect(sessions.map(({ sessionId, hits: own }) => [sessionId, own.length])).toEqual([
      ['b', 1],
      ['a', 1],
    ]);
  });

  it("puts what was said in yore's own chat last, and looks further when there is nothing else", () => {
    const home = testHome();
    home.say('the installation of ioredis failed', 'redis is what we did');
    const chat = { sessionId: 'c1', agent: 'yore' };
    home.write({ ...chat, role: 'user', content: 'what did we do about the ioredis installation' });
    home.write({ ...chat, outcome: 'success', command: 'npm install ioredis' }, 'successes');
    expect(search(home, 'ioredis').hits.map(({ id }) => id)).toEqual(['m3', 'm0', 'm2']);
    const asked = search(home, 'what did we do about the ioredis installation').hits;
    expect(asked.map(({ id }) => id)).toContain('m0');
    expect(asked.at(-1)).toMatchObject({ id: 'm2', match: 'literal' });
  });

  it('describes each hit', () => {
    const home = testHome();
    const fields = { sessionId: 's9', agent: 'codex', branch: 'main' };
    home.write({ ...fields, outcome: 'failure', command: 'npm install redis-node', error: 'not found' }, 'failures');
    expect(search(home, 'redis-node not').hits).toMatchObject([
      { kind: 'attempt', id: 'm0', project: 'p1', outcome: 'failure', match: 'words', ...fields },
    ]);
  });

  it('finds identifiers written in another way', () => {
    const home = testHome();
    home.say('call getUserById here', 'call get_user_by_id here', 'get the user');
    expect(texts(home, 'getUserById').toSorted()).toEqual(['call getUserById here', 'call get_user_by_id here']);
    expect(texts(home, 'get_user').toSorted()).toEqual(['call getUserById here', 'call get_user_by_id here']);
  });

  it('takes the last word as a prefix', () => {
    const home = testHome();
    home.say('the redis connection was refused');
    expect(texts(home, 'refused conn')).toHaveLength(1);
    expect(texts(home, 'conn* redis')).toHaveLength(1);
  });
});
