import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listSegments, rotate } from '../../src/log/index.ts';
import { type ProjectSource, SearchIndex } from '../../src/search/index.ts';
import { dumpStore } from '../store/dump-store.ts';
import { temporaryFolder } from '../temp-folder.ts';
import { type TestHome, testHome, timeOf } from './home.ts';

type Log = 'history' | 'failures' | 'successes';
type Step =
  | {
      readonly do: 'append';
      readonly project: number;
      readonly log: Log;
      readonly session: number;
      readonly time: number;
      readonly words: string;
    }
  | { readonly do: 'delete'; readonly project: number; readonly session: number; readonly time: number }
  | { readonly do: 'garbage'; readonly project: number; readonly log: Log; readonly text: string }
  | { readonly do: 'cut'; readonly project: number; readonly log: Log; readonly share: number }
  | { readonly do: 'rotate'; readonly project: number; readonly log: Log }
  | { readonly do: 'catch up' };

const WORDS = [
  'redis',
  'getUserById',
  'src/auth/jwt.ts',
  '--no-verify',
  'ECONNREFUSED',
  '数据库',
  'café',
  'a_b',
  '=> {}',
  'x',
];
const project = fc.nat(1);
const log = fc.constantFrom<Log>('history', 'failures', 'successes');
const session = fc.nat(2);
const time = fc.nat(20);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('append' as const),
      project,
      log,
      session,
      time,
      words: fc.array(fc.constantFrom(...WORDS), { maxLength: 5 }).map((words) => words.join(' ')),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), project, session, time }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('garbage' as const),
      project,
      log,
      text: fc.constantFrom('not json\n', '{"v":1,"id":"torn', '\n', '{"v":9,"sessionId":"s0"}\n', '\u0000\n'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('cut' as const),
      project,
      log,
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('rotate' as const), project, log }) },
  { weight: 3, arbitrary: fc.constant({ do: 'catch up' as const }) },
);

/** No two records have the same time, because their order would be undefined. */
const at = (minute: number, n = 0) => new Date(Date.UTC(2025, 10, 18, 12, minute, 0, n)).toISOString();

/** Appends as the log does: a torn line is ended first. */
function append(path: string, record: object): void {
  const isTorn = existsSync(path) && statSync(path).size > 0;
  appendFileSync(path, `${isTorn ? '\n' : ''}${JSON.stringify(record)}\n`);
}

function play(steps: readonly Step[], sources: readonly ProjectSource[], index: SearchIndex): void {
  let n = 0;
  for (const now of steps) {
    if (now.do === 'catch up') {
      index.catchUp(sources);
      continue;
    }
    const directory = sources[now.project]?.directory ?? '';
    if (now.do === 'rotate') {
      rotate(directory, now.log);
    } else if (now.do === 'delete') {
      append(join(directory, 'history.jsonl'), {
        v: 1,
        kind: 'tombstone',
        sessionId: `s${now.session}`,
        timestamp: at(now.time),
      });
    } else if (now.do === 'append') {
      const common = { v: 1, id: `${n++}-id`, sessionId: `s${now.session}`, timestamp: at(now.time, n) };
      const record =
        now.log === 'history'
          ? {
              ...common,
              role: n % 2 ? 'user' : 'assistant',
              content: now.words,
              agent: 'codex',
              usage: { inputTokens: n },
            }
          : { ...common, outcome: now.log === 'failures' ? 'failure' : 'success', command: now.words };
      append(join(directory, `${now.log}.jsonl`), record);
    } else if (now.do === 'garbage') {
      appendFileSync(join(directory, `${now.log}.jsonl`), now.text);
    } else {
      const path = listSegments(directory, now.log).at(-1)?.path;
      if (path) truncateSync(path, Math.floor(statSync(path).size * now.share));
    }
  }
}

describe('a rebuilt index', () => {
  it('equals one that caught up step by step, whatever was appended, cut, torn, rotated and deleted in between', () => {
    const root = temporaryFolder();
    let run = 0;
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 25 }), (steps) => {
        const folder = join(root, String(run++));
        const sources = ['p0', 'p1'].map((id) => ({ id, directory: join(folder, id) }));
        for (const { directory } of sources) mkdirSync(directory, { recursive: true });
        const grown = SearchIndex.open(folder);
        play(steps, sources, grown);
        grown.catchUp(sources);
        mkdirSync(join(folder, 'fresh'));
        const fresh = SearchIndex.open(join(folder, 'fresh'));
        fresh.catchUp(sources);
        try {
          expect(dumpStore(folder)).toEqual(dumpStore(join(folder, 'fresh')));
          expect(grown.listSessions()).toEqual(fresh.listSessions());
          for (const text of WORDS) expect(grown.search({ text })).toEqual(fresh.search({ text }));
        } finally {
          grown.close();
          fresh.close();
        }
      }),
      { numRuns: 60 },
    );
  }, 120_000);
});

