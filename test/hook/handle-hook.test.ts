import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { handleHook } from '../../src/hook/handle-hook.ts';
import { hookLogPath } from '../../src/hook/hook-log.ts';
import { openHome } from '../../src/project/index.ts';
import { readUnknownParts } from '../../src/recording/transcript/unknown-parts.ts';
import { temporaryFolder } from '../temp-folder.ts';
import { ClaudeSession } from './claude-session.ts';

const DAY_ONE = Date.parse('2026-03-04T10:00:00.000Z');
const DAY_TWO = Date.parse('2026-03-05T10:00:00.000Z');
const NOT_FOUND =
  'Exit code 1\nnpm error code E404\nnpm error 404 Not Found - GET https://registry.example/redis-node - Not found';

/** A first day on which a package is missing and another one works. */
async function dayOne(folder: string): Promise<ClaudeSession> {
  const session = new ClaudeSession(folder, 'monday', DAY_ONE);
  await session.fire('SessionStart', { source: 'startup' });
  await session.fire('UserPromptSubmit', { prompt: 'Add a redis cache to the catalogue' });
  await session.run('npm install redis-node', { error: NOT_FOUND });
  await session.run('npm install ioredis', { stdout: 'added 9 packages' });
  await session.run('npm test', { stdout: '12 passing' });
  await session.fire('Stop', { last_assistant_message: 'The cache is there.' });
  await session.fire('SessionEnd', { reason: 'other' });
  return session;
}

function settings(folder: string, text: string): void {
  mkdirSync(join(folder, 'home'), { recursive: true });
  writeFileSync(join(folder, 'home', 'config.json'), text);
}

describe('warnings of the hook', () => {
  it('denies once with the reason and what worked instead, and lets the repeated call through', async () => {
    const folder = temporaryFolder();
    await dayOne(folder);
    const session = new ClaudeSession(folder, 'tuesday', DAY_TWO);

    const { denied } = await session.run('npm install redis-node', { error: NOT_FOUND });
    expect(denied).toContain('yore: This failed on 2026-03-04: `npm install redis-node`');
    expect(denied).toContain('What worked instead: `npm install ioredis`');
    expect(await session.run('npm install redis-node', { error: NOT_FOUND })).toEqual({});
    expect(await session.run('npm install redis-node', { error: NOT_FOUND })).toEqual({});

    const project = openHome({ home: session.home }).openProject(session.cwd);
    expect(project.memory.warnings()).toHaveLength(1);
    expect(project.memory.warnings()[0]?.override).toMatchObject({ succeeded: false });
  });

  it('follow the setting retrieval.onDuplicate', async () => {
    const folder = temporaryFolder();
    await dayOne(folder);
    settings(folder, '{"retrieval": {"onDuplicate": "ask"}}');
    const asked = await new ClaudeSession(folder, 'a', DAY_TWO).run('npm install redis-node', {
      error: NOT_FOUND,
    });
    expect(asked.asked).toMatch(/^yore: This failed .*\nProceed anyway\? .* let through when it is repeated\.$/s);
    settings(folder, '{"retrieval": {"onDuplicate": "note"}}');
    const noted = await new ClaudeSession(folder, 'b', DAY_TWO).run('npm install redis-node', {
      error: NOT_FOUND,
    });
    expect(noted.noted).toMatch(/^yore: This failed on 2026-03-05 \(2 times in 2 sessions\)/);
    expect(noted.denied).toBeUndefined();
  });

  it('are added to the result, once, for an agent that accepts no context before a call', async () => {
    const folder = temporaryFolder();
    const { cwd } = await dayOne(folder);
    settings(folder, '{"retrieval": {"onDuplicate": "note"}}');
    const machine = new ClaudeSession(folder, 'x', DAY_TWO).machine();
    const fire = async (name: string, fields: object): Promise<string> =>
      handleHook(
        {
          agent: 'gemini',
          payload: JSON.stringify({ session_id: 'g', cwd, hook_event_name: name, ...fields }),
        },
        machine,
      );
    const call = { tool_name: 'run_shell_command', tool_input: { command: 'npm install redis-node' } };
    const result = { llmContent: 'Output: E404\nExit Code: 1\nProcess Group PGID: 1' };
    expect(await fire('BeforeTool', call)).toBe('');
    const reply = await fire('AfterTool', { ...call, tool_response: result });
    expect(JSON.parse(reply).hookSpecificOutput.additionalContext).toContain('This failed on 2026-03-04');
    expect(await fire('AfterTool', { ...call, tool_response: result })).toBe('');
  });

  it('are not given while retrieval is off, and nothing is recorded while recording is off', async () => {
    const folder = temporaryFolder();
    const { home } = await dayOne(folder);
    settings(folder, '{"retrieval": {"enabled": false}}');
    const off = new ClaudeSession(folder, 'off', DAY_TWO);
    expect(await off.fire('SessionStart', { source: 'startup' })).toEqual({});
    expect(await off.run('npm install redis-node', { error: NOT_FOUND })).toEqual({});

    settings(folder, '{"recording": {"enabled": false}}');
    const paused = new ClaudeSession(folder, 'paused', DAY_TWO);
    await paused.fire('UserPromptSubmit', { prompt: 'Delete the cart and write another one' });
    await paused.run('npm run unheard-of', { error: 'Exit code 1\nnpm error Missing script: "unheard-of"' });
    settings(folder, '{}');
    const sessions = openHome({ home })
      .listSessions()
      .sessions.map(({ sessionId }) => sessionId);
    expect(sessions).toContain('off');
    expect(sessions).not.toContain('paused');
  });

  it('use the defaults of wrong settings, which are logged', async () => {
    const folder = temporaryFolder();
    await dayOne(folder);
    settings(folder, '{"retrieval": {"onDuplicate": "shout"}, "recording": ');
    const session = new ClaudeSession(folder, 'tuesday', DAY_TWO);
    await session.fire('SessionStart', { source: 'startup' });
    expect(await session.run('npm install redis-node', { error: NOT_FOUND })).toHaveProperty('denied');
    expect(readFileSync(hookLogPath(session.home), 'utf8')).toContain('is not valid JSON');
    expect(statSync(hookLogPath(session.home)).mode & 0o777).toBe(0o600);
  });
});

