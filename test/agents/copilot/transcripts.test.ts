import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { copilotTranscripts } from '../../../src/agents/copilot/transcripts.ts';
import {
  createHome,
  findPaths,
  jsonAbout,
  linesFile,
  readFile,
  readLines,
  resultsIn,
  skipped,
  testTranscriptLaws,
  textOfLines,
  textsIn,
} from '../transcript-laws.ts';

const T = '2026-06-25T01:50:34.000Z';
const AT = { sessionId: 'mill-1', timestamp: T };

let count = 0;
function line(type: string, data: object, more: object = {}): object {
  return { type, data, id: `e${count++}`, timestamp: T, parentId: null, ...more };
}

const START = line('session.start', {
  sessionId: 'mill-1',
  version: 1,
  producer: 'copilot-agent',
  context: { cwd: '/code/mill', gitRoot: '/code/mill', branch: 'main', headCommit: 'cbee02b' },
});
const SESSION = {
  type: 'session',
  sessionId: 'mill-1',
  cwd: '/code/mill',
  branch: 'main',
};

const request = (toolCallId: string, name: string, args: unknown) => ({
  toolCallId,
  name,
  arguments: args,
  type: 'function',
});
const reply = (content: string, toolRequests: readonly object[] = [], more: object = {}) =>
  line('assistant.message', { messageId: 'x', model: 'claude-mill', content, toolRequests, outputTokens: 7 }, more);
const begun = (toolCallId: string, toolName: string, args: unknown, more: object = {}) =>
  line('tool.execution_start', { toolCallId, toolName, arguments: args }, more);
const ended = (toolCallId: string, content: string, more: object = {}) =>
  line('tool.execution_complete', { toolCallId, success: true, result: { content, detailedContent: content } }, more);
const failed = (toolCallId: string, message: string, code = 'failure') =>
  line('tool.execution_complete', { toolCallId, success: false, error: { message, code } });
const user = (content: string, more: object = {}) => line('user.message', { content, ...more });

const RICH: readonly object[] = [
  START,
  line('session.model_change', { newModel: 'claude-mill' }),
  line('hook.start', { hookType: 'userPromptSubmitted', input: { prompt: 'grind' } }),
  line('hook.end', { hookType: 'userPromptSubmitted', success: true }),
  line('system.message', { role: 'system', content: 'You are a miller.' }),
  user('grind the corn', {
    transformedContent: '<now>1</now>grind the corn<system_reminder>x</system_reminder>',
  }),
  line('assistant.turn_start', { turnId: '0' }),
  reply('', [request('c1', 'bash', { command: 'grind corn' }), request('c2', 'view', { path: 'corn.txt' })]),
  begun('c1', 'bash', { command: 'grind corn' }),
  begun('c2', 'view', { path: 'corn.txt' }),
  ended('c2', '1. corn'),
  ended('c1', 'stone missing\n<shellId: 0 completed with exit code 3>'),
  line('assistant.turn_end', { turnId: '0' }),
  reply('The stone is missing.', [request('c3', 'bash', { command: 'npm run mill', mode: 'async' })]),
  begun('c3', 'bash', { command: 'npm run mill' }),
  ended('c3', '<command with shellId: 4 is still running after 30 seconds. Use read_bash to continue.>'),
  line('system.notification', {
    content: 'done',
    kind: { type: 'shell_completed', shellId: '4', exitCode: 2 },
  }),
  line('subagent.started', { toolCallId: 'c4', agentName: 'scout' }, { agentId: 'scout-1' }),
  line('user.message', { content: 'look for stones' }, { agentId: 'scout-1' }),
  reply('', [request('c5', 'bash', { command: 'find stones' })], { agentId: 'scout-1' }),
  begun('c5', 'bash', { command: 'find stones' }, { agentId: 'scout-1' }),
  ended('c5', '\n<shellId: 5 completed with exit code 0>', { agentId: 'scout-1' }),
  line('subagent.completed', { toolCallId: 'c4', agentName: 'scout' }, { agentId: 'scout-1' }),
  line('session.compaction_start', {}),
  line('session.compaction_complete', { success: true, summaryContent: 'The stone was missing.' }),
  reply('', [request('c6', 'bash', { command: 'sleep 99' })]),
  begun('c6', 'bash', { command: 'sleep 99' }),
  line('abort', { reason: 'user initiated' }),
  user('never mind'),
  line('session.error', { errorType: 'quota', message: 'Out of flour.' }),
  line('session.shutdown', {
    shutdownType: 'routine',
    modelMetrics: {
      'claude-mill': {
        usage: { inputTokens: 1000, outputTokens: 60, cacheReadTokens: 700, cacheWriteTokens: 100 },
      },
    },
  }),
];

