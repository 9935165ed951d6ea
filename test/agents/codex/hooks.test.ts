import { describe, expect, it } from 'vitest';
import { codexHooks } from '../../../src/agents/codex/hooks.ts';

const BASE = {
  session_id: '019c2e1a-7a51-7c33-b5b0-0aa1c1d2e3f4',
  turn_id: '019c2e1a-7a51-7c33-b5b0-0aa1c1d2e3f5',
  transcript_path: '/home/ada/.codex/sessions/2026/03/04/rollout-2026-03-04T10-00-00-019c2e1a.jsonl',
  cwd: '/srv/shop',
  model: 'gpt-5.2-codex',
  permission_mode: 'default',
};
const BASH = { tool_name: 'Bash', tool_input: { command: 'cargo test' }, tool_use_id: 'call_1' };
const CALL = { tool: 'Bash', input: { command: 'cargo test' }, callId: 'call_1' };

describe('events of Codex', () => {
  it.each([
    ['SessionStart', { source: 'startup' }, { type: 'start', source: 'startup' }],
    ['UserPromptSubmit', { prompt: 'Fix the cart' }, { type: 'prompt', text: 'Fix the cart' }],
    ['PreToolUse', BASH, { type: 'beforeCall', call: CALL }],
    [
      'PostToolUse',
      { ...BASH, tool_response: 'test result: FAILED' },
      { type: 'afterCall', call: CALL, result: { status: 'unknown', output: 'test result: FAILED' } },
    ],
    [
      'PreToolUse',
      { tool_name: 'apply_patch', tool_input: { command: '*** Begin Patch' }, tool_use_id: 'call_2' },
      {
        type: 'beforeCall',
        call: { tool: 'apply_patch', input: { command: '*** Begin Patch' }, callId: 'call_2' },
      },
    ],
    ['Stop', { stop_hook_active: false, last_assistant_message: 'Done.' }, { type: 'stop' }],
    ['SubagentStop', { last_assistant_message: 'Done.' }, { type: 'subagentStop' }],
    ['PreCompact', { trigger: 'auto' }, { type: 'beforeCompaction' }],
    ['PostCompact', { trigger: 'auto' }, { type: 'afterCompaction' }],
    ['SessionEnd', { reason: 'other' }, { type: 'end' }],
    ['PermissionRequest', BASH, { type: 'other' }],
  ])('%s %#', (name, fields, event) => {
    expect(codexHooks.decode({ ...BASE, hook_event_name: name, ...fields })).toEqual({
      name,
      session: {
        sessionId: BASE.session_id,
        cwd: '/srv/shop',
        transcriptPath: BASE.transcript_path,
        model: 'gpt-5.2-codex',
      },
      event,
    });
  });

  it('may lack a transcript, and have a session of their own in sub-agents', () => {
    const message = codexHooks.decode({
      ...BASE,
      ...BASH,
      hook_event_name: 'PreToolUse',
      transcript_path: null,
      agent_id: '019c2e1a-0000-7c33-b5b0-0aa1c1d2e3f4',
    });
    expect(message?.session).toEqual({
      sessionId: '019c2e1a-0000-7c33-b5b0-0aa1c1d2e3f4',
      parentSessionId: BASE.session_id,
      cwd: '/srv/shop',
      model: 'gpt-5.2-codex',
    });
  });
});

describe('replies to Codex', () => {
  const before = {
    name: 'PreToolUse',
    session: { sessionId: 's', cwd: '/srv' },
    event: { type: 'beforeCall', call: CALL },
  } as const;

  it('deny instead of asking', () => {
    const text = codexHooks.encode({ decision: { mode: 'ask', reason: 'it failed' } }, before);
    expect(JSON.parse(text)).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: 'it failed',
      },
    });
    expect(codexHooks.canAsk).toBe(false);
  });

  it('never contain what marks a hook as failed', () => {
    const answers = [
      { context: 'x', notice: 'y' },
      { decision: { mode: 'deny', reason: 'it failed' } },
      { decision: { mode: 'deny', reason: '   ' } },
      {},
    ] as const;
    const events = [
      before.event,
      { type: 'start', source: 'startup' },
      { type: 'prompt', text: 'x' },
      { type: 'afterCall', call: CALL, result: { status: 'unknown' } },
      { type: 'stop' },
      { type: 'afterCompaction' },
      { type: 'end' },
    ] as const;
    for (const event of events) {
      for (const answer of answers) {
        const text = codexHooks.encode(answer, { ...before, event });
        const sent = text === '' ? {} : JSON.parse(text);
        expect(Object.keys(sent)).not.toEqual(expect.arrayContaining(['continue']));
        expect(text).not.toMatch(/"(?:continue|suppressOutput|stopReason|decision|reason)"|"ask"|"allow"/);
        const specific = sent.hookSpecificOutput ?? {};
        if (specific.permissionDecision !== undefined) {
          expect(specific.permissionDecisionReason.trim()).not.toBe('');
        }
      }
    }
  });
});
