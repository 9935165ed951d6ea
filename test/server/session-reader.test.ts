import { describe, expect, it } from 'vitest';
import type { NewAttempt } from '../../src/project/index.ts';
import { call, type Serving, serve } from './serving.ts';

const SESSION = 'aaaa1111-0000-4000-8000-000000000001';
const START = Date.parse('2026-05-20T10:00:00.000Z');

/** A server over a session with prompts, lookups, an edit, and a failure that was solved. */
async function serveSession(): Promise<Serving> {
  const server = await serve();
  const project = server.openedHome.openProject(server.place.cwd);
  const at = (seconds: number) => new Date(START + seconds * 1000).toISOString();
  const say = (seconds: number, role: 'user' | 'assistant', content: string, more: object = {}) =>
    project.history.append({
      ...{ sessionId: SESSION, id: `m${seconds}`, timestamp: at(seconds), agent: 'claude-code' },
      ...{ role, content, ...more },
    });
  const run = (seconds: number, attempt: Partial<NewAttempt>) =>
    project.record({
      ...{ sessionId: SESSION, id: `a${seconds}`, timestamp: at(seconds), agent: 'claude-code' },
      ...{ outcome: 'success' as const, ...attempt },
    });
  say(0, 'user', 'Raise the heat');
  run(1, { tool: 'Read', path: 'src/heat.ts', durationMs: 10 });
  run(2, { tool: 'Grep', args: { pattern: 'heat' }, path: 'src' });
  run(3, { tool: 'Bash', command: 'sed -n 1,20p src/oven.ts', kind: 'read' });
  run(4, { tool: 'Edit', path: 'src/heat.ts', args: { old_string: 'heat = 900', new_string: 'heat = 1200\nfan = 1' } });
  run(60, { tool: 'Bash', command: 'npm install fan-node', outcome: 'failure', error: 'E404 Not Found' });
  run(300, { tool: 'Bash', command: 'npm install fan' });
  say(310, 'assistant', 'It is hotter.', { model: 'sonnet', usage: { inputTokens: 10, outputTokens: 5 } });
  say(4000, 'user', 'Now the fan');
  run(4001, { tool: 'Edit', path: 'src/fan.ts', outcome: 'failure', error: 'not found', args: { old_string: 'x' } });
  return server;
}

describe('one session over RPC', () => {
  it('has a row for each message and call, and one for calls that only read or search', async () => {
    const { rows, total } = await call(await serveSession(), 'history.readSession', { id: SESSION });
    expect(total).toBe(8);
    expect(rows.map(({ type }) => type)).toEqual([
      'prompt',
      'lookups',
      'call',
      'call',
      'call',
      'reply',
      'prompt',
      'call',
    ]);
    expect(rows[1]).toMatchObject({
      reads: 2,
      searches: 1,
      calls: [{ label: 'src/heat.ts' }, { label: 'heat in src' }, { label: 'sed -n 1,20p src/oven.ts' }],
    });
    expect(rows[2]).toMatchObject({ call: { changes: [{ path: 'src/heat.ts', added: 2, removed: 1 }] } });
  });

  it('links a failure to the later call that solved it', async () => {
    const { rows } = await call(await serveSession(), 'history.readSession', { id: SESSION });
    expect(rows[3]).toMatchObject({
      call: { attempt: { id: 'a60' }, fix: { id: 'a300', at: '2026-05-20T10:05:00.000Z' } },
    });
    expect(rows[7]).not.toHaveProperty('call.fix');
  });

  it('links a failure to the next time that the same call worked, which is no fix of it', async () => {
    const server = await serveSession();
    const project = server.openedHome.openProject(server.place.cwd);
    const run = (seconds: number, attempt: Partial<NewAttempt>) =>
      project.record({
        ...{ sessionId: SESSION, id: `a${seconds}`, timestamp: new Date(START + seconds * 1000).toISOString() },
        ...{ outcome: 'success' as const, tool: 'Bash', command: 'npm test', ...attempt },
      });
    run(5000, { outcome: 'failure', error: 'running\nError: 1 failing' });
    run(5060, {});
    run(5120, {});
    const { rows } = await call(server, 'history.readSession', { id: SESSION });
    expect(rows[8]).toMatchObject({ call: { error: 'Error: 1 failing', workedAgain: { id: 'a5060' } } });
    expect(rows[8]).not.toHaveProperty('call.fix');
    expect((await call(server, 'history.outline', { id: SESSION })).failures[2]).toMatchObject({ isFixed: true });
  });

  it('is read in pages, around a record within lookups, too', async () => {
    const server = await serveSession();
    const page = await call(server, 'history.readSession', { id: SESSION, offset: 6, limit: 2 });
    expect(page).toMatchObject({ offset: 6, total: 8, rows: [{ type: 'prompt' }, { type: 'call' }] });
    const around = await call(server, 'history.readSession', { id: SESSION, around: 'a2', limit: 2 });
    expect(around).toMatchObject({ offset: 0, around: 'a2', rows: [{ type: 'prompt' }, { type: 'lookups' }] });
  });

  it('has an outline: prompts, failures, models, tokens, active time, changed files, and how to resume it', async () => {
    const outline = await call(await serveSession(), 'history.outline', { id: SESSION });
    expect(outline).toMatchObject({
      models: ['sonnet'],
      usage: { inputTokens: 10, outputTokens: 5, activeMs: 311_000 },
      files: [{ path: 'src/heat.ts', added: 2, removed: 1 }],
      prompts: [
        { row: 0, id: 'm0', text: 'Raise the heat' },
        { row: 6, id: 'm4000', text: 'Now the fan' },
      ],
      failures: [
        { row: 3, id: 'a60', isFixed: true },
        { row: 7, id: 'a4001', isFixed: false },
      ],
      resume: `claude --resume ${SESSION}`,
    });
    expect(outline.files).toHaveLength(1);
  });

  it('finds a text in messages, commands, output and changed lines', async () => {
    const server = await serveSession();
    const find = (query: string) => call(server, 'history.findInSession', { id: SESSION, query });
    expect(await find('HEAT')).toMatchObject({ matches: [{ id: 'm0' }, { id: 'a1' }, { id: 'a2' }, { id: 'a4' }] });
    expect(await find('e404')).toEqual({ matches: [{ row: 3, id: 'a60', count: 1 }], total: 1 });
    expect(await find('nowhere')).toEqual({ matches: [], total: 0 });
  });
});
