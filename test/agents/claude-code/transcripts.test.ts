import { describe, expect, it } from 'vitest';
import { claudeCodeTranscripts } from '../../../src/agents/claude-code/transcripts.ts';
import type { TranscriptEvent } from '../../../src/agents/transcript/transcript.ts';
import { linesFile, readFile, readLines, skipped } from '../transcript-laws.ts';
import { CWD, call, failure, line, reply, SESSION, shellResult, text, user } from './session-lines.ts';

function events(lines: readonly unknown[]) {
  return readLines(claudeCodeTranscripts, lines);
}

function of<T extends TranscriptEvent['type']>(type: T, lines: readonly unknown[]) {
  return events(lines).filter((event): event is Extract<TranscriptEvent, { type: T }> => event.type === type);
}

describe('messages', () => {
  it('follow the session with its folder and branch', () => {
    expect(events([user('Make the kettle whistle.')])).toEqual([
      { type: 'session', sessionId: SESSION, cwd: CWD, branch: 'main' },
      {
        type: 'message',
        sessionId: SESSION,
        id: expect.any(String),
        timestamp: expect.stringMatching(/^2026-03-01T/),
        role: 'user',
        text: 'Make the kettle whistle.',
      },
    ]);
  });

  it('join the lines of a reply, with its usage once and without thinking', () => {
    const lines = [
      reply('msg_1', { type: 'thinking', thinking: 'hm', signature: 'x' }),
      reply('msg_1', text('I look first.')),
      reply('msg_1', call('toolu_1', 'Read', { file_path: 'a.ts' })),
      reply('msg_1', call('toolu_2', 'Read', { file_path: 'b.ts' })),
      reply('msg_1', text('Then I write.')),
    ];
    expect(of('message', lines)).toEqual([
      expect.objectContaining({
        id: 'msg_1',
        role: 'assistant',
        model: 'claude-opus-9',
        text: 'I look first.\n\nThen I write.',
        usage: { inputTokens: 10, outputTokens: 20, cacheReadTokens: 40, cacheWriteTokens: 30 },
      }),
    ]);
    expect(of('call', lines)).toEqual([
      expect.objectContaining({ callId: 'toolu_1', tool: 'Read', input: { file_path: 'a.ts' }, cwd: CWD }),
      expect.objectContaining({ callId: 'toolu_2' }),
    ]);
    expect(skipped(claudeCodeTranscripts, lines)).toEqual(['thinking']);
  });

  it('have the usage of the last line of a reply', () => {
    const early = reply('msg_1', text('a'));
    const late = JSON.parse(JSON.stringify(reply('msg_1', call('t', 'Bash', { command: 'ls' }))));
    late.message.usage.output_tokens = 500;
    expect(of('message', [early, late])).toEqual([
      expect.objectContaining({ usage: expect.objectContaining({ outputTokens: 500 }) }),
    ]);
  });

  it('are reported once when results come between the lines of a reply', () => {
    const lines = [
      reply('msg_1', text('Two things.')),
      reply('msg_1', call('toolu_1', 'Bash', { command: 'a' })),
      shellResult('toolu_1', 'A'),
      reply('msg_1', call('toolu_2', 'Bash', { command: 'b' })),
      shellResult('toolu_2', 'B'),
    ];
    expect(events(lines).map((event) => event.type)).toEqual([
      'session',
      'message',
      'call',
      'result',
      'call',
      'result',
    ]);
  });

  it('say what is kept in the cache for an hour, and that a reply was recorded at its start', () => {
    const started = JSON.parse(JSON.stringify(reply('msg_1', text('a'))));
    started.message.stop_reason = null;
    started.message.usage.cache_creation = { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 };
    expect(of('message', [started])).toEqual([
      expect.objectContaining({
        usage: expect.objectContaining({ cacheWriteTokens: 30, cacheHourTokens: 20, incompleteReplies: 1 }),
      }),
    ]);
  });

  it('keep the usage of a reply that only calls tools', () => {
    expect(of('message', [reply('msg_1', call('t', 'Bash', { command: 'ls' }))])).toEqual([
      expect.objectContaining({ text: '', usage: expect.anything() }),
    ]);
  });

  it('include pasted images', () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: 'QUJD' } };
    expect(of('message', [user([text('[Image #1] What is this?'), image])])).toEqual([
      expect.objectContaining({
        text: '[Image #1] What is this?',
        images: [{ mediaType: 'image/jpeg', base64: 'QUJD' }],
      }),
    ]);
  });

  it('include what the user said when rejecting a call', () => {
    const words =
      "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). To tell you how to proceed, the user said:\nUse pnpm instead.\n\nNote: The user's next message may contain a correction or preference.";
    expect(of('message', [failure('toolu_1', words)])).toEqual([
      expect.objectContaining({ role: 'user', text: 'Use pnpm instead.', id: 'toolu_1:said' }),
    ]);
  });

  it('include queued prompts once, where they reach the model', () => {
    const lines = [
      line({ type: 'queue-operation', operation: 'enqueue', content: 'also lint' }),
      line({ type: 'queue-operation', operation: 'remove' }),
      line({
        type: 'attachment',
        attachment: { type: 'queued_command', prompt: 'also lint', commandMode: 'prompt' },
      }),
      line({
        type: 'attachment',
        attachment: { type: 'queued_command', prompt: 'tick', commandMode: 'task-notification' },
      }),
    ];
    expect(of('message', lines)).toEqual([expect.objectContaining({ role: 'user', text: 'also lint' })]);
  });

  it('include what was typed while the agent worked and only the queue tells of, once', () => {
    const queue = (operation: string, content?: string): object =>
      line({ type: 'queue-operation', operation, content, uuid: undefined });
    const said = (lines: readonly object[]): unknown[] =>
      of('message', lines).flatMap((event) => (event.type === 'message' && event.role === 'user' ? event.text : []));
    const working = reply('msg_q', call('toolu_q', 'Bash', { command: 'npm test' }));
    // Removed from the queue: it reached the agent, of which nothing else tells.
    expect(said([queue('enqueue', 'never push'), working, queue('remove'), working])).toEqual(['never push']);
    // The same text as a prompt of its own, or as an attachment, is a copy; one after another prompt is not.
    const sent = [queue('enqueue', 'never push'), queue('remove'), user('never push')];
    expect(said([...sent, user('go on'), user('never push')])).toEqual(['never push', 'go on', 'never push']);
    // It becomes a prompt, it is taken back to be edited, or nobody typed it.
    expect(said([queue('enqueue', 'go on'), queue('dequeue'), user('go on')])).toEqual(['go on']);
    expect(said([queue('enqueue', 'go on'), queue('popAll'), queue('remove'), user('stop')])).toEqual(['stop']);
    const notice = '<task-notification><task-id>b1</task-id></task-notification>';
    expect(said([queue('enqueue', notice), queue('enqueue', 'stop'), queue('remove')])).toEqual(['stop']);
  });

  it('include a provider error as a system message', () => {
    const block = text('API Error: 529 Overloaded');
    expect(of('message', [reply('x', block, { isApiErrorMessage: true })])).toEqual([
      expect.objectContaining({ isSystem: true, role: 'assistant', text: 'API Error: 529 Overloaded' }),
    ]);
  });

  it.each([
    ['a reminder', '<system-reminder>\nBe terse.\n</system-reminder>'],
    ['an interruption', '[Request interrupted by user for tool use]'],
    ['output of a local command', '<local-command-stdout>Set model to x</local-command-stdout>'],
    ['output of a shell command', '<bash-stdout>a\nb</bash-stdout><bash-stderr></bash-stderr>'],
    ['the text of a skill', 'Base directory for this skill: /x\n\n# Ship'],
    ['feedback of a hook', 'Stop hook feedback:\n- lint failed'],
    ['an end of a task', '<task-notification>\n<task-id>b1</task-id>\n</task-notification>\nRead the output file.'],
    ['what is open in the editor', '<ide_opened_file>The user opened a.ts</ide_opened_file>'],
    ['nothing', '   '],
  ])('never include %s', (_, content) => {
    expect(of('message', [user(content), user([text(content)])])).toEqual([]);
  });

  it("never include text that is marked as the program's", () => {
    const lines = [
      user('Continue.', { isMeta: true }),
      user('Only shown.', { isVisibleInTranscriptOnly: true }),
      user('A tick.', { origin: { kind: 'task-notification' } }),
      reply('x', text('No response requested.'), {
        message: { id: 'x', model: '<synthetic>', content: [text('No response requested.')] },
      }),
    ];
    expect(of('message', lines)).toEqual([]);
  });

  it.each([
    [
      '<command-message>ship</command-message>\n<command-name>/ship</command-name>\n<command-args>to prod</command-args>',
      '/ship to prod',
    ],
    [
      '<command-name>/clear</command-name>\n  <command-message>clear</command-message>\n  <command-args></command-args>',
      '/clear',
    ],
    ['<bash-input>git status</bash-input>', '!git status'],
    ['<user-memory-input>use tabs</user-memory-input>', '# use tabs'],
    ['<system-reminder>x</system-reminder>\n\nReally typed.', 'Really typed.'],
    ['Compare <b> and <i>, please', 'Compare <b> and <i>, please'],
  ])('are what the user typed: %j', (content, words) => {
    expect(of('message', [user(content)])).toEqual([expect.objectContaining({ text: words })]);
  });

  it('include slash commands that newer versions write as system lines', () => {
    const content =
      '<command-name>/model</command-name>\n<command-message>model</command-message>\n<command-args>opus</command-args>';
    expect(of('message', [line({ type: 'system', subtype: 'local_command', content })])).toEqual([
      expect.objectContaining({ role: 'user', text: '/model opus' }),
    ]);
  });
});

