import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { TestMachine } from './machine.ts';

/** A prompt of 1 MB, as when somebody pastes a log. */
const LONG = `Find the fault in this log. ${'2026-03-04 worker 7 is waiting for the pump\n'.repeat(25_000)}`;
const AT = '2026-03-04T09:00:00.000Z';
const CWD = '/srv/shop';

const lines = (...records: readonly object[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');
const text = { type: 'text', text: LONG };

/** A transcript in each format, with keys in an order that puts what identifies it as late as possible. */
const TRANSCRIPTS: Readonly<Record<string, readonly [path: string, content: string]>> = {
  'ac-dc': [
    '.ac-dc/history.jsonl',
    lines({ content: LONG, id: '1772614800000-0a0b0c0d', session_id: 's1', timestamp: AT, role: 'user' }),
  ],
  aider: [
    'chat.md',
    `# aider chat started at 2026-03-04 09:00:00\n\n#### ${LONG.replaceAll('\n', ' ')}\n\nIt is the pump.\n`,
  ],
  'autohand failures': [
    'failures.jsonl',
    lines({ error: LONG, tool: 'run_command', command: 'npm test', sessionId: 's1', timestamp: AT }),
  ],
  'claude-code': [
    'c.jsonl',
    lines({
      message: { role: 'user', content: LONG },
      ...{ type: 'user', uuid: 'u1', isSidechain: false, sessionId: 's1', cwd: CWD, timestamp: AT },
    }),
  ],
  'claude-code after a summary': [
    'd.jsonl',
    lines(
      { type: 'summary', summary: 'A fault', leafUuid: 'u0' },
      {
        message: { role: 'user', content: LONG },
        ...{ type: 'user', uuid: 'u1', isSidechain: false, sessionId: 's1', cwd: CWD, timestamp: AT },
      },
    ),
  ],
  'cline task': ['api_conversation_history.json', JSON.stringify([{ content: [text], role: 'user' }])],
  'cline session': [
    's1.messages.json',
    JSON.stringify({ messages: [{ content: [text], role: 'user' }], sessionId: 's1' }),
  ],
  codex: [
    'rollout.jsonl',
    lines(
      {
        payload: { base_instructions: { text: LONG }, id: 's1', cwd: CWD, timestamp: AT },
        ...{ timestamp: AT, type: 'session_meta' },
      },
      { payload: { type: 'user_message', message: LONG }, timestamp: AT, type: 'event_msg' },
    ),
  ],
  copilot: [
    'events.jsonl',
    lines(
      { data: { note: LONG, sessionId: 's1', context: { cwd: CWD } }, id: 'e1', timestamp: AT, type: 'session.start' },
      { data: { content: LONG }, id: 'e2', timestamp: AT, type: 'user.message' },
    ),
  ],
  cursor: ['agent.jsonl', lines({ message: { content: [text] }, role: 'user' })],
  gemini: [
    'session.jsonl',
    lines(
      { note: LONG, sessionId: 's1', projectHash: 'a'.repeat(64), startTime: AT, lastUpdated: AT },
      { id: 'm1', timestamp: AT, type: 'user', content: LONG },
    ),
  ],
  'gemini document': [
    'session-1.json',
    JSON.stringify({
      ...{ sessionId: 's1', projectHash: 'a'.repeat(64), startTime: AT, lastUpdated: AT },
      messages: [{ id: 'm1', timestamp: AT, type: 'user', content: LONG }],
    }),
  ],
  m31a: ['history.json', JSON.stringify({ entries: [{ text: LONG, last_used: AT, use_count: 1 }] })],
  opencode: [
    'export.json',
    JSON.stringify({
      info: { id: 'ses_1', directory: CWD, title: 'A fault' },
      messages: [{ parts: [text], info: { id: 'msg_1', role: 'user', time: { created: 1_790_000_000_000 } } }],
    }),
  ],
  pi: [
    'pi.jsonl',
    lines(
      { note: LONG, version: 3, id: 's1', timestamp: AT, cwd: CWD, type: 'session' },
      { message: { role: 'user', content: [text] }, id: 'e1', parentId: null, timestamp: AT, type: 'message' },
    ),
  ],
  qwen: [
    'chats/q.jsonl',
    lines({
      message: { role: 'user', parts: [{ text: LONG }] },
      ...{ provenance: 'real_user', type: 'user', uuid: 'u1', sessionId: 's1', cwd: CWD, timestamp: AT },
    }),
  ],
};

it.each(Object.entries(TRANSCRIPTS))(
  'a transcript of %s is recognised by its content, however long its first turn',
  async (name, [path, content]) => {
    const machine = new TestMachine();
    const file = join(machine.folder, 'received', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    const places = { home: machine.user, env: {}, platform: 'linux', projects: [] } as const;
    const { agents } = await machine.import({ places, paths: [file], learn: false });
    expect(agents).toMatchObject([{ agent: name.split(' ', 1)[0], found: 1 }]);
    const { messages = 0, attempts = {}, problems } = agents[0]?.counts ?? {};
    expect(problems).toBe(0);
    // A list of prompts has nothing else, and those of somebody else are not offered to the user.
    expect(messages + (attempts.failure ?? 0) > 0).toBe(name !== 'm31a');
  },
);
