import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { opencodeTranscripts } from '../../../src/agents/opencode/transcripts.ts';
import type { ReadPosition } from '../../../src/agents/transcript/transcript.ts';
import { temporaryFolder } from '../../temp-folder.ts';
import { eventsIn, eventsOneByOne, openFile, skipped, withoutSkips } from '../read-transcript.ts';
import { createOpencodeDatabase } from './opencode-database.ts';

const USER = { id: 'msg_1', role: 'user', time: { created: 1_790_000_000_000 } };
const REPLY = { id: 'msg_2', role: 'assistant', time: { created: 2, completed: 3 }, modelID: 'kimi-k3' };
const EXPORT = {
  info: { id: 'ses_1', parentID: 'ses_0', directory: '/home/mara/shop', title: 'A title' },
  messages: [
    { info: USER, parts: [{ type: 'text', text: 'Say hello' }] },
    {
      info: REPLY,
      parts: [
        { type: 'text', text: 'Hello' },
        {
          type: 'tool',
          callID: 'call_1',
          tool: 'bash',
          state: {
            status: 'completed',
            input: { command: 'echo hello' },
            output: 'hello',
            metadata: { exit: 0 },
          },
        },
      ],
    },
  ],
};

test('finds databases of all channels in the data folder and where the environment says', () => {
  const home = temporaryFolder();
  const folder = join(home, '.local', 'share', 'opencode');
  for (const name of ['opencode.db', 'opencode-dev.db']) createOpencodeDatabase(join(folder, name));
  writeFileSync(join(folder, 'other.db'), 'x');
  write(join(folder, 'storage', 'session', 'p', 'ses_1.json'), EXPORT.info);
  expect(pathsIn(home)).toEqual([join(folder, 'opencode-dev.db'), join(folder, 'opencode.db')]);
  const named = join(home, 'mine.db');
  createOpencodeDatabase(named);
  expect(pathsIn(home, { OPENCODE_DB: named })[0]).toBe(named);
  expect(pathsIn(home, { OPENCODE_DB: 'opencode-dev.db' })).toHaveLength(2);
  expect(pathsIn(home, { XDG_DATA_HOME: join(home, 'data') })).toEqual([]);
});

test('changes the stamp when the write-ahead log grows', () => {
  const home = temporaryFolder();
  const database = createOpencodeDatabase(join(home, '.local', 'share', 'opencode', 'opencode.db'));
  const before = find(home)[0]?.stamp;
  database.session('ses_1');
  expect(find(home)[0]?.stamp).not.toBe(before);
});

test('does not change the stamp by reading', () => {
  const home = temporaryFolder();
  const path = join(home, '.local', 'share', 'opencode', 'opencode.db');
  const { database, session, message } = createOpencodeDatabase(path);
  session('ses_1');
  message('msg_1', 'ses_1', USER, [{ type: 'text', text: 'Hello' }]);
  database.exec('pragma wal_checkpoint(truncate)');
  const [source] = find(home);
  if (!source) throw new Error('not found');
  expect(withoutSkips([...opencodeTranscripts.read(source).events])).toHaveLength(2);
  expect(find(home)).toEqual([source]);
});

test('recognises a database by its tables', () => {
  const folder = temporaryFolder();
  const { database } = createOpencodeDatabase(join(folder, 'copy.db'));
  database.exec('pragma wal_checkpoint(truncate)');
  expect(opencodeTranscripts.recognises(join(folder, 'copy.db'))).toBe(true);
  writeFileSync(join(folder, 'notes.db'), 'text');
  expect(opencodeTranscripts.recognises(join(folder, 'notes.db'))).toBe(false);
});

test('reads an exported session when it is named', () => {
  const path = join(temporaryFolder(), 'session.json');
  write(path, EXPORT);
  expect(opencodeTranscripts.recognises(path)).toBe(true);
  expect(withoutSkips(eventsIn(opencodeTranscripts, path))).toMatchObject([
    { type: 'session', sessionId: 'ses_1', parentSessionId: 'ses_0', cwd: '/home/mara/shop' },
    { type: 'message', role: 'user', text: 'Say hello' },
    { type: 'message', role: 'assistant', text: 'Hello', model: 'kimi-k3' },
    { type: 'call', callId: 'call_1' },
    { type: 'result', result: { status: 'ok', exitCode: 0, output: 'hello' } },
  ]);
});

