import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { opencodeTranscripts } from '../../../src/agents/opencode/transcripts.ts';
import type { TranscriptEvent } from '../../../src/agents/transcript/transcript.ts';
import { openDatabase } from '../../../src/sqlite/database.ts';
import { temporaryFolder } from '../../temp-folder.ts';
import { eventsIn, eventsOneByOne, skipped, withoutSkips } from '../read-transcript.ts';
import { jsonAbout, readFile, textsIn } from '../transcript-laws.ts';
import { newOpencodeDatabase, type OpencodeDatabase } from './opencode-database.ts';

const USER = { role: 'user', time: { created: 1_790_000_000_000 } };
const REPLY = {
  role: 'assistant',
  time: { created: 1_790_000_001_000, completed: 1_790_000_009_000 },
  modelID: 'kimi-k3',
  tokens: { input: 100, output: 20, reasoning: 5, cache: { read: 300, write: 40 } },
};
const words = (text: string) => ({ type: 'text', text });
const tool = (callID: string, name: string, state: object) => ({ type: 'tool', callID, tool: name, state });
const bash = (callID: string, command: string, exit: number, output: string) =>
  tool(callID, 'bash', {
    status: 'completed',
    input: { command },
    output,
    title: command,
    metadata: { exit },
    time: { start: 1_790_000_002_000, end: 1_790_000_003_500 },
  });

test('reports messages, calls and results with session, model, usage, exit code and duration', () => {
  const { database, path } = newOpencodeDatabase();
  database.session('ses_1');
  database.message('msg_1', 'ses_1', USER, [words('Why does it fail?')]);
  database.message('msg_2', 'ses_1', REPLY, [
    { type: 'step-start' },
    { type: 'reasoning', text: 'hm' },
    words('I run the tests.'),
    bash('call_1', 'npm test', 1, '2 failed'),
    { type: 'step-finish' },
  ]);
  const events = eventsIn(opencodeTranscripts, path);
  expect(withoutSkips(events)).toEqual([
    { type: 'session', sessionId: 'ses_1', cwd: '/home/mara/shop', title: 'A title' },
    {
      type: 'message',
      sessionId: 'ses_1',
      id: 'msg_1',
      timestamp: '2026-09-21T14:13:20.000Z',
      role: 'user',
      text: 'Why does it fail?',
    },
    {
      type: 'message',
      sessionId: 'ses_1',
      id: 'msg_2',
      timestamp: '2026-09-21T14:13:21.000Z',
      role: 'assistant',
      text: 'I run the tests.',
      model: 'kimi-k3',
      usage: { inputTokens: 100, outputTokens: 25, cacheReadTokens: 300, cacheWriteTokens: 40 },
    },
    {
      type: 'call',
      sessionId: 'ses_1',
      callId: 'call_1',
      tool: 'bash',
      input: { command: 'npm test' },
      timestamp: '2026-09-21T14:13:22.000Z',
    },
    {
      type: 'result',
      sessionId: 'ses_1',
      callId: 'call_1',
      timestamp: '2026-09-21T14:13:23.500Z',
      result: { status: 'ok', exitCode: 1, output: '2 failed', durationMs: 1500 },
    },
  ]);
  expect(skipped(events)).toEqual(['step', 'thinking', 'step']);
});

