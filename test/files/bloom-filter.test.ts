import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BloomFilter } from '../../src/files/index.ts';
import { textHash } from '../../src/record/index.ts';

test('what was added is always found', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { maxLength: 200 }), fc.nat(300), (texts, room) => {
      const filter = BloomFilter.for(room);
      for (const text of texts) filter.add(textHash(text));
      return texts.every((text) => filter.mayHave(textHash(text)));
    }),
  );
});

test('an empty filter has nothing', () => {
  const filter = BloomFilter.for(100);
  for (let number = 0; number < 1000; number++) expect(filter.mayHave(textHash(`key ${number}`))).toBe(false);
});

test('few of the keys that were not added pass', () => {
  const filter = BloomFilter.for(10_000);
  for (let number = 0; number < 10_000; number++) filter.add(textHash(`src/added-${number}.ts`));
  let passed = 0;
  for (let number = 0; number < 10_000; number++)
    if (filter.mayHave(textHash(`src/other-${number}.ts`))) passed++;
  expect(passed).toBeLessThan(300);
});

test('a filter made from the bytes of another says the same', () => {
  const filter = BloomFilter.for(50);
  for (let number = 0; number < 50; number++) filter.add(textHash(String(number)));
  const copy = new BloomFilter(Uint8Array.from(filter.bytes));
  for (let number = 0; number < 500; number++) {
    const hash = textHash(String(number));
    expect(copy.mayHave(hash)).toBe(filter.mayHave(hash));
  }
});
