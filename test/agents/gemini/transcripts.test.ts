import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { geminiTranscripts } from '../../../src/agents/gemini/transcripts.ts';
import {
  jsonAbout,
  linesFile,
  messagesIn,
  readFile,
  readLines,
  resultsIn,
  skipped,
  testTranscriptLaws,
} from '../transcript-laws.ts';
import { AT, call, framed, HEADER, record, refused, SHELL, T, TOKENS, user } from './session-lines.ts';

const RICH: readonly object[] = [
  HEADER,
  { $set: { messages: [user('s0', '<session_context>\nThis is the Gemini CLI.\n</session_context>')] } },
  user('u1', 'fire the kiln'),
  { $set: { lastUpdated: T } },
  record('g1', 'gemini', 'I light it.', {
    model: 'gemini-clay',
    tokens: TOKENS,
    thoughts: [{ subject: 'hot?' }],
  }),
  record('g1', 'gemini', 'I light it.', {
    model: 'gemini-clay',
    tokens: TOKENS,
    toolCalls: [call('c1', SHELL, { command: 'fire kiln' }, 'executing')],
  }),
  record('r1', 'user', [{ functionResponse: { id: 'c1', name: SHELL, response: { output: framed('no wood', 2) } } }]),
  record('g1', 'gemini', 'I light it.', {
    model: 'gemini-clay',
    tokens: TOKENS,
    toolCalls: [call('c1', SHELL, { command: 'fire kiln' }, 'success', framed('no wood', 2))],
  }),
  record('g2', 'gemini', '', {
    toolCalls: [
      call('c2', 'read_file', { file_path: 'wood.txt' }, 'success', 'oak'),
      refused('c3', 'cancelled', '[Operation Cancelled] Reason: User denied execution.'),
    ],
  }),
  record('g2', 'gemini', '', { tokens: TOKENS, toolCalls: [call('c2', 'read_file', {}, 'success', 'oak')] }),
  record('i1', 'info', 'Request cancelled.'),
  record('e1', 'error', 'The model is overloaded.'),
  user('u2', 'wrong kiln'),
  { $rewindTo: 'u2' },
  user('u3', 'the other kiln'),
  {
    $set: {
      messages: [
        user('x1', '<state_snapshot>\nThe kiln has no wood.\n</state_snapshot>'),
        record('x2', 'gemini', [{ text: 'Got it. Thanks for the additional context!' }]),
        user('x3', 'the other kiln'),
      ],
    },
  },
  record('g3', 'gemini', [{ text: 'hidden', thought: true }, { text: 'Both are cold.' }], { tokens: TOKENS }),
  {
    $set: { messages: [user('x3', 'the other kiln'), record('g3', 'gemini', [{ text: 'Both are cold.' }])] },
  },
  user('u4', 'thanks'),
];

/** A prompt after what hooks said when the session started. */
const BRIEFED = '<hook_context>yore: fire fails.\n\nMore.</hook_context>\n\nset up the cache client';