test('derives the result of a call from its state', () => {
  const { database, path } = newOpencodeDatabase();
  const time = { start: 1, end: 2 };
  const aborted = '<bash_metadata>\nUser aborted the command\n</bash_metadata>';
  const late = '<bash_metadata>\nterminated command after exceeding timeout 120000 ms\n</bash_metadata>';
  const states: [string, object][] = [
    ['edit', { status: 'error', input: {}, error: 'oldString not found in content', time }],
    ['write', { status: 'error', input: {}, error: 'EACCES: permission denied, open /etc/x', time }],
    ['bash', { status: 'error', input: {}, error: 'The user rejected permission to use this tool call.', time }],
    ['bash', { status: 'error', input: {}, error: 'Tool execution aborted', time }],
    ['bash', { status: 'error', input: {}, error: 'yore: This failed 2 days ago', time }],
    ['bash', { status: 'completed', input: {}, output: `half\n\n${aborted}`, metadata: { exit: null }, time }],
    ['bash', { status: 'completed', input: {}, output: `half\n\n${late}`, metadata: { exit: null }, time }],
    ['bash', { status: 'completed', input: {}, output: 'half', metadata: {}, time }],
    ['read', { status: 'completed', input: {}, output: 'text', metadata: {}, time }],
    ['invalid', { status: 'completed', input: { tool: 'grep', error: 'pattern is required' }, output: 'x', time }],
    ['bash', { status: 'running', input: { command: 'sleep 9' }, time: { start: 1 } }],
  ];
  database.session('ses_1');
  database.message(
    'msg_1',
    'ses_1',
    REPLY,
    states.map(([name, state], index) => tool(`call_${index}`, name, state)),
  );
  const events = eventsIn(opencodeTranscripts, path);
  expect(events.flatMap((event) => (event.type === 'result' ? [event.result.status] : []))).toEqual([
    'error',
    'error',
    'rejected',
    'interrupted',
    'denied',
    'interrupted',
    'error',
    'unknown',
    'ok',
    'invalid',
  ]);
  const calls = events.flatMap((event) => (event.type === 'call' ? [event.tool] : []));
  expect(calls.at(-2)).toBe('grep');
  expect(calls).toHaveLength(11);
});

test('leaves out injected text and keeps images of the user', () => {
  const { database, path } = newOpencodeDatabase();
  database.session('ses_1');
  database.message('msg_1', 'ses_1', USER, [
    words('Look at this'),
    { type: 'text', text: 'Called the Read tool with the following input', synthetic: true },
    { type: 'text', text: 'not sent', ignored: true },
    { type: 'file', mime: 'image/png', url: 'data:image/png;base64,aGVsbG8=' },
    { type: 'file', mime: 'text/plain', url: 'file:///home/mara/shop/a.txt' },
  ]);
  const events = eventsIn(opencodeTranscripts, path);
  expect(withoutSkips(events)[1]).toMatchObject({
    text: 'Look at this',
    images: [{ mediaType: 'image/png', base64: 'aGVsbG8=' }],
  });
  expect(skipped(events)).toEqual(['injected text', 'injected text', 'attached file']);
});

test('links sub-agents, and reports compactions as checkpoints and provider errors as messages', () => {
  const { database, path } = newOpencodeDatabase();
  database.session('ses_1');
  database.session('ses_2', { parent: 'ses_1', directory: '/home/mara/shop/api' });
  database.message('msg_1', 'ses_2', USER, [words('Find the handler')]);
  database.message('msg_2', 'ses_1', { ...REPLY, summary: true }, [words('So far: nothing works.')]);
  const error = { name: 'APIError', data: { message: 'Overloaded' } };
  database.message('msg_3', 'ses_1', { role: 'assistant', time: { created: 1 }, error }, []);
  const stop = { name: 'MessageAbortedError', data: { message: 'aborted' } };
  database.message('msg_4', 'ses_1', { role: 'assistant', time: { created: 1 }, error: stop }, []);
  expect(withoutSkips(eventsIn(opencodeTranscripts, path))).toMatchObject([
    { type: 'session', sessionId: 'ses_2', parentSessionId: 'ses_1', cwd: '/home/mara/shop/api' },
    { type: 'message', text: 'Find the handler' },
    { type: 'session', sessionId: 'ses_1' },
    { type: 'message', kind: 'checkpoint', isSystem: true, text: 'So far: nothing works.' },
    { type: 'message', isSystem: true, text: 'APIError: Overloaded' },
  ]);
});

