import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BloomFilter } from '../../src/files/index.ts';
import { textHash } from '../../src/record/index.ts';

test('reports every key that was added', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { maxLength: 200 }), fc.nat(300), (texts, room) => {
      const filter = BloomFilter.withCapacity(room);
      for (const text of texts) filter.add(textHash(text));
      return texts.every((text) => filter.mightContain(textHash(text)));
    }),
  );
});

test('an empty filter contains nothing', () => {
  const filter = BloomFilter.withCapacity(100);
  for (let number = 0; number < 1000; number++) expect(filter.mightContain(textHash(`key ${number}`))).toBe(false);
});

test('has few false positives', () => {
  const filter = BloomFilter.withCapacity(10_000);
  for (let number = 0; number < 10_000; number++) filter.add(textHash(`src/added-${number}.ts`));
  let passed = 0;
  for (let number = 0; number < 10_000; number++) if (filter.mightContain(textHash(`src/other-${number}.ts`))) passed++;
  expect(passed).toBeLessThan(300);
});

test('a filter over the bytes of another gives the same answers', () => {
  const filter = BloomFilter.withCapacity(50);
  for (let number = 0; number < 50; number++) filter.add(textHash(String(number)));
  const copy = new BloomFilter(Uint8Array.from(filter.bytes));
  for (let number = 0; number < 500; number++) {
    const hash = textHash(String(number));
    expect(copy.mightContain(hash)).toBe(filter.mightContain(hash));
  }
});
