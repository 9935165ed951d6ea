import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stem } from '../../../src/text/stem.ts';
import { wordsOf } from '../../../src/text/words.ts';

const SAME = [
  ['add', 'adds', 'added', 'adding'],
  ['authenticate', 'authentication', 'authenticating', 'authenticated'],
  ['configure', 'configures', 'configuration', 'configurations'],
  ['migrate', 'migration', 'migrating'],
  ['deploy', 'deploys', 'deployment'],
  ['cache', 'caches', 'cached', 'caching'],
  ['query', 'queries', 'queried'],
  ['run', 'runs', 'running', 'runner', 'ran'],
  ['summarise', 'summarize', 'summarization', 'summarising'],
  ['licence', 'license', 'licenses'],
  ['break', 'broke', 'broken'],
  ['setting', 'settings'],
  ['process', 'processes'],
];

const DIFFERENT = [
  ['set', 'setting'],
  ['form', 'format'],
  ['version', 'verse'],
  ['string', 'str'],
  ['news', 'newt'],
];

describe('the stem of a word', () => {
  it.each(SAME)('is the same for %s, %s', (...words) => {
    expect(new Set(words.map(stem)).size).toBe(1);
  });

  it.each(DIFFERENT)('is not the same for %s and %s', (one, other) => {
    expect(stem(one ?? '')).not.toBe(stem(other ?? ''));
  });

  it('leaves short words, digits and other scripts alone', () => {
    expect(['as', 'css', 'ios', 'k8s', 'größe', '日本語'].map(stem)).toEqual([
      'as',
      'css',
      'ios',
      'k8s',
      'größe',
      '日本語',
    ]);
  });

  it('is never empty or longer than the word by more than a letter', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,20}$/), (word) => {
        expect(stem(word).length).toBeGreaterThan(0);
        expect(stem(word).length).toBeLessThanOrEqual(word.length + 1);
      }),
    );
  });
});

describe('the words of a text', () => {
  it('are in lower case, with the parts of identifiers', () => {
    expect(wordsOf('getUserById max_size pre-commit Plain')).toEqual([
      { text: 'getuserbyid', parts: ['get', 'user', 'by', 'id'] },
      { text: 'max_size', parts: ['max', 'size'] },
      { text: 'pre-commit', parts: ['pre', 'commit'] },
      { text: 'plain', parts: [] },
    ]);
  });

  it('are one where a name has a capital inside', () => {
    expect(wordsOf('GitHub and PostgreSQL').map(({ parts }) => parts)).toEqual([[], [], []]);
  });

  it('lose what follows an apostrophe', () => {
    expect(wordsOf("let's fix the user’s page, don't wait").map(({ text }) => text)).toEqual([
      'let',
      'fix',
      'the',
      'user',
      'page',
      'don',
      'wait',
    ]);
  });

  it('do not include encoded data', () => {
    expect(wordsOf(`key ${'a1'.repeat(50)} end`).map(({ text }) => text)).toEqual(['key', 'end']);
  });

  it('keeps the first letter, by which words are looked up', () => {
    const letters = fc.string({ minLength: 1, unit: fc.constantFrom(...'abdeinorstuyzlmgc') });
    fc.assert(
      fc.property(letters, (word) => {
        expect(stem(word).charAt(0)).toBe(word.charAt(0));
      }),
    );
    for (const word of SAME.flat()) expect(stem(word).charAt(0)).toBe(word.charAt(0));
  });
});
