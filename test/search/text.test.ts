import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  findIdentifierParts,
  isPartOfTerm,
  splitLongWord,
  splitTerms,
  symbolProbes,
  symbolTerms,
  toTokenizerInput,
} from '../../src/search/index/index-terms.ts';
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

describe('terms', () => {
  it('are words, and single characters where a script has no spaces', () => {
    expect(splitTerms(foldCase('Hello, 世界! src/auth/jwt.ts --no-verify user_id 🎉ok'))).toEqual(
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
        const folded = foldCase(original);
        expect(split(toTokenizerInput(folded))).toEqual(splitTerms(folded));
      }),
    );
  });

  it('of a long word overlap, so that any sixteen characters of it are whole in one', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 300 }),
        (word) => {
          const pieces = splitLongWord(word);
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
    ['the UserService and OAuth', 'user service'],
    ['plain words, snake_case, ALL_CAPS', ''],
    ['3f9c2ab7d1e0', ''],
    ['a1b2c3d4e5f6', ''],
  ])('of %s are "%s"', (identifier, parts) => {
    expect(findIdentifierParts(identifier).join(' ')).toBe(parts);
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
