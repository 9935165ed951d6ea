import { describe, expect, it } from 'vitest';
import { claudeCodeHooks } from '../../../src/agents/claude-code/hooks.ts';
import type { HookReply } from '../../../src/agents/hook-protocol.ts';

const BASE = {
  session_id: '0b5c7a52-4f0e-4d25-9a3f-2a1be1c8a001',
  transcript_path: '/home/ada/.claude/projects/-srv-shop/0b5c7a52.jsonl',
  cwd: '/srv/shop',
  permission_mode: 'default',
};
const SESSION = {
  sessionId: '0b5c7a52-4f0e-4d25-9a3f-2a1be1c8a001',
  cwd: '/srv/shop',
  transcriptPath: '/home/ada/.claude/projects/-srv-shop/0b5c7a52.jsonl',
};
const BASH = {
  tool_name: 'Bash',
  tool_input: { command: 'npm test', description: 'Run the tests' },
  tool_use_id: 'toolu_01Shop',
};
const CALL = { tool: 'Bash', input: BASH.tool_input, callId: 'toolu_01Shop' };

function decode(fields: object) {
  return claudeCodeHooks.decode({ ...BASE, ...fields });
}

function encode(answer: HookReply, fields: object): unknown {
  const message = decode(fields);
  if (message === undefined) throw new Error('malformed event');
  const text = claudeCodeHooks.encode(answer, message);
  return text === '' ? '' : JSON.parse(text);
}

describe('events of Claude Code', () => {
  it.each([
    ['SessionStart', { source: 'compact', model: 'claude-opus-4-5' }, { type: 'start', source: 'compact' }],
    ['SessionStart', { source: 'a new way' }, { type: 'start', source: 'startup' }],
    ['UserPromptSubmit', { prompt: 'Fix the cart' }, { type: 'prompt', text: 'Fix the cart' }],
    ['UserPromptSubmit', { prompt: 'Fix the cart', source: 'user' }, { type: 'prompt', text: 'Fix the cart' }],
    ['UserPromptSubmit', { prompt: 'Check the build', source: 'schedule_wakeup' }, { type: 'other' }],
    ['PreToolUse', BASH, { type: 'beforeCall', call: CALL }],
    [
      'PostToolUse',
      { ...BASH, tool_response: { stdout: 'ok', stderr: 'late', interrupted: false }, duration_ms: 412 },
      { type: 'afterCall', call: CALL, result: { status: 'ok', output: 'ok\nlate', durationMs: 412 } },
    ],
    [
      'PostToolUse',
      { ...BASH, tool_response: { stdout: 'half', stderr: '', interrupted: true } },
      { type: 'afterCall', call: CALL, result: { status: 'interrupted', output: 'half' } },
    ],
    [
      'PostToolUse',
      { ...BASH, tool_response: { stdout: '', stderr: '', backgroundTaskId: 'bash_1' } },
      { type: 'afterCall', call: CALL, result: { status: 'unknown' } },
    ],
    [
      'PostToolUse',
      { ...BASH, tool_response: { stdout: '', stderr: '', returnCodeInterpretation: 'No matches found' } },
      { type: 'afterCall', call: CALL, result: { status: 'ok', output: '', exitCode: 1 } },
    ],
    [
      'PostToolUseFailure',
      { ...BASH, error: 'Exit code 2\n3 failing\ncart.test.ts' },
      {
        type: 'afterCall',
        call: CALL,
        result: { status: 'error', exitCode: 2, output: '3 failing\ncart.test.ts' },
      },
    ],
    [
      'PostToolUseFailure',
      { ...BASH, error: 'stopped', is_interrupt: true },
      { type: 'afterCall', call: CALL, result: { status: 'interrupted', output: 'stopped' } },
    ],
    ['Stop', { stop_hook_active: false, last_assistant_message: 'Done.' }, { type: 'stop' }],
    ['StopFailure', { error: 'overloaded' }, { type: 'stop' }],
    ['PreCompact', { trigger: 'auto', custom_instructions: '' }, { type: 'beforeCompaction' }],
    [
      'PostCompact',
      { trigger: 'auto', compact_summary: 'The cart was fixed.' },
      { type: 'afterCompaction', summary: 'The cart was fixed.' },
    ],
    ['SessionEnd', { reason: 'prompt_input_exit' }, { type: 'end' }],
    ['Notification', { message: 'waiting', notification_type: 'idle_prompt' }, { type: 'other' }],
    ['AnEventOfNextYear', {}, { type: 'other' }],
  ])('%s %#', (name, fields, event) => {
    expect(decode({ hook_event_name: name, ...fields })).toMatchObject({ name, session: SESSION, event });
  });

  it('have a session of their own inside a sub-agent', () => {
    expect(decode({ hook_event_name: 'PreToolUse', ...BASH, agent_id: 'a1b2', agent_type: 'Explore' })).toMatchObject({
      session: { sessionId: 'agent-a1b2', parentSessionId: BASE.session_id },
    });
    expect(
      decode({
        hook_event_name: 'SubagentStop',
        agent_id: 'a1b2',
        agent_transcript_path: '/home/ada/.claude/projects/-srv-shop/0b5c7a52/subagents/agent-a1b2.jsonl',
      }),
    ).toMatchObject({
      session: { sessionId: 'agent-a1b2' },
      event: {
        type: 'subagentStop',
        transcriptPath: '/home/ada/.claude/projects/-srv-shop/0b5c7a52/subagents/agent-a1b2.jsonl',
      },
    });
  });

  const COPILOT_CALL = {
    hook_event_name: 'PostToolUse',
    session_id: 'c-1',
    timestamp: '2026-03-04T10:00:00.000Z',
    cwd: '/srv/shop',
    tool_name: 'Bash',
    tool_input: { command: 'npm test' },
  };

  it('are attributed to Copilot when it runs the hooks of Claude Code', () => {
    const message = claudeCodeHooks.decode({
      ...COPILOT_CALL,
      tool_result: { result_type: 'failure', text_result_for_llm: '1 failing' },
    });
    expect(message).toMatchObject({
      agent: 'copilot',
      event: { type: 'afterCall', result: { status: 'error', output: '1 failing' } },
    });
    const stop = claudeCodeHooks.decode({
      hook_event_name: 'Stop',
      session_id: 'c-1',
      timestamp: '2026-03-04T10:00:00.000Z',
      cwd: '/srv/shop',
      transcript_path: '/home/ada/.copilot/session-state/c-1/events.jsonl',
      stop_reason: 'end_turn',
    });
    expect(stop).toMatchObject({ agent: 'copilot', event: { type: 'stop' } });
  });

  it('have the exit code of a command that Copilot ran', () => {
    const message = claudeCodeHooks.decode({
      ...COPILOT_CALL,
      tool_result: {
        result_type: 'success',
        text_result_for_llm: '1 failing\n<shellId: 0 completed with exit code 1>',
      },
    });
    expect(message).toMatchObject({ event: { result: { status: 'error', exitCode: 1, output: '1 failing' } } });
  });

  it.each([
    null,
    [],
    'text',
    {},
    { hook_event_name: 'Stop' },
    { ...BASE, hook_event_name: 7 },
    { ...BASE, hook_event_name: 'PreToolUse' },
    { ...BASE, hook_event_name: 'Stop', cwd: 'relative' },
    { ...BASE, hook_event_name: 'UserPromptSubmit', prompt: { text: 'x' } },
    JSON.parse('{"__proto__": {"hook_event_name": "Stop"}}'),
  ])('reject %j', (payload) => {
    expect(claudeCodeHooks.decode(payload)).toBeUndefined();
  });
});