describe('sessions of Copilot CLI', () => {
  test('report their folder, messages and results', () => {
    expect(readLines(copilotTranscripts, RICH.slice(0, 13))).toEqual([
      SESSION,
      { type: 'session', sessionId: 'mill-1', model: 'claude-mill' },
      { ...AT, type: 'message', id: expect.any(String), role: 'user', text: 'grind the corn' },
      {
        ...AT,
        type: 'message',
        id: expect.any(String),
        role: 'assistant',
        text: '',
        model: 'claude-mill',
        usage: { outputTokens: 7 },
      },
      { ...AT, type: 'call', callId: 'c1', tool: 'bash', input: { command: 'grind corn' } },
      { ...AT, type: 'call', callId: 'c2', tool: 'view', input: { path: 'corn.txt' } },
      { ...AT, type: 'result', callId: 'c2', result: { status: 'ok', output: '1. corn' } },
      {
        ...AT,
        type: 'result',
        callId: 'c1',
        result: { status: 'error', output: 'stone missing', exitCode: 3 },
      },
    ]);
  });

  test('report each call and its result once', () => {
    const events = readLines(copilotTranscripts, RICH);
    const calls = events.flatMap((event) => (event.type === 'call' ? [event.callId] : []));
    expect(calls).toEqual(['c1', 'c2', 'c3', 'c5', 'c6']);
    expect(resultsIn(events)).toEqual([
      ['c2', { status: 'ok', output: '1. corn' }],
      ['c1', { status: 'error', output: 'stone missing', exitCode: 3 }],
      ['c5', { status: 'ok', output: '', exitCode: 0 }],
      ['c3', { status: 'error', output: '', exitCode: 2 }],
      ['c6', { status: 'interrupted' }],
    ]);
  });

  test('report sub-agents as sessions of their own', () => {
    const scout = readLines(copilotTranscripts, RICH).filter(
      (event) => event.type !== 'skip' && event.sessionId === 'mill-1-agent-scout-1',
    );
    expect(scout.map((event) => event.type)).toEqual(['session', 'message', 'message', 'call', 'result']);
    expect(scout[0]).toMatchObject({ parentSessionId: 'mill-1', cwd: '/code/mill' });
  });

  test('of older versions identify sub-agents by the call that started them', () => {
    const events = readLines(copilotTranscripts, [
      START,
      line('subagent.started', { toolCallId: 'c4', agentName: 'scout' }),
      line('assistant.message', { content: 'found two', parentToolCallId: 'c4' }),
    ]);
    expect(events.slice(1)).toMatchObject([
      { type: 'session', sessionId: 'mill-1-agent-c4', parentSessionId: 'mill-1' },
      { type: 'message', sessionId: 'mill-1-agent-c4', text: 'found two' },
    ]);
  });

  test('end a background command when its output is read or it is stopped', () => {
    const running = (shell: string) => `<command with shellId: ${shell} is still running after 30 seconds.>`;
    const events = readLines(copilotTranscripts, [
      START,
      begun('c1', 'bash', { command: 'npm test' }),
      ended('c1', running('7')),
      begun('c2', 'bash', { command: 'npm start' }),
      ended('c2', `listening\n${running('8')}`),
      line('system.notification', { kind: { type: 'shell_completed', shellId: '7', exitCode: 1 } }),
      begun('c3', 'read_bash', { shellId: '7' }),
      ended('c3', '2 failed\n<shellId: 7 completed with exit code 1>'),
      begun('c4', 'stop_bash', { shellId: '8' }),
      ended('c4', '<command with id: 8 stopped>'),
      line('system.notification', { kind: { type: 'shell_completed', shellId: '8', exitCode: 0 } }),
      user('go on'),
    ]);
    const failure = { status: 'error', output: '2 failed', exitCode: 1 };
    expect(resultsIn(events)).toEqual([
      ['c3', failure],
      ['c1', failure],
      ['c4', { status: 'ok', output: '<command with id: 8 stopped>' }],
      ['c2', { status: 'interrupted' }],
    ]);
  });

  test.each([
    [failed('c1', 'The user rejected this tool call.', 'rejected'), 'rejected'],
    [failed('c1', 'Denied by preToolUse hook from "x.json": yore: This failed before', 'denied'), 'denied'],
    [failed('c1', 'Permission denied and could not request permission from user'), 'denied'],
    [failed('c1', 'Tool execution was aborted'), 'interrupted'],
    [failed('c1', "Tool 'grab' does not exist."), 'invalid'],
    [failed('c1', 'No match found'), 'error'],
  ])('have the reason why a call was not made: %j', (end, status) => {
    const events = readLines(copilotTranscripts, [START, begun('c1', 'edit', { path: 'a' }), end]);
    expect(resultsIn(events)).toMatchObject([['c1', { status }]]);
  });

  test('have exit codes in older texts and in blocks', () => {
    const block = { content: 'x', contents: [{ type: 'terminal', text: 'x', exitCode: 4 }] };
    const events = readLines(copilotTranscripts, [
      START,
      ended('c1', 'boom\n<exited with exit code 127>'),
      line('tool.execution_complete', { toolCallId: 'c2', success: true, result: block }),
      ended('c3', 'it says <exited with exit code 1> in the middle'),
    ]);
    expect(resultsIn(events)).toEqual([
      ['c1', { status: 'error', output: 'boom', exitCode: 127 }],
      ['c2', { status: 'error', output: 'x', exitCode: 4 }],
      ['c3', { status: 'ok', output: 'it says <exited with exit code 1> in the middle' }],
    ]);
  });

  test('report only what the user typed', () => {
    const lines = [
      START,
      user('typed', { source: 'user' }),
      user('skill text', { source: 'skill-pdf' }),
      user('go on by yourself', { source: 'autopilot' }),
      line('skill.invoked', { name: 'pdf', content: 'How to read' }),
    ];
    expect(textsIn(readLines(copilotTranscripts, lines))).toEqual(['typed']);
    expect(skipped(copilotTranscripts, lines)).toEqual(['injected text', 'injected text', 'injected text']);
  });

  test('include attached images, and patches as plain text', () => {
    const attachments = [
      { type: 'blob', data: 'aGVsbG8=', mimeType: 'image/png' },
      { type: 'file', path: '/a.txt' },
    ];
    const patch = '*** Begin Patch\n*** End Patch';
    const events = readLines(copilotTranscripts, [
      START,
      user('look', { attachments }),
      begun('c1', 'apply_patch', patch),
    ]);
    expect(events.slice(1)).toMatchObject([
      { images: [{ mediaType: 'image/png', base64: 'aGVsbG8=' }] },
      { tool: 'apply_patch', input: { input: patch } },
    ]);
  });

  test('of other versions have arguments as JSON text and no success flag', () => {
    const events = readLines(copilotTranscripts, [
      START,
      reply('', [request('c1', 'view', '{"path":"a.txt"}'), request('c2', 'view', {})]),
      line('tool.execution_complete', { toolCallId: 'c1', result: 'corn' }),
      line('tool.execution_complete', { toolCallId: 'c2' }),
    ]);
    expect(events.find((event) => event.type === 'call')).toMatchObject({ input: { path: 'a.txt' } });
    expect(resultsIn(events)).toEqual([
      ['c1', { status: 'ok', output: 'corn' }],
      ['c2', { status: 'unknown', output: '' }],
    ]);
  });

  test('report compactions, truncations and provider errors', () => {
    const lines = [
      START,
      line('session.compaction_complete', { success: true, summaryContent: 'All corn is ground.' }),
      line('session.compaction_complete', { success: false, error: 'no' }),
      line('session.truncation', { messagesRemovedDuringTruncation: 4 }),
      line('session.truncation', { messagesRemovedDuringTruncation: 0 }),
      line('session.error', { errorType: 'quota', message: 'Out of flour.' }),
    ];
    expect(readLines(copilotTranscripts, lines).slice(1)).toMatchObject([
      { kind: 'checkpoint', text: 'All corn is ground.', isSystem: true },
      { kind: 'checkpoint', text: '', isSystem: true },
      { role: 'assistant', text: 'Out of flour.', isSystem: true },
    ]);
  });

  test('have a folder even if they do not name it at the start', () => {
    const bare = line('session.start', { sessionId: 'mill-1' });
    const trusted = line('session.info', { message: 'Folder /code/old has been added to trusted folders.' });
    const changed = line('session.context_changed', { cwd: '/code/new', branch: 'side' });
    expect(readLines(copilotTranscripts, [bare, trusted, changed])).toEqual([
      { type: 'session', sessionId: 'mill-1' },
      { type: 'session', sessionId: 'mill-1', cwd: '/code/old' },
      { type: 'session', sessionId: 'mill-1', cwd: '/code/new', branch: 'side' },
    ]);
    const { put } = createHome();
    put('mill-1/workspace.yaml', 'id: mill-1\ncwd: "/code/yaml"\n');
    const path = put('mill-1/events.jsonl', textOfLines([bare]));
    expect(readFile(copilotTranscripts, path).events).toEqual([
      { type: 'session', sessionId: 'mill-1', cwd: '/code/yaml' },
    ]);
  });

  test('without a start are named after their file', () => {
    const path = linesFile([user('hello')], 'mill-9.jsonl');
    expect(readFile(copilotTranscripts, path).events).toMatchObject([
      { type: 'session', sessionId: 'mill-9' },
      { type: 'message', sessionId: 'mill-9', text: 'hello' },
    ]);
  });

  test('skip known lines without parsing them, and report unknown ones', () => {
    expect(
      skipped(copilotTranscripts, [
        START,
        '{"type":"hook.start","data":{"broken": ',
        line('session.mode_changed', {}),
        line('mcp.oauth_required', {}),
        line('assistant.sparkle', {}),
        line('sparkle', {}),
      ]),
    ).toEqual([
      'hook',
      'bookkeeping of the session',
      'bookkeeping of the session',
      'problem: unknown line: assistant.sparkle',
      'problem: unknown line: sparkle',
    ]);
  });

  test('are found in folders and, if older, as files', () => {
    const { home, put } = createHome();
    const text = textOfLines([START]);
    const recent = put('.copilot/session-state/mill-1/events.jsonl', text);
    const older = put('.copilot/session-state/mill-0.jsonl', text);
    put('.copilot/session-state/mill-1/checkpoints/index.md', text);
    const moved = put('elsewhere/session-state/mill-2/events.jsonl', text);
    expect(findPaths(copilotTranscripts, home)).toEqual([older, recent]);
    expect(findPaths(copilotTranscripts, home, { COPILOT_HOME: join(home, 'elsewhere') })).toEqual([moved]);
    expect(copilotTranscripts.recognises(recent)).toBe(true);
    expect(copilotTranscripts.recognises(linesFile([{ type: 'session', id: 'x' }]))).toBe(false);
  });

  const json = jsonAbout('content toolCallId name arguments result error message usage context kind', [
    'user',
    'c1',
    'bash',
    '<command with shellId: 4 is still running>',
    '4',
  ]);
  const types = ['user.message', 'assistant.message', 'tool.execution_start', 'tool.execution_complete'];
  const others = ['system.notification', 'session.shutdown', 'session.start', 'subagent.started', 'abort'];
  const known = fc
    .tuple(fc.constantFrom(...types, ...others), json, json, json, fc.boolean())
    .map(([type, one, two, three, success]) => ({
      type,
      id: one,
      timestamp: two,
      agentId: three,
      data: {
        content: one,
        toolCallId: two,
        toolName: three,
        toolRequests: [one, two],
        success,
        result: one,
        error: two,
        kind: three,
        modelMetrics: one,
        attachments: two,
      },
    }));
  testTranscriptLaws(copilotTranscripts, {
    lines: RICH,
    garbage: [
      '{"type":"user.message","data":{"cont',
      '{}',
      { type: 7, data: {} },
      { type: 'tool.execution_complete', data: 7 },
      { type: 'tool.execution_start', data: { toolCallId: {}, toolName: 'bash' } },
      { type: 'system.notification', data: { kind: { shellId: '4' } } },
      { type: 'assistant.message', data: null },
      '{"type":"user.message","data":{"__proto__":{"content":"x"}}}',
    ],
    anyLine: fc.oneof(json, known),
  });
});
