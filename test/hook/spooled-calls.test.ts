import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openHome } from '../../src/project/index.ts';
import { temporaryFolder } from '../temp-folder.ts';
import { ClaudeSession } from './claude-session.ts';

const DAY = Date.parse('2026-03-04T10:00:00.000Z');
const MINUTE = 60_000;
const NOT_FOUND =
  'Exit code 1\nnpm error code E404\nnpm error 404 Not Found - GET https://registry.example/redis-node - Not found';

function directoryOf(session: ClaudeSession): string {
  const projects = join(session.home, 'projects');
  return join(projects, readdirSync(projects)[0] ?? '');
}

function linesIn(session: ClaudeSession, name: string): readonly string[] {
  const path = join(directoryOf(session), name);
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
}

describe('spooled calls', () => {
  it('are in the logs after the next pause and not before', async () => {
    const session = new ClaudeSession(temporaryFolder(), 'one', DAY);
    await session.run('npm test', { stdout: '12 passing' });
    await session.run('npm install redis-node', { error: NOT_FOUND });
    expect(linesIn(session, 'spool.jsonl')).toHaveLength(2);
    expect(linesIn(session, 'successes.jsonl')).toHaveLength(0);
    await session.fire('Stop');
    expect(linesIn(session, 'spool.jsonl')).toHaveLength(0);
    expect(linesIn(session, 'successes.jsonl')).toHaveLength(1);
    expect(linesIn(session, 'failures.jsonl')[0]).toContain('"kind":"missing"');
  });

  it('lead to warnings in other sessions, and later in the same one', async () => {
    const folder = temporaryFolder();
    const session = new ClaudeSession(folder, 'one', DAY);
    await session.run('npm install redis-node', { error: NOT_FOUND });
    expect(await session.run('npm install redis-node', { error: NOT_FOUND })).toEqual({});
    const other = new ClaudeSession(folder, 'two', DAY + MINUTE);
    expect((await other.run('npm install redis-node', { error: NOT_FOUND })).denied).toContain('This failed');
    session.now += 10 * MINUTE;
    expect((await session.run('npm install redis-node', { error: NOT_FOUND })).denied).toContain('This failed');
  });

  it('can end a failure, so that there is no warning', async () => {
    const folder = temporaryFolder();
    const session = new ClaudeSession(folder, 'one', DAY);
    await session.run('npm install redis-node', { error: NOT_FOUND });
    await session.fire('Stop');
    const next = new ClaudeSession(folder, 'two', DAY + 60 * MINUTE);
    await next.fire('PostToolUse', {
      tool_name: 'Bash',
      tool_input: { command: 'npm install redis-node' },
      tool_use_id: 'unasked',
      tool_response: { stdout: 'added 1 package', stderr: '' },
    });
    const third = new ClaudeSession(folder, 'three', DAY + 61 * MINUTE);
    expect(await third.run('npm install redis-node', { stdout: 'up to date' })).toEqual({});
  });

  it('belong to the previous request, and "that worked" refers to the last of them', async () => {
    const session = new ClaudeSession(temporaryFolder(), 'one', DAY);
    await session.fire('UserPromptSubmit', { prompt: 'Add a redis cache to the catalogue' });
    await session.run('npm install ioredis', { stdout: 'added 9 packages' });
    await session.fire('UserPromptSubmit', { prompt: 'That worked, thanks! Now write tests for it' });
    const [call, feedback] = linesIn(session, 'successes.jsonl').map((line) => JSON.parse(line));
    expect(call).toMatchObject({
      command: 'npm install ioredis',
      context: 'Add a redis cache to the catalogue',
    });
    expect(feedback).toMatchObject({ outcome: 'success', command: 'npm install ioredis', kind: 'feedback' });
  });

  it('are recorded if recording was on when they ended', async () => {
    const session = new ClaudeSession(temporaryFolder(), 'one', DAY);
    await session.run('make before', { stdout: 'done' });
    mkdirSync(session.home, { recursive: true });
    writeFileSync(join(session.home, 'config.json'), '{"recording": {"enabled": false}}');
    await session.run('make meanwhile', { stdout: 'done' });
    await session.fire('Stop');
    const home = openHome({ home: session.home });
    expect(linesIn(session, 'successes.jsonl').join('\n')).toContain('make before');
    expect(linesIn(session, 'successes.jsonl').join('\n')).not.toContain('make meanwhile');
    home.close();
  });

  it('are drained during a long turn', async () => {
    const session = new ClaudeSession(temporaryFolder(), 'one', DAY);
    const calls = 70;
    for (let call = 0; call < calls; call++) await session.run(`make ${call}`, { stdout: 'x '.repeat(500) });
    const waiting = linesIn(session, 'spool.jsonl').length;
    expect(waiting).toBeLessThan(calls);
    expect(linesIn(session, 'successes.jsonl')).toHaveLength(calls - waiting);
  });
});
