import { describe, expect, it } from 'vitest';
import { qwenHooks } from '../../../src/agents/qwen/hooks.ts';

const BASE = {
  session_id: 'a1edba1d-c2c6-4c05-9623-b680d4bc3326',
  transcript_path: '/home/ada/.qwen/projects/-srv-shop/chats/a1edba1d-c2c6-4c05-9623-b680d4bc3326.jsonl',
  cwd: '/srv/shop',
  timestamp: '2026-11-15T10:00:00.000Z',
  permission_mode: 'default',
  prompt_id: 'a1edba1d-c2c6-4c05-9623-b680d4bc3326########0',
};
const SHELL = {
  tool_name: 'run_shell_command',
  tool_input: { command: 'npm test' },
  tool_use_id: 'toolu_1794786090586_t7wzerqle',
  tool_call_id: 'call_1',
};
const CALL = { tool: 'run_shell_command', input: { command: 'npm test' }, callId: 'call_1' };
const FRAME = 'Error: (none)\nExit Code: 1\nSignal: (none)\nProcess Group PGID: (none)';

describe('events of Qwen Code', () => {
  it.each([
    ['SessionStart', { source: 'startup', model: 'qwen3-coder' }, { type: 'start', source: 'startup' }],
    [
      'UserPromptSubmit',
      { prompt: 'Fix the cart\n--- Content of cart.ts', submitted_prompt: 'Fix the cart' },
      { type: 'prompt', text: 'Fix the cart' },
    ],
    ['UserPromptSubmit', { prompt: '' }, { type: 'other' }],
    ['PreToolUse', SHELL, { type: 'beforeCall', call: CALL }],
    [
      'PostToolUse',
      {
        ...SHELL,
        tool_response: {
          llmContent: `Output: 3 passing\n${FRAME.replace('1', '0')}`,
          returnDisplay: '3 passing',
        },
        duration_ms: 63,
      },
      {
        type: 'afterCall',
        call: CALL,
        result: { status: 'ok', output: '3 passing', exitCode: 0, durationMs: 63 },
      },
    ],
    [
      'PostToolUseFailure',
      {
        ...SHELL,
        error: `Command: npm test\nDirectory: (root)\nOutput: 1 failing\n${FRAME}`,
        is_interrupt: false,
      },
      { type: 'afterCall', call: CALL, result: { status: 'error', output: '1 failing', exitCode: 1 } },
    ],
    [
      'PostToolUseFailure',
      { ...SHELL, error: 'Command was cancelled.', is_interrupt: true },
      { type: 'afterCall', call: CALL, result: { status: 'interrupted', output: 'Command was cancelled.' } },
    ],
    ['Stop', { stop_hook_active: false, last_assistant_message: 'Done.' }, { type: 'stop' }],
    ['PreCompact', { trigger: 'auto' }, { type: 'beforeCompaction' }],
    ['PostCompact', { trigger: 'auto', compact_summary: 'the cart' }, { type: 'afterCompaction', summary: 'the cart' }],
    ['SessionEnd', { reason: 'exit' }, { type: 'end' }],
    ['Notification', { message: 'Signed in' }, { type: 'other' }],
  ])('%s %#', (name, fields, event) => {
    expect(qwenHooks.decode({ ...BASE, hook_event_name: name, ...fields })?.event).toEqual(event);
  });

  it('have a session of their own in a sub-agent, as in its transcript', () => {
    const fields = { hook_event_name: 'PreToolUse', ...SHELL, agent_id: 'general-purpose-call_7' };
    expect(qwenHooks.decode({ ...BASE, ...fields })?.session).toEqual({
      sessionId: `${BASE.session_id}-agent-general-purpose-call_7`,
      parentSessionId: BASE.session_id,
      cwd: '/srv/shop',
      transcriptPath: BASE.transcript_path,
    });
  });
});

describe('replies to Qwen Code', () => {
  const session = { sessionId: 's', cwd: '/srv' };

  it('ask or deny before a call, and add context elsewhere', () => {
    const before = { name: 'PreToolUse', session, event: { type: 'beforeCall', call: CALL } } as const;
    expect(JSON.parse(qwenHooks.encode({ decision: { mode: 'ask', reason: 'it failed' } }, before))).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'ask',
        permissionDecisionReason: 'it failed',
      },
    });
    const prompt = { name: 'UserPromptSubmit', session, event: { type: 'prompt', text: 'x' } } as const;
    expect(JSON.parse(qwenHooks.encode({ context: 'facts' }, prompt))).toEqual({
      hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: 'facts' },
    });
    expect(qwenHooks.encode({ context: 'facts' }, { name: 'Stop', session, event: { type: 'stop' } })).toBe('');
  });
});