const SECRET = ['zyx', 'wvut', 'srq'].join('');

/** Whether a word is anywhere in the files of the index. */
function isOnDisk({ home }: TestHome, word: string): boolean {
  return readdirSync(home)
    .filter((name) => name.startsWith('store-'))
    .some((name) => existsSync(join(home, name)) && readFileSync(join(home, name)).includes(word));
}

function homeWithSecret(): TestHome {
  const home = testHome();
  for (let n = 0; n < 50; n++) {
    home.write({ role: 'user', content: `kept words number${n} of the other session`, sessionId: 'kept' });
    home.write({ role: 'user', content: `${SECRET} getUser${SECRET} ${SECRET}${n}`, sessionId: 'removed' });
    const call = { outcome: 'failure', tool: 'Bash', command: `npm run ${SECRET}`, sessionId: 'removed' };
    home.write({ ...call, error: `npm error Missing script: "${SECRET}"`, context: SECRET }, 'failures');
    // Several segments of the full-text tables, the pages of which are used again and again.
    if (n % 3 === 0) home.catchUp();
  }
  home.catchUp();
  expect(isOnDisk(home, SECRET)).toBe(true);
  return home;
}

describe('the files of the index have no trace', () => {
  it('of a session that was deleted from the log, after a purge', () => {
    const home = homeWithSecret();
    const lines = readFileSync(home.log(), 'utf8').split('\n');
    writeFileSync(home.log(), lines.filter((line) => !line.includes('"removed"')).join('\n'));
    rmSync(home.log('failures'));
    home.catchUp();
    home.index.purge();
    expect(isOnDisk(home, SECRET)).toBe(false);
    expect(isOnDisk(home, 'removed')).toBe(false);
    expect(home.index.search({ text: 'number7' }).hits).toHaveLength(1);
    expect(home.index.search({ text: 'umber7' }).hits).toHaveLength(1);
    expect(home.index.search({ text: SECRET.slice(2) }).hits).toEqual([]);
  });

  it('of a session with a tombstone, after a purge', () => {
    const home = homeWithSecret();
    home.write({ kind: 'tombstone', sessionId: 'removed', timestamp: timeOf(1_000_000) });
    home.catchUp();
    home.index.purge();
    expect(isOnDisk(home, SECRET)).toBe(false);
    expect(home.index.search({ text: 'kept', limit: 100 }).hits).toHaveLength(50);
  });

  it('of deleted logs, after a purge', () => {
    const home = homeWithSecret();
    rmSync(home.log());
    rmSync(home.log('failures'));
    home.catchUp();
    home.index.purge();
    expect(isOnDisk(home, SECRET)).toBe(false);
    expect(isOnDisk(home, 'kept')).toBe(false);
    expect(home.index.counts()).toEqual({
      sessions: 0,
      subAgents: 0,
      withoutWork: 0,
      messages: 0,
      failures: 0,
      successes: 0,
    });
  });
});

describe('records that are related to a question equally well', () => {
  /** Calls and messages in turn, which a rebuild indexes log by log; what the index finds before and after one. */
  function findTwice(millisecondsApart: number, limit: number): readonly (readonly string[])[] {
    const { home, index, sources, write, catchUp } = testHome();
    for (let n = 0; n < 40; n++) {
      const timestamp = new Date(Date.parse(timeOf(0)) + n * millisecondsApart).toISOString();
      const base = { id: `r${(n * 7919) % 10_007}`, sessionId: `s${n}`, timestamp };
      if (n % 2 === 0) write({ ...base, role: 'user', content: 'Repaint the harbour' });
      else write({ ...base, outcome: 'success', tool: 'Bash', command: 'Repaint the harbour' }, 'successes');
      if (n % 5 === 0) catchUp();
    }
    catchUp();
    const query = { text: 'why did we repaint the lighthouse of the harbour?', limit };
    const find = (from: SearchIndex) => from.search(query).hits.map(({ id }) => id);
    const before = find(index);
    expect(before.length).toBeGreaterThan(4);
    index.close();
    const rebuilt = SearchIndex.open(home);
    rebuilt.rebuild(sources);
    const after = find(rebuilt);
    rebuilt.close();
    return [before, after];
  }

  it.each([
    [2_000, 10],
    [10, 10],
    [10, 50],
    [0, 50],
  ])('come in the same order in whatever order they were indexed: %i ms apart, at most %i', (apart, limit) => {
    const [before, after] = findTwice(apart, limit);
    expect(after).toEqual(before);
  });
});
