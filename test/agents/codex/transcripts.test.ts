import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { codexTranscripts } from '../../../src/agents/codex/transcripts.ts';
import type { TranscriptEvent } from '../../../src/agents/transcript/transcript.ts';
import { temporaryFolder } from '../../temp-folder.ts';
import { linesFile, readFile, readLines, skipped, textOfLines } from '../transcript-laws.ts';
import { CWD, command, event, head, item, line, reply, SESSION, tokens, user } from './rollout-lines.ts';

function of<T extends TranscriptEvent['type']>(type: T, lines: readonly unknown[]) {
  return readLines(codexTranscripts, lines).filter(
    (found): found is Extract<TranscriptEvent, { type: T }> => found.type === type,
  );
}

function texts(lines: readonly unknown[]) {
  return of('message', lines).map((message) => message.text);
}

describe('the session of a rollout', () => {
  it('is reported from its head, and again when a turn changes folder or model', () => {
    const lines = [
      head(),
      line('turn_context', { cwd: CWD, model: 'gpt-9' }),
      line('turn_context', { cwd: CWD, model: 'gpt-9' }),
      line('turn_context', { cwd: '/elsewhere', model: 'gpt-9' }),
    ];
    expect(of('session', lines)).toEqual([
      {
        type: 'session',
        sessionId: SESSION,
        cwd: CWD,
        remote: 'https://example.com/kettle.git',
        branch: 'main',
      },
      { type: 'session', sessionId: SESSION, cwd: CWD, model: 'gpt-9' },
      { type: 'session', sessionId: SESSION, cwd: '/elsewhere', model: 'gpt-9' },
    ]);
  });

  it('is named after the file when the head is missing', () => {
    const path = linesFile(['{"torn', ...user('Hello.')], `rollout-2026-04-01T10-00-00-${SESSION}.jsonl`);
    expect(readFile(codexTranscripts, path).events.filter((found) => found.type === 'session')).toEqual([
      { type: 'session', sessionId: SESSION },
    ]);
  });

  it('of a sub-agent is linked to its parent', () => {
    const byField = head({ parent_thread_id: 'parent', thread_source: 'subagent' });
    const bySource = head({
      source: { subagent: { thread_spawn: { parent_thread_id: 'parent', depth: 1 } } },
    });
    for (const first of [byField, bySource]) {
      expect(of('session', [first])).toEqual([
        expect.objectContaining({ sessionId: SESSION, parentSessionId: 'parent' }),
      ]);
      expect(of('session', [first])[0]).not.toHaveProperty('isFork');
    }
  });

  it('is read from files of 2025, whose lines are items', () => {
    const lines = [
      { id: SESSION, timestamp: '2025-06-01T10:00:00Z', instructions: null, git: { branch: 'old' } },
      { record_type: 'state', type: 'other' },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Old words.' }] },
      { type: 'function_call', name: 'shell', arguments: '{"command":["bash","-lc","ls"]}', call_id: 'c1' },
      {
        type: 'function_call_output',
        call_id: 'c1',
        output: '{"output":"a\\n","metadata":{"exit_code":0,"duration_seconds":0.1}}',
      },
    ];
    expect(readLines(codexTranscripts, lines).map((found) => found.type)).toEqual([
      'session',
      'message',
      'call',
      'result',
    ]);
    expect(of('session', lines)[0]).toEqual(expect.objectContaining({ sessionId: SESSION, branch: 'old' }));
  });
});

