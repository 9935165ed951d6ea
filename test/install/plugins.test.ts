import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { AgentInstallation, Machine } from '../../src/agents/installation.ts';
import { opencodeInstallation } from '../../src/agents/opencode/install.ts';
import { piInstallation } from '../../src/agents/pi/install.ts';
import { createMachine } from './machine.ts';

type Question = Readonly<Record<string, unknown>>;

/** A hook that notes what it is asked and answers what a test says for an event. */
function fakeHook(machine: Machine, answers: Readonly<Record<string, string>> = {}): () => readonly Question[] {
  const bin = join(machine.yoreHome, 'bin');
  mkdirSync(bin, { recursive: true });
  const log = join(bin, 'asked');
  const cases = Object.entries(answers)
    .map(([event, answer]) => `*'"event":"${event}"'*) printf '%s' '${answer}' ;;`)
    .join('\n');
  writeFileSync(
    join(bin, 'yore-hook'),
    `#!/bin/sh\nquestion=$(cat)\nprintf '%s\\n' "$1 $question" >> '${log}'\ncase "$question" in\n${cases}\nesac\n`,
  );
  chmodSync(join(bin, 'yore-hook'), 0o755);
  return () =>
    existsSync(log)
      ? readFileSync(log, 'utf8')
          .trim()
          .split('\n')
          .map((line) => ({ agent: line.split(' ')[0], ...JSON.parse(line.slice(line.indexOf(' ') + 1)) }))
      : [];
}

async function load(machine: Machine, text: string): Promise<Record<string, unknown>> {
  const file = join(machine.userHome, 'plugin.mjs');
  writeFileSync(file, text);
  return await import(pathToFileURL(file).href);
}

function pluginText({ targets }: AgentInstallation, machine: Machine): string {
  const [plugin] = targets(machine, { kind: 'user' });
  return plugin?.kind === 'own' ? plugin.text : '';
}

type Handler = (...args: readonly unknown[]) => Promise<unknown>;

async function opencode(machine: Machine): Promise<Readonly<Record<string, Handler>>> {
  const { YorePlugin } = await load(machine, pluginText(opencodeInstallation, machine));
  return (await (YorePlugin as Handler)({ directory: '/home/ada/app' })) as Readonly<Record<string, Handler>>;
}

