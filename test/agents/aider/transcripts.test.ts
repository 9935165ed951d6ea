import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aiderTranscripts } from '../../../src/agents/aider/transcripts.ts';
import type { TranscriptEvent } from '../../../src/agents/transcript/transcript.ts';
import { temporaryFolder } from '../../temp-folder.ts';
import { eventsIn, eventsOfGrowing, eventsOneByOne, skipped, withoutSkips } from '../read-transcript.ts';

/** What aider appends at once. */
const start = (time: string) => `\n# aider chat started at ${time}\n\n`;
const user = (text: string) => `\n#### ${text.split('\n').join('  \n#### ')}  \n`;
const reply = (text: string) => `\n${text}\n\n`;
const notice = (text: string) =>
  text
    .split('\n')
    .map((line) => `> ${line.trim()}  \n`)
    .join('');

const CHAT = [
  start('2026-07-20 13:16:20'),
  notice('Aider v0.86.1'),
  notice('Main model: kimi-k3 with diff edit format'),
  user('Make `total` faster\n  and keep the tests'),
  reply('I use a map.\n\n#### Why\n\n> quoted from the docs\n\n```js\n> not a notice\n#### not a user\n```'),
  notice('Tokens: 2.4k sent, 1.1k cache hit, 133 received. Cost: $0.01 message, $0.02 session.'),
  notice('Applied edit to src/total.js'),
  notice('Commit 1a2b3c4 perf: Use a map in total'),
  user('/add src/other.js'),
  notice('Added src/other.js to the chat'),
  user('/ask is it stable?'),
  reply('Yes.'),
];

test('separates turns of the user from replies that contain headings and quotes', () => {
  const events = read(CHAT);
  expect(messagesOf(events)).toEqual([
    ['user', 'Make `total` faster\n  and keep the tests'],
    ['assistant', 'I use a map.\n\n#### Why\n\n> quoted from the docs\n\n```js\n> not a notice\n#### not a user\n```'],
    ['user', 'is it stable?'],
    ['assistant', 'Yes.'],
  ]);
  expect(withoutSkips(events)).toContainEqual(expect.objectContaining({ type: 'session', model: 'kimi-k3' }));
  expect(events.find((event) => event.type === 'message' && event.role === 'assistant')).toMatchObject({
    usage: { inputTokens: 1300, outputTokens: 133, cacheReadTokens: 1100 },
  });
  expect(skipped(events)).toEqual(['notice of aider', 'command to aider', 'notice of aider']);
});

test('derives times from the start of the chat and the order in it', () => {
  const times = withoutSkips(read(CHAT)).flatMap((event) => ('timestamp' in event ? [event.timestamp] : []));
  expect(times[0]).toBe(new Date(Date.parse('2026-07-20T13:16:20') + 1).toISOString());
  expect(times).toEqual([...times].sort());
  expect(new Set(times).size).toBe(6);
});

test('reports edits and commits of aider as successful calls', () => {
  expect(callsOf(read(CHAT))).toEqual([
    ['edit_file', { path: 'src/total.js' }, { status: 'ok' }],
    [
      'run_command',
      { command: 'git commit -m "perf: Use a map in total"' },
      { status: 'ok', output: '1a2b3c4 perf: Use a map in total' },
    ],
  ]);
});

test('gives commands the outcome that the text shows, if any', () => {
  const events = read([
    start('2026-07-20 13:16:20'),
    notice('Aider v0.86.1'),
    user('/run npm install left-pad'),
    notice('Add 0.4k tokens of command output to the chat? (Y)es/(N)o [Yes]: n'),
    user('/test pytest -q'),
    notice('Added 12 lines of output to the chat.'),
    reply('I see the failing test.'),
    user('/test pytest -q'),
    user('!ls'),
    notice('total 0'),
    notice('a.py'),
    reply('Shall I run it?'),
    notice('python a.py'),
    notice("Run shell command? (Y)es/(N)o/(D)on't ask again [Yes]: y"),
    notice('Running python a.py'),
    notice('Add command output to the chat? (Y)es/(N)o [Yes]: y'),
    notice('Added 1 line of output to the chat.'),
    user('thanks'),
  ]);
  expect(callsOf(events)).toEqual([
    ['run_command', { command: 'npm install left-pad' }, { status: 'unknown' }],
    ['run_command', { command: 'pytest -q' }, { status: 'error', output: '' }],
    ['run_command', { command: 'pytest -q' }, { status: 'ok' }],
    ['run_command', { command: 'ls' }, { status: 'unknown', output: 'total 0\na.py' }],
    ['run_command', { command: 'python a.py' }, { status: 'unknown' }],
  ]);
});

