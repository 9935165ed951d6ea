import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold, unfoldPosition } from '../../src/search/fold.ts';
import { identifierParts } from '../../src/search/identifier-parts.ts';
import { haveSameStem } from '../../src/search/stem.ts';
import { symbolProbes, symbolTerms } from '../../src/search/symbol-terms.ts';
import { indexableText, isPartOfTerm, piecesOf, termsOf } from '../../src/search/words.ts';

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

describe('folding', () => {
  it.each([
    ['Café', 'cafe'],
    ['ÜBER', 'uber'],
    ['Straße', 'strasse'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['οδος', 'οδοσ'],
    ['İstanbul', 'istanbul'],
    ['ﬁne', 'fine'],
    ['ＦＵＬＬ', 'full'],
    ['が', 'が'],
    ['한국', '한국'],
  ])('makes %s equal to %s', (from, to) => {
    expect(fold(from)).toBe(to);
  });

  it('of a piece is a piece of the folded text', () => {
    fc.assert(fc.property(text, text, (a, b) => fold(a + b) === fold(a) + fold(b)));
  });

  it('can be undone for places: what is before a place folds to what is before it', () => {
    fc.assert(
      fc.property(text, fc.nat(), (original, n) => {
        const folded = fold(original);
        const place = folded.length === 0 ? 0 : n % folded.length;
        const before = fold(original.slice(0, unfoldPosition(original, place)));
        expect(before.length).toBeLessThanOrEqual(place);
        expect(folded.startsWith(before)).toBe(true);
      }),
    );
  });
});

describe('terms', () => {
  it('are words, and single characters where a script has no spaces', () => {
    expect(termsOf(fold('Hello, 世界! src/auth/jwt.ts --no-verify user_id 🎉ok'))).toEqual(
      'hello 世 界 src auth jwt ts no verify user id 🎉 ok'.split(' '),
    );
  });

  it('are the same for FTS5, which splits what it is handed by itself', () => {
    const split = (handed: string) => {
      let terms = '';
      for (let at = 0; at < handed.length; at++) {
        terms += isPartOfTerm(handed.charCodeAt(at)) ? handed.charAt(at) : ' ';
      }
      return terms.split(' ').filter((term) => term !== '');
    };
    fc.assert(
      fc.property(text, (original) => {
        const folded = fold(original);
        expect(split(indexableText(folded))).toEqual(termsOf(folded));
      }),
    );
  });

  it('of a long word overlap, so that any sixteen characters of it are whole in one', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 300 }),
        (word) => {
          const pieces = piecesOf(word);
          expect(word.startsWith(pieces[0] ?? '-')).toBe(true);
          expect(word.endsWith(pieces.at(-1) ?? '-')).toBe(true);
          for (let at = 0; at + 16 <= word.length; at++) {
            expect(pieces.some((piece) => piece.includes(word.slice(at, at + 16)))).toBe(true);
          }
        },
      ),
    );
  });
});

describe('parts of identifiers', () => {
  it.each([
    ['getUserById', 'get user by id'],
    ['HTTPServer', 'http server'],
    ['parseJSON', 'parse json'],
    ['sha256', 'sha 256'],
    ['the UserService and OAuth', 'user service o auth'],
    ['plain words, snake_case, ALL_CAPS', ''],
    ['3f9c2ab7d1e0', ''],
    ['a1b2c3d4e5f6', ''],
  ])('of %s are "%s"', (identifier, parts) => {
    expect(identifierParts(identifier).join(' ')).toBe(parts);
  });
});

describe('symbols', () => {
  it('of any piece of a text are found among those of the text', () => {
    const symbols = fc.string({
      unit: fc.constantFrom('=', '>', '{', '+', '.', '-', 'a', ' ', '—', '*'),
      maxLength: 60,
    });
    fc.assert(
      fc.property(symbols, fc.nat(), fc.nat(), (original, from, length) => {
        const start = from % (original.length + 1);
        const piece = original.slice(start, start + 1 + (length % 30));
        const terms = symbolTerms(original);
        for (const probe of symbolProbes(piece))
          expect(terms.some((term) => term.includes(probe))).toBe(true);
      }),
    );
  });
});

describe('stems', () => {
  it.each([
    ['install', 'installing'],
    ['installed', 'installs'],
    ['cache', 'caching'],
    ['run', 'running'],
    ['database', 'databases'],
    ['process', 'processes'],
    ['retry', 'retries'],
  ])('of %s and %s are the same', (a, b) => {
    expect(haveSameStem(a, b)).toBe(true);
  });

  it.each([
    ['user', 'use'],
    ['process', 'proceed'],
    ['red', 'redis'],
  ])('of %s and %s are not', (a, b) => {
    expect(haveSameStem(a, b)).toBe(false);
  });
});
