import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pluginHooks } from '../../src/agents/plugin-hooks.ts';
import { AGENTS, HOOKED_AGENTS } from '../../src/agents/registry.ts';

const PROTOCOLS = await Promise.all(HOOKED_AGENTS.map((name) => AGENTS[name].hooks?.loadProtocol()));

const BASE = { sessionId: 'ses_1', cwd: '/srv/shop', model: 'anthropic/claude-sonnet-4-5' };
const CALL = { tool: 'bash', callId: 'call_1', input: { command: 'npm test' } };

describe('the protocol of plugins', () => {
  it.each([
    [
      { event: 'start', source: 'resume' },
      { type: 'start', source: 'resume' },
    ],
    [
      { event: 'prompt', prompt: 'Fix it', promptId: 'msg_1' },
      { type: 'prompt', text: 'Fix it', id: 'msg_1' },
    ],
    [
      { event: 'beforeCall', ...CALL },
      { type: 'beforeCall', call: CALL },
    ],
    [
      { event: 'afterCall', ...CALL, output: '1 failing', exitCode: 1, durationMs: 12 },
      {
        type: 'afterCall',
        call: CALL,
        result: { status: 'error', output: '1 failing', exitCode: 1, durationMs: 12 },
      },
    ],
    [
      { event: 'afterCall', ...CALL, output: 'no such file', isError: true },
      { type: 'afterCall', call: CALL, result: { status: 'error', output: 'no such file' } },
    ],
    [
      { event: 'afterCall', ...CALL, output: 'ok' },
      { type: 'afterCall', call: CALL, result: { status: 'ok', output: 'ok' } },
    ],
    [{ event: 'stop' }, { type: 'stop' }],
    [{ event: 'subagentStop' }, { type: 'subagentStop' }],
    [{ event: 'beforeCompaction' }, { type: 'beforeCompaction' }],
    [
      { event: 'afterCompaction', summary: 'short' },
      { type: 'afterCompaction', summary: 'short' },
    ],
    [{ event: 'end' }, { type: 'end' }],
    [{ event: 'something new' }, { type: 'other' }],
  ])('%j', (fields, event) => {
    expect(pluginHooks.decode({ ...BASE, parentSessionId: 'ses_0', ...fields })).toEqual({
      name: fields.event,
      session: { ...BASE, parentSessionId: 'ses_0' },
      event,
    });
  });

  it('replies with a denial, or with context and a notice', () => {
    const session = { sessionId: 's', cwd: '/srv' };
    const before = { name: 'beforeCall', session, event: { type: 'beforeCall', call: CALL } } as const;
    expect(pluginHooks.encode({ decision: { mode: 'ask', reason: 'it failed' } }, before)).toBe('{"deny":"it failed"}');
    const start = { name: 'start', session, event: { type: 'start', source: 'startup' } } as const;
    expect(pluginHooks.encode({ context: 'facts', notice: 'line' }, start)).toBe('{"context":"facts","notice":"line"}');
    expect(pluginHooks.encode({ context: 'facts' }, { name: 'end', session: session, event: { type: 'end' } })).toBe(
      '',
    );
  });
});

describe('every protocol', () => {
  it('accepts any JSON without throwing, and replies with JSON or nothing', () => {
    const key = fc.constantFrom(
      ...['hook_event_name', 'session_id', 'sessionId', 'cwd', 'tool_name', 'toolName', 'tool_input', 'toolArgs'],
      ...['prompt', 'event', 'tool_response', 'toolResult', 'error', 'source', 'conversation_id', 'tool', 'input'],
    );
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom('/srv/shop', 'PreToolUse', 'PostToolUse', 'BeforeTool', 'AfterTool', 'postToolUse', 'x'),
    );
    const payload = fc.oneof(fc.jsonValue(), fc.dictionary(key, value));
    const name = fc.option(fc.constantFrom('preToolUse', 'postToolUse', 'agentStop', '__proto__'), {
      nil: undefined,
    });
    fc.assert(
      fc.property(payload, name, fc.constantFrom(...PROTOCOLS), (given, event, protocol) => {
        const message = protocol?.decode(given, event);
        if (protocol === undefined || message === undefined) return;
        expect(message.session.cwd.startsWith('/')).toBe(true);
        const text = protocol.encode({ context: 'c', notice: 'n', decision: { mode: 'deny', reason: 'r' } }, message);
        if (text !== '') JSON.parse(text);
      }),
      { numRuns: 2000 },
    );
  });
});