test('reports linter findings and edits that do not apply as failures', () => {
  const events = read([
    start('2026-07-20 13:16:20'),
    notice('Aider v0.86.1'),
    reply('Here you are.'),
    notice('# Fix any errors below, if possible.'),
    notice('## Running: flake8 --isolated src/a.py'),
    notice("src/a.py:3:1: F821 undefined name 'x'"),
    notice('## See relevant lines below marked with █.'),
    notice('3█x'),
    notice('Attempt to fix lint errors? (Y)es/(N)o [Yes]: y'),
    reply('Once more.'),
    notice('The LLM did not conform to the edit format.'),
    notice('# 1 SEARCH/REPLACE block failed to match!'),
    notice('## SearchReplaceNoExactMatch: This SEARCH block failed to exactly match lines in src/b.py'),
    notice('<<<<<<< SEARCH\nold line'),
  ]);
  expect(callsOf(events)).toEqual([
    [
      'run_command',
      { command: 'flake8 --isolated src/a.py' },
      { status: 'error', output: "src/a.py:3:1: F821 undefined name 'x'" },
    ],
    ['edit_file', { path: 'src/b.py' }, { status: 'error', output: '<<<<<<< SEARCH\nold line' }],
  ]);
});

test('makes every chat a session of its own in the folder of the file', () => {
  const folder = temporaryFolder();
  const events = read([start('2026-07-20 13:16:20'), user('one'), start('2026-07-21 09:00:00'), user('two')], folder);
  const sessions = events.flatMap((event) => (event.type === 'session' ? [event] : []));
  expect(sessions.map(({ cwd }) => cwd)).toEqual([folder, folder]);
  expect(new Set(sessions.map(({ sessionId }) => sessionId)).size).toBe(2);
});

test('reports a session for a file without its beginning', () => {
  const folder = temporaryFolder();
  expect(withoutSkips(read([user('hello'), reply('Hi.')], folder))).toMatchObject([
    { type: 'session', cwd: folder },
    { type: 'message', role: 'user', text: 'hello' },
    { type: 'message', role: 'assistant', text: 'Hi.' },
  ]);
});

test('understands a file without trailing spaces', () => {
  const bare = CHAT.map((part) => part.replace(/ +\n/g, '\n'));
  const messages = messagesOf(read(bare));
  expect(messages[0]).toEqual(['user', 'Make `total` faster\n  and keep the tests']);
  expect(messages.at(-1)).toEqual(['assistant', 'Yes.']);
  expect(messages.some(([, text]) => text?.includes('> not a notice\n#### not a user'))).toBe(true);
});

test('returns the same events when read after each write of aider', () => {
  const parts = [...CHAT, user('/test make'), notice('Added 3 lines of output to the chat.'), reply('Hm.'), ...CHAT];
  const content = Buffer.from(parts.join(''));
  const ends = parts.map((_, at) => Buffer.byteLength(parts.slice(0, at + 1).join('')));
  const path = join(temporaryFolder(), '.aider.chat.history.md');
  writeFileSync(path, content);
  const whole = eventsIn(aiderTranscripts, path);
  fc.assert(
    fc.property(fc.subarray(ends, { maxLength: 4 }), (lengths) => {
      const events = eventsOfGrowing(aiderTranscripts, path, content, lengths);
      expect(withoutUsage(events)).toEqual(withoutUsage(whole));
    }),
    { numRuns: 60 },
  );
});

