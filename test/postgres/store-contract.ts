import { expect, it } from 'vitest';
import type { Attempt, Message } from '../../src/record/index.ts';
import type { SearchQuery } from '../../src/search/index.ts';

/** What a store of records can do, wherever it keeps them. Session ids are those that records were added with. */
export interface ContractStore {
  add(records: readonly (Message | Attempt)[]): Promise<void>;
  sessions(): Promise<
    readonly {
      readonly sessionId: string;
      readonly title: string;
      readonly messageCount: number;
      readonly failures: number;
      readonly successes: number;
      readonly lastActivity: string;
    }[]
  >;
  read(sessionId: string): Promise<{ readonly messages: readonly string[]; readonly attempts: readonly string[] }>;
  /** Ids of the records that are found, best first. */
  find(query: SearchQuery): Promise<readonly string[]>;
  /** Failed commands with what worked instead. */
  failures(): Promise<readonly (readonly [what: string, instead: string | undefined])[]>;
  /** What is known to work, and what is known to fail with what to do instead. */
  knowledge(): Promise<{
    readonly practices: readonly string[];
    readonly avoid: readonly (readonly [pattern: string, alternative: string | undefined])[];
  }>;
  forget(sessionId: string): Promise<void>;
  close(): Promise<void>;
}

export const START: number = Date.parse('2026-03-02T10:00:00.000Z');
export const NOW: number = START + 3_600_000;

export function message(n: number, content: string, fields: Partial<Message> = {}): Message {
  return {
    v: 1,
    id: `m${n}`,
    sessionId: 'one',
    timestamp: timeOf(n),
    role: 'user',
    content,
    agent: 'codex',
    ...fields,
  };
}

function attempt(n: number, fields: Partial<Attempt>): Attempt {
  return {
    v: 1,
    id: `a${n}`,
    sessionId: 'one',
    timestamp: timeOf(n),
    outcome: 'success',
    tool: 'Bash',
    agent: 'codex',
    callId: `c${n}`,
    ...fields,
  };
}

function timeOf(n: number): string {
  return new Date(START + n * 1000).toISOString();
}

/** The attempts of somebody who tries a package that does not exist, and then one that does. */
export const REDIS: readonly Attempt[] = [
  attempt(1, {
    outcome: 'failure',
    command: 'npm install redis-node',
    error:
      "npm error code E404\nnpm error 404 Not Found - GET https://registry.example.org/redis-node - Not found\nnpm error 404  'redis-node@*' is not in this registry.",
    exitCode: 1,
    signature: 'sh npm install redis-node',
  }),
  attempt(2, { command: 'npm install ioredis', result: 'added 9 packages', signature: 'sh npm install ioredis' }),
];