describe('the start of a session', () => {
  it('gets a briefing on startup, clear and compaction, but not on resume', async () => {
    const folder = temporaryFolder();
    await dayOne(folder);
    const session = new ClaudeSession(folder, 'tuesday', DAY_TWO);
    const briefed = await session.fire('SessionStart', { source: 'startup' });
    expect(briefed.hookSpecificOutput?.additionalContext).toContain('from 1 previous session');
    expect(briefed.hookSpecificOutput?.additionalContext).toContain('redis');
    expect(briefed.systemMessage).toContain('yore: 1 previous session');
    expect((await session.fire('SessionStart', { source: 'clear' })).hookSpecificOutput).toBeDefined();
    expect(await session.fire('SessionStart', { source: 'resume' })).toEqual({});

    await session.fire('UserPromptSubmit', { prompt: 'Rename the catalogue to shelf' });
    await session.run('git mv catalogue shelf', { stdout: '' });
    await session.fire('PreCompact', { trigger: 'auto' });
    const compacted = await session.fire('SessionStart', { source: 'compact' });
    expect(compacted.hookSpecificOutput?.additionalContext).toContain('This session so far');
    expect(compacted.hookSpecificOutput?.additionalContext).toContain('Rename the catalogue to shelf');
    expect(compacted.systemMessage).toBeUndefined();
  });

  it('gets no reply in a project without history, and writes nothing', async () => {
    const session = new ClaudeSession(temporaryFolder(), 'first', DAY_ONE);
    expect(await session.fire('SessionStart', { source: 'startup' })).toEqual({});
    expect(existsSync(session.home)).toBe(false);
  });

  it('gets no reply with retrieval.autoInject off, but calls still do', async () => {
    const folder = temporaryFolder();
    await dayOne(folder);
    settings(folder, '{"retrieval": {"autoInject": false}}');
    const session = new ClaudeSession(folder, 'tuesday', DAY_TWO);
    expect(await session.fire('SessionStart', { source: 'startup' })).toEqual({});
    expect(await session.fire('UserPromptSubmit', { prompt: 'Add a redis cache to the catalogue' })).toEqual({});
    expect(await session.run('npm install redis-node', { error: NOT_FOUND })).toHaveProperty('denied');
  });
});

