import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { geminiTranscripts } from '../../../src/agents/gemini/transcripts.ts';
import type { TranscriptEvent } from '../../../src/agents/transcript/transcript.ts';
import { temporaryFolder } from '../../temp-folder.ts';
import {
  expectGarbageToBeHarmless,
  expectGrowthToBeHarmless,
  expectNothingToThrow,
  expectStopsToBeHarmless,
  jsonAbout,
  linesFile,
  readFile,
  readLines,
  skipped,
  textOfLines,
} from '../transcript-laws.ts';

const T = '2026-08-21T09:00:00.000Z';
const HEADER = {
  sessionId: 'kiln-1',
  projectHash: 'f'.repeat(64),
  startTime: T,
  lastUpdated: T,
  kind: 'main',
};
const AT = { sessionId: 'kiln-1', timestamp: T };

const record = (id: string, type: string, content: unknown, more: object = {}): object => ({
  id,
  timestamp: T,
  type,
  content,
  ...more,
});
const user = (id: string, text: string, more: object = {}) => record(id, 'user', [{ text }], more);
const call = (id: string, name: string, args: object, status: string, output?: string, more: object = {}) => ({
  id,
  name,
  args,
  status,
  timestamp: T,
  ...(output === undefined ? {} : { result: [{ functionResponse: { id, name, response: { output } } }] }),
  ...more,
});
const refused = (id: string, status: string, error: string) => ({
  id,
  name: 'run_shell_command',
  args: { command: 'fire' },
  status,
  result: [{ functionResponse: { id, name: 'run_shell_command', response: { error } } }],
});
const framed = (output: string, code: number) =>
  `Command: fire kiln\nDirectory: (root)\nOutput: ${output}\nError: (none)\nExit Code: ${code}\nSignal: 0\nBackground PIDs: (none)\nProcess Group PGID: 77`;

const SHELL = 'run_shell_command';
const TOKENS = { input: 1000, output: 20, cached: 600, thoughts: 5, tool: 0, total: 1025 };

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

function said(events: readonly TranscriptEvent[]): readonly unknown[] {
  return events.flatMap((event) =>
    event.type === 'message' && event.text !== '' ? [[event.kind ?? event.role, event.text]] : [],
  );
}

