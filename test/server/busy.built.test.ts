import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openHome } from '../../src/project/index.ts';
import { createPlace, type Place } from '../cli/built/run-yore.ts';
import { startServeJson } from '../cli/built/serving-process.ts';
import { callHook, installShim } from '../hook/hook-process.ts';
import { Client, send } from './serving.ts';

const SESSIONS = 3000;
/** Together they take many times as long as all other calls. */
const OVERVIEWS = 10;

/** Writes a long history that is not indexed yet; returns the id of the project. */
function writeHistory({ home, cwd }: Place): string {
  mkdirSync(home, { mode: 0o700, recursive: true });
  const { directory, info } = openHome({ home }).openProject(cwd);
  mkdirSync(directory, { recursive: true });
  const start = Date.UTC(2026, 0, 1);
  for (let session = 0; session < SESSIONS; session += 1) {
    const record = (n: number, fields: object): string => {
      const timestamp = new Date(start + (session * 10 + n) * 60_000).toISOString();
      return `${JSON.stringify({ v: 1, id: `${session}-${n}`, sessionId: `s${session}`, timestamp, ...fields })}\n`;
    };
    const content = `request ${session} about the thing number ${session % 97}`;
    appendFileSync(
      join(directory, 'history.jsonl'),
      record(0, { role: 'user', content }) + record(1, { role: 'assistant', content: `done: ${content}` }),
    );
    const failure = {
      outcome: 'failure',
      tool: 'Bash',
      command: `make part-${session % 50}`,
      error: 'no rule',
    };
    appendFileSync(join(directory, 'failures.jsonl'), record(2, failure));
  }
  return info.projectHash;
}

describe('the built server', () => {
  it('answers other calls while it reads a long history', async () => {
    const place = createPlace();
    const project = writeHistory(place);
    const { info } = await startServeJson(place);
    const [busy, other] = [await Client.connect(info), await Client.connect(info)];
    await expect
      .poll(async () => (await other.call('history.listSessions', {})).complete, { timeout: 25_000 })
      .toBe(true);
    // One after another, in a thread of their own.
    let isBusy = true;
    const overviews = Promise.all(Array.from({ length: OVERVIEWS }, () => busy.call('project.overview', { project })));
    const done = overviews.finally(() => {
      isBusy = false;
    });
    await Promise.all([
      other.call('history.listSessions', { offset: 2900 }),
      send(info.port, '/health'),
      other.call('history.search', { query: 'thing' }),
      other.call('history.getSession', { id: 's7', project }),
      other.call('state.get', {}),
    ]);
    expect(isBusy).toBe(true);
    expect(await other.call('history.listSessions', {})).toMatchObject({ total: SESSIONS });
    const overview = (await done).at(-1);
    expect(overview?.totals).toMatchObject({ sessions: SESSIONS, failures: SESSIONS });
  });

  it('lists what is indexed so far, and reports when the index is complete', async () => {
    const place = createPlace();
    mkdirSync(place.home, { mode: 0o700 });
    const { info } = await startServeJson(place);
    const client = await Client.connect(info);
    writeHistory(place);
    const first = await client.call('history.listSessions', {});
    if (!first.complete) {
      const { params } = await client.waitFor(
        ({ method, params }) => method === 'history.indexed' && params.done === params.total,
      );
      expect(params.total).toBeGreaterThanOrEqual(0);
    }
    await expect
      .poll(() => client.call('history.listSessions', {}), { timeout: 25_000 })
      .toMatchObject({ complete: true, total: SESSIONS });
  });

  it('reports requests, attempts and warnings as hooks record them', async () => {
    const place = createPlace();
    mkdirSync(place.home, { mode: 0o700 });
    installShim(place.home);
    const { info } = await startServeJson(place);
    const client = await Client.connect(info);
    const fire = (session: string, name: string, fields: object) =>
      callHook(
        place.home,
        ['claude-code'],
        JSON.stringify({ session_id: session, cwd: place.cwd, hook_event_name: name, ...fields }),
      );
    const call = (id: string) => ({
      tool_name: 'Bash',
      tool_input: { command: 'npm install redis-node' },
      tool_use_id: id,
    });
    const error = 'npm error 404 Not Found - GET https://registry.example/redis-node - Not found';
    fire('one', 'UserPromptSubmit', { prompt: 'Add a cache with redis' });
    const appeared = await client.waitFor(({ params }) => params.sessionIds?.includes('one'));
    expect(appeared.method).toBe('history.changed');
    fire('one', 'PreToolUse', call('c1'));
    fire('one', 'PostToolUseFailure', { ...call('c1'), error: `Exit code 1\n${error}` });
    const counts = async () => (await client.call('history.listSessions', {})).sessions.map((s) => s.failures);
    await expect.poll(counts).toEqual([1]);
    await expect
      .poll(() => client.notifications.filter(({ params }) => params.sessionIds?.includes('one')).length)
      .toBeGreaterThan(1);
    fire('two', 'UserPromptSubmit', { prompt: 'Try redis again' });
    fire('two', 'PreToolUse', call('c2'));
    const { params } = await client.waitFor(({ method }) => method === 'warning.given');
    expect(params.warning).toMatchObject({ sessionId: 'two', command: 'npm install redis-node' });
    await expect.poll(async () => (await client.call('history.listSessions', {})).total).toBe(2);
  });
});