describe('the opencode plugin', () => {
  it('reports events to the hook in order', async () => {
    const machine = createMachine();
    const asked = fakeHook(machine);
    const hooks = await opencode(machine);
    await hooks.event?.({ event: { type: 'session.created', properties: { info: { id: 's1' } } } });
    await hooks['chat.message']?.(
      { sessionID: 's1' },
      {
        message: { id: 'm1' },
        parts: [
          { type: 'text', text: 'fix it' },
          { type: 'text', text: 'x', synthetic: true },
        ],
      },
    );
    const call = { tool: 'bash', sessionID: 's1', callID: 'c1' };
    await hooks['tool.execute.before']?.(call, { args: { command: 'make' } });
    await hooks['tool.execute.after']?.(
      { ...call, args: { command: 'make' } },
      { output: 'no rule', metadata: { exit: 2 } },
    );
    await hooks.event?.({ event: { type: 'session.idle', properties: { sessionID: 's1' } } });
    expect(asked()).toMatchObject([
      { agent: 'opencode', event: 'start', source: 'startup', sessionId: 's1', cwd: '/home/ada/app' },
      { event: 'prompt', prompt: 'fix it', promptId: 'm1' },
      { event: 'beforeCall', tool: 'bash', callId: 'c1', input: { command: 'make' } },
      { event: 'afterCall', tool: 'bash', callId: 'c1', output: 'no rule', exitCode: 2 },
      { event: 'stop', sessionId: 's1' },
    ]);
    expect(typeof asked()[3]?.durationMs).toBe('number');
  });

  it('throws a denial before a call and does not report it as a failure', async () => {
    const machine = createMachine();
    const asked = fakeHook(machine, { beforeCall: '{"deny":"This failed yesterday."}' });
    const hooks = await opencode(machine);
    const call = { tool: 'bash', sessionID: 's1', callID: 'c1' };
    await expect(hooks['tool.execute.before']?.(call, { args: {} })).rejects.toThrow('This failed yesterday.');
    const state = { status: 'error', error: 'Error: This failed yesterday.', input: {} };
    const part = { type: 'tool', tool: 'bash', sessionID: 's1', callID: 'c1', state };
    await hooks.event?.({ event: { type: 'message.part.updated', properties: { part } } });
    expect(asked().map(({ event }) => event)).toEqual(['beforeCall']);
  });

  it('reports a tool that threw once, and not one that the user rejected', async () => {
    const machine = createMachine();
    const asked = fakeHook(machine);
    const hooks = await opencode(machine);
    const update = (callID: string, error: string) => {
      const part = {
        type: 'tool',
        tool: 'edit',
        sessionID: 's1',
        callID,
        state: { status: 'error', error, input: { filePath: 'a' } },
      };
      return hooks.event?.({ event: { type: 'message.part.updated', properties: { part } } });
    };
    await update('c1', 'oldString not found');
    await update('c1', 'oldString not found');
    await update('c2', 'The user rejected permission to use this specific tool call.');
    expect(asked()).toMatchObject([{ event: 'afterCall', callId: 'c1', isError: true, output: 'oldString not found' }]);
  });

  it('makes a request after a compaction wait for what the compaction lost', async () => {
    const machine = createMachine();
    const asked = fakeHook(machine, { start: '{"context":"This session so far"}' });
    const hooks = await opencode(machine);
    // opencode does not wait for events.
    void hooks.event?.({ event: { type: 'session.compacted', properties: { sessionID: 's1' } } });
    const system = ['You are'];
    await hooks['experimental.chat.system.transform']?.({ sessionID: 's1' }, { system });
    expect(system).toEqual(['You are', 'This session so far']);
    expect(asked()).toMatchObject([{ event: 'afterCompaction' }, { event: 'start', source: 'compact' }]);
  });

  it('adds the briefing to every request and other context to the output', async () => {
    const machine = createMachine();
    fakeHook(machine, {
      start: '{"context":"Briefing","notice":"hello"}',
      prompt: '{"context":"Known from last week"}',
      afterCall: '{"context":"What worked: bun"}',
    });
    const hooks = await opencode(machine);
    await hooks['chat.message']?.({ sessionID: 's1' }, { message: {}, parts: [{ type: 'text', text: 'go' }] });
    for (const _ of [1, 2]) {
      const system = ['You are'];
      await hooks['experimental.chat.system.transform']?.({ sessionID: 's1' }, { system });
      expect(system).toEqual(['You are', 'Briefing', 'Known from last week']);
    }
    const result = { output: 'failed', metadata: {} };
    await hooks['tool.execute.after']?.({ tool: 'bash', sessionID: 's1', callID: 'c', args: {} }, result);
    expect(result.output).toBe('failed\n\nWhat worked: bun');
  });

  it('does nothing when the hook is missing, its reply is invalid or events are malformed', async () => {
    const machine = createMachine();
    const hooks = await opencode(machine);
    const call = { tool: 'bash', sessionID: 's1', callID: 'c1' };
    await expect(hooks['tool.execute.before']?.(call, { args: {} })).resolves.toBeUndefined();
    fakeHook(machine, { beforeCall: 'nonsense', afterCall: 'null' });
    await expect(hooks['tool.execute.before']?.(call, { args: {} })).resolves.toBeUndefined();
    await expect(hooks['tool.execute.after']?.(call, undefined)).resolves.toBeUndefined();
    await expect(hooks.event?.({})).resolves.toBeUndefined();
    await expect(hooks.event?.({ event: { type: 'message.part.updated', properties: null } })).resolves.toBeUndefined();
  });
});

