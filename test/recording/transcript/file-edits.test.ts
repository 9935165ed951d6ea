import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AgentName } from '../../../src/agents/agent-name.ts';
import { AGENTS } from '../../../src/agents/registry.ts';
import type { Message } from '../../../src/record/index.ts';
import { createOpencodeDatabase } from '../../agents/opencode/opencode-database.ts';
import { temporaryFolder } from '../../temp-folder.ts';
import { recordTranscript } from './event-transcripts.ts';

const ROOT = '/srv/kiln';
const T = '2026-05-20T10:00:00.000Z';
const SAYS = 'I raise the heat.';
const PATCH =
  '*** Begin Patch\n*** Update File: src/heat.ts\n@@\n const a = 1;\n-const heat = 900;\n+const heat = 1200;\n*** Add File: docs/heat.md\n+hot\n*** Delete File: old.ts\n*** End Patch';
const EDIT_DIFF = '-const heat = 900;\n+const heat = 1200;';
const PATCHED = [
  { path: 'src/heat.ts', diff: ` const a = 1;\n${EDIT_DIFF}` },
  { path: 'docs/heat.md', change: 'created', diff: '+hot' },
  { path: 'old.ts', change: 'deleted' },
];
const EDITED = [{ path: 'src/heat.ts', diff: EDIT_DIFF }];
const WRITTEN = [{ path: 'docs/heat.md', change: 'created', diff: '+hot\n+hotter' }];
const OLD = 'const heat = 900;';
const NEW = 'const heat = 1200;';
const FILE = `${ROOT}/src/heat.ts`;
const NOTES = `${ROOT}/docs/heat.md`;
const TEXT = 'hot\nhotter\n';

/** The messages of a transcript after it was recorded. */
async function record(agent: AgentName, name: string, write: (path: string) => void): Promise<readonly Message[]> {
  const folder = temporaryFolder();
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  write(path);
  const transcripts = await AGENTS[agent].loadTranscripts();
  return recordTranscript(transcripts, path, { directory: join(folder, 'project'), root: ROOT });
}

function lines(values: readonly object[]): (path: string) => void {
  return (path) => writeFileSync(path, values.map((value) => `${JSON.stringify(value)}\n`).join(''));
}

type Tool = readonly [tool: string, input: object | string];

