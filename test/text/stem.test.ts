import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startsLike, stem, stemPrefix, stemStart } from '../../src/text/stem.ts';

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
  ['install', 'installs', 'installing', 'installed'],
  ['database', 'databases'],
  ['retry', 'retries'],
];

const DIFFERENT = [
  ['set', 'setting'],
  ['form', 'format'],
  ['version', 'verse'],
  ['string', 'str'],
  ['news', 'newt'],
  ['user', 'use'],
  ['process', 'proceed'],
  ['red', 'redis'],
];

const words = fc.string({ minLength: 1, unit: fc.constantFrom(...'abdeinorstuyzlmgc') });

describe('stem', () => {
  it.each(SAME)('is the same for %s, %s', (...forms) => {
    expect(new Set(forms.map(stem)).size).toBe(1);
  });

  it.each(DIFFERENT)('differs for %s and %s', (one, other) => {
    expect(stem(one ?? '')).not.toBe(stem(other ?? ''));
  });

  it('leaves short words, words with digits and other scripts alone', () => {
    for (const word of ['as', 'css', 'ios', 'k8s', 'größe', '日本語']) expect(stem(word)).toBe(word);
  });

  it('is never empty or more than a letter longer than the word', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,20}$/), (word) => {
        expect(stem(word).length).toBeGreaterThan(0);
        expect(stem(word).length).toBeLessThanOrEqual(word.length + 1);
      }),
    );
  });

  it('keeps the first letter, by which words are looked up', () => {
    fc.assert(fc.property(words, (word) => stem(word).charAt(0) === word.charAt(0)));
    for (const word of SAME.flat()) expect(stem(word).charAt(0)).toBe(word.charAt(0));
  });
});

describe('stemPrefix', () => {
  it.each([
    ['retry', 'retr'],
    ['retries', 'retr'],
    ['caching', 'cach'],
    ['hidden', 'hid'],
  ])('of %s is %s', (word, prefix) => {
    expect(stemPrefix(word)).toBe(prefix);
  });

  it('is the word itself where its stem begins in another way', () => {
    expect(['broke', 'ran', 'as'].map(stemPrefix)).toEqual(['broke', 'ran', 'as']);
  });

  it('begins the word', () => {
    fc.assert(fc.property(words, (word) => word.startsWith(stemPrefix(word))));
  });
});

describe('startsLike', () => {
  it('finds every word by the first letters of its stem', () => {
    const isFound = (word: string) => startsLike(stemStart(stem(word))).some((start) => word.startsWith(start));
    fc.assert(fc.property(words, isFound), { numRuns: 2_000 });
    const irregular = ['broken', 'built', 'ran', 'sent', 'hung', 'hidden', 'chosen', 'wrote', 'licences', 'catalogue'];
    expect([...SAME.flat(), ...irregular].filter((word) => !isFound(word))).toEqual([]);
  });
});