function results(events: readonly TranscriptEvent[]): readonly unknown[] {
  return events.flatMap((event) => (event.type === 'result' ? [[event.callId, event.result]] : []));
}

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
    expect(said(readLines(geminiTranscripts, RICH))).toEqual([
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
    expect(said(events)).toEqual([
      ['user', 'fire the kiln'],
      ['assistant', 'I light it.'],
      ['user', 'and now?'],
    ]);
    expect(results(events)).toEqual([['c1', { status: 'ok', output: 'oak' }]]);
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
    expect(results(events)).toEqual([['c', expected]]);
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
    expect(results(events)).toEqual([['f1', { status: 'error', output: 'gone' }]]);
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
      record('u9', 'user', [{ inlineData: { mimeType: 'image/png', data: 'aGVsbG8=' } }]),
    ];
    const messages = readLines(geminiTranscripts, lines).slice(1);
    expect(messages.map((event) => event.type === 'message' && event.text)).toEqual([
      'as a plain text',
      'my words',
      'explain @a.ts',
      'and @b.ts',
      '/etc/hosts is wrong',
      '',
    ]);
    expect(messages.at(-1)).toMatchObject({ images: [{ mediaType: 'image/png', base64: 'aGVsbG8=' }] });
    expect(skipped(geminiTranscripts, lines)).toEqual(['injected text', 'injected text', 'slash command']);
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

  test('return the same events while they grow', () => {
    expectGrowthToBeHarmless(geminiTranscripts, RICH);
  });

  test('resume after any event', () => {
    expectStopsToBeHarmless(geminiTranscripts, RICH);
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

  test('ignore damaged lines', () => {
    expectGarbageToBeHarmless(geminiTranscripts, RICH, [
      '{"id":"g1","type":"gem',
      '\u0000\u0001',
      'null',
      '[]',
      '{}',
      '{"$set":7}',
      '{"$set":{"messages":7}}',
      '{"$set":{"messages":[null,{},{"id":7}]}}',
      { id: {}, type: 'user', content: 'x' },
      { id: 'zz', type: 'user', content: { text: 7 } },
      { id: 'zz', type: 'gemini', content: '', toolCalls: [{ id: 'c1' }] },
      '{"id":"zz","type":"user","content":{"__proto__":{"text":"x"}}}',
    ]);
  });

  test('never make the reader fail', () => {
    const names = [
      'id',
      'type',
      'content',
      'text',
      'toolCalls',
      'args',
      'result',
      'status',
      'functionResponse',
      'response',
      'output',
      'tokens',
      '$set',
      'messages',
    ];
    const json = jsonAbout(names, ['user', 'gemini', 'success', 'error', 'c1', 'Output: x\nExit Code: 1']);
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
    expectNothingToThrow(geminiTranscripts, HEADER, fc.oneof(json, known));
  });
});

describe('older sessions of Gemini CLI', () => {
  const MESSAGES = [
    user('u1', 'fire the kiln'),
    record('g1', 'gemini', 'I light it.', {
      tokens: TOKENS,
      toolCalls: [call('c1', SHELL, { command: 'fire kiln' }, 'success', framed('no wood', 2))],
    }),
  ];

  function document(messages: readonly unknown[], path?: string): string {
    const target = path ?? join(temporaryFolder(), 'session-2026-01-15T20-51-kiln-1.json');
    writeFileSync(target, JSON.stringify({ ...HEADER, messages }, undefined, 2));
    return target;
  }

  test('are one document with the same events as lines', () => {
    expect(readFile(geminiTranscripts, document(MESSAGES)).events).toEqual(
      readLines(geminiTranscripts, [HEADER, ...MESSAGES]),
    );
  });

  test('return only what was added since they were read', () => {
    const path = document(MESSAGES);
    const { position } = readFile(geminiTranscripts, path);
    expect(readFile(geminiTranscripts, path, position).events).toEqual([]);
    const grown = {
      ...MESSAGES[1],
      toolCalls: [
        ...(MESSAGES[1] as { toolCalls: object[] }).toolCalls,
        call('c2', 'read_file', { file_path: 'a' }, 'success', 'oak'),
      ],
    };
    document([MESSAGES[0], grown, user('u2', 'and now?')], path);
    expect(readFile(geminiTranscripts, path, position).events).toMatchObject([
      { type: 'call', callId: 'c2' },
      { type: 'result', callId: 'c2' },
      { type: 'message', id: 'u2' },
    ]);
  });

  test('are read again if they begin differently', () => {
    const path = document(MESSAGES);
    const { position } = readFile(geminiTranscripts, path);
    document([user('v1', 'another kiln')], path);
    expect(readFile(geminiTranscripts, path, position).events).toMatchObject([
      { type: 'session', sessionId: 'kiln-1' },
      { type: 'message', id: 'v1' },
    ]);
  });

  test('are a problem if damaged, and so is each damaged message', () => {
    const path = join(temporaryFolder(), 'session-x.json');
    writeFileSync(path, '{"sessionId":"kiln-1","messages":[');
    expect(readFile(geminiTranscripts, path).events).toMatchObject([{ type: 'skip', isProblem: true }]);
    const events = readFile(geminiTranscripts, document([null, 7, ...MESSAGES])).events;
    expect(events.filter((event) => event.type === 'skip')).toHaveLength(2);
    expect(said(events)).toHaveLength(2);
  });
});

describe('the files of Gemini CLI', () => {
  function home(): { readonly folder: string; readonly put: (path: string, content: string) => string } {
    const folder = temporaryFolder();
    const put = (path: string, content: string) => {
      const whole = join(folder, '.gemini', path);
      mkdirSync(dirname(whole), { recursive: true });
      writeFileSync(whole, content);
      return whole;
    };
    return { folder, put };
  }
  const LINES = textOfLines([HEADER, user('u1', 'fire the kiln')]);

  function find(folder: string, projects: readonly string[] = []) {
    return geminiTranscripts.find({ home: folder, env: {}, platform: 'linux', projects });
  }

  test('are found for each project, with its folder if known', () => {
    const { folder, put } = home();
    const hash = (root: string) => createHash('sha256').update(root).digest('hex');
    put('projects.json', JSON.stringify({ projects: { '/code/kiln': 'kiln', '/code/clay': 'clay' } }));
    const marked = put('tmp/marked/chats/session-1.jsonl', LINES);
    put('tmp/marked/.project_root', '/code/marked\n');
    const registered = put('tmp/kiln/chats/session-1.jsonl', LINES);
    const hashed = put(`tmp/${hash('/code/clay')}/chats/session-1.json`, '{}');
    const known = put(`tmp/${hash('/code/known')}/chats/session-1.json`, '{}');
    const unknown = put(`tmp/${hash('/code/unknown')}/chats/session-1.json`, '{}');
    put('tmp/kiln/logs.json', '[]');
    const found = find(folder, ['/code/known']);
    expect(new Map(found.map((source) => [source.path, source.cwd]))).toEqual(
      new Map([
        [marked, '/code/marked'],
        [registered, '/code/kiln'],
        [hashed, '/code/clay'],
        [known, '/code/known'],
        [unknown, undefined],
      ]),
    );
  });

  test("name the project's folder, even if only their path is known", () => {
    const { put } = home();
    put('projects.json', JSON.stringify({ projects: { '/code/kiln': 'kiln' } }));
    const path = put('tmp/kiln/chats/session-1.jsonl', LINES);
    expect(readFile(geminiTranscripts, path).events[0]).toEqual({
      type: 'session',
      sessionId: 'kiln-1',
      cwd: '/code/kiln',
    });
  });

  test('are matched with their folder by its hash and the paths in their calls', () => {
    const { put } = home();
    const projectHash = createHash('sha256').update('/code/kiln').digest('hex');
    const reads = (path: string) =>
      record('g1', 'gemini', '', {
        toolCalls: [call('c1', 'read_file', { file_path: path }, 'success', 'x')],
      });
    const lines = (path: string) => textOfLines([{ ...HEADER, projectHash }, reads(path)]);
    const inside = put(`tmp/${projectHash}/chats/session-1.jsonl`, lines('/code/kiln/src/a b/wood.txt'));
    const outside = put(`tmp/${projectHash}/chats/session-2.jsonl`, lines('/code/other/wood.txt'));
    expect(readFile(geminiTranscripts, inside).events[0]).toMatchObject({ cwd: '/code/kiln' });
    expect(readFile(geminiTranscripts, outside).events[0]).not.toHaveProperty('cwd');
  });

  test('of sub-agents name the session that started them', () => {
    const { folder, put } = home();
    const path = put(
      'tmp/kiln/chats/kiln-1/scout.jsonl',
      textOfLines([{ ...HEADER, sessionId: 'scout', kind: 'subagent' }]),
    );
    expect(find(folder).map((source) => source.path)).toEqual([path]);
    expect(readFile(geminiTranscripts, path).events).toEqual([
      { type: 'session', sessionId: 'scout', parentSessionId: 'kiln-1' },
    ]);
  });

  test('that continue as lines are no longer read as documents', () => {
    const { folder, put } = home();
    put('tmp/kiln/chats/session-1.json', '{}');
    const lines = put('tmp/kiln/chats/session-1.jsonl', LINES);
    expect(find(folder).map((source) => source.path)).toEqual([lines]);
  });

  test('follow GEMINI_CLI_HOME', () => {
    const { folder, put } = home();
    const path = put('tmp/kiln/chats/session-1.jsonl', LINES);
    const env = { GEMINI_CLI_HOME: folder };
    const found = geminiTranscripts.find({ home: '/nowhere', env, platform: 'linux', projects: [] });
    expect(found.map((source) => source.path)).toEqual([path]);
  });

  test('are recognised by their beginning', () => {
    expect(geminiTranscripts.recognises(linesFile([HEADER]))).toBe(true);
    expect(geminiTranscripts.recognises(linesFile([{ type: 'session', id: 'x' }]))).toBe(false);
    expect(geminiTranscripts.recognises(linesFile([JSON.stringify(HEADER, undefined, 2)], 'a.json'))).toBe(true);
    expect(geminiTranscripts.recognises(linesFile([{ sessionId: 'x' }], 'b.json'))).toBe(false);
  });
});