test('returns only what is new, and a reply once it is complete', () => {
  const { database, path } = newOpencodeDatabase();
  database.session('ses_1');
  database.message('msg_1', 'ses_1', USER, [words('Go')]);
  const running = tool('call_1', 'bash', {
    status: 'running',
    input: { command: 'make' },
    time: { start: 1 },
  });
  database.message('msg_2', 'ses_1', { role: 'assistant', time: { created: 2 } }, [running]);
  database.session('ses_9');
  database.message('msg_3', 'ses_9', USER, [words('Meanwhile')]);
  const first = readFile(opencodeTranscripts, path);
  expect(textsIn(first.events)).toEqual(['Go', 'Meanwhile']);
  expect(first.events.some(({ type }) => type === 'call')).toBe(false);

  expect(readFile(opencodeTranscripts, path, first.position).events).toEqual([]);
  database.part('msg_2', 'ses_1', 0, bash('call_1', 'make', 0, 'built'));
  expect(withoutSkips(readFile(opencodeTranscripts, path, first.position).events)).toEqual([]);
  database.message('msg_2', 'ses_1', REPLY);
  database.message('msg_4', 'ses_1', USER, [words('Thanks')]);
  const second = readFile(opencodeTranscripts, path, first.position);
  expect(withoutSkips(second.events).map(({ type }) => type)).toEqual([
    'session',
    'message',
    'call',
    'result',
    'message',
  ]);
  expect(textsIn(second.events)).toEqual(['', 'Thanks']);
  expect(readFile(opencodeTranscripts, path, second.position).events).toEqual([]);
});

test('returns an interrupted reply once the next one has begun', () => {
  const { database, path } = newOpencodeDatabase();
  database.session('ses_1');
  database.message('msg_1', 'ses_1', { role: 'assistant', time: { created: 1 } }, [words('Cut o')]);
  const first = readFile(opencodeTranscripts, path);
  expect(textsIn(first.events)).toEqual([]);
  database.message('msg_2', 'ses_1', REPLY, [words('Next')]);
  expect(textsIn(readFile(opencodeTranscripts, path, first.position).events)).toEqual(['Cut o', 'Next']);
});

test('returns endless replies eventually and keeps the position small', () => {
  const { database, path } = newOpencodeDatabase();
  for (let index = 0; index < 100; index++) {
    database.session(`ses_${index}`);
    database.message(`msg_${index}`, `ses_${index}`, { role: 'assistant' }, [words(`cut ${index}`)]);
  }
  const { events, position } = readFile(opencodeTranscripts, path);
  expect(textsIn(events)).toEqual(Array.from({ length: 60 }, (_, index) => `cut ${index}`));
  expect(JSON.stringify(position).length).toBeLessThan(3000);
});

test('resumes in the right place after rows were deleted or the file was vacuumed', () => {
  const { database, path } = newOpencodeDatabase();
  database.session('ses_1');
  for (let index = 1; index <= 6; index++) database.message(`msg_${index}`, 'ses_1', USER, [words(`${index}`)]);
  const { position } = readFile(opencodeTranscripts, path);
  database.database.exec("delete from message where id in ('msg_1', 'msg_2'); vacuum");
  database.message('msg_7', 'ses_1', USER, [words('7')]);
  expect(textsIn(readFile(opencodeTranscripts, path, position).events)).toEqual(['7']);
  database.database.exec("delete from message where id in ('msg_5', 'msg_6', 'msg_7')");
  database.message('msg_8', 'ses_1', USER, [words('8')]);
  expect(textsIn(readFile(opencodeTranscripts, path, position).events)).toEqual(['8']);
});

