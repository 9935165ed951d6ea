import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type ProjectSource, SearchIndex } from '../../src/search/index.ts';
import { temporaryFolder } from '../temp-folder.ts';
import { dumpStore } from './dump-store.ts';

const PROJECTS = ['p0', 'p1'];
const REQUESTS = ['Repair the build of the parser', 'go on', 'Why does the deployment fail on staging?'];
/** How calls ended, so that some explain or solve others. */
const CALLS: readonly Record<string, unknown>[] = [
  {
    outcome: 'failure',
    tool: 'Bash',
    command: 'npm run biuld',
    exitCode: 1,
    error: 'npm error Missing script: "biuld"',
  },
  { outcome: 'success', tool: 'Bash', command: 'npm run build', exitCode: 0, result: 'built' },
  {
    outcome: 'failure',
    tool: 'Bash',
    command: 'pytest tests',
    exitCode: 127,
    error: 'bash: pytest: command not found',
  },
  { outcome: 'success', tool: 'Bash', command: 'python -m pytest tests', exitCode: 0, result: '3 passed' },
  { outcome: 'success', tool: 'Bash', command: 'pip install pytest', exitCode: 0, result: 'ok' },
  { outcome: 'failure', tool: 'Read', path: 'src/config.yml', error: 'ENOENT: no such file or directory' },
  { outcome: 'success', tool: 'Read', path: 'src/config.yaml', result: 'a: 1' },
  { outcome: 'success', tool: 'Edit', path: 'src/parse.ts', args: { old_string: 'a', new_string: 'b' } },
  { outcome: 'failure', tool: 'Edit', path: 'src/parse.ts', error: 'File has not been read yet. Read it first.' },
  {
    outcome: 'success',
    tool: 'Bash',
    command: 'git commit -m "Parse"',
    result: '[main 1a2b3c4] Parse\n 1 file changed',
  },
  { outcome: 'rejected', tool: 'Bash', command: 'rm -rf /' },
  {
    outcome: 'success',
    tool: 'AskUserQuestion',
    args: { questions: [{ question: 'Which port?' }] },
    result: 'User has answered your questions: "Which port?"="8443".',
  },
  { outcome: 'success', kind: 'feedback' },
  { outcome: 'failure', kind: 'feedback' },
  { outcome: 'failure', pattern: 'Never push on Friday', description: 'It broke twice' },
];
const MESSAGES: readonly Record<string, unknown>[] = [
  ...REQUESTS.map((content) => ({ role: 'user', content })),
  { role: 'assistant', content: 'Fixed the parser of getUserById in src/parse.ts.', filesModified: ['src/parse.ts'] },
  { role: 'assistant', content: 'ok', model: 'large', usage: { inputTokens: 10, outputTokens: 2 } },
  { role: 'assistant', content: 'A title', kind: 'title' },
  { role: 'user', content: 'My title', kind: 'title' },
  { role: 'user', content: '', kind: 'title', starred: true, tags: ['later', 'db'] },
  { role: 'user', content: '', kind: 'title', tags: [] },
  { role: 'assistant', content: 'Summary', kind: 'checkpoint' },
  { role: 'user', content: 'Something that a stranger wrote', foreign: true },
];
const WARNINGS: readonly Record<string, unknown>[] = [
  { kind: 'warning', signature: 's', attemptId: 'a', confidence: 0.9, what: 'npm run biuld', text: 'It failed' },
  { kind: 'override', warningId: 'w', succeeded: true },
  ...['dismiss', 'pin', 'reset'].map((kind) => ({ kind })),
];

interface Drawn {
  readonly log: 'history' | 'attempts' | 'warnings' | 'tombstone';
  readonly which: number;
  readonly project: number;
  readonly session: number;
  readonly time: number;
  readonly context: number;
  readonly parent: number;
  readonly isTeam: boolean;
}

const drawn: fc.Arbitrary<Drawn> = fc.record({
  log: fc.oneof(
    { weight: 6, arbitrary: fc.constant('attempts' as const) },
    { weight: 5, arbitrary: fc.constant('history' as const) },
    { weight: 1, arbitrary: fc.constant('warnings' as const) },
    { weight: 1, arbitrary: fc.constant('tombstone' as const) },
  ),
  which: fc.nat(50),
  project: fc.nat(PROJECTS.length - 1),
  session: fc.nat(2),
  time: fc.nat(40),
  context: fc.nat(5),
  parent: fc.nat(12),
  isTeam: fc.boolean(),
});

/** A line of a log, and the file that it belongs to. */
interface Line {
  readonly file: string;
  readonly text: string;
}

/** `times`: the milliseconds that a drawn record was made at, by its number. */
function toLine(n: number, record: Drawn, time: number): Line {
  const timestamp = new Date(Date.UTC(2025, 10, 18, 12) + time).toISOString();
  const sessionId = `s${record.session}`;
  const agent = ['claude-code', 'codex'][n % 2];
  const common = { v: 1, id: `r${n}`, sessionId, timestamp };
  const folder = `${PROJECTS[record.project]}${record.isTeam && record.log !== 'warnings' ? '/team' : ''}`;
  const author = record.isTeam ? { author: 'amber', sessionId: `${sessionId}@amber` } : {};
  const parent = record.parent < 3 ? { parentSessionId: `s${record.parent}`, ...(n % 2 ? { isFork: true } : {}) } : {};
  const segment = ['', '', '-1', '-2'][record.which % 4];
  const lineOf = (log: string, fields: object) => ({
    file: `${folder}/${log}${segment}.jsonl`,
    text: JSON.stringify(fields),
  });
  if (record.log === 'tombstone')
    return lineOf('history', { v: 1, kind: 'tombstone', timestamp, sessionId, ...author });
  if (record.log === 'warnings')
    return lineOf('warnings', { ...common, key: 'script:biuld', ...pick(WARNINGS, record.which) });
  if (record.log === 'history')
    return lineOf('history', {
      ...common,
      agent,
      branch: `b${n % 3}`,
      ...pick(MESSAGES, record.which),
      ...author,
      ...parent,
    });
  const call = pick(CALLS, record.which);
  const context = REQUESTS[record.context];
  const { isFork: _, ...startedBy } = parent as { isFork?: boolean };
  return lineOf(call.outcome === 'failure' ? 'failures' : 'successes', {
    ...{ ...common, agent, branch: `b${n % 3}`, callId: `c${n}`, ...call, ...(context && { context }), ...author },
    ...startedBy,
  });
}