describe('a compaction', () => {
  const boundary = () => line({ type: 'system', subtype: 'compact_boundary', compactMetadata: { trigger: 'auto' } });

  it('is one checkpoint with its summary', () => {
    const lines = [
      boundary(),
      user('This session is being continued from a previous conversation. Done: A.', {
        isCompactSummary: true,
        isVisibleInTranscriptOnly: true,
      }),
      user('Go on.'),
    ];
    expect(of('message', lines)).toEqual([
      expect.objectContaining({
        kind: 'checkpoint',
        isSystem: true,
        text: expect.stringContaining('Done: A.'),
      }),
      expect.objectContaining({ text: 'Go on.' }),
    ]);
  });

  it('is a checkpoint without a summary if none follows', () => {
    const found = of('message', [boundary(), user('Go on.')]);
    expect(found.map((event) => [event.kind, event.text])).toEqual([
      ['checkpoint', ''],
      [undefined, 'Go on.'],
    ]);
  });

  it('is recognised by its summary in old files', () => {
    const found = of('message', [
      user('This session is being continued from a previous conversation that ran out of context.'),
    ]);
    expect(found).toEqual([expect.objectContaining({ kind: 'checkpoint' })]);
  });
});

describe('a session', () => {
  it('is reported again when its folder or branch changes', () => {
    const lines = [
      user('a'),
      user('b'),
      user('c', { gitBranch: 'feature' }),
      user('d', { gitBranch: 'feature', cwd: '/elsewhere' }),
    ];
    expect(of('session', lines)).toEqual([
      { type: 'session', sessionId: SESSION, cwd: CWD, branch: 'main' },
      { type: 'session', sessionId: SESSION, cwd: CWD, branch: 'feature' },
      { type: 'session', sessionId: SESSION, cwd: '/elsewhere', branch: 'feature' },
    ]);
  });

  it('of a sub-agent is separate and linked to its parent', () => {
    const side = { isSidechain: true, agentId: 'a1b2c3' };
    const path = linesFile([user('Find it.', side), reply('m', text('Found.'), side)], 'agent-a1b2c3.jsonl');
    const found = readFile(claudeCodeTranscripts, path).events;
    expect(found[0]).toEqual(
      expect.objectContaining({ type: 'session', sessionId: 'agent-a1b2c3', parentSessionId: SESSION }),
    );
    expect(new Set(found.map((event) => 'sessionId' in event && event.sessionId))).toEqual(new Set(['agent-a1b2c3']));
  });

  it('of a side chain in an old file is separate, even when several run at once', () => {
    const side = (uuid: string, parentUuid: string | null) => ({ isSidechain: true, uuid, parentUuid });
    const lines = [
      user('Main.'),
      user('First task.', side('s1', null)),
      user('Second task.', side('s2', null)),
      reply('m1', text('First answer.'), side('s3', 's1')),
      reply('m2', text('Second answer.'), side('s4', 's2')),
      reply('m3', text('Main answer.')),
    ];
    const found = of('message', lines).map((event) => [event.sessionId, event.text]);
    expect(found).toEqual([
      [SESSION, 'Main.'],
      ['agent-s1', 'First task.'],
      ['agent-s2', 'Second task.'],
      ['agent-s1', 'First answer.'],
      ['agent-s2', 'Second answer.'],
      [SESSION, 'Main answer.'],
    ]);
    expect(of('session', lines)[1]).toEqual(expect.objectContaining({ parentSessionId: SESSION }));
  });

  it('that was forked names its parent', () => {
    const fork = { sessionId: 'fork', forkedFrom: { sessionId: SESSION, messageUuid: 'u' } };
    expect(of('session', [user('a', fork)])).toEqual([
      expect.objectContaining({ sessionId: 'fork', parentSessionId: SESSION, isFork: true }),
    ]);
  });

  it('that was resumed under another id reports earlier lines under their own id', () => {
    const lines = [user('Before.'), user('After.', { sessionId: 'second' })];
    expect(of('session', lines)).toEqual([
      expect.objectContaining({ sessionId: SESSION }),
      expect.objectContaining({ sessionId: 'second', parentSessionId: SESSION, isFork: true }),
    ]);
  });
});