test('reads version 2 messages from their own table', () => {
  const { database, path } = newOpencodeDatabase({ hasVersion2: true });
  database.sessionV2('ses_1', { fork: 'ses_0' });
  database.sessionMessage('msg_1', 'ses_1', 'user', {
    time: { created: 1_790_000_000_000 },
    text: 'Create a file',
    files: [{ mime: 'image/gif', uri: 'data:image/gif;base64,R0lG' }],
  });
  database.sessionMessage('msg_2', 'ses_1', 'assistant', {
    time: { created: 1_790_000_001_000, completed: 1_790_000_005_000 },
    model: { id: 'kimi-k3', providerID: 'x' },
    tokens: { input: 7, output: 3, reasoning: 0, cache: { read: 0, write: 0 } },
    content: [
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'Here it is.' },
      {
        type: 'tool',
        id: 'call_1',
        name: 'shell',
        state: {
          status: 'completed',
          input: { command: 'touch a' },
          content: [{ type: 'text', text: 'no output' }],
          metadata: { exit: 2 },
        },
        time: { created: 1_790_000_002_000, ran: 1_790_000_002_500, completed: 1_790_000_003_000 },
      },
      {
        type: 'tool',
        id: 'call_2',
        name: 'edit',
        state: { status: 'error', input: {}, error: { type: 'unknown', message: 'no match' } },
        time: { created: 1_790_000_003_000 },
      },
    ],
  });
  database.sessionMessage('msg_3', 'ses_1', 'shell', {
    shellID: 'sh_1',
    command: 'ls',
    status: 'exited',
    exit: 0,
    output: { output: 'a', truncated: false },
    time: { created: 1, completed: 2 },
  });
  database.sessionMessage('msg_4', 'ses_1', 'compaction', {
    status: 'completed',
    summary: 'A file was made.',
  });
  database.sessionMessage('msg_5', 'ses_1', 'synthetic', { text: 'go on' });
  database.sessionMessage('msg_6', 'ses_1', 'idle', { outcome: 'succeeded' });
  database.sessionMessage('msg_7', 'ses_1', 'sparkle', {});
  const events = eventsIn(opencodeTranscripts, path);
  expect(withoutSkips(events)).toMatchObject([
    { type: 'session', sessionId: 'ses_1', parentSessionId: 'ses_0', isFork: true, model: 'kimi-k3' },
    { type: 'message', text: 'Create a file', images: [{ mediaType: 'image/gif', base64: 'R0lG' }] },
    { type: 'message', text: 'Here it is.', usage: { inputTokens: 7, outputTokens: 3 } },
    { type: 'call', callId: 'call_1', tool: 'shell', input: { command: 'touch a' } },
    { type: 'result', result: { status: 'ok', exitCode: 2, output: 'no output', durationMs: 500 } },
    { type: 'call', callId: 'call_2' },
    { type: 'result', result: { status: 'error', output: 'no match' } },
    { type: 'call', callId: 'sh_1', tool: 'bash', input: { command: 'ls' } },
    { type: 'result', result: { status: 'ok', exitCode: 0, output: 'a' } },
    { type: 'message', kind: 'checkpoint', text: 'A file was made.' },
  ]);
  expect(skipped(events)).toEqual(['thinking', 'injected text', 'end of a turn', '!unknown message: sparkle']);
});

test('reports messages that are in both tables once', () => {
  const { database, path } = newOpencodeDatabase({ hasVersion2: true });
  database.sessionV2('ses_1');
  database.sessionMessage('msg_1', 'ses_1', 'user', { text: 'Old words' });
  database.message('msg_1', 'ses_1', USER, [words('Old words')]);
  database.sessionMessage('msg_2', 'ses_1', 'user', { text: 'New words' });
  expect(textsIn(eventsIn(opencodeTranscripts, path))).toEqual(['Old words', 'New words']);
});

test('reports a malformed row and continues', () => {
  const { database, path } = newOpencodeDatabase();
  database.session('ses_1');
  database.message('msg_1', 'ses_1', '{"role":', [words('lost')]);
  database.message('msg_2', 'ses_1', USER, ['not json', words('kept'), '[]', { type: 'sparkle' }]);
  database.message('msg_3', 'ses_1', { role: 'wizard' }, []);
  const events = eventsIn(opencodeTranscripts, path);
  expect(textsIn(events)).toEqual(['kept']);
  expect(skipped(events).sort()).toEqual([
    '!not a JSON object',
    '!not a JSON object',
    '!not a JSON object',
    '!unknown part: sparkle',
    '!unknown role: wizard',
  ]);
});

