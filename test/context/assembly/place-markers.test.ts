import { expect, it } from 'vitest';
import { type PromptPiece, placeMarkers } from '../../../src/context/assembly/assemble-tiered.ts';

const LONG = 'word '.repeat(2_000);
const text = (words: string, rest: Partial<PromptPiece> = {}): PromptPiece => ({
  role: 'user',
  block: { type: 'text', text: words },
  ...rest,
});
const IMAGE: PromptPiece = {
  role: 'user',
  block: { type: 'image', mediaType: 'image/png', base64: 'iVBORw0KGgo=' },
};

it('puts a marker at the end of each cached tier', () => {
  const pieces = [
    text(LONG, { tier: 'L0' }),
    text('a', { tier: 'L1' }),
    text('b', { tier: 'L1' }),
    text('c'),
  ];
  expect([...placeMarkers(pieces)].sort()).toEqual([0, 2]);
});

it('puts those first that are asked for, and leaves out tiers for which there is no room', () => {
  const pieces = [
    text(LONG, { tier: 'L0' }),
    text('a', { tier: 'L1', key: 'file:a' }),
    text('Ok.', { tier: 'L1' }),
    text('b', { tier: 'L3', key: 'file:b' }),
    text('Ok.', { tier: 'L3' }),
    ...(['c', 'd', 'e'] as const).map((name) => text(name, { key: `file:${name}` })),
  ];
  const marks = new Set(['file:a', 'file:c', 'file:e'] as const);
  // The end of L1 is marked by its last file already; L3 comes before L0.
  expect([...placeMarkers(pieces, marks)].sort()).toEqual([1, 4, 5, 7]);
});

it('goes back to the last text when a piece is an image or blank', () => {
  const pieces = [text(LONG, { tier: 'L3' }), text(' \n', { tier: 'L3' }), { ...IMAGE, tier: 'L3' as const }];
  expect([...placeMarkers(pieces)]).toEqual([0]);
  expect([...placeMarkers([IMAGE])]).toEqual([]);
});

it('puts none below the shortest prefix that is cached', () => {
  const pieces = [text('a'.repeat(4_000), { tier: 'L0' }), text('b'.repeat(4_000), { tier: 'L1' })];
  expect([...placeMarkers(pieces, new Set(), { minCacheableTokens: 1_024 })]).toEqual([1]);
  expect([...placeMarkers(pieces, new Set(), { minCacheableTokens: 4_096 })]).toEqual([]);
  expect([...placeMarkers(pieces, new Set(), { minCacheableTokens: 0 })].sort()).toEqual([0, 1]);
});

it('counts no more than it takes to know that', () => {
  const counted: string[] = [];
  const countTokens = (words: string) => {
    counted.push(words);
    return words.length;
  };
  placeMarkers([text('one'), text('two'), text('three'), text('four')], new Set(), {
    minCacheableTokens: 6,
    countTokens,
  });
  expect(counted).toEqual(['one', 'two']);
});
