import { appendFileSync, existsSync, mkdirSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listSegments, rotate } from '../../src/log/index.ts';
import { type ProjectSource, SearchIndex } from '../../src/search/index.ts';
import { temporaryFolder } from '../temp-folder.ts';

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
  | { readonly do: 'forget'; readonly project: number; readonly session: number; readonly time: number }
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
  { weight: 1, arbitrary: fc.record({ do: fc.constant('forget' as const), project, session, time }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('garbage' as const),
      project,
      log,
      text: fc.constantFrom(
        'not json\n',
        '{"v":1,"id":"torn',
        '\n',
        '{"v":9,"sessionId":"s0"}\n',
        '\u0000\n',
      ),
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

/** No two records are of the same moment: which of them is newer would be anybody's guess. */
const at = (minute: number, n = 0) => new Date(Date.UTC(2025, 10, 18, 12, minute, 0, n)).toISOString();

/** Appends as the log does: a torn line is closed first. */
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
    } else if (now.do === 'forget') {
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
          ? { ...common, role: n % 2 ? 'user' : 'assistant', content: now.words, agent: 'codex' }
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

describe('the index', () => {
  it('rebuilt equals the one that caught up, whatever was appended, cut, torn, rotated and forgotten in between', () => {
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
          expect(grown.dump()).toEqual(fresh.dump());
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