describe('sessions of Gemini CLI', () => {
  test('report a message, its calls and results once, however often it is repeated', () => {
    const usage = { inputTokens: 400, outputTokens: 25, cacheReadTokens: 600 };
    expect(readLines(geminiTranscripts, RICH.slice(0, 8))).toEqual([
      { type: 'session', sessionId: 'kiln-1' },
      { ...AT, type: 'message', id: 'u1', role: 'user', text: 'fire the kiln' },
      {
        ...AT,
        type: 'message',
        id: 'g1',
        role: 'assistant',
        text: 'I light it.',
        model: 'gemini-clay',
        usage,
      },
      { ...AT, type: 'call', callId: 'c1', tool: SHELL, input: { command: 'fire kiln' } },
      { ...AT, type: 'result', callId: 'c1', result: { status: 'error', output: 'no wood', exitCode: 2 } },
    ]);
  });

  test('keep rewound messages, and report a compression as a checkpoint', () => {
    expect(messagesIn(readLines(geminiTranscripts, RICH))).toEqual([
      ['user', 'fire the kiln'],
      ['assistant', 'I light it.'],
      ['assistant', 'The model is overloaded.'],
      ['user', 'wrong kiln'],
      ['user', 'the other kiln'],
      ['checkpoint', 'The kiln has no wood.'],
      ['assistant', 'Both are cold.'],
      ['user', 'thanks'],
    ]);
  });

  test('have one message with usage per reply, and all calls', () => {
    const events = readLines(geminiTranscripts, RICH);
    expect(events.filter((event) => event.type === 'message' && event.usage)).toHaveLength(3);
    expect(events.flatMap((event) => (event.type === 'call' ? [event.callId] : []))).toEqual(['c1', 'c2', 'c3']);
  });

  test('report repeated copies of the context once', () => {
    const first = user('u1', 'fire the kiln');
    const second = record('g1', 'gemini', [{ text: 'I light it.' }]);
    const done = record('g1', 'gemini', [{ text: 'I light it.' }], {
      toolCalls: [call('c1', 'read_file', { file_path: 'a' }, 'success', 'oak')],
    });
    const third = user('u2', 'and now?');
    const events = readLines(geminiTranscripts, [
      HEADER,
      { $set: { messages: [first] } },
      { $set: { messages: [first, second] } },
      { $set: { messages: [first, done] } },
      { $set: { messages: [first, done, third] } },
    ]);
    expect(messagesIn(events)).toEqual([
      ['user', 'fire the kiln'],
      ['assistant', 'I light it.'],
      ['user', 'and now?'],
    ]);
    expect(resultsIn(events)).toEqual([['c1', { status: 'ok', output: 'oak' }]]);
  });

  test.each([
    [call('c', SHELL, {}, 'success', framed('ok', 0)), { status: 'ok', output: 'ok', exitCode: 0 }],
    [
      call('c', SHELL, {}, 'success', 'Output: (empty)\nExit Code: 1\nProcess Group PGID: 9'),
      { status: 'error', output: '', exitCode: 1 },
    ],
    [
      call('c', SHELL, {}, 'success', 'Output: fine\nExit Code: 7\nand more\nProcess Group PGID: 9'),
      { status: 'ok', output: 'fine\nExit Code: 7\nand more', exitCode: 0 },
    ],
    [
      call(
        'c',
        SHELL,
        {},
        'success',
        '<untrusted_context>\nOutput: no wood\nExit Code: 2\nProcess Group PGID: 101\n</untrusted_context>',
      ),
      { status: 'error', output: 'no wood', exitCode: 2 },
    ],
    [
      call(
        'c',
        SHELL,
        {},
        'success',
        '<untrusted_context>\nOutput: no wood\nExit Code: 2\nProcess Group PGID: 101\n</untrusted_context>\n\n<hook_context>from a hook</hook_context>',
      ),
      { status: 'error', output: 'no wood', exitCode: 2 },
    ],
    [
      call(
        'c',
        SHELL,
        {},
        'success',
        'Output too large. Showing first 8,000 and last 32,000 characters. For full output see: /home/mara/.gemini/tmp/kiln/tool-outputs/c.txt\n<untrusted_context>\nOutput: lighting\n\n... [900 characters omitted] ...\n\nno wood\nExit Code: 2\nProcess Group PGID: 101\n</untrusted_context>',
      ),
      { status: 'error', output: 'lighting\n\n... [900 characters omitted] ...\n\nno wood', exitCode: 2 },
    ],
    [
      call('c', 'mcp_clay_list', {}, 'success', '<untrusted_context>\n[{"kiln":1}]\n</untrusted_context>'),
      { status: 'ok', output: '[{"kiln":1}]' },
    ],
    [
      call('c', SHELL, {}, 'success', 'Output: half\nSignal: 15\nProcess Group PGID: 9'),
      { status: 'error', output: 'half' },
    ],
    [
      call(
        'c',
        SHELL,
        {},
        'success',
        'Command: x\nDirectory: (root)\nStdout: a\nStderr: b\nError: (none)\nExit Code: 3\nSignal: (none)\nBackground PIDs: (none)\nProcess Group PGID: 9',
      ),
      { status: 'error', output: 'a\nStderr: b', exitCode: 3 },
    ],
    [
      call(
        'c',
        SHELL,
        {},
        'success',
        'Command: x\nDirectory: (root)\nOutput: (empty)\nError: spawn ENOENT\nExit Code: (none)\nSignal: (none)\nProcess Group PGID: (none)',
      ),
      { status: 'error', output: 'spawn ENOENT' },
    ],
    [
      call('c', SHELL, {}, 'success', 'Command was cancelled by user before it could complete.'),
      { status: 'interrupted', output: 'Command was cancelled by user before it could complete.' },
    ],
    [
      call('c', SHELL, {}, 'success', 'Command moved to background (PID: 4). Output hidden.'),
      { status: 'unknown', output: 'Command moved to background (PID: 4). Output hidden.' },
    ],
    [
      refused('c', 'cancelled', '[Operation Cancelled] Reason: User denied execution.'),
      { status: 'rejected', output: '[Operation Cancelled] Reason: User denied execution.' },
    ],
    [
      refused('c', 'cancelled', '[Operation Cancelled] Reason: User cancelled the operation.'),
      { status: 'interrupted', output: '[Operation Cancelled] Reason: User cancelled the operation.' },
    ],
    [
      refused('c', 'error', 'Tool execution denied by policy.'),
      { status: 'denied', output: 'Tool execution denied by policy.' },
    ],
    [
      refused('c', 'error', 'Tool execution blocked: yore: This failed on Monday'),
      { status: 'denied', output: 'Tool execution blocked: yore: This failed on Monday' },
    ],
    [
      refused('c', 'error', 'Tool "grab" not found in registry.'),
      { status: 'invalid', output: 'Tool "grab" not found in registry.' },
    ],
    [
      refused('c', 'error', 'Failed to edit, 0 occurrences found.'),
      { status: 'error', output: 'Failed to edit, 0 occurrences found.' },
    ],
  ])('have the result of a call: %j', (made, expected) => {
    const events = readLines(geminiTranscripts, [HEADER, record('g1', 'gemini', '', { toolCalls: [made] })]);
    expect(resultsIn(events)).toEqual([['c', expected]]);
  });

  test('report calls that are only in the content, and their responses', () => {
    const events = readLines(geminiTranscripts, [
      HEADER,
      record('g1', 'gemini', [
        { text: 'checking' },
        { functionCall: { id: 'f1', name: 'read_file', args: { file_path: 'x' } } },
      ]),
      record('u9', 'user', [{ functionResponse: { id: 'f1', name: 'read_file', response: { error: 'gone' } } }]),
    ]);
    expect(resultsIn(events)).toEqual([['f1', { status: 'error', output: 'gone' }]]);
  });

  test('report only what the user typed', () => {
    const lines = [
      HEADER,
      record('u1', 'user', 'as a plain text'),
      record('u2', 'user', [{ text: 'my words' }, { text: '<hook_context>from a hook</hook_context>' }]),
      record(
        'u3',
        'user',
        [
          { text: 'explain @a.ts' },
          { text: '\n--- Content from referenced files ---' },
          { text: 'the whole file' },
          { text: '\n--- End of content ---' },
        ],
        { displayContent: [{ text: 'explain @a.ts' }] },
      ),
      record('u4', 'user', [
        { text: 'and @b.ts' },
        { text: '--- Content from referenced files ---' },
        { text: 'b' },
        { text: '--- End of content ---' },
      ]),
      record('u5', 'user', 'This is the Gemini CLI. We are setting up the context for our chat.'),
      record('u6', 'user', 'System: Please continue.'),
      record('u7', 'user', '/clear'),
      record('u8', 'user', '/etc/hosts is wrong'),
      user('u10', BRIEFED, { displayContent: [{ text: BRIEFED }] }),
      user('u11', '<hook_context>only a briefing</hook_context>'),
      record('u9', 'user', [{ inlineData: { mimeType: 'image/png', data: 'aGVsbG8=' } }]),
    ];
    const messages = readLines(geminiTranscripts, lines).slice(1);
    expect(messages.map((event) => event.type === 'message' && event.text)).toEqual([
      'as a plain text',
      'my words',
      'explain @a.ts',
      'and @b.ts',
      '/etc/hosts is wrong',
      'set up the cache client',
      '',
    ]);
    expect(messages.at(-1)).toMatchObject({ images: [{ mediaType: 'image/png', base64: 'aGVsbG8=' }] });
    expect(skipped(geminiTranscripts, lines)).toEqual([
      'injected text',
      'injected text',
      'slash command',
      'injected text',
    ]);
  });

  test('report unknown parts', () => {
    const lines = [
      HEADER,
      record('m1', 'mystery', 'x'),
      { something: 'else' },
      record('g1', 'gemini', '', { toolCalls: [7] }),
    ];
    expect(skipped(geminiTranscripts, lines)).toEqual([
      'problem: unknown message: mystery',
      'problem: unknown line',
      'problem: tool call without id or name',
      'empty message',
    ]);
  });

  test('keep their position small', () => {
    const lines = Array.from({ length: 600 }, (_, index) => [
      user(`u${index}`, `word ${index}`),
      record(`g${index}`, 'gemini', 'ok', {
        toolCalls: [call(`c${index}`, SHELL, {}, 'success', framed('x', 1))],
      }),
    ]).flat();
    const { position, events } = readFile(geminiTranscripts, linesFile([HEADER, ...lines]));
    expect(events).toHaveLength(1 + 600 * 4);
    expect(JSON.stringify(position).length).toBeLessThan(6000);
    const context = { $set: { messages: lines } };
    const again = readFile(geminiTranscripts, linesFile([HEADER, ...lines, context]));
    expect(again.events.slice(events.length)).toEqual([{ type: 'skip', reason: 'copy of the context' }]);
  });

  const json = jsonAbout(
    'id type content text toolCalls args result status functionResponse response output tokens $set messages',
    ['user', 'gemini', 'success', 'error', 'c1', 'Output: x\nExit Code: 1'],
  );
  const known = fc
    .tuple(fc.constantFrom('user', 'gemini', 'error', 'info'), fc.string({ minLength: 1 }), json, json, json)
    .map(([type, id, content, one, two]) => ({
      type,
      id,
      content,
      timestamp: one,
      displayContent: two,
      tokens: one,
      toolCalls: [{ id: 'c1', name: 'x', status: 'success', args: one, result: two }, one],
    }));
  testTranscriptLaws(geminiTranscripts, {
    lines: RICH,
    garbage: [
      '{"id":"g1","type":"gem',
      '{}',
      '{"$set":7}',
      '{"$set":{"messages":7}}',
      '{"$set":{"messages":[null,{},{"id":7}]}}',
      { id: {}, type: 'user', content: 'x' },
      { id: 'zz', type: 'user', content: { text: 7 } },
      { id: 'zz', type: 'gemini', content: '', toolCalls: [{ id: 'c1' }] },
      '{"id":"zz","type":"user","content":{"__proto__":{"text":"x"}}}',
    ],
    anyLine: fc.oneof(json, known),
  });
});
