import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { identifierParts } from '../../src/text/identifier-parts.ts';
import { isCommonWord, isStopWord } from '../../src/text/stop-words.ts';
import { scanWords, splitWords, tokenize } from '../../src/text/words.ts';

function texts(text: string): readonly string[] {
  return splitWords(text).map((word) => word.text);
}

describe('scanWords', () => {
  it('splits at everything but letters and digits, with positions', () => {
    expect(scanWords('a, user_id')).toEqual([
      { text: 'a', start: 0, end: 1 },
      { text: 'user', start: 3, end: 7 },
      { text: 'id', start: 8, end: 10 },
    ]);
  });

  it('takes each character of a script without spaces, and each emoji, as a word', () => {
    expect(scanWords('世界 🎉ok').map(({ text }) => text)).toEqual(['世', '界', '🎉', 'ok']);
  });

  it('keeps joined words whole where it is asked to', () => {
    const joined = scanWords('pre-commit next.js a--b max_size. 世界', { joined: true });
    expect(joined.map(({ text }) => text)).toEqual(['pre-commit', 'next.js', 'a', 'b', 'max_size', '世界']);
  });
});

describe('splitWords', () => {
  it('gives words in lower case with the parts of names', () => {
    expect(splitWords('getUserById max_size pre-commit Plain')).toEqual([
      { text: 'getuserbyid', parts: ['get', 'user', 'by', 'id'], isName: true },
      { text: 'max_size', parts: ['max', 'size'], isName: true },
      { text: 'pre-commit', parts: ['pre', 'commit'], isName: true },
      { text: 'plain', parts: ['plain'], isName: false },
    ]);
  });

  it('drops what follows an apostrophe', () => {
    expect(texts("let's fix the user’s page, don't wait")).toEqual('let fix the user page don wait'.split(' '));
  });

  it('leaves out encoded data and emoji', () => {
    expect(texts(`key ${'a1'.repeat(50)} end 🎉`)).toEqual(['key', 'end']);
  });

  it('splits scripts without spaces into pairs of letters', () => {
    expect(splitWords('API港の船')).toEqual([
      { text: 'api', parts: ['api'], isName: false },
      { text: '港の船', parts: ['港の', 'の船'], isName: false },
    ]);
  });

  it('knows the letters of any alphabet', () => {
    expect(texts('Über Größe, привет')).toEqual(['über', 'größe', 'привет']);
  });
});

describe('identifierParts', () => {
  it.each([
    ['getUserById', 'get user by id'],
    ['HTTPServer', 'http server'],
    ['parseJSON', 'parse json'],
    ['sha256', 'sha256'],
    ['read_file.test-case', 'read file test case'],
    ['plain', 'plain'],
  ])('of %s are "%s"', (identifier, parts) => {
    expect(identifierParts(identifier).join(' ')).toBe(parts);
  });

  it('separates digits where it is asked to', () => {
    expect(identifierParts('sha256', { splitDigits: true })).toEqual(['sha', '256']);
  });

  it('are one for names that are one word in spite of a capital inside', () => {
    expect(['GitHub', 'PostgreSQL', 'OAuth'].flatMap((name) => identifierParts(name))).toEqual([
      'github',
      'postgresql',
      'oauth',
    ]);
  });

  it.each(['3f9c2ab7d1e0', 'a1b2c3d4e5f6', 'xK9pQ2mZ'])('are one for the random text %s', (text) => {
    expect(identifierParts(text, { splitDigits: true })).toHaveLength(1);
  });
});

describe('stop words', () => {
  it('are grammar and politeness, not subjects', () => {
    expect(['the', 'please', 'don'].every(isStopWord)).toBe(true);
    expect(['test', 'file', 'commit', 'redis', 'later'].some(isStopWord)).toBe(false);
  });

  it('are common words too, beside words that any request may have', () => {
    expect(['the', 'using', 'later'].every(isCommonWord)).toBe(true);
    expect(['test', 'file', 'commit', 'redis'].some(isCommonWord)).toBe(false);
  });
});

describe('tokenize', () => {
  it('finds the same words in ASCII as in any other text', () => {
    const text = fc.string({ unit: fc.constantFrom(...'abZ09-_./ ,\n'), maxLength: 60 });
    fc.assert(
      fc.property(text, (ascii) => {
        const found = scanWords(ascii, { joined: true }).map((word) => word.text);
        expect(tokenize(ascii)).toEqual(found);
        expect(tokenize(`${ascii} é`)).toEqual([...found, 'é']);
      }),
    );
  });
});