test('reports foreign, damaged and locked databases as problems', () => {
  const folder = temporaryFolder();
  const other = join(folder, 'other.db');
  const database = openDatabase(other);
  database.exec('create table message (id text, words text)');
  expect(skipped(eventsIn(opencodeTranscripts, other))).toEqual(['!database without messages']);
  database.exec('begin exclusive');
  const locked = readFile(opencodeTranscripts, other, { tables: { message: { row: 3, id: 'x', time: 1, open: [] } } });
  expect(skipped(locked.events)).toEqual(['!database is locked']);
  expect(locked.position).toEqual({ tables: { message: { row: 3, id: 'x', time: 1, open: [] } } });
  database.exec('rollback');
  database.close();
  const broken = join(folder, 'broken.db');
  writeFileSync(broken, 'this is no database, whatever its name says'.repeat(50));
  expect(skipped(eventsIn(opencodeTranscripts, broken))).toEqual(['!database is damaged']);
  const missing = { agent: 'opencode', path: join(folder, 'none.db'), size: 0, stamp: '' } as const;
  expect(() => [...opencodeTranscripts.read(missing).events]).toThrow(/none\.db/);
});

test('resumes at the next event wherever it stopped', () => {
  const { database, path } = newOpencodeDatabase({ hasVersion2: true });
  database.session('ses_1');
  database.message('msg_1', 'ses_1', USER, [words('One'), { type: 'text', text: 'x', synthetic: true }]);
  database.message('msg_2', 'ses_1', { role: 'assistant' }, [words('Open')]);
  database.message('msg_3', 'ses_2', REPLY, [words('Two'), bash('call_1', 'ls', 0, 'a')]);
  database.sessionV2('ses_3');
  database.sessionMessage('msg_4', 'ses_3', 'user', { text: 'Three' });
  const whole = eventsIn(opencodeTranscripts, path);
  expect(eventsOneByOne(opencodeTranscripts, path)).toEqual(whole);
});

test('returns the same events when read in two parts', () => {
  const kinds = fc.constantFrom('user', 'reply', 'open', 'garbage');
  fc.assert(
    fc.property(fc.array(kinds, { maxLength: 12 }), fc.nat(12), (messages, cut) => {
      const once = newOpencodeDatabase();
      const twice = newOpencodeDatabase();
      for (const { database } of [once, twice]) database.session('ses_1');
      const write = (database: OpencodeDatabase, at: number) => {
        const data = { user: USER, reply: REPLY, open: { role: 'assistant' }, garbage: '{' }[messages[at] ?? 'garbage'];
        database.message(`msg_${at}`, `ses_${at % 3}`, data, [words(`${at}`), bash(`call_${at}`, 'ls', 0, 'a')]);
      };
      for (const at of messages.keys()) write(once.database, at);
      const whole = withoutSkips(eventsIn(opencodeTranscripts, once.path)).filter(({ type }) => type !== 'session');
      for (let at = 0; at < Math.min(cut, messages.length); at++) write(twice.database, at);
      const first = readFile(opencodeTranscripts, twice.path);
      for (let at = cut; at < messages.length; at++) write(twice.database, at);
      const second = readFile(opencodeTranscripts, twice.path, first.position);
      const events = withoutSkips([...first.events, ...second.events]).filter(({ type }) => type !== 'session');
      expect(sorted(events)).toEqual(sorted(whole));
    }),
    { numRuns: 25 },
  );
});

test('reads any rows to the end', () => {
  const values = ['user', 'assistant', 'text', 'tool', 'completed', 'error', 'file', 'bash', 'call_1'];
  const json = jsonAbout('role time created completed type text state status input output callID', values);
  fc.assert(
    fc.property(fc.array(fc.tuple(json, json), { maxLength: 6 }), (rows) => {
      const { database, path } = newOpencodeDatabase({ hasVersion2: true });
      for (const [at, [data, part]] of rows.entries()) {
        database.message(`msg_${at}`, 'ses_1', JSON.stringify(data), [JSON.stringify(part)]);
        database.sessionMessage(`msg_v${at}`, 'ses_2', 'assistant', JSON.stringify(data));
      }
      database.message('msg_last', 'ses_1', USER, [words('last')]);
      const events = eventsIn(opencodeTranscripts, path);
      expect(textsIn(events)).toContain('last');
      expect(skipped(events)).not.toContain('!database cannot be read');
    }),
    { numRuns: 40 },
  );
});

function sorted(events: readonly TranscriptEvent[]): string[] {
  return events.map((event) => JSON.stringify(event)).sort();
}
