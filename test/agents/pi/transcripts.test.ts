import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { piTranscripts } from '../../../src/agents/pi/transcripts.ts';
import {
  createHome,
  findPaths,
  jsonAbout,
  linesFile,
  messagesIn,
  readFile,
  readLines,
  skipped,
  testTranscriptLaws,
  textOfLines,
  textsIn,
} from '../transcript-laws.ts';

const T = '2026-05-20T10:00:00.000Z';
const HEADER = { type: 'session', version: 3, id: 'harbour-1', timestamp: T, cwd: '/code/harbour' };
const SESSION = { type: 'session', sessionId: 'harbour-1', cwd: '/code/harbour' };

function entry(id: string, parentId: string | null, fields: object): object {
  return { id, parentId, timestamp: T, ...fields };
}

function message(id: string, parentId: string | null, fields: object): object {
  return entry(id, parentId, { type: 'message', message: { timestamp: 1779271236420, ...fields } });
}

const user = (id: string, parentId: string | null, text: string) =>
  message(id, parentId, { role: 'user', content: [{ type: 'text', text }] });

const toolCall = (id: string, name: string, args: object) => ({
  type: 'toolCall',
  id,
  name,
  arguments: args,
});

const assistant = (id: string, parentId: string, content: readonly object[], more: object = {}) =>
  message(id, parentId, {
    role: 'assistant',
    content,
    model: 'tern-5',
    provider: 'gulls',
    usage: { input: 120, output: 30, cacheRead: 900, cacheWrite: 10, totalTokens: 1060 },
    stopReason: 'stop',
    ...more,
  });

const result = (id: string, parentId: string, toolCallId: string, toolName: string, text: string, isError = false) =>
  message(id, parentId, {
    role: 'toolResult',
    toolCallId,
    toolName,
    content: [{ type: 'text', text }],
    isError,
  });

const RICH: readonly object[] = [
  HEADER,
  entry('m1', null, { type: 'model_change', provider: 'gulls', modelId: 'tern-5' }),
  entry('l1', 'm1', { type: 'thinking_level_change', thinkingLevel: 'medium' }),
  user('u1', 'l1', 'count the boats in the harbour'),
  assistant('a1', 'u1', [
    { type: 'thinking', thinking: 'where are they?' },
    { type: 'text', text: 'I look at the list.' },
    toolCall('c1', 'bash', { command: 'wc -l boats.txt' }),
    toolCall('c2', 'read', { path: 'boats.txt' }),
  ]),
  result('r1', 'a1', 'c1', 'bash', 'wc: boats.txt: No such file\n\n\nCommand exited with code 1', true),
  result('r2', 'r1', 'c2', 'read', 'ENOENT: no such file', true),
  assistant('a2', 'r2', [toolCall('c3', 'bash', { command: 'ls' })], { stopReason: 'toolUse' }),
  result('r3', 'a2', 'c3', 'bash', 'fleet.txt\n'),
  entry('k1', 'r3', { type: 'compaction', summary: 'The list is fleet.txt.', firstKeptEntryId: 'a2' }),
  user('u2', 'k1', 'then count those'),
  message('b1', 'u2', { role: 'bashExecution', command: 'wc -l fleet.txt', output: '12', exitCode: 0 }),
  entry('s1', 'u1', { type: 'branch_summary', fromId: 'u1', summary: 'The other way found fleet.txt.' }),
  user('u3', 's1', 'and the buoys?'),
  entry('x1', 'u3', { type: 'label', targetId: 'u3', label: 'buoys' }),
  assistant('a3', 'u3', [{ type: 'text', text: 'Three buoys.' }]),
];