const FORMATS: Readonly<Record<string, (tool: Tool, isError: boolean) => Promise<readonly Message[]>>> = {
  'claude-code': ([name, input], isError) => {
    const base = { sessionId: 's1', cwd: ROOT, timestamp: T, isSidechain: false };
    const reply = { id: 'msg_1', role: 'assistant', model: 'm' };
    return record(
      'claude-code',
      's1.jsonl',
      lines([
        { ...base, type: 'user', uuid: 'u1', message: { role: 'user', content: 'Hotter' } },
        { ...base, type: 'assistant', uuid: 'u2', message: { ...reply, content: [{ type: 'text', text: SAYS }] } },
        {
          ...base,
          type: 'assistant',
          uuid: 'u3',
          message: { ...reply, content: [{ type: 'tool_use', id: 'c1', name, input }] },
        },
        {
          ...base,
          type: 'user',
          uuid: 'u4',
          message: {
            role: 'user',
            content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'x', is_error: isError }],
          },
        },
        {
          ...base,
          type: 'assistant',
          uuid: 'u5',
          message: { ...reply, id: 'msg_2', content: [{ type: 'text', text: 'Done.' }] },
        },
      ]),
    );
  },
  codex: ([name, input], isError) => {
    const line = (type: string, payload: object) => ({ timestamp: T, type, payload });
    const said = (text: string) =>
      line('response_item', { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] });
    const made =
      typeof input === 'string'
        ? { type: 'custom_tool_call', name, input, call_id: 'c1' }
        : { type: 'function_call', name, arguments: JSON.stringify(input), call_id: 'c1' };
    const output = `Exit code: ${isError ? 1 : 0}\nWall time: 0.1 seconds\nOutput:\nx`;
    return record(
      'codex',
      'rollout-2026-05-20T10-00-00-019c0000-0000-7000-8000-000000000001.jsonl',
      lines([
        line('session_meta', { id: 's1', cwd: ROOT, timestamp: T }),
        line('event_msg', { type: 'user_message', message: 'Hotter', images: [] }),
        said(SAYS),
        line('response_item', made),
        line('response_item', { type: `${made.type}_output`, call_id: 'c1', output }),
        said('Done.'),
      ]),
    );
  },
  gemini: ([name, args], isError) => {
    const response = isError ? { error: 'x' } : { output: 'x' };
    const toolCall = {
      id: 'c1',
      name,
      args,
      status: isError ? 'error' : 'success',
      timestamp: T,
      result: [{ functionResponse: { id: 'c1', name, response } }],
    };
    return record(
      'gemini',
      'chats/session-1.jsonl',
      lines([
        { sessionId: 's1', projectHash: 'f', startTime: T, lastUpdated: T, kind: 'main' },
        { id: 'm1', timestamp: T, type: 'user', content: [{ text: 'Hotter' }] },
        { id: 'm2', timestamp: T, type: 'gemini', content: SAYS, toolCalls: [toolCall] },
        { id: 'm3', timestamp: T, type: 'gemini', content: 'Done.' },
      ]),
    );
  },
  opencode: ([tool, input], isError) =>
    record('opencode', 'opencode.db', (path) => {
      const database = createOpencodeDatabase(path);
      const time = { start: Date.parse(T), end: Date.parse(T) };
      const state = isError
        ? { status: 'error', input, error: 'x', time }
        : { status: 'completed', input, output: 'x', title: '', metadata: {}, time };
      database.session('s1', { directory: ROOT });
      database.message('m1', 's1', { role: 'user', time: { created: time.start } }, [{ type: 'text', text: 'Hotter' }]);
      const reply = { role: 'assistant', time: { created: time.start, completed: time.end }, modelID: 'm' };
      database.message('m2', 's1', reply, [
        { type: 'text', text: SAYS },
        { type: 'tool', tool, callID: 'c1', state },
      ]);
      database.message('m3', 's1', reply, [{ type: 'text', text: 'Done.' }]);
    }),
  copilot: ([name, args], isError) => {
    let count = 0;
    const line = (type: string, data: object) => ({ type, data, id: `e${count++}`, timestamp: T, parentId: null });
    const end = isError ? { success: false, error: { message: 'x' } } : { success: true, result: { content: 'x' } };
    return record(
      'copilot',
      's1/events.jsonl',
      lines([
        line('session.start', { sessionId: 's1', context: { cwd: ROOT } }),
        line('user.message', { content: 'Hotter' }),
        line('assistant.message', {
          messageId: 'x',
          content: SAYS,
          toolRequests: [{ toolCallId: 'c1', name, arguments: args }],
        }),
        line('tool.execution_start', { toolCallId: 'c1', toolName: name, arguments: args }),
        line('tool.execution_complete', { toolCallId: 'c1', ...end }),
        line('assistant.message', { messageId: 'y', content: 'Done.', toolRequests: [] }),
      ]),
    );
  },
  cursor: ([name, input]) =>
    record(
      'cursor',
      'agent-transcripts/s1.jsonl',
      lines([
        { role: 'user', message: { content: [{ type: 'text', text: '<user_query>Hotter</user_query>' }] } },
        {
          role: 'assistant',
          message: {
            content: [
              { type: 'text', text: SAYS },
              { type: 'tool_use', name, input },
            ],
          },
        },
        { role: 'assistant', message: { content: [{ type: 'text', text: 'Done.' }] } },
      ]),
    ),
  pi: ([name, args], isError) => {
    const message = (id: string, parentId: string | null, fields: object) => ({
      type: 'message',
      id,
      parentId,
      timestamp: T,
      message: { timestamp: Date.parse(T), ...fields },
    });
    const text = (words: string) => ({ type: 'text', text: words });
    return record(
      'pi',
      's1.jsonl',
      lines([
        { type: 'session', version: 3, id: 's1', timestamp: T, cwd: ROOT },
        message('a', null, { role: 'user', content: [text('Hotter')] }),
        message('b', 'a', {
          role: 'assistant',
          content: [text(SAYS), { type: 'toolCall', id: 'c1', name, arguments: args }],
        }),
        message('c', 'b', { role: 'toolResult', toolCallId: 'c1', toolName: name, content: [text('x')], isError }),
        message('d', 'c', { role: 'assistant', content: [text('Done.')] }),
      ]),
    );
  },
  qwen: ([name, args], isError) => {
    let count = 0;
    const line = (type: string, provenance: string, message: object, more: object = {}) => ({
      uuid: `u${count++}`,
      parentUuid: null,
      sessionId: 's1',
      timestamp: T,
      type,
      cwd: ROOT,
      provenance,
      message,
      ...more,
    });
    const response = isError ? { error: 'x' } : { output: 'x' };
    const toolCallResult = { callId: 'c1', status: isError ? 'error' : 'success' };
    return record(
      'qwen',
      'chats/s1.jsonl',
      lines([
        line('user', 'real_user', { role: 'user', parts: [{ text: 'Hotter' }] }),
        line('assistant', 'assistant_output', {
          role: 'model',
          parts: [{ text: SAYS }, { functionCall: { id: 'c1', name, args } }],
        }),
        line(
          'tool_result',
          'tool_result',
          { role: 'user', parts: [{ functionResponse: { id: 'c1', name, response } }] },
          { toolCallResult },
        ),
        line('assistant', 'assistant_output', { role: 'model', parts: [{ text: 'Done.' }] }),
      ]),
    );
  },
  cline: ([name, input], isError) => {
    const text = (words: string) => ({ type: 'text', text: words });
    const result = { type: 'tool_result', tool_use_id: 'c1', content: [text('x')], is_error: isError };
    return record('cline', 'tasks/1/api_conversation_history.json', (path) =>
      writeFileSync(
        path,
        JSON.stringify([
          { role: 'user', content: [text('<task>\nHotter\n</task>')] },
          { role: 'assistant', content: [text(SAYS), { type: 'tool_use', id: 'c1', name, input }] },
          { role: 'user', content: [result] },
          { role: 'assistant', content: [text('Done.')] },
        ]),
      ),
    );
  },
};

