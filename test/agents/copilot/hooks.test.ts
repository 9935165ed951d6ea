import { describe, expect, it } from 'vitest';
import { copilotHooks } from '../../../src/agents/copilot/hooks.ts';

const BASE = {
  sessionId: 'c0ffee00-1111-4222-8333-444455556666',
  timestamp: 1_772_618_400_000,
  cwd: '/srv/shop',
};
const SESSION = { sessionId: BASE.sessionId, cwd: '/srv/shop' };
const CALL = { tool: 'bash', input: { command: 'npm test' } };

describe('events of Copilot', () => {
  it.each([
    ['sessionStart', { source: 'new', initialPrompt: 'x' }, { type: 'start', source: 'startup' }],
    ['sessionStart', { source: 'resume' }, { type: 'start', source: 'resume' }],
    ['userPromptSubmitted', { prompt: 'Fix the cart' }, { type: 'prompt', text: 'Fix the cart' }],
    ['preToolUse', { toolName: 'bash', toolArgs: '{"command":"npm test"}' }, { type: 'beforeCall', call: CALL }],
    ['preToolUse', { toolName: 'bash', toolArgs: { command: 'npm test' } }, { type: 'beforeCall', call: CALL }],
    ['preToolUse', { toolName: 'bash', toolArgs: '{torn' }, { type: 'beforeCall', call: { tool: 'bash', input: {} } }],
    [
      'postToolUse',
      {
        toolName: 'bash',
        toolArgs: { command: 'npm test' },
        toolResult: {
          resultType: 'success',
          textResultForLlm: '1 failing\n<shellId: 0 completed with exit code 1>',
        },
      },
      { type: 'afterCall', call: CALL, result: { status: 'error', exitCode: 1, output: '1 failing' } },
    ],
    [
      'postToolUse',
      {
        toolName: 'bash',
        toolArgs: { command: 'npm test' },
        toolResult: { resultType: 'denied', textResultForLlm: 'Denied by hook' },
      },
      { type: 'afterCall', call: CALL, result: { status: 'denied', output: 'Denied by hook' } },
    ],
    [
      'postToolUse',
      { toolName: 'bash', toolArgs: { command: 'npm test' } },
      { type: 'afterCall', call: CALL, result: { status: 'unknown', output: '' } },
    ],
    [
      'postToolUseFailure',
      { toolName: 'bash', toolArgs: { command: 'npm test' }, error: 'no shell' },
      { type: 'afterCall', call: CALL, result: { status: 'error', output: 'no shell' } },
    ],
    ['agentStop', { stopReason: 'end_turn' }, { type: 'stop' }],
    ['subagentStop', { agentName: 'explore' }, { type: 'subagentStop' }],
    ['preCompact', { trigger: 'auto' }, { type: 'beforeCompaction' }],
    ['sessionEnd', { reason: 'complete' }, { type: 'end' }],
    ['errorOccurred', { error: { message: 'x' } }, { type: 'other' }],
  ])('%s %#', (name, fields, event) => {
    expect(copilotHooks.decode({ ...BASE, ...fields }, name)).toEqual({ name, session: SESSION, event });
  });

  it('are like those of Claude Code under names such as PreToolUse', () => {
    expect(
      copilotHooks.decode(
        {
          session_id: BASE.sessionId,
          timestamp: '2026-03-04T10:00:00.000Z',
          cwd: '/srv/shop',
          tool_name: 'Bash',
          tool_input: { command: 'npm test' },
        },
        'PreToolUse',
      ),
    ).toEqual({
      agent: 'copilot',
      name: 'PreToolUse',
      session: SESSION,
      event: { type: 'beforeCall', call: { tool: 'Bash', input: { command: 'npm test' } } },
    });
  });

  it('are rejected without a name', () => {
    expect(copilotHooks.decode({ ...BASE, toolName: 'bash' })).toBeUndefined();
  });
});

describe('replies to Copilot', () => {
  it('depend on the event', () => {
    const answer = {
      context: 'facts',
      notice: 'line',
      decision: { mode: 'ask', reason: 'it failed' },
    } as const;
    const tell = (name: string, fields: object): unknown => {
      const message = copilotHooks.decode({ ...BASE, ...fields }, name);
      const text = message === undefined ? 'none' : copilotHooks.encode(answer, message);
      return text === '' ? '' : JSON.parse(text);
    };
    expect(tell('preToolUse', { toolName: 'bash', toolArgs: {} })).toEqual({
      permissionDecision: 'deny',
      permissionDecisionReason: 'it failed',
    });
    expect(tell('sessionStart', { source: 'new' })).toEqual({ additionalContext: 'facts' });
    expect(tell('postToolUse', { toolName: 'bash', toolArgs: {} })).toEqual({ additionalContext: 'facts' });
    expect(tell('userPromptSubmitted', { prompt: 'x' })).toBe('');
    expect(tell('agentStop', {})).toBe('');
    expect(tell('sessionEnd', {})).toBe('');
  });
});