describe('a prompt', () => {
  it('gets a reply with how it was done before, once in a session', async () => {
    const folder = temporaryFolder();
    await dayOne(folder);
    const session = new ClaudeSession(folder, 'tuesday', DAY_TWO);
    const reply = await session.fire('UserPromptSubmit', { prompt: 'Add a redis cache to the catalogue' });
    expect(reply.hookSpecificOutput?.additionalContext).toContain('Add a redis cache to the catalogue');
    expect(reply.hookSpecificOutput?.additionalContext).toContain('npm install ioredis');
    expect(await session.fire('UserPromptSubmit', { prompt: 'Add a redis cache to the catalogue' })).toEqual({});
  });

  it('gets no reply when it is about something else', async () => {
    const folder = temporaryFolder();
    await dayOne(folder);
    const session = new ClaudeSession(folder, 'tuesday', DAY_TWO);
    for (const prompt of ['Write a limerick about penguins', 'thanks!', 'yes', 'Translate the imprint to Danish']) {
      expect(await session.fire('UserPromptSubmit', { prompt })).toEqual({});
    }
  });

  it('gets the recap when it asks what was worked on', async () => {
    const folder = temporaryFolder();
    await dayOne(folder);
    const session = new ClaudeSession(folder, 'tuesday', DAY_TWO);
    const reply = await session.fire('UserPromptSubmit', { prompt: 'What have we worked on so far?' });
    expect(reply.hookSpecificOutput?.additionalContext).toContain('Add a redis cache to the catalogue');
    expect(reply.hookSpecificOutput?.additionalContext).toContain('resolved by `npm install ioredis`');
  });

  it('is recorded in history and prompt history unless a program or a parent agent wrote it', async () => {
    const folder = temporaryFolder();
    const session = new ClaudeSession(folder, 'one', DAY_ONE);
    await session.fire('UserPromptSubmit', { prompt: 'Add a wish list' });
    await session.fire('UserPromptSubmit', { prompt: '<system-reminder>nothing</system-reminder>' });
    await session.fire('UserPromptSubmit', { prompt: '/compact' });
    await session.fire('UserPromptSubmit', { prompt: 'Look for wish lists', agent_id: 'sub' });
    await session.fire('UserPromptSubmit', { prompt: `Explain this: ${'lorem ipsum '.repeat(400)}` });
    const home = openHome({ home: session.home });
    const { records } = home.openProject(session.cwd).session('one');
    const said = records.flatMap((record) => ('content' in record ? [record.content.slice(0, 20)] : []));
    expect(said).toEqual(['Add a wish list', 'Explain this: lorem ']);
    expect(home.prompts.list().map(({ text }) => text)).toEqual(['Add a wish list']);
  });

  it('is recorded as feedback on the previous request when it says that it failed', async () => {
    const session = new ClaudeSession(temporaryFolder(), 'one', DAY_ONE);
    await session.fire('UserPromptSubmit', { prompt: 'Add a wish list' });
    await session.run('npm run wishes', { stdout: 'ok' });
    await session.fire('UserPromptSubmit', { prompt: "That didn't work, it is still broken" });
    const { records } = openHome({ home: session.home }).openProject(session.cwd).session('one');
    expect(records.some((record) => 'outcome' in record && record.kind === 'feedback')).toBe(true);
  });
});

describe('a call that ended', () => {
  it('is recorded once, however often it is reported', async () => {
    const session = new ClaudeSession(temporaryFolder(), 'one', DAY_ONE);
    const call = { tool_name: 'Bash', tool_input: { command: 'npm test' }, tool_use_id: 'same' };
    for (let time = 0; time < 3; time++) await session.fire('PostToolUseFailure', { ...call, error: 'Exit code 1\nx' });
    const { records } = openHome({ home: session.home }).openProject(session.cwd).session('one');
    expect(records).toHaveLength(1);
    expect(records[0]).toMatchObject({ outcome: 'failure', exitCode: 1, agent: 'claude-code' });
  });

  it('is left to the transcript when the event does not show the outcome', async () => {
    const session = new ClaudeSession(temporaryFolder(), 'one', DAY_ONE);
    const call = { tool_name: 'Bash', tool_input: { command: 'npm test' }, tool_use_id: 'a' };
    const payload = { session_id: 'one', cwd: session.cwd, hook_event_name: 'PostToolUse', ...call };
    await handleHook(
      { agent: 'codex', payload: JSON.stringify({ ...payload, tool_response: 'x' }) },
      session.machine(),
    );
    expect(openHome({ home: session.home }).listSessions().total).toBe(0);
  });

  it('is recorded once when Copilot reports it through its own hooks and those of Claude Code', async () => {
    const session = new ClaudeSession(temporaryFolder(), 'one', DAY_ONE);
    const result = (type: string, text: string) => ({ [type]: 'failure', [text]: 'no such script' });
    const own = {
      sessionId: 'c',
      timestamp: 1,
      cwd: session.cwd,
      toolName: 'bash',
      toolArgs: { command: 'npm run nothing' },
      toolResult: result('resultType', 'textResultForLlm'),
    };
    const like = {
      hook_event_name: 'PostToolUse',
      session_id: 'c',
      timestamp: '2026-03-04T10:00:00Z',
      cwd: session.cwd,
      tool_name: 'Bash',
      tool_input: { command: 'npm run nothing' },
      tool_result: result('result_type', 'text_result_for_llm'),
    };
    const machine = { ...session.machine(), now: Date.now };
    await handleHook({ agent: 'copilot', event: 'postToolUse', payload: JSON.stringify(own) }, machine);
    await handleHook({ agent: 'claude-code', payload: JSON.stringify(like) }, machine);
    const { records } = openHome({ home: session.home }).openProject(session.cwd).session('c');
    expect(records).toHaveLength(1);
    expect(records[0]).toMatchObject({ agent: 'copilot' });
  });
});

