import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { autohandTranscripts } from '../../../src/agents/autohand/transcripts.ts';
import { temporaryFolder } from '../../temp-folder.ts';
import { eventsIn, eventsOf, eventsOfGrowing, skipped, withoutSkips } from '../read-transcript.ts';
import { linesFile } from '../transcript-laws.ts';

const FAILURES = [
  {
    timestamp: '2025-11-18T15:30:00Z',
    sessionId: '2025-11-18_one',
    tool: 'run_command',
    command: 'npm install redis-nod',
    error: 'Package not found',
    context: 'Adding a cache',
    tags: ['dependency'],
  },
  {
    timestamp: '2025-11-18T15:40:00Z',
    sessionId: '2025-11-18_one',
    tool: 'test_run',
    error: 'No module dotenv',
  },
];
const SUCCESSES = [
  {
    timestamp: '2025-11-18T16:00:00Z',
    sessionId: '2025-11-18_one',
    tool: 'run_command',
    command: 'bun add ioredis',
    result: 'installed',
    duration: 1200,
  },
  {
    timestamp: '2025-11-19T10:30:00Z',
    sessionId: '2025-11-19_two',
    pattern: 'test_before_commit',
    description: 'Run the tests before a commit',
  },
];

test('reports failures and successes as calls with results and requests', () => {
  const home = homeWith(FAILURES, SUCCESSES);
  const events = eventsOf(autohandTranscripts, autohandTranscripts.find(placesOf(home)));
  expect(withoutSkips(events)).toMatchObject([
    { type: 'session', sessionId: '2025-11-18_one', cwd: '/home/mara/shop' },
    {
      type: 'call',
      tool: 'run_command',
      input: { command: 'npm install redis-nod' },
      request: 'Adding a cache',
      timestamp: '2025-11-18T15:30:00.000Z',
    },
    { type: 'result', result: { status: 'error', output: 'Package not found' } },
    { type: 'call', tool: 'test_run', input: {} },
    { type: 'result', result: { status: 'error', output: 'No module dotenv' } },
    { type: 'session', sessionId: '2025-11-18_one' },
    { type: 'call', tool: 'run_command', input: { command: 'bun add ioredis' } },
    { type: 'result', result: { status: 'ok', output: 'installed', durationMs: 1200 } },
    { type: 'session', sessionId: '2025-11-19_two' },
    {
      type: 'note',
      outcome: 'success',
      fields: { pattern: 'test_before_commit', description: 'Run the tests before a commit' },
    },
  ]);
  expect(skipped(events)).toEqual([]);
});

test('gives a record the same id whenever it is read, and other records other ids', () => {
  const home = homeWith(FAILURES, SUCCESSES);
  const idsOf = () =>
    eventsOf(autohandTranscripts, autohandTranscripts.find(placesOf(home))).flatMap((event) =>
      event.type === 'call' ? event.callId : [],
    );
  expect(idsOf()).toEqual(idsOf());
  expect(new Set(idsOf()).size).toBe(3);
});

test("does not recognise yore's own logs of the same names", () => {
  expect(autohandTranscripts.recognises(linesFile(FAILURES, 'failures.jsonl'))).toBe(true);
  const own = [{ v: 1, id: 'x', timestamp: '2026-01-01T00:00:00Z', sessionId: 's', outcome: 'failure' }];
  expect(autohandTranscripts.recognises(linesFile(own, 'failures.jsonl'))).toBe(false);
  expect(autohandTranscripts.recognises(linesFile(FAILURES, 'other.jsonl'))).toBe(false);
});

test('returns the same events when read in parts and with garbage', () => {
  const path = join(homeWith(FAILURES, SUCCESSES), '.autohand-cli', 'projects', 'a7b3c2d4', 'failures.jsonl');
  const whole = eventsIn(autohandTranscripts, path);
  const lines = FAILURES.map((line) => `${JSON.stringify(line)}\n`);
  const content = Buffer.from(lines.join(''));
  fc.assert(
    fc.property(fc.nat(content.length), (cut) => {
      expect(eventsOfGrowing(autohandTranscripts, path, content, [cut])).toEqual(whole);
    }),
    { numRuns: 40 },
  );
  writeFileSync(path, ['{"tool":', lines[0], '{"sessionId":7}', '{"sessionId":"x"}', lines[1]].join('\n'));
  const events = eventsIn(autohandTranscripts, path);
  expect(withoutSkips(events).filter(({ type }) => type !== 'session')).toEqual(
    withoutSkips(whole).filter(({ type }) => type !== 'session'),
  );
  expect(skipped(events)).toEqual(['!not a JSON object', '!no session', '!neither a call nor a pattern']);
});

function homeWith(failures: readonly unknown[], successes: readonly unknown[]): string {
  const home = temporaryFolder();
  const folder = join(home, '.autohand-cli', 'projects', 'a7b3c2d4');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'index.json'), JSON.stringify({ projectPath: '/home/mara/shop', sessionCount: 2 }));
  const text = (lines: readonly unknown[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  writeFileSync(join(folder, 'failures.jsonl'), text(failures));
  writeFileSync(join(folder, 'successes.jsonl'), text(successes));
  return home;
}

function placesOf(home: string) {
  return { home, env: {}, platform: 'linux' as const, projects: [] };
}