const SEARCH_REPLACE = `<<<<<<< SEARCH\n${OLD}\n=======\n${NEW}\n>>>>>>> REPLACE`;
const CASES: readonly (readonly [agent: string, tool: string, input: object | string, edits: readonly object[]])[] = [
  ['claude-code', 'Edit', { file_path: FILE, old_string: OLD, new_string: NEW }, EDITED],
  ['claude-code', 'Write', { file_path: NOTES, content: TEXT }, WRITTEN],
  ['claude-code', 'MultiEdit', { file_path: FILE, edits: [{ old_string: OLD, new_string: NEW }] }, EDITED],
  [
    'claude-code',
    'NotebookEdit',
    { notebook_path: `${ROOT}/a.ipynb`, new_source: 'x = 1' },
    [{ path: 'a.ipynb', diff: '+x = 1' }],
  ],
  ['codex', 'apply_patch', PATCH, PATCHED],
  ['codex', 'shell', { command: ['bash', '-lc', `apply_patch <<'EOF'\n${PATCH}\nEOF`] }, PATCHED],
  ['gemini', 'replace', { file_path: FILE, old_string: OLD, new_string: NEW }, EDITED],
  ['gemini', 'write_file', { file_path: NOTES, content: TEXT }, WRITTEN],
  ['opencode', 'edit', { filePath: FILE, oldString: OLD, newString: NEW }, EDITED],
  ['opencode', 'write', { filePath: NOTES, content: TEXT }, WRITTEN],
  ['opencode', 'apply_patch', { patchText: PATCH }, PATCHED],
  ['copilot', 'edit', { path: FILE, old_str: OLD, new_str: NEW }, EDITED],
  ['copilot', 'create', { path: NOTES, file_text: TEXT }, WRITTEN],
  ['copilot', 'apply_patch', PATCH, PATCHED],
  ['cursor', 'StrReplace', { path: FILE, old_string: OLD, new_string: NEW }, EDITED],
  ['cursor', 'Write', { path: NOTES, contents: TEXT }, WRITTEN],
  ['cursor', 'Delete', { path: FILE }, [{ path: 'src/heat.ts', change: 'deleted' }]],
  ['pi', 'edit', { path: FILE, oldText: OLD, newText: NEW }, EDITED],
  ['pi', 'edit', { path: FILE, edits: [{ oldText: OLD, newText: NEW }] }, EDITED],
  ['pi', 'write', { path: NOTES, content: TEXT }, WRITTEN],
  ['qwen', 'edit', { file_path: FILE, old_string: OLD, new_string: NEW }, EDITED],
  ['qwen', 'write_file', { file_path: NOTES, content: TEXT }, WRITTEN],
  ['cline', 'replace_in_file', { path: 'src/heat.ts', diff: SEARCH_REPLACE }, EDITED],
  ['cline', 'write_to_file', { path: 'docs/heat.md', content: TEXT }, WRITTEN],
];

