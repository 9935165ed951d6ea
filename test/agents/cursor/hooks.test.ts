import { describe, expect, it } from 'vitest';
import { cursorHooks } from '../../../src/agents/cursor/hooks.ts';

const BASE = {
  conversation_id: 'e1e2e3e4-0000-4000-8000-000000000001',
  generation_id: 'gen-1',
  model: 'composer-1',
  cursor_version: '2.4.0',
  workspace_roots: ['/srv/shop'],
  transcript_path: null,
};
const SESSION = { sessionId: BASE.conversation_id, cwd: '/srv/shop', model: 'composer-1' };

describe('events of Cursor', () => {
  it.each([
    ['sessionStart', {}, { type: 'start', source: 'startup' }],
    ['beforeSubmitPrompt', { prompt: 'Fix the cart', attachments: [] }, { type: 'prompt', text: 'Fix the cart' }],
    [
      'beforeShellExecution',
      { command: 'npm test', cwd: '/srv/shop' },
      { type: 'beforeCall', call: { tool: 'Shell', input: { command: 'npm test', cwd: '/srv/shop' } } },
    ],
    ['preToolUse', { tool_name: 'Shell', tool_input: { command: 'npm test' } }, { type: 'other' }],
    [
      'preToolUse',
      { tool_name: 'Read', tool_input: { file_path: 'cart.ts' }, tool_use_id: 'call-1' },
      { type: 'beforeCall', call: { tool: 'Read', input: { file_path: 'cart.ts' }, callId: 'call-1' } },
    ],
    [
      'postToolUse',
      {
        tool_name: 'Shell',
        tool_input: { command: 'npm test' },
        tool_use_id: 'call-2',
        tool_output: '{"output":"1 failing","exitCode":1}',
        duration: 1200,
      },
      {
        type: 'afterCall',
        call: { tool: 'Shell', input: { command: 'npm test' }, callId: 'call-2' },
        result: { status: 'error', exitCode: 1, output: '1 failing', durationMs: 1200 },
      },
    ],
    [
      'postToolUseFailure',
      {
        tool_name: 'Shell',
        tool_input: { command: 'npm test' },
        tool_use_id: 'call-3',
        error_message: 'not approved',
        failure_type: 'permission_denied',
      },
      {
        type: 'afterCall',
        call: { tool: 'Shell', input: { command: 'npm test' }, callId: 'call-3' },
        result: { status: 'denied', output: 'not approved' },
      },
    ],
    ['afterShellExecution', { command: 'npm test', output: 'x', duration: 3 }, { type: 'other' }],
    ['stop', { status: 'completed', loop_count: 0 }, { type: 'stop' }],
    ['subagentStop', {}, { type: 'subagentStop' }],
    ['preCompact', {}, { type: 'beforeCompaction' }],
    ['sessionEnd', {}, { type: 'end' }],
  ])('%s %#', (name, fields, event) => {
    expect(cursorHooks.decode({ ...BASE, hook_event_name: name, ...fields })).toEqual({
      name,
      session: SESSION,
      event,
    });
  });
});

describe('replies to Cursor', () => {
  it('ask or deny before a call, and add context at the start and after a call', () => {
    const session = SESSION;
    const call = { tool: 'Shell', input: {} };
    const tell = (event: Parameters<typeof cursorHooks.encode>[1]['event'], answer: object): unknown => {
      const text = cursorHooks.encode(answer, { name: 'x', session: session, event });
      return text === '' ? '' : JSON.parse(text);
    };
    const decision = { mode: 'ask', reason: 'it failed' };
    expect(tell({ type: 'beforeCall', call }, { decision })).toEqual({
      permission: 'ask',
      user_message: 'it failed',
      agent_message: 'it failed',
    });
    expect(tell({ type: 'beforeCall', call }, {})).toBe('');
    expect(tell({ type: 'start', source: 'startup' }, { context: 'facts' })).toEqual({
      additional_context: 'facts',
    });
    expect(tell({ type: 'prompt', text: 'x' }, { context: 'facts' })).toBe('');
    expect(tell({ type: 'stop' }, { context: 'facts' })).toBe('');
  });
});
