import { describe, expect, it } from 'vitest';
import { geminiHooks } from '../../../src/agents/gemini/hooks.ts';

const BASE = {
  session_id: '6d0f2c9e-3b1a-4a55-8e53-11c0a2b3c4d5',
  transcript_path: '/home/ada/.gemini/tmp/shop/chats/session-2026-03-04T10-00-6d0f2c9e.jsonl',
  cwd: '/srv/shop',
  timestamp: '2026-03-04T10:00:00.000Z',
};
const SHELL = { tool_name: 'run_shell_command', tool_input: { command: 'npm test' } };
const CALL = { tool: 'run_shell_command', input: { command: 'npm test' } };

describe('events of Gemini CLI', () => {
  it.each([
    ['SessionStart', { source: 'clear' }, { type: 'start', source: 'clear' }],
    ['BeforeAgent', { prompt: 'Fix the cart' }, { type: 'prompt', text: 'Fix the cart' }],
    [
      'BeforeAgent',
      { prompt: '<hook_context>yore: npm test fails &lt;here&gt;.\n\nMore.</hook_context>\n\nset up the cache client' },
      { type: 'prompt', text: 'set up the cache client' },
    ],
    ['BeforeTool', SHELL, { type: 'beforeCall', call: CALL }],
    [
      'AfterTool',
      {
        ...SHELL,
        tool_response: {
          llmContent:
            'Command: npm test\nDirectory: (root)\nOutput: 1 failing\nError: (none)\nExit Code: 1\nSignal: 0\nBackground PIDs: (none)\nProcess Group PGID: 4711',
          returnDisplay: '1 failing',
        },
      },
      { type: 'afterCall', call: CALL, result: { status: 'error', exitCode: 1, output: '1 failing' } },
    ],
    [
      'AfterTool',
      {
        ...SHELL,
        tool_response: {
          llmContent: [{ text: 'Output: 12 passing\nExit Code: 0\nProcess Group PGID: 4711' }],
        },
      },
      { type: 'afterCall', call: CALL, result: { status: 'ok', exitCode: 0, output: '12 passing' } },
    ],
    [
      'AfterTool',
      {
        ...SHELL,
        tool_response: {
          llmContent:
            '<untrusted_context>\nOutput: 1 failing\nExit Code: 1\nProcess Group PGID: 101\n</untrusted_context>',
          returnDisplay: '1 failing',
        },
      },
      { type: 'afterCall', call: CALL, result: { status: 'error', exitCode: 1, output: '1 failing' } },
    ],
    [
      'AfterTool',
      {
        tool_name: 'read_file',
        tool_input: { file_path: 'cart.ts' },
        tool_response: {
          llmContent: '',
          error: { type: 'file_not_found', message: 'File not found: cart.ts' },
        },
      },
      {
        type: 'afterCall',
        call: { tool: 'read_file', input: { file_path: 'cart.ts' } },
        result: { status: 'error', output: 'File not found: cart.ts' },
      },
    ],
    ['AfterAgent', { prompt: 'Fix the cart', prompt_response: 'Done.', stop_hook_active: false }, { type: 'stop' }],
    ['SessionEnd', { reason: 'exit' }, { type: 'end' }],
    ['BeforeModel', { llm_request: {} }, { type: 'other' }],
    // It comes before every request to the model.
    ['PreCompress', { trigger: 'auto' }, { type: 'other' }],
  ])('%s %#', (name, fields, event) => {
    expect(geminiHooks.decode({ ...BASE, hook_event_name: name, ...fields })).toEqual({
      name,
      session: { sessionId: BASE.session_id, cwd: '/srv/shop', transcriptPath: BASE.transcript_path },
      event,
    });
  });
});

describe('replies to Gemini CLI', () => {
  const session = { sessionId: 's', cwd: '/srv' };
  const answer = { context: 'facts', decision: { mode: 'ask', reason: 'it failed' } } as const;

  it('are JSON or empty', () => {
    const before = { name: 'BeforeTool', session, event: { type: 'beforeCall', call: CALL } } as const;
    expect(JSON.parse(geminiHooks.encode(answer, before))).toEqual({ decision: 'deny', reason: 'it failed' });
    expect(geminiHooks.encode({ context: 'not heard here' }, before)).toBe('');
    const prompt = { name: 'BeforeAgent', session, event: { type: 'prompt', text: 'x' } } as const;
    expect(JSON.parse(geminiHooks.encode({ context: 'facts' }, prompt))).toEqual({
      hookSpecificOutput: { hookEventName: 'BeforeAgent', additionalContext: 'facts' },
    });
    expect(geminiHooks.encode(answer, { name: 'AfterAgent', session: session, event: { type: 'stop' } })).toBe('');
  });
});