describe('replies to Claude Code', () => {
  const decision = { mode: 'ask', reason: 'it failed' } as const;

  it('are context and a notice at the start and at a prompt', () => {
    expect(
      encode({ context: 'facts', notice: 'a line' }, { hook_event_name: 'SessionStart', source: 'startup' }),
    ).toEqual({
      systemMessage: 'a line',
      hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'facts' },
    });
    expect(encode({ context: 'facts' }, { hook_event_name: 'UserPromptSubmit', prompt: 'x' })).toEqual({
      hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: 'facts' },
    });
  });

  it('are a question, a denial or context before a call', () => {
    const event = { hook_event_name: 'PreToolUse', ...BASH };
    expect(encode({ decision }, event)).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'ask',
        permissionDecisionReason: 'it failed',
      },
    });
    expect(encode({ decision: { ...decision, mode: 'deny' } }, event)).toMatchObject({
      hookSpecificOutput: { permissionDecision: 'deny' },
    });
    expect(encode({ context: 'it failed' }, event)).toEqual({
      hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: 'it failed' },
    });
    expect(encode({}, event)).toBe('');
  });

  it('are empty at events that accept none', () => {
    for (const name of ['Stop', 'PreCompact', 'PostCompact', 'SessionEnd', 'SubagentStop', 'Notification']) {
      expect(encode({ context: 'x', notice: 'y', decision }, { hook_event_name: name })).toBe('');
    }
  });

  it('are truncated to what it accepts', () => {
    const reply = encode({ context: 'x'.repeat(20_000) }, { hook_event_name: 'SessionStart' }) as {
      hookSpecificOutput: { additionalContext: string };
    };
    expect(reply.hookSpecificOutput.additionalContext.length).toBeLessThan(10_000);
  });
});
