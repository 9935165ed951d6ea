import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type SearchHit, SearchIndex, type SearchQuery } from '../../src/search/index.ts';
import { storePath } from '../../src/store/store-files.ts';
import { temporaryFolder } from '../temp-folder.ts';

const TEXTS = [
  'Please rename getUserById to findUser in src/auth/jwt.ts',
  'connect ECONNREFUSED 127.0.0.1:6379 after 3 retries',
  'git commit --no-verify -m "wip"',
  '数据库连接失败，请重试',
  'データベースに接続できません',
  'Le café est fermé; el niño está aquí',
  'const add = (a, b) => a + b; // C++ is not C#',
  'snake_case_name and kebab-case-name and SCREAMING_CASE',
  'The quick brown fox jumps over the lazy dog',
  "error TS2345: Argument of type 'string' is not assignable",
  '🎉 emoji 👩‍💻 and\ttabs\nand newlines',
  'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab',
];

interface TestSearch {
  readonly index: SearchIndex;
  readonly find: (text: string, filter?: Partial<SearchQuery>) => readonly SearchHit[];
  readonly found: (text: string, filter?: Partial<SearchQuery>) => readonly string[];
}

/** The texts as messages, each with its text as id; searched by the index, or by a scan where there cannot be one. */
function searchOver(texts: readonly string[], way: 'index' | 'scan'): TestSearch {
  const home = temporaryFolder();
  const directory = join(home, 'p');
  mkdirSync(directory);
  texts.forEach((content, n) => {
    const record = {
      v: 1,
      id: content,
      sessionId: `s${n % 3}`,
      timestamp: new Date(1.76e12 + n * 1000).toISOString(),
      role: n % 2 ? 'assistant' : 'user',
      content,
    };
    appendFileSync(join(directory, 'history.jsonl'), `${JSON.stringify(record)}\n`);
  });
  // A folder with the name of the database cannot be opened, replaced or written.
  if (way === 'scan') mkdirSync(join(storePath(home), 'in', 'the', 'way'), { recursive: true });
  const index = SearchIndex.open(home);
  index.catchUp([{ id: 'p', directory }]);
  const find: TestSearch['find'] = (text, filter = {}) => {
    const result = index.search({ text, ...filter });
    expect(result.source).toBe(way);
    return result.hits;
  };
  return { index, find, found: (text, filter) => find(text, filter).map(({ id }) => id) };
}