test('returns only what is new in a rewritten export, and reads another one from its beginning', () => {
  const path = join(temporaryFolder(), 'session.json');
  write(path, { ...EXPORT, messages: EXPORT.messages.slice(0, 1) });
  const first = openFile(opencodeTranscripts, path);
  expect([...first.events]).toHaveLength(2);
  const position = JSON.parse(JSON.stringify(first.position())) as ReadPosition;
  write(path, EXPORT);
  const second = openFile(opencodeTranscripts, path, position);
  expect(second.isResumed).toBe(true);
  expect(withoutSkips([...second.events]).map(({ type }) => type)).toEqual(['message', 'call', 'result']);
  write(path, { ...EXPORT, messages: EXPORT.messages.slice(1) });
  const third = openFile(opencodeTranscripts, path, position);
  expect(third.isResumed).toBe(false);
  expect([...third.events]).toHaveLength(4);
});

test('reports a broken document and resumes when it is valid again', () => {
  const path = join(temporaryFolder(), 'session.json');
  write(path, { ...EXPORT, messages: EXPORT.messages.slice(0, 1) });
  const first = openFile(opencodeTranscripts, path);
  expect([...first.events]).toHaveLength(2);
  writeFileSync(path, '{"info":{"id":"ses_1"},"messages":[');
  const broken = openFile(opencodeTranscripts, path, first.position());
  expect(skipped([...broken.events])).toEqual(['!broken JSON']);
  write(path, EXPORT);
  expect(withoutSkips(eventsIn(opencodeTranscripts, path, broken.position()))).toHaveLength(3);
});

test('resumes a document at the next event wherever it stopped', () => {
  const path = join(temporaryFolder(), 'session.json');
  write(path, EXPORT);
  expect(eventsOneByOne(opencodeTranscripts, path)).toEqual(eventsIn(opencodeTranscripts, path));
});

test('reads sessions of older versions from their files, a reply once it is complete', () => {
  const home = temporaryFolder();
  const storage = join(home, '.local', 'share', 'opencode', 'storage');
  write(join(storage, 'session', 'project', 'ses_1.json'), EXPORT.info);
  write(join(storage, 'message', 'ses_1', 'msg_1.json'), USER);
  write(join(storage, 'part', 'msg_1', 'prt_1.json'), { type: 'text', text: 'Say hello' });
  write(join(storage, 'message', 'ses_1', 'msg_2.json'), { ...REPLY, time: { created: 2 } });
  write(join(storage, 'part', 'msg_2', 'prt_2.json'), { type: 'text', text: 'Hel' });
  const [source] = find(home);
  if (!source) throw new Error('not found');
  const first = opencodeTranscripts.read(source);
  expect([...first.events]).toMatchObject([{ type: 'session', cwd: '/home/mara/shop' }, { text: 'Say hello' }]);

  write(join(storage, 'message', 'ses_1', 'msg_2.json'), REPLY);
  write(join(storage, 'part', 'msg_2', 'prt_2.json'), { type: 'text', text: 'Hello' });
  const [changed] = find(home);
  expect(changed?.stamp).not.toBe(source.stamp);
  expect([...opencodeTranscripts.read(source, first.position()).events]).toMatchObject([
    { role: 'assistant', text: 'Hello' },
  ]);
  rmSync(join(storage, 'session'), { recursive: true });
  expect(() => [...opencodeTranscripts.read(source).events]).toThrow(/ses_1\.json/);
});

function find(home: string, env: Record<string, string> = {}) {
  return opencodeTranscripts.find({ home, env, platform: 'linux', projects: [] });
}

function pathsIn(home: string, env: Record<string, string> = {}): string[] {
  return find(home, env).map(({ path }) => path);
}

function write(path: string, document: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(document));
}