describe('messages of a rollout', () => {
  it('are reported once although they are written as item and event', () => {
    const lines = [head(), ...user('Boil.'), ...reply('Boiling.'), ...user('Boil.'), ...reply('Boiling.')];
    expect(texts(lines)).toEqual(['Boil.', 'Boiling.', 'Boil.', 'Boiling.']);
  });

  it('are reported if only one of the two exists', () => {
    const [asItem, asEvent] = user('Boil.');
    expect(texts([head(), asItem])).toEqual(['Boil.']);
    expect(texts([head(), asEvent])).toEqual(['Boil.']);
    expect(texts([head(), asEvent, asItem])).toEqual(['Boil.']);
  });

  it('are separate for each part of a reply in events', () => {
    const content = ['One.', 'Two.'].map((words) => ({ type: 'output_text', text: words }));
    const lines = [
      head(),
      event('agent_message', { message: 'One.' }),
      event('agent_message', { message: 'Two.' }),
      item('message', { role: 'assistant', content }),
    ];
    expect(texts(lines)).toEqual(['One.', 'Two.']);
  });

  it('have the model and the usage without cached tokens', () => {
    const lines = [
      head(),
      line('turn_context', { cwd: CWD, model: 'gpt-9' }),
      ...reply('Done.'),
      tokens(107),
      tokens(107),
    ];
    expect(of('message', lines)).toEqual([
      expect.objectContaining({
        text: 'Done.',
        model: 'gpt-9',
        usage: { inputTokens: 40, outputTokens: 7, cacheReadTokens: 60 },
      }),
    ]);
  });

  it('keep the usage of a reply that only called tools', () => {
    expect(of('message', [head(), ...command('c1', 'ls', 0, 'a'), tokens(107)])).toEqual([
      expect.objectContaining({ text: '', usage: expect.objectContaining({ outputTokens: 7 }) }),
    ]);
  });

  it('include images that are in the rollout', () => {
    const content = [
      { type: 'input_text', text: '<image name=[Image #1]>' },
      { type: 'input_image', image_url: 'data:image/png;base64,QUJD' },
      { type: 'input_text', text: '</image>' },
      { type: 'input_text', text: 'What is this?' },
    ];
    const copy = event('user_message', { message: 'What is this?', images: ['data:image/png;base64,QUJD'] });
    expect(of('message', [head(), item('message', { role: 'user', content }), copy])).toEqual([
      expect.objectContaining({
        text: 'What is this?',
        images: [{ mediaType: 'image/png', base64: 'QUJD' }],
      }),
    ]);
  });

  it.each([
    '<environment_context>\n  <cwd>/x</cwd>\n</environment_context>',
    '<user_instructions>\n\nUse tabs.\n\n</user_instructions>',
    '# AGENTS.md instructions for /x\n\n<INSTRUCTIONS>\nUse tabs.\n</INSTRUCTIONS>',
    '<permissions instructions>\nAll.\n</permissions instructions>',
    '<turn_aborted>\nThe user interrupted the previous turn.\n</turn_aborted>',
    '<skill>\n<name>ship</name>\n# Ship\n</skill>',
    '<subagent_notification>\n{"agent_path":"a"}\n</subagent_notification>',
    '<something_new>\nInjected.\n</something_new>',
    'Another language model started to solve this problem and produced a summary.',
  ])('never include %j', (words) => {
    const content = [{ type: 'input_text', text: words }];
    expect(texts([head(), item('message', { role: 'user', content })])).toEqual([]);
  });

  it('never include developer instructions', () => {
    const content = [{ type: 'input_text', text: 'You are Codex.' }];
    expect(texts([head(), item('message', { role: 'developer', content })])).toEqual([]);
  });

  it('include an element that the user pasted, as the event shows', () => {
    expect(texts([head(), ...user('<ul>\n<li>a</li>\n</ul>')])).toEqual(['<ul>\n<li>a</li>\n</ul>']);
  });

  it('are what the user typed, without what an editor puts before it', () => {
    const words = '# Context from my IDE setup:\n\n## Open tabs:\n- a.ts\n\n## My request for Codex:\nRename it.\n';
    expect(texts([head(), ...user(words)])).toEqual(['Rename it.']);
    const shell =
      '<user_shell_command>\n<command>\ngit status\n</command>\n<result>\nExit code: 0\n</result>\n</user_shell_command>';
    expect(texts([head(), item('message', { role: 'user', content: [{ type: 'input_text', text: shell }] })])).toEqual([
      '!git status',
    ]);
  });

  it('include a provider error as a system message', () => {
    expect(of('message', [head(), event('error', { message: 'Usage limit reached.' })])).toEqual([
      expect.objectContaining({ isSystem: true, text: 'Usage limit reached.' }),
    ]);
  });

  it('include one checkpoint per compaction', () => {
    const lines = [
      head(),
      line('compacted', { message: 'Done: A.', replacement_history: [] }),
      event('context_compacted'),
    ];
    expect(of('message', lines)).toEqual([
      expect.objectContaining({ kind: 'checkpoint', isSystem: true, text: 'Done: A.' }),
    ]);
  });
});

describe('a forked rollout', () => {
  // Ids of version 7 begin with their time: the parent's turn is older than the fork, the fork's own is younger.
  const parent = '019bffff-0000-7000-8000-000000000001';
  const oldTurn = '019bffff-9999-7000-8000-000000000002';
  const newTurn = '019c0000-0001-7000-8000-000000000003';
  const at = '2026-04-01T10:00:00.100Z';
  const copied = [
    line('session_meta', { id: parent, cwd: '/other', timestamp: '2026-03-01T00:00:00Z' }, at),
    line('event_msg', { type: 'task_started', turn_id: oldTurn }, at),
    ...user('Asked before.'),
    ...command('old', 'make', 2, 'boom'),
    tokens(500),
  ];
  const own = [
    line('event_msg', { type: 'task_started', turn_id: newTurn }, at),
    ...user('Asked now.'),
    ...command('new', 'make', 0, 'ok'),
  ];

  it('reports only its own messages', () => {
    const lines = [head({ forked_from_id: parent }), ...copied, ...own];
    expect(of('session', lines)).toEqual([
      expect.objectContaining({ sessionId: SESSION, parentSessionId: parent, isFork: true, cwd: CWD }),
    ]);
    expect(texts(lines)).toEqual(['Asked now.']);
    expect(of('call', lines).map((found) => found.callId)).toEqual(['new']);
    expect(skipped(codexTranscripts, lines).filter((reason) => reason.startsWith('copied'))).toHaveLength(
      copied.length,
    );
  });

  it("is recognised by the parent's head, as in sub-agents", () => {
    const lines = [head({ parent_thread_id: parent }), ...copied, ...own];
    expect(texts(lines)).toEqual(['Asked now.']);
  });

  it('is separated by time where turns have no ids', () => {
    const [first] = copied;
    const later = '2026-04-01T11:00:00.000Z';
    const content = (words: string) => ({
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text: words }],
    });
    const id = '5f0c1a52-0000-4000-8000-000000000009';
    const lines = [
      head({ id, forked_from_id: parent }),
      first,
      line('response_item', content('Before.'), at),
      line('response_item', content('After.'), later),
    ];
    expect(texts(lines)).toEqual(['After.']);
  });
});