describe('skipped lines', () => {
  it('have a reason, and are problems only when unknown', () => {
    const lines = [
      line({ type: 'progress', data: { type: 'bash_progress' } }),
      { type: 'file-history-snapshot', messageId: 'm', snapshot: {} },
      { type: 'agent-name', agentName: 'Whistling', sessionId: 's' },
      { type: 'last-prompt', lastPrompt: 'x', sessionId: SESSION },
      { type: 'permission-mode', permissionMode: 'auto', sessionId: SESSION },
      { type: 'api-request-shape', requestId: 'r1', sessionId: SESSION, messages: 3, tools: 20 },
      { type: 'api-request-blob', hash: 'a1b2', sessionId: SESSION, content: 'You are an agent.' },
      { type: 'api-request', requestId: 'r1', sessionId: SESSION, blobs: ['a1b2'] },
      { type: 'atis-latch', sessionId: SESSION, value: true },
      { type: 'tools-used', sessionId: SESSION, tools: ['Bash'] },
      { type: 'cost-state', sessionId: SESSION, totalCostUsd: 0.01 },
      line({ type: 'system', subtype: 'turn_duration', durationMs: 5 }),
      line({ type: 'system', subtype: 'api_error', retryAttempt: 1 }),
      line({ type: 'attachment', attachment: { type: 'todo_reminder' } }),
      line({ type: 'sparkle' }),
      line({ type: 'system', subtype: 'glitter' }),
      reply('m', { type: 'hologram' }),
      reply('m', { type: 'tool_use', name: 'Bash' }),
      user([{ type: 'tool_result', content: 'x' }]),
      line({ type: 'user' }),
    ];
    expect(skipped(claudeCodeTranscripts, lines)).toEqual([
      'progress',
      'file snapshot',
      'other name of a session',
      'copy of a prompt',
      'settings of the session',
      'copy of a request to the model',
      'copy of a request to the model',
      'copy of a request to the model',
      'bookkeeping',
      'bookkeeping',
      'bookkeeping',
      'bookkeeping',
      'error that was retried',
      'attachment',
      'problem: unknown line: sparkle',
      'problem: unknown system line: glitter',
      'problem: unknown block: hologram',
      'problem: call without an id or a name',
      'problem: result without a call',
      'problem: turn without a message',
    ]);
  });

  it('are not recognised by text that looks like a type', () => {
    const sly = user('{"type":"progress"}', { slug: '"type":"progress"' });
    expect(of('message', [sly])).toHaveLength(1);
  });
});
