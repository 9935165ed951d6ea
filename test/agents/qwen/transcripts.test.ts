import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { claudeCodeTranscripts } from '../../../src/agents/claude-code/transcripts.ts';
import { qwenTranscripts } from '../../../src/agents/qwen/transcripts.ts';
import {
  createHome,
  findPaths,
  jsonAbout,
  linesFile,
  readLines,
  skipped,
  testTranscriptLaws,
  textOfLines,
} from '../transcript-laws.ts';

const T = '2026-11-15T23:38:20.348Z';
const SESSION = { type: 'session', sessionId: 's1', cwd: '/srv/shop', branch: 'main' };
const AT = { sessionId: 's1', timestamp: T };

let count = 0;
function line(type: string, fields: object): object {
  return {
    uuid: `u${count++}`,
    parentUuid: null,
    sessionId: 's1',
    timestamp: T,
    type,
    cwd: '/srv/shop',
    version: '0.24.4',
    gitBranch: 'main',
    ...fields,
  };
}

const user = (parts: readonly object[], more: object = {}) =>
  line('user', { provenance: 'real_user', message: { role: 'user', parts }, ...more });
const reply = (parts: readonly object[], more: object = {}) =>
  line('assistant', {
    provenance: 'assistant_output',
    model: 'qwen3-coder',
    message: { role: 'model', parts },
    usageMetadata: {
      promptTokenCount: 100,
      candidatesTokenCount: 20,
      thoughtsTokenCount: 5,
      totalTokenCount: 120,
      cachedContentTokenCount: 40,
    },
    ...more,
  });
const call = (id: string, name: string, args: object) => ({ functionCall: { id, name, args } });
const result = (id: string, response: object, toolCallResult: object = {}) =>
  line('tool_result', {
    provenance: 'tool_result',
    message: { role: 'user', parts: [{ functionResponse: { id, name: 'tool', response } }] },
    toolCallResult: { callId: id, ...toolCallResult },
  });
const system = (subtype: string, systemPayload: object) =>
  line('system', { provenance: 'system', subtype, systemPayload });
const shell = (outcome: string, output: string, exitCode: number | null) => ({
  resultDisplay: { type: 'shell_result', version: 1, exitCode, outcome, output, text: output, error: null },
});

const RICH: readonly object[] = [
  user([{ text: 'Add Redis caching' }]),
  system('attribution_snapshot', { snapshot: {} }),
  reply([
    { text: 'I think', thought: true },
    { text: 'I will add a Redis client.' },
    call('c1', 'run_shell_command', { command: 'npm install redis-node' }),
  ]),
  result(
    'c1',
    { error: 'Command: npm install redis-node\nOutput: npm error 404\nExit Code: 1\n\nfrom a hook' },
    { status: 'error', errorType: 'shell_execute_error', ...shell('failed', 'npm error 404', 1) },
  ),
  system('ui_telemetry', { uiEvent: { 'event.name': 'qwen-code.tool_call' } }),
  reply([call('c2', 'read_file', { file_path: '/srv/shop/src/cache.js' })]),
  result('c2', { output: 'export const cache = new Map();\n' }, { status: 'success', resultDisplay: '' }),
  reply([{ text: 'Done.' }]),
];

