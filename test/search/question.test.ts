import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SearchIndex } from '../../src/search/index.ts';
import { storePath } from '../../src/store/store-files.ts';
import { type TestHome, testHome } from './home.ts';

function search(home: TestHome, text: string) {
  home.catchUp();
  return home.index.search({ text });
}

/** Searches the logs of a home for which there can be no index. */
function scan(home: TestHome, text: string) {
  const blocked = join(home.home, 'blocked');
  mkdirSync(join(storePath(blocked), 'in', 'the', 'way'), { recursive: true });
  const scanning = SearchIndex.open(blocked);
  scanning.catchUp(home.sources);
  return scanning.search({ text });
}

const sessionsOf = (home: TestHome, text: string) => search(home, text).sessions.map(({ sessionId }) => sessionId);

describe('a question', () => {
  it('finds the session that did it, although the output of another one quotes it word for word', () => {
    const home = testHome();
    home.write({ role: 'user', sessionId: 'did', content: 'please retry uploads when the gateway times out' });
    const edit = { path: 'src/upload/retry.ts', args: { new_string: 'export function retryUpload(gateway) {}' } };
    home.write({ sessionId: 'did', outcome: 'success', tool: 'Edit', kind: 'edit', ...edit }, 'successes');
    const log = Array.from({ length: 40 }, (_, n) => `a${n}f3c1 some other subject number ${n}`);
    const result = [...log, 'bd81e Retry failed uploads behind the gateway'].join('\n');
    home.write(
      { sessionId: 'quotes', outcome: 'success', tool: 'Bash', command: 'git log --oneline', result },
      'successes',
    );
    expect(sessionsOf(home, 'Retry failed uploads behind the gateway')).toEqual(['did', 'quotes']);
  });

  it('puts the session first that said it word for word', () => {
    const home = testHome();
    home.write({
      role: 'user',
      sessionId: 'similar',
      content: 'cache the parsed manifest, the manifest cache is cold',
    });
    const commit = { command: 'git commit -m "cache the parsed manifest between runs"', kind: 'commit' };
    home.write({ sessionId: 'said', outcome: 'success', tool: 'Bash', ...commit }, 'successes');
    expect(sessionsOf(home, 'cache the parsed manifest between runs')[0]).toBe('said');
  });

  it('has the session that quotes it word for word among the first three, although others are more about it', () => {
    const home = testHome();
    const filler = Array.from({ length: 40 }, (_, n) => `a${n}f3c1 some other subject number ${n}`);
    const result = [...filler, 'bd81e drain the worker queue before exit'].join('\n');
    const call = { outcome: 'success', tool: 'Bash', command: 'git log --oneline', result };
    home.write({ sessionId: 'quotes', ...call }, 'successes');
    for (const n of [1, 2, 3, 4, 5]) {
      home.write({ role: 'user', sessionId: `about-${n}`, content: 'drain the queue of the worker, exit before' });
    }
    const found = sessionsOf(home, 'drain the worker queue before exit');
    expect(found).toHaveLength(6);
    expect(found.slice(0, 3)).toContain('quotes');
  });

  it.each([
    ['bake a chocolate cake for the party', []],
    ['zorbflax quimble frumbled the pipeline', []],
    ['who wrote the deploy pipeline for the gateway', ['s1']],
  ])('has no answer if hardly anything of it is mentioned: %s', (text, sessions) => {
    const home = testHome();
    home.say('the deploy pipeline of the gateway is slow', 'cache the layers', 'a party of three services');
    for (let n = 0; n < 30; n++) home.say(`the pipeline ran for job ${n}`);
    for (const result of [search(home, text), scan(home, text)])
      expect(result.sessions.map(({ sessionId }) => sessionId)).toEqual(sessions);
  });

  it('has as many answers as there is room for', () => {
    const home = testHome();
    for (let n = 0; n < 40; n++) {
      home.write({ role: 'user', sessionId: `about-${n}`, content: `drain the queue of worker ${n} before exit` });
    }
    home.catchUp();
    const found = (limit: number) => home.index.search({ text: 'how did we drain the worker queue', limit }).hits;
    expect([found(50).length, found(10).length]).toEqual([40, 10]);
  });

  it('gives forks of one session one place, and the others come after everything else', () => {
    const home = testHome();
    const content = 'migrate the billing tables to the new ledger schema';
    for (const sessionId of ['fork-1', 'fork-2', 'fork-3']) {
      home.write({ role: 'user', sessionId, parentSessionId: 'origin', content });
    }
    home.write({ role: 'user', sessionId: 'nested', parentSessionId: 'fork-1', content });
    home.write({ role: 'user', sessionId: 'other', content: 'which ledger tables does billing use at all?' });
    const found = sessionsOf(home, 'how did we migrate the billing tables to the ledger');
    expect(found).toHaveLength(5);
    expect(found.indexOf('other')).toBe(1);
  });

  it('finds other forms of its words, parts of identifiers, and the text of edits', () => {
    const home = testHome();
    const args = { old_string: 'const x = 1', new_string: 'function truncateHashes(hash) {}' };
    home.write(
      { sessionId: 's', outcome: 'success', tool: 'Edit', path: 'src/log.ts', kind: 'edit', args },
      'successes',
    );
    home.write({ role: 'user', sessionId: 't', content: 'something else entirely' });
    expect(sessionsOf(home, 'where was truncating of the hash done')).toEqual(['s']);
  });

  it.each(['index', 'scan'] as const)('finds irregular forms of its words by %s', (way) => {
    const home = testHome();
    home.write({ role: 'user', sessionId: 'thrown', content: 'an exception was thrown while the worker froze' });
    home.write({ role: 'user', sessionId: 'caught', content: 'the exception is caught, and children are kept' });
    home.write({ role: 'user', sessionId: 'other', content: 'an exception to the rule' });
    const first = (text: string) => (way === 'index' ? search(home, text) : scan(home, text)).sessions[0]?.sessionId;
    expect(first('which worker throws an exception and freezes')).toBe('thrown');
    expect(first('the worker threw an exception when freezing')).toBe('thrown');
    expect(first('did catching an exception keep the child')).toBe('caught');
  });

  it('is not found by words that only begin like an irregular form', () => {
    const home = testHome();
    home.say('the wonderful tornado of Keptown');
    expect(search(home, 'how it was kept, won or torn').hits).toEqual([]);
  });

  it('that is the subject of a commit finds what says its description, without type, scope and pull request', () => {
    const home = testHome();
    const call = { outcome: 'success', tool: 'Bash', kind: 'commit' };
    const done = { ...call, sessionId: 'did', command: 'git commit -m "drain the spool before a backup"' };
    home.write({
      role: 'user',
      sessionId: 'other',
      content: 'feat #87: another feat, drain a spool, feat before feat',
    });
    home.write(done, 'successes');
    for (let n = 0; n < 4; n++) home.write({ ...done, sessionId: `log-${n}`, command: `git log ${n} # feat` });
    const found = search(home, 'feat(backup)!: Drain the spool before a backup (#87)');
    expect(found.sessions.map(({ sessionId }) => sessionId)[0]).toBe('did');
    expect(found.hits.find(({ sessionId }) => sessionId === 'did')?.match).toBe('literal');
    expect(found.terms).not.toContain('feat');
  });

  it('that is the message of a commit is not about its trailers', () => {
    const home = testHome();
    home.write({ role: 'assistant', sessionId: 'claude', agent: 'claude', content: 'A spool, co authored by Claude.' });
    home.write({ role: 'user', sessionId: 'did', content: 'drain the spool before a backup' });
    const trailers = ['Co-Authored-By: Claude <noreply@example.com>', 'Checkpoint-Id: 098ae39bb725'];
    for (const separator of ['\n\n', ' ']) {
      const text = ['Drain the spool before a backup', trailers.join(separator)].join(separator);
      expect(sessionsOf(home, text)).toEqual(['did', 'claude']);
      expect(search(home, text).hits.find(({ sessionId }) => sessionId === 'did')?.match).toBe('literal');
    }
    expect(search(home, 'drain the spool of Claude-Code: when').terms).toContain('claude');
  });

  it('keeps what looks like the type of a commit when nothing else makes it a question', () => {
    const home = testHome();
    home.say('fix: typo', 'a typo');
    expect(search(home, 'fix: typo').hits.map(({ id }) => id)).toEqual(['m0']);
  });

  it('prefers the day and the agent that it names', () => {
    const home = testHome();
    const say = (sessionId: string, timestamp: string, agent: string) =>
      home.write({ role: 'assistant', sessionId, timestamp, agent, content: 'the parser rejects empty tokens now' });
    say('march', '2025-03-10T12:00:00.000Z', 'claude-code');
    say('february', '2025-02-10T12:00:00.000Z', 'claude-code');
    say('by-codex', '2025-04-10T12:00:00.000Z', 'codex');
    expect(sessionsOf(home, 'what changed in the parser tokens on Feb 10, 2025?')[0]).toBe('february');
    expect(sessionsOf(home, 'what did codex change about parser tokens?')[0]).toBe('by-codex');
  });

  it('is also answered by the message after one that matches', () => {
    const home = testHome();
    home.write({ role: 'user', sessionId: 's', content: 'which library renders the timeline charts?' });
    home.write({ role: 'assistant', sessionId: 's', content: 'It is uplot.' });
    const { hits } = search(home, 'which library did the timeline charts use');
    expect(hits.map(({ id, reason }) => [id, reason])).toEqual([
      ['m0', 'you said'],
      ['m1', 'next to a match'],
    ]);
  });

  it('does not show short replies of the user without any of its words', () => {
    const home = testHome();
    home.write({ role: 'user', content: 'The browser tests are flaky, please find out why' });
    home.write({ role: 'assistant', content: 'The fixture did not wait.' });
    home.write({ role: 'user', content: 'Perfect.' });
    const { sessions } = search(home, 'how did we fix the flaky browser tests');
    const shown = sessions.flatMap(({ hits }) => hits.map(({ snippet }) => snippet.text));
    expect(shown).toEqual(['The browser tests are flaky, please find out why', 'The fixture did not wait.']);
  });

  it('shows one hit per request of a session, and says why it was found', () => {
    const home = testHome();
    const context = 'make the importer faster';
    home.write({ role: 'user', sessionId: 's', content: context });
    for (const path of ['src/importer.ts', 'src/importer-queue.ts']) {
      const args = { new_string: 'importer reads faster in batches' };
      home.write({ sessionId: 's', outcome: 'success', tool: 'Edit', kind: 'edit', context, path, args }, 'successes');
    }
    const { hits, sessions } = search(home, 'how did the importer become faster');
    expect(hits).toHaveLength(3);
    expect(hits.map(({ reason }) => reason).toSorted()).toEqual([
      'edited src/importer-queue.ts',
      'edited src/importer.ts',
      'you said',
    ]);
    expect(sessions.map((session) => session.hits.length)).toEqual([1]);
  });

  it('marks its content words, not stop words and not words inside others', () => {
    const home = testHome();
    home.say('between the two, we refreshed the well known tokens after retokenizing');
    const { hits, terms } = search(home, 'how did we refresh the token');
    const [{ snippet } = { snippet: { text: '', marks: [] } }] = hits;
    expect(snippet.marks.map(([from, to]) => snippet.text.slice(from, to))).toEqual(['refreshed', 'tokens']);
    expect(terms).not.toContain('we');
  });

  it('says which of its words nothing mentions in any form, whatever the chat said about them', () => {
    const home = testHome();
    home.write({ role: 'user', sessionId: 'work', content: 'the uploads retry too often, fix the RetryPolicy' });
    home.write({ role: 'user', agent: 'yore', sessionId: 'chat', content: 'did we fix the kestrel uploads?' });
    expect(search(home, 'how did we fix the kestrel uploads').missing).toEqual(['kestrel']);
    expect(search(home, 'why did the uploading policy have retries').missing).toEqual([]);
    home.write({ role: 'user', sessionId: 'work', content: 'the importer throws at empty rows' });
    expect(search(home, 'what threw inside the importer and the kestrel').missing).toEqual(['inside', 'kestrel']);
    expect(search(home, 'kestrel falcon migration plan').missing).toEqual([]);
  });

  it('finds nothing when nothing fits', () => {
    const home = testHome();
    home.say('the weather is fine');
    expect(search(home, 'kubernetes ingress certificate rotation').hits).toEqual([]);
  });

  it('is answered by its frequent words too, although another of its words is rare', () => {
    const home = testHome();
    const frequent = ['upload', 'stream', 'chunk'];
    for (let n = 0; n < 3100; n++) home.write({ role: 'user', sessionId: `s${n % 50}`, content: frequent[n % 3] });
    home.write({ role: 'user', sessionId: 'did', content: 'resume the upload stream at the last chunk' });
    home.write({ role: 'user', sessionId: 'rare', content: 'unplugged the keyboard' });
    expect(sessionsOf(home, 'resuming an upload stream by chunk when unplugged').slice(0, 2).toSorted()).toEqual([
      'did',
      'rare',
    ]);
  });

  it('may quote something in a sentence', () => {
    const home = testHome();
    home.write({ role: 'user', sessionId: 's', content: 'the release notes should mention which command was removed' });
    const { isQuestion, sessions } = search(home, 'where do the release notes mention the removed command "yore sync"');
    expect(isQuestion).toBe(true);
    expect(sessions.map(({ sessionId }) => sessionId)).toEqual(['s']);
    expect(search(home, 'release notes "removed command"').isQuestion).toBe(false);
  });

  it('prefers the sessions in which its subject came up first', () => {
    const home = testHome();
    const content = 'the quota of the tenant limiter';
    for (const sessionId of ['first', 'second', 'third']) home.write({ role: 'user', sessionId, content });
    expect(sessionsOf(home, 'quota for the tenant limiter')).toEqual(['first', 'second', 'third']);
  });

  it('finds the session that introduced its subject, although later ones say more about it', () => {
    const home = testHome();
    const content = 'limit the quota of each tenant';
    const sessions = ['introduced', 'later-1', 'later-2', 'later-3', 'later-4', 'later-5', 'later-5'];
    for (const sessionId of sessions) home.write({ role: 'user', sessionId, content });
    expect(sessionsOf(home, 'how did we limit the tenant quota')[0]).toBe('introduced');
  });

  it('prefers the reply of the agent that it names to other messages next to a match', () => {
    const home = testHome();
    const write = (agent: string, content: string) => home.write({ role: 'assistant', agent, sessionId: 's', content });
    write('codex', 'It listens to another one now.');
    write('claude-code', 'The flaky checkout spec waits for the wrong event.');
    write('claude-code', 'Let us see what comes out.');
    const { hits } = search(home, 'what did codex do about the flaky checkout spec');
    expect(hits.map(({ id }) => id)).toEqual(['m1', 'm0', 'm2']);
  });

  it('has the same answer when the logs are scanned because there can be no index', () => {
    const home = testHome();
    home.write({ role: 'user', sessionId: 'did', content: 'please retry uploads when the gateway times out' });
    home.write({ role: 'user', sessionId: 'partly', content: 'the gateway is slow' });
    const log = Array.from({ length: 40 }, (_, n) => `a${n}f3c1 some other subject number ${n}`);
    const result = [...log, 'Retrying failed uploads behind the gateway'].join('\n');
    home.write({ sessionId: 'quotes', outcome: 'success', tool: 'Bash', command: 'git log', result }, 'successes');
    home.write({ role: 'user', sessionId: 'chat', agent: 'yore', content: 'retry failed uploads behind the gateway' });
    const scanned = scan(home, 'retry failed uploads behind the gateway');
    expect(scanned).toMatchObject({ source: 'scan', isQuestion: true });
    const order = sessionsOf(home, 'retry failed uploads behind the gateway');
    expect(scanned.sessions.map(({ sessionId }) => sessionId)).toEqual(order);
    expect(order[0]).toBe('did');
    expect(order.at(-1)).toBe('chat');
  });
});