describe('the pi extension', () => {
  const context = {
    cwd: '/home/ada/app',
    model: { id: 'large' },
    sessionManager: {
      getSessionId: () => 's1',
      getSessionFile: () => '/home/ada/.pi/agent/sessions/x/s1.jsonl',
    },
  };

  async function pi(machine: Machine): Promise<(event: string, payload: unknown) => Promise<unknown>> {
    const { default: extension } = await load(machine, pluginText(piInstallation, machine));
    const handlers = new Map<string, Handler>();
    (extension as (api: unknown) => void)({
      on: (name: string, handler: Handler) => handlers.set(name, handler),
    });
    return async (event, payload) => await handlers.get(event)?.(payload, context);
  }

  it('reports events to the hook, and adds its context to the next prompt', async () => {
    const machine = createMachine();
    const asked = fakeHook(machine, { start: '{"context":"Briefing"}', prompt: '{"context":"Known"}' });
    const emit = await pi(machine);
    await emit('session_start', { reason: 'startup' });
    expect(await emit('before_agent_start', { prompt: 'fix it' })).toEqual({
      message: { customType: 'yore', content: 'Briefing\n\nKnown', display: false },
    });
    await emit('tool_call', { toolName: 'bash', toolCallId: 'c1', input: { command: 'make' } });
    await emit('tool_result', {
      toolName: 'bash',
      toolCallId: 'c1',
      input: { command: 'make' },
      content: [{ type: 'text', text: 'no rule\n\nCommand exited with code 2' }],
      isError: true,
    });
    await emit('agent_end', {
      messages: [{ role: 'assistant', content: [{ type: 'text', text: 'Done.' }] }],
    });
    await emit('session_shutdown', {});
    expect(asked()).toMatchObject([
      {
        agent: 'pi',
        event: 'start',
        source: 'startup',
        sessionId: 's1',
        cwd: '/home/ada/app',
        model: 'large',
      },
      { event: 'prompt', prompt: 'fix it', transcriptPath: '/home/ada/.pi/agent/sessions/x/s1.jsonl' },
      { event: 'beforeCall', callId: 'c1' },
      { event: 'afterCall', callId: 'c1', output: 'no rule', exitCode: 2, isError: true },
      { event: 'stop' },
      { event: 'end' },
    ]);
  });

  it('blocks a call with the reason and does not report it as a failure', async () => {
    const machine = createMachine();
    const asked = fakeHook(machine, { beforeCall: '{"deny":"This failed yesterday."}' });
    const emit = await pi(machine);
    const call = { toolName: 'bash', toolCallId: 'c1', input: {} };
    expect(await emit('tool_call', call)).toEqual({ block: true, reason: 'This failed yesterday.' });
    await emit('tool_result', {
      ...call,
      content: [{ type: 'text', text: 'This failed yesterday.' }],
      isError: true,
    });
    expect(asked().map(({ event }) => event)).toEqual(['beforeCall']);
  });

  it('briefs again after a compaction', async () => {
    const machine = createMachine();
    const asked = fakeHook(machine, { start: '{"context":"Briefing"}' });
    const emit = await pi(machine);
    await emit('session_before_compact', {});
    await emit('session_compact', { compactionEntry: { summary: 'so far' } });
    expect(await emit('before_agent_start', { prompt: '' })).toMatchObject({
      message: { content: 'Briefing' },
    });
    expect(asked()).toMatchObject([
      { event: 'beforeCompaction' },
      { event: 'afterCompaction', summary: 'so far' },
      { event: 'start', source: 'compact' },
    ]);
  });

  it('never throws into the agent', async () => {
    const emit = await pi(createMachine());
    for (const event of [
      'session_start',
      'before_agent_start',
      'tool_call',
      'tool_result',
      'agent_end',
      'session_compact',
    ]) {
      await expect(emit(event, undefined)).resolves.toBeUndefined();
    }
  });
});