describe('skipped parts of a rollout', () => {
  it('have a reason, and are problems only when unknown', () => {
    const lines = [
      head(),
      item('reasoning', { summary: [], encrypted_content: 'x' }),
      event('task_started', { turn_id: 't' }),
      event('agent_reasoning', { text: 'hm' }),
      line('world_state', { full: true, state: {} }),
      item('ghost_snapshot', {}),
      item('additional_tools', { tools: [] }),
      event('web_search_end', { call_id: 'w' }),
      item('hologram', {}),
      event('sparkle', {}),
      line('glitter', {}),
      item('function_call', { name: 'x' }),
      item('function_call_output', { output: 'x' }),
    ];
    expect(skipped(codexTranscripts, lines)).toEqual([
      'thinking',
      'bookkeeping',
      'thinking',
      'bookkeeping',
      'file snapshot',
      'settings of the session',
      'copy of a call',
      'problem: unknown item: hologram',
      'problem: unknown event: sparkle',
      'problem: unknown line: glitter',
      'problem: call without an id or a name',
      'problem: result without a call',
    ]);
  });
});

describe('finding rollouts', () => {
  const places = (home: string, env: Record<string, string> = {}) =>
    ({ home, env, platform: 'linux', projects: [] }) as const;

  it('finds rollouts of all days, including archived and compressed ones', () => {
    const home = temporaryFolder();
    const day = join(home, '.codex', 'sessions', '2026', '04', '01');
    const archive = join(home, '.codex', 'archived_sessions');
    mkdirSync(day, { recursive: true });
    mkdirSync(archive);
    for (const name of [
      'rollout-a.jsonl',
      'rollout-b.jsonl',
      'rollout-b.jsonl.zst',
      'rollout-c.jsonl.zst',
      'notes.jsonl',
    ]) {
      writeFileSync(join(day, name), '');
    }
    writeFileSync(join(archive, 'rollout-d.jsonl'), '');
    writeFileSync(join(home, '.codex', 'history.jsonl'), '');
    expect(codexTranscripts.find(places(home)).map((source) => source.path)).toEqual([
      join(day, 'rollout-a.jsonl'),
      join(day, 'rollout-b.jsonl'),
      join(day, 'rollout-c.jsonl.zst'),
      join(archive, 'rollout-d.jsonl'),
    ]);
    expect(codexTranscripts.find(places('/nowhere', { CODEX_HOME: join(home, '.codex') }))).toHaveLength(4);
  });

  it('recognises its files by their content, even with a very long head', () => {
    expect(codexTranscripts.recognises(linesFile([head({ base_instructions: { text: 'x'.repeat(100_000) } })]))).toBe(
      true,
    );
    expect(
      codexTranscripts.recognises(linesFile([{ type: 'user', sessionId: 's', uuid: 'u', isSidechain: false }])),
    ).toBe(false);
    expect(codexTranscripts.recognises('/nowhere.jsonl')).toBe(false);
  });
});

describe('a compressed rollout', () => {
  it('is read where Node can decompress it, and is a problem otherwise', () => {
    const path = join(temporaryFolder(), 'rollout-a.jsonl.zst');
    writeFileSync(path, storedFrame(textOfLines([head(), ...user('Boil.')])));
    const { events } = readFile(codexTranscripts, path);
    if ('zstdDecompressSync' in zlib) {
      expect(events.filter((found) => found.type === 'message')).toEqual([expect.objectContaining({ text: 'Boil.' })]);
    } else {
      expect(events).toEqual([
        { type: 'skip', reason: expect.stringMatching(/^compressed file.*Node/), isProblem: true },
      ]);
    }
  });

  it('that is damaged is one problem', () => {
    const path = join(temporaryFolder(), 'rollout-a.jsonl.zst');
    writeFileSync(path, 'no zstd');
    const { events } = readFile(codexTranscripts, path);
    expect(events).toEqual([{ type: 'skip', reason: expect.stringMatching(/^compressed file/), isProblem: true }]);
  });
});

/** A Zstandard frame that holds a text as it is, in one block. */
function storedFrame(text: string): Buffer {
  const content = Buffer.from(text);
  const header = Buffer.alloc(12);
  header.writeUInt32LE(0xfd2fb528, 0);
  // A single segment whose size takes four bytes, and a last block that is not compressed.
  header.writeUInt8(0xa0, 4);
  header.writeUInt32LE(content.length, 5);
  header.writeUIntLE((content.length << 3) | 1, 9, 3);
  return Buffer.concat([header, content]);
}
