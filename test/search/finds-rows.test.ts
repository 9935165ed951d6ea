import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SearchIndex } from '../../src/search/index.ts';
import { temporaryFolder } from '../temp-folder.ts';

const PAIRS = Array.from('bcdfghjklm', (a) => Array.from('bcdfghjklm', (b) => a + b)).flat();
/** More words with the same end, and with the same beginning, than are told apart one by one. */
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
const TEXTS = Array.from({ length: 700 }, (_, n) => textOf(n));

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
  const lines = TEXTS.map((content, n) => {
    const timestamp = new Date(1.76e12 + n * 1000).toISOString();
    return `${JSON.stringify({ v: 1, id: String(n), sessionId: 's', timestamp, role: 'user', content })}\n`;
  });
  appendFileSync(join(directory, 'history.jsonl'), lines.join(''));
  const index = SearchIndex.open(home);
  index.catchUp([{ id: 'p', directory }]);
  return index;
}

describe('a text of several words', () => {
  it('is found wherever it is, also when its ends are inside words, however many words there are', () => {
    const index = openIndex();
    const piece = fc
      .tuple(fc.constantFrom(...TEXTS), fc.nat(60), fc.integer({ min: 2, max: 16 }))
      .map(([text, start, length]) => text.slice(start, start + length).trim())
      .filter((text) => /\S/.test(text) && !text.includes('"'));
    const pair = fc.tuple(fc.constantFrom(...WORDS), fc.constantFrom(...WORDS)).map((two) => two.join(' '));
    fc.assert(
      fc.property(fc.oneof(piece, pair), fc.boolean(), (query, isQuoted) => {
        const holding = TEXTS.flatMap((text, n) =>
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