/** The tests that every store passes. */
export function describeStore(open: () => Promise<ContractStore>): void {
  const use = async (work: (store: ContractStore) => Promise<void>): Promise<void> => {
    const store = await open();
    try {
      await work(store);
    } finally {
      await store.close();
    }
  };

  it('lists sessions by last activity with their counts', () =>
    use(async (store) => {
      await store.add([message(1, 'Add caching to the shop'), message(2, 'Done.', { role: 'assistant' }), ...REDIS]);
      await store.add([message(9, 'Fix the login', { sessionId: 'two' })]);
      expect(await store.sessions()).toMatchObject([
        { sessionId: 'two', title: 'Fix the login', messageCount: 1, failures: 0, successes: 0 },
        { sessionId: 'one', title: 'Add caching to the shop', messageCount: 2, failures: 1, successes: 1 },
      ]);
    }));

  it('reads a session in the order of its records', () =>
    use(async (store) => {
      await store.add([message(1, 'first'), message(2, 'second', { role: 'assistant' }), ...REDIS]);
      expect(await store.read('one')).toEqual({
        messages: ['first', 'second'],
        attempts: ['npm install redis-node', 'npm install ioredis'],
      });
      expect(await store.read('none')).toEqual({ messages: [], attempts: [] });
    }));

  it.each([
    ['a word in any case', 'CACHING', ['m1']],
    ['all words in any order', 'shop caching', ['m1']],
    ['the beginning of a word', 'cachi', ['m1']],
    ['a part of an identifier', 'user', ['m2']],
    ['an identifier', 'getUserById', ['m2']],
    ['a path', 'src/auth/jwt.ts', ['m3']],
    ['an option', '--frozen-lockfile', ['m4']],
    ['an error code', 'ERR_MODULE_NOT_FOUND', ['m5']],
    ['the middle of a word', 'UserBy', ['m2']],
    ['from the middle of one word to the middle of another', 'ching to the sh', ['m1']],
    ['symbols', '=>', ['m6']],
    ['Chinese', '缓存', ['m7']],
    ['accents or not', 'cafe', ['m8']],
    ['a percent sign as it is', '100%', ['m9']],
    ['nothing', 'kubernetes', []],
    ['nothing for a blank query', '  ', []],
  ])('finds %s', (_name, text, expected) =>
    use(async (store) => {
      await store.add([
        message(1, 'Add caching to the shop'),
        message(2, 'Why does getUserById return null?'),
        message(3, 'Look at src/auth/jwt.ts'),
        message(4, 'pnpm install --frozen-lockfile'),
        message(5, 'It says ERR_MODULE_NOT_FOUND'),
        message(6, 'Use (a) => b there'),
        message(7, '请添加缓存'),
        message(8, 'The café closes'),
        message(9, 'Done to 100% of it'),
      ]);
      expect(await store.find({ text })).toEqual(expected);
    }),
  );

  it('finds related records for a question that nothing answers literally', () =>
    use(async (store) => {
      await store.add([message(1, 'Add caching with redis'), message(2, 'Paint the wall')]);
      expect((await store.find({ text: 'caching through redis' }))[0]).toBe('m1');
    }));

  it('finds no more than the limit, the newest of equally good matches first', () =>
    use(async (store) => {
      const records = Array.from({ length: 60 }, (_, n) => message(n, n % 2 === 0 ? 'a redis cache' : 'a wall'));
      await store.add(records);
      expect(await store.find({ text: 'redis', limit: 4 })).toEqual(['m58', 'm56', 'm54', 'm52']);
      expect(await store.find({ text: 'redis cach', limit: 2 })).toEqual(['m58', 'm56']);
      expect(await store.find({ text: 'edi', limit: 1 })).toEqual(['m58']);
    }));

  it('filters by role, outcome, session and time', () =>
    use(async (store) => {
      await store.add([
        message(1, 'redis one'),
        message(2, 'redis two', { role: 'assistant' }),
        message(3, 'redis three', { sessionId: 'two' }),
        ...REDIS.map((each) => ({ ...each, timestamp: timeOf(20) })),
      ]);
      expect(await store.find({ text: 'redis', role: 'assistant' })).toEqual(['m2']);
      expect(await store.find({ text: 'redis', outcome: 'failure' })).toEqual(['a1']);
      expect(await store.find({ text: 'redis', since: timeOf(10) })).toEqual(expect.arrayContaining(['a1']));
      expect(await store.find({ text: 'redis', since: timeOf(10) })).not.toContain('m1');
      expect(await store.find({ text: 'redis', until: timeOf(1) })).toEqual(['m1']);
    }));

  it('knows failures with what worked instead', () =>
    use(async (store) => {
      await store.add(REDIS);
      expect(await store.failures()).toContainEqual(['npm install redis-node', 'npm install ioredis']);
    }));

  it('knows what works in the project and what does not', () =>
    use(async (store) => {
      const note = (n: number, text: string, outcome: Attempt['outcome']): Attempt => {
        const { tool: _tool, callId: _callId, ...fields } = attempt(n, { sessionId: 'notes', outcome });
        return { ...fields, kind: 'note', pattern: text, description: text };
      };
      await store.add([note(3, 'Run the migrations first', 'success'), note(4, 'Avoid port 80', 'failure')]);
      const { practices, avoid } = await store.knowledge();
      expect(practices).toContain('Run the migrations first');
      expect(avoid).toContainEqual(['Avoid port 80', undefined]);
    }));

  it('forgets a session for good', () =>
    use(async (store) => {
      await store.add([message(1, 'A secret plan'), ...REDIS, message(9, 'Fix the login', { sessionId: 'two' })]);
      await store.forget('one');
      expect((await store.sessions()).map(({ sessionId }) => sessionId)).toEqual(['two']);
      expect(await store.read('one')).toEqual({ messages: [], attempts: [] });
      expect(await store.find({ text: 'secret' })).toEqual([]);
      expect(await store.find({ text: 'ecre' })).toEqual([]);
      expect(await store.failures()).toEqual([]);
      expect((await store.knowledge()).avoid).toEqual([]);
    }));
}