test('neither loses nor repeats anything when read in the middle of a write', () => {
  const content = Buffer.from(CHAT.join(''));
  const path = join(temporaryFolder(), '.aider.chat.history.md');
  writeFileSync(path, content);
  const letters = (events: readonly TranscriptEvent[]) =>
    messagesOf(events)
      .map(([, text]) => text)
      .join('')
      .replace(/\s/g, '');
  const whole = letters(eventsIn(aiderTranscripts, path));
  fc.assert(
    fc.property(fc.nat(content.length), (cut) => {
      expect(letters(eventsOfGrowing(aiderTranscripts, path, content, [cut]))).toBe(whole);
    }),
    { numRuns: 100 },
  );
});

test('resumes at the next event wherever it stopped', () => {
  const path = join(temporaryFolder(), '.aider.chat.history.md');
  writeFileSync(path, CHAT.join(''));
  expect(eventsOneByOne(aiderTranscripts, path)).toEqual(eventsIn(aiderTranscripts, path));
});

test('reads any file to its end', () => {
  const path = join(temporaryFolder(), '.aider.chat.history.md');
  const line = fc.oneof(
    fc.string(),
    fc.constantFrom(
      '> ## Running:  ',
      '> Running  ',
      '# aider chat started at 2026-99-99 99:99:99',
      '# aider chat started at ',
      '####',
      '####   ',
      '>',
      '```',
      '> Tokens: 9e999k sent, x received.  ',
      '#### /run   ',
      '#### !  ',
      '> Commit zzz x  ',
      '\0',
    ),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
      writeFileSync(path, `${lines.join('\n')}\n${start('2026-07-20 13:16:20')}${user('last')}`);
      const events = eventsIn(aiderTranscripts, path);
      expect(messagesOf(events).at(-1)).toEqual(['user', 'last']);
      expect(skipped(events).filter((reason) => reason.startsWith('!'))).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

test('returns an endless reply in parts', () => {
  const long = Array.from({ length: 60_000 }, (_, at) => `line ${at} of something that never ends`).join('\n');
  const events = read([start('2026-07-20 13:16:20'), user('go'), reply(long)]);
  const replies = messagesOf(events).slice(1);
  expect(replies.length).toBeGreaterThan(1);
  expect(replies.map(([, text]) => text).join('\n')).toBe(long);
});

test('finds histories in known projects and at the roots of their repositories', () => {
  const root = temporaryFolder();
  const project = join(root, 'packages', 'web');
  mkdirSync(join(root, '.git'));
  mkdirSync(project, { recursive: true });
  for (const folder of [root, project]) writeFileSync(join(folder, '.aider.chat.history.md'), CHAT.join(''));
  writeFileSync(join(root, 'chat.md'), CHAT.join(''));
  const find = (env: Record<string, string>) =>
    aiderTranscripts
      .find({ home: '/nowhere', env, platform: 'linux', projects: [project, root] })
      .map(({ path }) => path);
  expect(find({})).toEqual([join(project, '.aider.chat.history.md'), join(root, '.aider.chat.history.md')]);
  expect(find({ AIDER_CHAT_HISTORY_FILE: 'chat.md' })).toEqual([join(root, 'chat.md')]);
  expect(aiderTranscripts.recognises(join(root, 'chat.md'))).toBe(true);
  writeFileSync(join(root, 'notes.md'), '# Notes');
  expect(aiderTranscripts.recognises(join(root, 'notes.md'))).toBe(false);
});

function read(parts: readonly string[], folder = temporaryFolder()): TranscriptEvent[] {
  const path = join(folder, '.aider.chat.history.md');
  writeFileSync(path, parts.join(''));
  return eventsIn(aiderTranscripts, path);
}

function messagesOf(events: readonly TranscriptEvent[]): [string, string][] {
  return events.flatMap((event) => (event.type === 'message' ? [[event.role, event.text]] : []));
}

/** Calls with their results; a call without one has none. */
function callsOf(events: readonly TranscriptEvent[]): unknown[] {
  return events.flatMap((event) => {
    if (event.type !== 'call') return [];
    const ended = events.find((other) => other.type === 'result' && other.callId === event.callId);
    return [[event.tool, event.input, ended?.type === 'result' ? ended.result : undefined]];
  });
}

/** A reply's usage comes after it: a reading between the two reports it with the next reply. */
function withoutUsage(events: readonly TranscriptEvent[]): unknown[] {
  return events.map((event) => ({ ...event, usage: undefined }));
}