describe('files changed by a reply', () => {
  it.each(CASES)('are recorded with it: %s %s', async (agent, tool, input, edits) => {
    const messages = await FORMATS[agent]?.([tool, input], false);
    const [prompt, reply, last] = messages ?? [];
    expect(messages).toHaveLength(3);
    expect(prompt).toMatchObject({ role: 'user', content: 'Hotter' });
    expect(reply).toMatchObject({ role: 'assistant', content: SAYS, editResults: edits });
    expect(reply?.filesModified).toEqual(edits.map((edit) => (edit as { path: string }).path));
    for (const other of [prompt, last]) expect(other).not.toHaveProperty('filesModified');
  });

  it.each(Object.keys(FORMATS).filter((agent) => agent !== 'cursor'))(
    'of an edit that failed say so, and name no changed file: %s',
    async (agent) => {
      const [, tool = '', input = {}] = CASES.find(([name]) => name === agent) ?? [];
      const messages = (await FORMATS[agent]?.([tool, input], true)) ?? [];
      const reply = messages.find(({ content }) => content === SAYS);
      expect(reply?.editResults?.map(({ status }) => status)).toContain('failed');
      for (const { status } of reply?.editResults ?? []) expect(status).toBe('failed');
      for (const message of messages) expect(message).not.toHaveProperty('filesModified');
    },
  );

  it('are those that aider says it applied, whose text is in the reply', async () => {
    const messages = await record('aider', '.aider.chat.history.md', (path) =>
      writeFileSync(
        path,
        `# aider chat started at 2026-05-20 10:00:00\n\n#### Hotter  \n\n${SAYS}\n\n> Tokens: 1k sent, 20 received.  \n> Applied edit to src/heat.ts  \n`,
      ),
    );
    expect(messages.at(-1)).toMatchObject({
      content: SAYS,
      filesModified: ['src/heat.ts'],
      editResults: [{ path: 'src/heat.ts' }],
    });
  });

  it('are bounded and redacted', async () => {
    const key = `sk-ant-api03-${'k4Ze9'.repeat(19)}`;
    const content = `const key = '${key}';\n${'line of a long file\n'.repeat(5000)}`;
    const [, reply] = (await FORMATS['claude-code']?.(['Write', { file_path: NOTES, content }], false)) ?? [];
    const [edit] = reply?.editResults ?? [];
    expect(edit?.diff).toContain('+const key = ');
    expect(JSON.stringify(reply)).not.toContain(key);
    expect(edit?.diff?.length).toBeLessThan(6000);
  });
});