describe.each(['index', 'scan'] as const)('searching by %s', (way) => {
  it.each([
    ['user', TEXTS[0]],
    ['getuserbyid', TEXTS[0]],
    ['jwt.ts', TEXTS[0]],
    ['src/auth', TEXTS[0]],
    ['ECONNREFUSED', TEXTS[1]],
    ['127.0.0.1:6379', TEXTS[1]],
    ['--no-verify', TEXTS[2]],
    ['连接', TEXTS[3]],
    ['ベース', TEXTS[4]],
    ['cafe', TEXTS[5]],
    ['FERMÉ', TEXTS[5]],
    ['=>', TEXTS[6]],
    ['C++', TEXTS[6]],
    ['case_na', TEXTS[7]],
    ['screaming', TEXTS[7]],
    ['"lazy dog"', TEXTS[8]],
    ['brown lazy', TEXTS[8]],
    ['jump*', TEXTS[8]],
    ['uick bro', TEXTS[8]],
    ['TS2345', TEXTS[9]],
    ['👩‍💻', TEXTS[10]],
    ['aab', TEXTS[11]],
  ])('finds %s', (query, text) => {
    expect(searchOver(TEXTS, way).found(query)).toContain(text);
  });

  it('applies the filters', () => {
    const { find } = searchOver(TEXTS, way);
    const ids = (hits: readonly SearchHit[]) => hits.map(({ id }) => id).sort();
    const all = find('a', { limit: 100 });
    const since = new Date(1.76e12 + 5000).toISOString();
    const cases: readonly (readonly [Partial<SearchQuery>, (hit: SearchHit) => boolean])[] = [
      [{ role: 'user' }, ({ role }) => role === 'user'],
      [{ sessionId: 's1' }, ({ sessionId }) => sessionId === 's1'],
      [{ projects: ['other'] }, () => false],
      [{ since }, ({ timestamp }) => timestamp >= since],
      [{ until: since }, ({ timestamp }) => timestamp <= since],
      [{ outcome: 'failure' }, () => false],
    ];
    for (const [filter, lets] of cases)
      expect(ids(find('a', { ...filter, limit: 100 }))).toEqual(ids(all.filter(lets)));
    expect(find('a', { limit: 2 })).toHaveLength(2);
  });

  it('groups hits by session and marks the matches', () => {
    const { index } = searchOver(TEXTS, way);
    const { hits, sessions } = index.search({ text: 'case' });
    expect(sessions.flatMap((session) => session.hits).length).toBe(hits.length);
    const [{ snippet } = { snippet: { text: '', marks: [] } }] = hits;
    expect(snippet.marks.map(([start, end]) => snippet.text.slice(start, end).toLowerCase())).toContain('case');
  });

  it('finds nothing for an empty query, and related records for a question', () => {
    const { index, find } = searchOver(TEXTS, way);
    for (const text of ['', ' \t\n']) expect(index.search({ text }).hits).toEqual([]);
    expect(find('which fox did we see jumping yesterday?').map(({ id, match }) => [id, match])).toContainEqual([
      TEXTS[8],
      'related',
    ]);
  });

  it('finds every text that contains the typed text, whatever substring it is', () => {
    const { found } = searchOver(TEXTS, way);
    const piece = fc
      .tuple(fc.constantFrom(...TEXTS), fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 1, max: 20 }))
      .map(([text, share, length]) => {
        const characters = Array.from(text);
        const start = Math.floor(share * (characters.length - 1));
        return characters.slice(start, start + length).join('');
      })
      .filter((text) => text.trim() !== '');
    fc.assert(
      fc.property(piece, (query) => {
        const holding = TEXTS.filter((text) => text.toLowerCase().includes(query.trim().toLowerCase()));
        expect(found(query, { limit: 100 })).toEqual(expect.arrayContaining(holding));
      }),
      { numRuns: 300 },
    );
  });

  it('accepts any query', () => {
    const { index } = searchOver(TEXTS, way);
    const strange = [
      '"',
      '""',
      '"a',
      'a"b"c',
      "'",
      'AND',
      'a AND',
      'NOT b',
      'a OR (b',
      'NEAR(a b)',
      '^a',
      'text:a',
      '-a',
      '*',
      'a**',
      '(',
      '\u0000',
      'a\u0000b',
      '\ud800',
      '{}',
      '%',
      '_',
      '\\',
      'x'.repeat(10_240),
      'a '.repeat(5_120),
      `"${'fox '.repeat(2_560)}"`,
      '🎉'.repeat(3000),
    ];
    for (const text of strange) expect(() => index.search({ text })).not.toThrow();
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc
            .array(fc.constantFrom('"', '*', 'AND', 'OR', 'NOT', '(', ')', ':', '^', '-', 'fox', '数', ' '), {
              maxLength: 12,
            })
            .map((parts) => parts.join('')),
        ),
        (text) => {
          index.search({ text });
        },
      ),
      { numRuns: 300 },
    );
  });
});

const PAIRS = Array.from('bcdfghjklm', (a) => Array.from('bcdfghjklm', (b) => a + b)).flat();
/** More words with the same suffix and prefix than the planner enumerates. */
const ENDING = PAIRS.map((pair) => `${pair}the`);
const BEGINNING = PAIRS.map((pair) => `user${pair}`);
const WORDS = [
  'the',
  'than',
  'bathan',
  'redis',
  'rediscover',
  'Redis',
  'user',
  'user',
  'getUser',
  'mama',
  'mamack',
  '数据',
];
const SEPARATORS = [' ', ' ', ' ', ', ', '\n', '-', '', '"'];
const PHRASES = Array.from({ length: 700 }, (_, n) => textOf(n));