describe('a transcript that is written late', () => {
  const startSession = async () => {
    const session = new ClaudeSession(temporaryFolder(), 'one', DAY_ONE);
    const machine = session.machine();
    const fire = (sessionId: string, event: string, fields = {}) => {
      const payload = JSON.stringify({ sessionId, timestamp: session.now, cwd: session.cwd, ...fields });
      return handleHook({ agent: 'copilot', event, payload }, machine);
    };
    const folder = join(machine.userHome, '.copilot', 'session-state', 'c1');
    const write = (type: string, data: object) => {
      const line = { type, data, id: type, timestamp: new Date(session.now).toISOString() };
      appendFileSync(join(folder, 'events.jsonl'), `${JSON.stringify(line)}\n`);
    };
    mkdirSync(folder, { recursive: true });
    await fire('c1', 'sessionStart', { source: 'new' });
    await fire('c1', 'userPromptSubmitted', { prompt: 'Which cache do we use?' });
    write('session.start', { sessionId: 'c1', context: { cwd: session.cwd } });
    write('user.message', { content: 'Which cache do we use?' });
    const read = () =>
      openHome({ home: session.home })
        .openProject(session.cwd)
        .session('c1')
        .records.map((record) => 'content' in record && record.content);
    return { fire, write, read };
  };

  it('is waited for until it shows that the hook has begun', async () => {
    const { fire, write, read } = await startSession();
    const stopped = fire('c1', 'agentStop');
    await setTimeout(30);
    write('assistant.message', { content: 'ioredis, since March.', toolRequests: [] });
    write('hook.start', { hookInvocationId: 'h1', hookType: 'agentStop', input: {} });
    await stopped;
    expect(read()).toEqual(['Which cache do we use?', 'ioredis, since March.']);
  });

  it('is read when the next session starts', async () => {
    const { fire, write, read } = await startSession();
    await fire('c1', 'agentStop');
    await fire('c1', 'sessionEnd');
    write('assistant.message', { content: 'ioredis, since March.', toolRequests: [] });
    expect(read()).toEqual(['Which cache do we use?']);
    await fire('c2', 'sessionStart', { source: 'new' });
    await fire('c3', 'sessionStart', { source: 'new' });
    expect(read()).toEqual(['Which cache do we use?', 'ioredis, since March.']);
  });
});

describe('the hook fails open', () => {
  it('logs malformed payloads and unknown agents, and replies with nothing', async () => {
    const session = new ClaudeSession(temporaryFolder(), 'one', DAY_ONE);
    await session.fire('UserPromptSubmit', { prompt: 'Add a wish list' });
    const machine = session.machine();
    for (const payload of ['', '{', 'null', '[]', '{"hook_event_name":"PreToolUse"}', '"text"', '\0']) {
      expect(await handleHook({ agent: 'claude-code', payload }, machine)).toBe('');
    }
    expect(await handleHook({ agent: 'nobody', payload: '{}' }, machine)).toBe('');
    const log = readFileSync(hookLogPath(session.home), 'utf8');
    expect(log.trim().split('\n')).toHaveLength(8);
    expect(log).toContain('nobody: no agent of this name has hooks');
    expect(readUnknownParts(session.home, 'claude-code', machine.now())).toMatchObject([
      { reason: 'malformed hook event', count: 4, path: hookLogPath(session.home), isWhole: true },
    ]);
  });

  it('gives no reply after the deadline', async () => {
    const folder = temporaryFolder();
    await dayOne(folder);
    const session = new ClaudeSession(folder, 'tuesday', DAY_TWO);
    let calls = 0;
    const machine = { ...session.machine(), elapsed: () => (calls++ === 0 ? 0 : 60_000) };
    const payload = JSON.stringify({
      session_id: 'tuesday',
      cwd: session.cwd,
      hook_event_name: 'SessionStart',
      source: 'startup',
    });
    expect(await handleHook({ agent: 'claude-code', payload }, machine)).toBe('');
  });
});
