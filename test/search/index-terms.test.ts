import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TextArena } from '../../src/store/index-batch.ts';
import {
  findIdentifierParts,
  isPartOfTerm,
  splitLongWord,
  splitTerms,
  symbolProbes,
  symbolTerms,
  toTokenizerInput,
} from '../../src/store/index-terms.ts';
import { TermCounter } from '../../src/store/term-counts.ts';
import { foldCase } from '../../src/text/fold-case.ts';

/** Text of all kinds, in whole characters. */
const text = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme-ascii', maxLength: 8 }),
      fc.string({ unit: 'grapheme', maxLength: 4 }),
      fc.constantFrom('接続', 'エラー', 'ΣΑΣ', 'İı', 'ﬁ½', 'e\u0301', '🎉', 'ไทย', ' — ', 'x'.repeat(70)),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));

describe('splitTerms', () => {
  it('gives words, and single characters where a script has no spaces', () => {
    expect(splitTerms(foldCase('Hello, 世界! src/auth/jwt.ts --no-verify user_id 🎉ok'))).toEqual(
      'hello 世 界 src auth jwt ts no verify user id 🎉 ok'.split(' '),
    );
  });

  it('agrees with the tokenizer of FTS5', () => {
    const split = (handed: string) => {
      let terms = '';
      for (let at = 0; at < handed.length; at++) {
        terms += isPartOfTerm(handed.charCodeAt(at)) ? handed.charAt(at) : ' ';
      }
      return terms.split(' ').filter((term) => term !== '');
    };
    fc.assert(
      fc.property(text, (original) => {
        const folded = foldCase(original);
        expect(split(toTokenizerInput(folded))).toEqual(splitTerms(folded));
      }),
    );
  });

  it('splits a long word into pieces that overlap by sixteen characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 300 }), (word) => {
        const pieces = splitLongWord(word);
        expect(word.startsWith(pieces[0] ?? '-')).toBe(true);
        expect(word.endsWith(pieces.at(-1) ?? '-')).toBe(true);
        for (let at = 0; at + 16 <= word.length; at++) {
          expect(pieces.some((piece) => piece.includes(word.slice(at, at + 16)))).toBe(true);
        }
      }),
    );
  });
});

describe('findIdentifierParts', () => {
  it.each([
    ['getUserById', 'get user by id'],
    ['HTTPServer', 'http server'],
    ['parseJSON', 'parse json'],
    ['sha256', 'sha 256'],
    ['the UserService and OAuth', 'user service'],
    ['plain words, snake_case, ALL_CAPS', ''],
    ['3f9c2ab7d1e0', ''],
    ['a1b2c3d4e5f6', ''],
  ])('of %s are "%s"', (identifier, parts) => {
    expect(findIdentifierParts(identifier).join(' ')).toBe(parts);
  });
});

describe('symbolTerms', () => {
  it('includes the symbols of any substring', () => {
    const symbols = fc.string({
      unit: fc.constantFrom('=', '>', '{', '+', '.', '-', 'a', ' ', '—', '*'),
      maxLength: 60,
    });
    fc.assert(
      fc.property(symbols, fc.nat(), fc.nat(), (original, from, length) => {
        const start = from % (original.length + 1);
        const piece = original.slice(start, start + 1 + (length % 30));
        const terms = symbolTerms(original);
        for (const probe of symbolProbes(piece)) expect(terms.some((term) => term.includes(probe))).toBe(true);
      }),
    );
  });
});

it('counts in how many documents each term is', () => {
  const term = fc.oneof(
    fc.constantFrom('the', 'redis', 'a', '接', '¶ab', '🎉'),
    fc.string({ unit: fc.constantFrom(...'abcdef0123é'), minLength: 1, maxLength: 6 }),
  );
  const documents = fc.array(fc.array(term, { maxLength: 40 }), { maxLength: 60 });
  const counter = new TermCounter();
  fc.assert(
    fc.property(documents, (texts) => {
      const expected = new Map<string, number>();
      for (const terms of texts) {
        counter.nextDocument();
        counter.add(terms.slice(0, 5).join(' -- '));
        counter.add(terms.slice(5).join(' '));
        for (const one of new Set(terms)) expected.set(one, (expected.get(one) ?? 0) + 1);
      }
      const counted = [...counter.counts()].map(({ term: name, documentCount: count }) => [name, count]);
      counter.clear();
      expect(new Map(counted as [string, number][])).toEqual(expected);
    }),
  );
});

it('distinguishes many terms', () => {
  const counter = new TermCounter();
  for (let n = 0; n < 50_000; n++) {
    counter.nextDocument();
    counter.add(`word${n % 20_000} common`);
  }
  const counts = new Map([...counter.counts()].map(({ term, documentCount: documents }) => [term, documents]));
  expect(counts.size).toBe(20_001);
  expect(counts.get('common')).toBe(50_000);
  expect(counts.get('word9999')).toBe(3);
  expect(counts.get('word10000')).toBe(2);
});

describe('TextArena', () => {
  it('returns every text that was added since it was cleared, however often it grew', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.constantFrom('', 'x'.repeat(70_000), '数'.repeat(30_000), '🎉'.repeat(20_000)),
    );
    fc.assert(
      fc.property(fc.array(fc.array(text, { maxLength: 8 }), { maxLength: 4 }), (rounds) => {
        const arena = new TextArena();
        for (const texts of rounds) {
          arena.clear();
          const starts = texts.map((one) => ({ start: arena.end, end: arena.add(one) }));
          const kept = starts.map(({ start, end }) => Buffer.from(arena.bytes(start, end)).toString('utf8'));
          expect(kept).toEqual(texts);
        }
      }),
    );
  });
});
