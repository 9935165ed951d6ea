import fc from 'fast-check';
import { expect, it } from 'vitest';
import { chooseMarkers, type PromptSlot } from '../../../src/context/cache/markers.ts';
import type { MarkerKey } from '../../../src/context/cache/tiers.ts';

const slot = (key: MarkerKey, tokens: number, changeProbability = 0): PromptSlot => ({
  key,
  tokens,
  changeProbability,
  isMarkable: true,
});

it('marks the end if nothing is likely to change', () => {
  const slots = [slot('system', 3_000), slot('file:a', 5_000, 0.01), slot('prompt', 100)];
  expect(chooseMarkers(slots, new Set())).toContain('prompt');
});

it('marks stable slots and does not write what is bound to change', () => {
  const slots = [slot('system', 3_000), slot('file:a', 9_000, 0.9), slot('prompt', 100)];
  expect([...chooseMarkers(slots, new Set())]).toEqual(['system']);
});

it('sets a marker within reach of the cached prefix, however old it is', () => {
  const files = Array.from({ length: 60 }, (_, index) => slot(`file:${index}`, 2_000, 0.3));
  const marks = chooseMarkers([slot('system', 3_000), ...files, slot('prompt', 100)], new Set(['system']));
  const first = [...marks][0];
  expect(['system', 'file:0', 'file:1', 'file:2']).toContain(first);
});

it('chooses at most four markable or cached slots', () => {
  const slots = fc.array(
    fc.record({
      tokens: fc.nat(5_000),
      changeProbability: fc.double({ min: 0, max: 0.5, noNaN: true }),
      isMarkable: fc.boolean(),
      isCached: fc.boolean(),
    }),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(slots, (list) => {
      const all = list.map((each, index) => ({ ...each, key: `file:${index}` as const }));
      const cached = new Set(all.filter(({ isCached }) => isCached).map(({ key }) => key));
      const marks = chooseMarkers(all, cached);
      expect(marks.size).toBeLessThanOrEqual(4);
      const allowed = all.filter(({ isMarkable, key }) => isMarkable || cached.has(key)).map(({ key }) => key);
      for (const key of marks) expect(allowed).toContain(key);
    }),
  );
});
