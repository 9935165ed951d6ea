import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cursorTranscripts } from '../../../src/agents/cursor/transcripts.ts';
import type { TranscriptLocations } from '../../../src/agents/transcript/transcript.ts';
import { temporaryFolder } from '../../temp-folder.ts';
import { eventsIn, eventsOf, eventsOfGrowing, skipped, withoutSkips } from '../read-transcript.ts';
import { expectNothingToThrow, jsonAbout } from '../transcript-laws.ts';

const QUERY =
  '<timestamp>Friday, Oct 2, 2026, 4:05 PM (UTC+2)</timestamp>\n<user_query>\nAdd a dark theme\n</user_query>';
const LINES = [
  { role: 'user', message: { content: [{ type: 'text', text: QUERY }] } },
  {
    role: 'assistant',
    message: {
      content: [
        { type: 'text', text: 'I look at the styles first.\n\n[REDACTED]' },
        { type: 'tool_use', name: 'Shell', input: { command: 'ls src/styles', description: 'List' } },
        { type: 'tool_use', name: 'Read', input: { path: 'src/styles/main.css' } },
      ],
    },
  },
  { type: 'turn_ended', status: 'success' },
  { role: 'user', message: { content: [{ type: 'text', text: 'plain words without a tag' }] } },
];

test('reports what the user typed in the query, with its time', () => {
  const path = transcript(LINES);
  const messages = withoutSkips(eventsIn(cursorTranscripts, path)).filter(({ type }) => type === 'message');
  expect(messages).toEqual([
    {
      type: 'message',
      sessionId: 'abc',
      id: '1',
      timestamp: '2026-10-02T14:05:00.000Z',
      role: 'user',
      text: 'Add a dark theme',
    },
    {
      type: 'message',
      sessionId: 'abc',
      id: '2',
      timestamp: '2026-10-02T14:05:00.000Z',
      role: 'assistant',
      text: 'I look at the styles first.',
    },
    {
      type: 'message',
      sessionId: 'abc',
      id: '3',
      timestamp: '2026-10-02T14:05:00.000Z',
      role: 'user',
      text: 'plain words without a tag',
    },
  ]);
});

test('numbers calls and reports that their results are unknown', () => {
  const events = withoutSkips(eventsIn(cursorTranscripts, transcript(LINES)));
  expect(events.filter(({ type }) => type === 'call')).toMatchObject([
    { callId: 'abc-1', tool: 'Shell', input: { command: 'ls src/styles' } },
    { callId: 'abc-2', tool: 'Read', input: { path: 'src/styles/main.css' } },
  ]);
  expect(events.filter(({ type }) => type === 'result')).toMatchObject([
    { callId: 'abc-1', result: { status: 'unknown' } },
    { callId: 'abc-2', result: { status: 'unknown' } },
  ]);
});

test('separates what the user typed from injected text', () => {
  const injected = [
    '<user_info>OS: linux</user_info>',
    '<git_status>clean</git_status>',
    '<user_query>Only this</user_query>',
    '<system_reminder>Be brief</system_reminder>',
  ].join('\n');
  const events = eventsIn(
    cursorTranscripts,
    transcript([
      { role: 'user', message: { content: [{ type: 'text', text: injected }] } },
      { role: 'user', message: { content: [{ type: 'text', text: '<rules>Use tabs</rules>' }] } },
    ]),
  );
  expect(withoutSkips(events).flatMap((event) => (event.type === 'message' ? event.text : []))).toEqual(['Only this']);
  expect(skipped(events)).toEqual(['injected text', 'injected text']);
});

test('finds the folder among known projects or in the home folder', () => {
  const home = temporaryFolder();
  const known = join(home, 'elsewhere', 'my.app');
  const there = join(home, 'code', 'big_shop-2');
  mkdirSync(there, { recursive: true });
  const slug = (folder: string) => folder.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-/, '');
  for (const folder of [known, there, join(home, 'gone')]) {
    write(join(home, '.cursor', 'projects', slug(folder), 'agent-transcripts', `${slug(folder)}.jsonl`), LINES);
  }
  const places = placesOf(home, [known]);
  const events = eventsOf(cursorTranscripts, cursorTranscripts.find(places));
  const folders = events.flatMap((event) => (event.type === 'session' ? [event.cwd] : []));
  expect(folders).toEqual([there, known, undefined]);
});

test('links sub-agents to the session that started them', () => {
  const home = temporaryFolder();
  const folder = join(home, '.cursor', 'projects', 'x', 'agent-transcripts', 'top');
  write(join(folder, 'top.jsonl'), LINES);
  write(join(folder, 'subagents', 'below.jsonl'), LINES);
  const events = eventsOf(cursorTranscripts, cursorTranscripts.find(placesOf(home, [])));
  expect(events.filter(({ type }) => type === 'session')).toEqual([
    { type: 'session', sessionId: 'below', parentSessionId: 'top' },
    { type: 'session', sessionId: 'top' },
  ]);
});

test('recognises a transcript by its first line', () => {
  expect(cursorTranscripts.recognises(transcript(LINES))).toBe(true);
  const other = [{ type: 'user', uuid: '1', sessionId: 's', message: { role: 'user', content: [] } }];
  expect(cursorTranscripts.recognises(transcript(other))).toBe(false);
});

test('returns the same events when read in parts', () => {
  const content = Buffer.from(LINES.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const path = transcript(LINES);
  const whole = eventsIn(cursorTranscripts, path);
  fc.assert(
    fc.property(fc.array(fc.nat(content.length), { maxLength: 3 }), (cuts) => {
      const lengths = cuts.sort((a, b) => a - b);
      expect(eventsOfGrowing(cursorTranscripts, path, content, lengths)).toEqual(whole);
    }),
    { numRuns: 60 },
  );
});

test('ignores garbage between lines', () => {
  const lines = LINES.map((line) => JSON.stringify(line));
  const whole = withoutSkips(eventsIn(cursorTranscripts, transcript(LINES)));
  const path = join(temporaryFolder(), 'abc.jsonl');
  fc.assert(
    fc.property(GARBAGE, fc.nat(lines.length), (garbage, at) => {
      writeFileSync(path, `${[...lines.slice(0, at), garbage, ...lines.slice(at)].join('\n')}\n`);
      expect(withoutSkips(eventsIn(cursorTranscripts, path))).toEqual(whole);
    }),
  );
});

test('continues after any line', () => {
  const line = jsonAbout('role message content type text name input id', [
    'user',
    'assistant',
    'text',
    'tool_use',
    QUERY,
    '<user_query>',
    '<timestamp>Jan 99, 2026, 9:99 AM (UTC)</timestamp>',
  ]);
  expectNothingToThrow(cursorTranscripts, LINES[0], line);
});

/** Lines that are no messages. */
const GARBAGE = fc.oneof(
  fc.string().map((text) => text.replace(/[\r\n]/g, ' ')),
  fc.constantFrom(
    '{"role":"user"}',
    '{"role":"assistant","message":{"content":{"__proto__":1}}}',
    '{"role":"user","message":{"content":[null,{"type":"image"},{"type":"text","text":7}]}}',
    '{"role":"assistant","message":{"content":[{"type":"tool_use"}]}}',
    '[]',
    '{"__proto__":{"role":"user"}}',
  ),
);

function transcript(lines: readonly unknown[]): string {
  const path = join(temporaryFolder(), 'abc.jsonl');
  write(path, lines);
  return path;
}

function write(path: string, lines: readonly unknown[]): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

function placesOf(home: string, projects: readonly string[]): TranscriptLocations {
  return { home, projects, env: {}, platform: 'linux' };
}