function pick<T>(choices: readonly T[], which: number): T {
  return choices[which % choices.length] as T;
}

/** A home in which nothing is recorded yet. */
class Home {
  readonly path: string;
  readonly sources: readonly ProjectSource[];
  readonly #index: SearchIndex;

  constructor(path: string) {
    this.path = path;
    this.sources = PROJECTS.map((id) => ({ id, directory: join(path, id) }));
    for (const { directory } of this.sources) mkdirSync(directory, { recursive: true });
    this.#index = SearchIndex.open(path);
  }

  write(file: string, bytes: Uint8Array): void {
    const path = join(this.path, file);
    mkdirSync(dirname(path), { recursive: true });
    appendFileSync(path, bytes);
  }

  catchUp(): void {
    this.#index.catchUp(this.sources);
  }

  close(): void {
    this.#index.close();
  }
}

/** The rows of a store, in which the home has the same name as that of any other. */
function rowsOf(home: Home, options?: Parameters<typeof dumpStore>[1]): readonly string[] {
  return dumpStore(home.path, options).map((row) => row.replaceAll(home.path, 'HOME'));
}

function logsOf(lines: readonly Line[]): ReadonlyMap<string, Buffer> {
  const logs = new Map<string, string>();
  for (const { file, text } of lines) logs.set(file, `${logs.get(file) ?? ''}${text}\n`);
  return new Map([...logs].map(([file, text]) => [file, Buffer.from(text)]));
}

function storeAtOnce(path: string, logs: ReadonlyMap<string, Uint8Array>): Home {
  const home = new Home(path);
  for (const [file, bytes] of logs) home.write(file, bytes);
  home.catchUp();
  return home;
}

it('gives the same rows in all tables, whichever log comes first and wherever the logs are cut', () => {
  const root = temporaryFolder();
  let run = 0;
  // Some records have the same time: of those, the order in the logs counts.
  const times = fc.constantFrom(0, 1, 400, 60_000);
  const cuts = fc.array(fc.record({ file: fc.nat(20), bytes: fc.nat(900), isRead: fc.boolean() }), { maxLength: 25 });
  fc.assert(
    fc.property(fc.array(drawn, { minLength: 1, maxLength: 30 }), times, cuts, (records, step, slices) => {
      const folder = join(root, String(run++));
      const logs = logsOf(records.map((record, n) => toLine(n, record, record.time * step)));
      const files = [...logs.keys()];
      const written = new Map<string, number>();
      const home = new Home(join(folder, 'slices'));
      const writeNext = (file: string, count: number) => {
        const start = written.get(file) ?? 0;
        const bytes = logs.get(file)?.subarray(start, start + count) ?? Buffer.alloc(0);
        written.set(file, start + bytes.length);
        if (bytes.length > 0) home.write(file, bytes);
      };
      for (const { file, bytes, isRead } of slices) {
        writeNext(pick(files, file), bytes);
        if (isRead) home.catchUp();
      }
      for (const file of files.toReversed()) {
        writeNext(file, Number.MAX_SAFE_INTEGER);
        home.catchUp();
      }
      const whole = storeAtOnce(join(folder, 'whole'), logs);
      try {
        expect(rowsOf(home)).toEqual(rowsOf(whole));
      } finally {
        home.close();
        whole.close();
      }
    }),
    { numRuns: 40 },
  );
}, 120_000);

it('gives the same rows in all tables when records come late, such as those of an import', () => {
  const root = temporaryFolder();
  let run = 0;
  const shuffled = fc.array(drawn, { minLength: 2, maxLength: 25 }).chain((records) =>
    fc.record({
      records: fc.constant(records),
      order: fc.shuffledSubarray([...records.keys()], { minLength: records.length, maxLength: records.length }),
      step: fc.constantFrom(1, 60_000),
      isReadAfter: fc.array(fc.boolean(), { minLength: records.length, maxLength: records.length }),
    }),
  );
  fc.assert(
    fc.property(shuffled, ({ records, order, step, isReadAfter }) => {
      const folder = join(root, String(run++));
      const lines = records.map((record, n) => toLine(n, record, n * step));
      const home = new Home(join(folder, 'late'));
      for (const [place, n] of order.entries()) {
        const { file, text } = lines[n] as Line;
        home.write(file, Buffer.from(`${text}\n`));
        if (isReadAfter[place]) home.catchUp();
      }
      home.catchUp();
      const sorted = storeAtOnce(join(folder, 'sorted'), logsOf(lines));
      try {
        expect(rowsOf(home, { withoutPlaces: true })).toEqual(rowsOf(sorted, { withoutPlaces: true }));
      } finally {
        home.close();
        sorted.close();
      }
    }),
    { numRuns: 40 },
  );
}, 120_000);