describe('sessions of Qwen Code', () => {
  test('report their folder and branch, messages with usage, calls and results', () => {
    const usage = { inputTokens: 60, outputTokens: 20, cacheReadTokens: 40 };
    const said = {
      type: 'message',
      ...AT,
      id: expect.any(String),
      role: 'assistant',
      model: 'qwen3-coder',
      usage,
    };
    expect(readLines(qwenTranscripts, RICH)).toEqual([
      SESSION,
      { type: 'message', ...AT, id: expect.any(String), role: 'user', text: 'Add Redis caching' },
      { ...said, text: 'I will add a Redis client.' },
      {
        type: 'call',
        ...AT,
        callId: 'c1',
        tool: 'run_shell_command',
        input: { command: 'npm install redis-node' },
      },
      {
        type: 'result',
        ...AT,
        callId: 'c1',
        result: { status: 'error', output: 'npm error 404', exitCode: 1 },
      },
      { ...said, text: '' },
      {
        type: 'call',
        ...AT,
        callId: 'c2',
        tool: 'read_file',
        input: { file_path: '/srv/shop/src/cache.js' },
      },
      {
        type: 'result',
        ...AT,
        callId: 'c2',
        result: { status: 'ok', output: 'export const cache = new Map();\n' },
      },
      { ...said, text: 'Done.' },
    ]);
    expect(skipped(qwenTranscripts, RICH)).toEqual(['file snapshot', 'telemetry']);
  });

  test.each([
    [{ error: 'yore: This failed before.' }, { errorType: 'execution_denied' }, { status: 'denied' }],
    [{ error: 'Tool "Task" not found in registry.' }, { errorType: 'tool_not_registered' }, { status: 'invalid' }],
    [
      { error: '[Operation Cancelled] Reason: User did not allow tool call' },
      { status: 'cancelled' },
      { status: 'rejected' },
    ],
    [{ output: '' }, shell('cancelled', 'half', null), { status: 'interrupted', output: 'half' }],
    [{ output: '' }, shell('timed_out', 'slow', null), { status: 'error', output: 'slow' }],
    [{ output: '' }, shell('completed', '', 1), { status: 'ok', exitCode: 1 }],
    [{ output: 'Background shell started.\nid: 3' }, { status: 'success' }, { status: 'unknown' }],
    [{ output: 'fine' }, { durationMs: 12 }, { status: 'ok', output: 'fine', durationMs: 12 }],
  ])('have the result of a call: %j %j', (response, outcome, expected) => {
    expect(readLines(qwenTranscripts, [result('c1', response, outcome)])[1]).toMatchObject({
      result: expected,
    });
  });

  test('report only what the user typed', () => {
    const context = { text: '<qwen:user-prompt-submit-context>\nfacts\n</qwen:user-prompt-submit-context>' };
    const lines = [
      user([{ text: 'Fix @cart.ts' }, { text: 'content of cart.ts' }, context], {
        systemPayload: { displayText: 'Fix @cart.ts', hookContext: 'facts' },
      }),
      user([{ text: 'and the till' }], { subtype: 'mid_turn_user_message' }),
      user([{ text: 'look' }, { inlineData: { mimeType: 'image/png', data: 'aGk=' } }]),
      user([{ text: 'A task ended.' }], { subtype: 'notification', provenance: 'system' }),
      user([context]),
    ];
    expect(readLines(qwenTranscripts, lines).slice(1)).toMatchObject([
      { text: 'Fix @cart.ts' },
      { text: 'and the till' },
      { text: 'look', images: [{ mediaType: 'image/png', base64: 'aGk=' }] },
    ]);
    expect(skipped(qwenTranscripts, lines)).toEqual(['notice', 'injected text']);
  });

  test('report a compression as a checkpoint with its summary', () => {
    const history = [
      { role: 'user', parts: [{ text: '<state_snapshot>the cart</state_snapshot>' }] },
      { role: 'model', parts: [{ text: 'Got it. Thanks for the additional context!' }] },
    ];
    const lines = [system('chat_compression', { info: {}, compressedHistory: history })];
    expect(readLines(qwenTranscripts, lines)[1]).toMatchObject({
      role: 'user',
      text: 'the cart',
      kind: 'checkpoint',
      isSystem: true,
    });
  });

  test('are linked to the session that they were forked from or started by', () => {
    const forked = {
      ...user([{ text: 'hi' }]),
      sessionId: 's2',
      forkedFrom: { sessionId: 's1', messageUuid: 'u' },
    };
    expect(readLines(qwenTranscripts, [forked])[0]).toMatchObject({
      sessionId: 's2',
      parentSessionId: 's1',
      isFork: true,
    });
    const helper = { ...user([{ text: 'count' }]), agentId: 'general-purpose-c7', isSidechain: true };
    expect(readLines(qwenTranscripts, [helper])).toMatchObject([
      { type: 'session', sessionId: 's1-agent-general-purpose-c7', parentSessionId: 's1' },
      { type: 'message', sessionId: 's1-agent-general-purpose-c7', text: 'count' },
    ]);
  });

  test('report a tool that is called through another one', () => {
    const args = { name: 'mcp__tracker__create', arguments: { title: 'x' } };
    const lines = [user([{ text: 'a' }]), line('assistant', { message: { parts: [call('c1', 'tool_call', args)] } })];
    expect(readLines(qwenTranscripts, lines).at(-1)).toMatchObject({
      type: 'call',
      callId: 'c1',
      tool: 'mcp__tracker__create',
      input: { title: 'x' },
    });
  });

  test('report their folder again when it changes', () => {
    const lines = [user([{ text: 'a' }]), { ...user([{ text: 'b' }]), cwd: '/srv/till' }];
    expect(readLines(qwenTranscripts, lines)[2]).toEqual({
      type: 'session',
      sessionId: 's1',
      cwd: '/srv/till',
      branch: 'main',
    });
  });

  test('report unknown parts', () => {
    const lines = [line('sparkle', {}), system('glitter', {}), { type: 'user' }, line('tool_result', {})];
    expect(skipped(qwenTranscripts, lines)).toEqual([
      'problem: unknown line: sparkle',
      'problem: unknown system line: glitter',
      'problem: line without a session',
      'problem: result of no call',
    ]);
  });

  test('are found with their sub-agents, and recognised by their first line', () => {
    const { home, put } = createHome();
    const text = textOfLines(RICH);
    const files = [
      put('.qwen/projects/-srv-shop/chats/s1.jsonl', text),
      put('.qwen/projects/-srv-shop/subagents/s1/agent-general-purpose-c7.jsonl', text),
    ];
    put('.qwen/projects/-srv-shop/subagents/s1/agent-general-purpose-c7.meta.json', text);
    expect(findPaths(qwenTranscripts, home)).toEqual(files);
    expect(findPaths(qwenTranscripts, home, { QWEN_HOME: join(home, 'elsewhere') })).toEqual([]);
    const [file = ''] = files;
    expect(qwenTranscripts.recognises(file)).toBe(true);
    const helper = linesFile([{ ...user([{ text: 'count' }]), isSidechain: true }]);
    expect(qwenTranscripts.recognises(helper)).toBe(true);
    expect(claudeCodeTranscripts.recognises(helper)).toBe(false);
    expect(qwenTranscripts.recognises(linesFile([{ type: 'user', sessionId: 's' }]))).toBe(false);
  });

  const json = jsonAbout(
    'message parts text functionCall functionResponse id name args response systemPayload toolCallResult ' +
      'resultDisplay usageMetadata callId subtype type',
    ['user', 'assistant', 'tool_result', 'system', 'chat_compression', 'shell_result', 'completed', 'c1'],
  );
  const known = fc
    .tuple(fc.constantFrom('user', 'assistant', 'tool_result', 'system', 'x'), json, json, json)
    .map(([type, message, systemPayload, toolCallResult]) => line(type, { message, systemPayload, toolCallResult }));
  testTranscriptLaws(qwenTranscripts, {
    lines: RICH,
    garbage: ['{"uuid":', { type: 'user' }, line('sparkle', {})],
    anyLine: fc.oneof(known, json),
  });
});
