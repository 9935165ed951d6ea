import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { m31aTranscripts } from '../../../src/agents/m31a/transcripts.ts';
import type { ReadPosition, TranscriptSource } from '../../../src/agents/transcript/transcript.ts';
import { temporaryFolder } from '../../temp-folder.ts';
import { eventsOneByOne, skipped, withoutSkips } from '../read-transcript.ts';

const ENTRIES = [
  { text: 'write the release notes', score: 21.4, last_used: '2026-06-21T09:15:00.123456Z', use_count: 3 },
  { text: 'explain this error', score: 8, last_used: '2026-06-20T18:00:00Z', use_count: 1 },
  { text: 'run the tests', score: 7, last_used: '2026-06-20T17:00:00Z', use_count: 1 },
];

test('reports prompts in the order of their last use, with one session per day', () => {
  const source = sourceWith(ENTRIES);
  expect(withoutSkips([...m31aTranscripts.read(source).events])).toMatchObject([
    { type: 'session', sessionId: 'm31a-2026-06-20' },
    { type: 'message', role: 'user', text: 'run the tests', timestamp: '2026-06-20T17:00:00.000Z' },
    { type: 'message', role: 'user', text: 'explain this error' },
    { type: 'session', sessionId: 'm31a-2026-06-21' },
    { type: 'message', role: 'user', text: 'write the release notes', timestamp: '2026-06-21T09:15:00.123Z' },
  ]);
});

test('returns only prompts used since the last reading, including repeated ones', () => {
  const first = m31aTranscripts.read(sourceWith(ENTRIES));
  expect([...first.events]).toHaveLength(5);
  const position = JSON.parse(JSON.stringify(first.position())) as ReadPosition;
  expect([...m31aTranscripts.read(sourceWith(ENTRIES), position).events]).toEqual([]);
  const again = [
    { ...ENTRIES[1], last_used: '2026-06-22T08:00:00Z', use_count: 2 },
    ENTRIES[0],
    ENTRIES[2],
    { text: 'at the same moment', last_used: '2026-06-21T09:15:00.123Z' },
  ];
  const second = m31aTranscripts.read(sourceWith(again), position);
  expect(second.isResumed).toBe(true);
  expect([...second.events].flatMap((event) => (event.type === 'message' ? event.text : []))).toEqual([
    'at the same moment',
    'explain this error',
  ]);
});

test('resumes at the next event wherever it stopped', () => {
  const source = sourceWith(ENTRIES);
  expect(eventsOneByOne(m31aTranscripts, source.path)).toEqual([...m31aTranscripts.read(source).events]);
});

test('reports entries that are not prompts and continues', () => {
  const source = sourceWith([{ text: 7 }, ENTRIES[2], { text: 'no time' }, { text: ' ', last_used: 'x' }]);
  const events = [...m31aTranscripts.read(source).events];
  expect(withoutSkips(events)).toHaveLength(2);
  expect(skipped(events)).toEqual(Array(3).fill('!prompt without text or time'));
  writeFileSync(source.path, '{"entries":');
  const reading = m31aTranscripts.read(source);
  expect(skipped([...reading.events])).toEqual(['!broken JSON']);
  expect(reading.position()).toEqual({ at: [] });
});

test('reads both forms of the document', () => {
  const source = sourceWith({ entries: ENTRIES });
  expect(m31aTranscripts.recognises(source.path)).toBe(true);
  expect([...m31aTranscripts.read(source).events]).toHaveLength(5);
});

function sourceWith(document: unknown): TranscriptSource {
  const home = temporaryFolder();
  mkdirSync(join(home, '.m31a'));
  writeFileSync(join(home, '.m31a', 'history.json'), JSON.stringify(document));
  const [source] = m31aTranscripts.find({ home, env: {}, platform: 'linux', projects: [] });
  if (!source) throw new Error('not found');
  return source;
}