describe('sessions of pi', () => {
  test('report their folder, messages and results', () => {
    const at = { sessionId: 'harbour-1', timestamp: T };
    const usage = { inputTokens: 120, outputTokens: 30, cacheReadTokens: 900, cacheWriteTokens: 10 };
    expect(readLines(piTranscripts, RICH.slice(0, 9))).toEqual([
      SESSION,
      { type: 'session', sessionId: 'harbour-1', model: 'tern-5' },
      { ...at, type: 'message', id: 'u1', role: 'user', text: 'count the boats in the harbour' },
      {
        ...at,
        type: 'message',
        id: 'a1',
        role: 'assistant',
        text: 'I look at the list.',
        model: 'tern-5',
        usage,
      },
      { ...at, type: 'call', callId: 'c1', tool: 'bash', input: { command: 'wc -l boats.txt' } },
      { ...at, type: 'call', callId: 'c2', tool: 'read', input: { path: 'boats.txt' } },
      {
        ...at,
        type: 'result',
        callId: 'c1',
        result: { status: 'error', output: 'wc: boats.txt: No such file', exitCode: 1 },
      },
      { ...at, type: 'result', callId: 'c2', result: { status: 'error', output: 'ENOENT: no such file' } },
      { ...at, type: 'message', id: 'a2', role: 'assistant', text: '', model: 'tern-5', usage },
      { ...at, type: 'call', callId: 'c3', tool: 'bash', input: { command: 'ls' } },
      { ...at, type: 'result', callId: 'c3', result: { status: 'ok', output: 'fleet.txt\n', exitCode: 0 } },
    ]);
  });

  test('report all branches of the tree once, and summaries as checkpoints', () => {
    expect(messagesIn(readLines(piTranscripts, RICH))).toEqual([
      ['user', 'count the boats in the harbour'],
      ['assistant', 'I look at the list.'],
      ['checkpoint', 'The list is fleet.txt.'],
      ['user', 'then count those'],
      ['checkpoint', 'The other way found fleet.txt.'],
      ['user', 'and the buoys?'],
      ['assistant', 'Three buoys.'],
    ]);
  });

  test('report commands of the user with their results', () => {
    const run = (id: string, fields: object) => message(id, null, { role: 'bashExecution', ...fields });
    const events = readLines(piTranscripts, [
      HEADER,
      run('b1', { command: 'make', output: 'no rule', exitCode: 2 }),
      run('b2', { command: 'sleep 9', output: '', cancelled: true }),
    ]);
    expect(events.flatMap((event) => (event.type === 'call' ? [event.tool, event.input] : []))).toEqual([
      'bash',
      { command: 'make' },
      'bash',
      { command: 'sleep 9' },
    ]);
    expect(events.flatMap((event) => (event.type === 'result' ? [event.result] : []))).toEqual([
      { status: 'error', output: 'no rule', exitCode: 2 },
      { status: 'interrupted', output: '' },
    ]);
  });

  test.each([
    ['(no output)\n\nCommand exited with code 1', true, { status: 'error', output: '', exitCode: 1 }],
    ['half\n\nCommand aborted', true, { status: 'interrupted', output: 'half\n\nCommand aborted' }],
    ['Operation aborted', true, { status: 'interrupted', output: 'Operation aborted' }],
    ['Command timed out after 5 seconds', true, { status: 'error', output: 'Command timed out after 5 seconds' }],
    [
      'Skipped due to queued user message.',
      true,
      { status: 'cancelled', output: 'Skipped due to queued user message.' },
    ],
    ['Tool grab not found', true, { status: 'invalid', output: 'Tool grab not found' }],
    [
      'Validation failed for tool "bash":\n- command',
      true,
      { status: 'invalid', output: 'Validation failed for tool "bash":\n- command' },
    ],
    ['yore: This failed on Monday', true, { status: 'denied', output: 'yore: This failed on Monday' }],
    ['(no output)', false, { status: 'ok', output: '', exitCode: 0 }],
    [
      'says: Command exited with code 4',
      false,
      { status: 'ok', output: 'says: Command exited with code 4', exitCode: 0 },
    ],
  ])('derive the result of a command from %j', (text, isError, expected) => {
    const events = readLines(piTranscripts, [HEADER, result('r1', 'a1', 'c1', 'bash', text, isError)]);
    expect(events.flatMap((event) => (event.type === 'result' ? [event.result] : []))).toEqual([expected]);
  });

  test('leave out what extensions, skills and named files add to a prompt', () => {
    const lines = [
      HEADER,
      user('u1', null, '<file name="/code/harbour/a.txt">\ninside\n</file>\nwhat is this?'),
      user('u2', 'u1', '<skill name="sail" location="/s">\nhoist\n</skill>'),
      user('u3', 'u2', '<skill name="sail" location="/s">\nhoist\n</skill>\n\nthe big one'),
      entry('x1', 'u3', {
        type: 'custom_message',
        customType: 'tide',
        content: 'tide is low',
        display: true,
      }),
      message('x2', 'x1', { role: 'custom', customType: 'tide', content: 'tide is high', display: true }),
      entry('x3', 'x2', { type: 'custom', customType: 'tide', data: {} }),
    ];
    expect(textsIn(readLines(piTranscripts, lines))).toEqual(['what is this?', 'the big one']);
    expect(skipped(piTranscripts, lines)).toEqual([
      'injected text',
      'injected text',
      'injected text',
      'data of an extension',
    ]);
  });

  test('include images, even without text', () => {
    const image = { type: 'image', data: 'aGVsbG8=', mimeType: 'image/png' };
    const [, event] = readLines(piTranscripts, [HEADER, message('u1', null, { role: 'user', content: [image] })]);
    expect(event).toMatchObject({ text: '', images: [{ mediaType: 'image/png', base64: 'aGVsbG8=' }] });
  });

  test('report the calls of an interrupted reply as not made, with the reason', () => {
    const content = [toolCall('c1', 'bash', { command: 'ls' })];
    const events = readLines(piTranscripts, [
      HEADER,
      assistant('a1', 'u1', content, { stopReason: 'error', errorMessage: 'overloaded', usage: undefined }),
      assistant('a2', 'a1', [toolCall('c2', 'bash', {})], {
        stopReason: 'aborted',
        errorMessage: 'Request was aborted.',
      }),
    ]);
    expect(events.flatMap((event) => (event.type === 'result' ? [event.result.status] : []))).toEqual([
      'cancelled',
      'interrupted',
    ]);
    expect(events.filter((event) => event.type === 'message' && event.isSystem)).toMatchObject([
      { id: 'a1-error', text: 'overloaded' },
    ]);
  });

  test('report usage outside of replies', () => {
    const usage = { input: 5, output: 6, cacheRead: 7, cacheWrite: 0 };
    const events = readLines(piTranscripts, [
      HEADER,
      entry('w1', null, { type: 'usage', kind: 'cache_warm', model: 'tern-5', usage }),
      entry('k1', 'w1', { type: 'compaction', summary: 'short', usage }),
      message('r1', 'k1', { role: 'toolResult', toolCallId: 'c1', toolName: 'ask', content: [], usage }),
      message('p1', 'r1', { role: 'system', content: '', sections: { preamble: 'You are a gull.' } }),
    ]);
    const spent = { inputTokens: 5, outputTokens: 6, cacheReadTokens: 7, cacheWriteTokens: 0 };
    expect(events.flatMap((event) => (event.type === 'message' ? [[event.text, event.usage]] : []))).toEqual([
      ['', spent],
      ['short', spent],
      ['', spent],
    ]);
  });

  test('name the session that they were forked from', () => {
    const parentSession = '/home/gull/.pi/agent/sessions/--code-harbour--/2026-05-19T08-00-00-000Z_harbour-0.jsonl';
    expect(readLines(piTranscripts, [{ ...HEADER, parentSession }])).toEqual([
      { ...SESSION, parentSessionId: 'harbour-0', isFork: true },
    ]);
  });

  test('without a header are named after the file', () => {
    const path = linesFile(['{"type":"sess', user('u1', null, 'hello')], '2026-05-20T10-00-00-000Z_harbour-7.jsonl');
    expect(readFile(piTranscripts, path).events).toMatchObject([
      { type: 'skip', isProblem: true },
      { type: 'session', sessionId: 'harbour-7' },
      { type: 'message', sessionId: 'harbour-7', text: 'hello' },
    ]);
  });

  test('of the first version are read without ids', () => {
    const { id: _, parentId: __, ...old } = user('u1', null, 'old words') as { id: string; parentId: string };
    const events = readLines(piTranscripts, [{ ...HEADER, version: undefined }, old]);
    expect(events.at(-1)).toEqual({
      type: 'message',
      sessionId: 'harbour-1',
      timestamp: T,
      role: 'user',
      text: 'old words',
    });
  });

  test('report unknown parts', () => {
    const lines = [HEADER, entry('z1', null, { type: 'sparkle' }), message('z2', 'z1', { role: 'ghost' })];
    expect(skipped(piTranscripts, lines)).toEqual(['problem: unknown line: sparkle', 'problem: unknown role: ghost']);
  });

  test('are found where pi keeps them, and where environment variables say', () => {
    const { home, put } = createHome();
    const text = textOfLines([HEADER]);
    const usual = put('.pi/agent/sessions/--code-harbour--/2026_harbour-1.jsonl', text);
    put('.pi/agent/sessions/--code-harbour--/notes.txt', text);
    const elsewhere = put('quay/2026_harbour-2.jsonl', text);
    const moved = put('other/sessions/--x--/2026_harbour-3.jsonl', text);
    const find = (env: Record<string, string>) => findPaths(piTranscripts, home, env);
    expect(find({})).toEqual([usual]);
    expect(find({ PI_CODING_AGENT_SESSION_DIR: join(home, 'quay') })).toEqual([usual, elsewhere]);
    expect(find({ PI_CODING_AGENT_DIR: join(home, 'other') })).toEqual([moved]);
    expect(piTranscripts.recognises(usual)).toBe(true);
    expect(piTranscripts.recognises(linesFile([{ type: 'session.start' }]))).toBe(false);
  });

  const json = jsonAbout('type message role content text id arguments usage timestamp isError data', [
    'message',
    'user',
    'assistant',
    'toolResult',
    'bashExecution',
    'toolCall',
    'text',
    'image',
    'compaction',
    'session',
  ]);
  const types = ['message', 'message', 'compaction', 'branch_summary', 'model_change', 'session', 'custom'];
  const roles = ['user', 'assistant', 'toolResult', 'bashExecution'];
  const known = fc
    .tuple(fc.constantFrom(...types), fc.constantFrom(...roles), json, json, json)
    .map(([type, role, content, id, rest]) => ({
      type,
      id,
      timestamp: rest,
      summary: content,
      message: {
        role,
        content,
        toolCallId: id,
        isError: rest,
        errorMessage: rest,
        stopReason: 'error',
        usage: rest,
      },
    }));
  testTranscriptLaws(piTranscripts, {
    lines: RICH,
    garbage: [
      '{"type":"message","id":"u9","mess',
      '{}',
      { type: 'message', message: null },
      { type: 'message', message: { role: 'toolResult', toolCallId: 7 } },
      { type: 'label', targetId: {} },
      '{"type":"message","message":{"role":"assistant","content":{"__proto__":{"type":"text"}}}}',
    ],
    anyLine: fc.oneof(json, known),
  });
});