/** Some words, the same for the same number. */
function textOf(n: number): string {
  let state = n * 7919 + 13;
  const pick = <T>(list: readonly T[]): T => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return list[Math.floor((state / 2_147_483_648) * list.length)] as T;
  };
  const lists = [ENDING, BEGINNING, WORDS, WORDS, WORDS, n % 9 === 0 ? ['rare'] : WORDS];
  return Array.from({ length: 6 }, () => pick(pick(lists)) + pick(SEPARATORS)).join('');
}

function openIndex(): SearchIndex {
  const home = temporaryFolder();
  const directory = join(home, 'p');
  mkdirSync(directory);
  const lines = PHRASES.map((content, n) => {
    const timestamp = new Date(1.76e12 + n * 1000).toISOString();
    return `${JSON.stringify({ v: 1, id: String(n), sessionId: 's', timestamp, role: 'user', content })}\n`;
  });
  appendFileSync(join(directory, 'history.jsonl'), lines.join(''));
  const index = SearchIndex.open(home);
  index.catchUp([{ id: 'p', directory }]);
  return index;
}

describe('a text of several words', () => {
  it.each([10, 300])(
    'is found within longer words, with %i other records that have its words near one another',
    (count) => {
      const wanted = 'here are unalpha gamma beta deltas';
      const others = Array.from({ length: count }, (_, n) => `gamma and beta ${n}`);
      const { find } = searchOver([...others.slice(5), wanted, ...others.slice(0, 5)], 'index');
      expect(
        find('alpha gamma beta delta')
          .filter(({ match }) => match === 'literal')
          .map(({ id }) => id),
      ).toEqual([wanted]);
    },
  );

  it('is found with all its words in any order, also where a rare word is in many records', () => {
    const wanted = 'delta before gamma and alpha after the beta';
    const others = Array.from({ length: 300 }, (_, n) => `gamma ${n} of beta or ${n % 2 ? 'alpha' : 'delta'}`);
    const { find } = searchOver([wanted, ...others], 'index');
    expect(
      find('alpha the gamma after')
        .filter(({ match }) => match === 'words')
        .map(({ id }) => id),
    ).toEqual([wanted]);
  });

  it('is looked for in the time that a filter names', () => {
    const texts = Array.from({ length: 200 }, (_, n) => `alpha gamma beta number ${n}`);
    const { found } = searchOver(texts, 'index');
    const timeOf = (n: number) => new Date(1.76e12 + n * 1000).toISOString();
    expect(new Set(found('alpha gamma beta', { since: timeOf(50), until: timeOf(59) }))).toEqual(
      new Set(texts.slice(50, 60)),
    );
  });
});

describe('a phrase', () => {
  it('is found wherever it occurs, also when it starts or ends within a word', () => {
    const index = openIndex();
    const piece = fc
      .tuple(fc.constantFrom(...PHRASES), fc.nat(60), fc.integer({ min: 2, max: 16 }))
      .map(([text, start, length]) => text.slice(start, start + length).trim())
      .filter((text) => /\S/.test(text) && !text.includes('"'));
    const pair = fc.tuple(fc.constantFrom(...WORDS), fc.constantFrom(...WORDS)).map((two) => two.join(' '));
    fc.assert(
      fc.property(fc.oneof(piece, pair), fc.boolean(), (query, isQuoted) => {
        const holding = PHRASES.flatMap((text, n) =>
          text.toLowerCase().includes(query.toLowerCase()) ? [String(n)] : [],
        );
        const { hits } = index.search({ text: isQuoted ? `"${query}"` : query, limit: 1_000 });
        const literal = hits.filter(({ match }) => match === 'literal').map(({ id }) => id);
        expect(literal.toSorted()).toEqual(holding.toSorted());
      }),
      { numRuns: 400 },
    );
    index.close();
  });
});
