import fc from 'fast-check';
import { expect, it } from 'vitest';
import { addTerms, parsePromptTerms, TermFinder, type Terms } from '../../../src/memory/recall/terms.ts';

/** Words with tags and synonyms, names, irregular and empty words, paths. */
const words = fc.constantFrom(
  ...`login auth credentials slow performance slowly cache caching redis folder directories dir tests flaky broke broken
  break crash panic maxSize max_size src/cache.ts invoice invoices payment the of and add fix to retry retries timeout
  built build runs ran setting settings colour export parser Docker kubernetes docs README licence`.split(/\s+/),
);
const texts = fc.array(words, { minLength: 1, maxLength: 12 }).map((list) => list.join(' '));

it('the terms of a prompt that are found in a text are those that the text has', () => {
  fc.assert(
    fc.property(texts, texts, (prompt, text) => {
      const { words: asked, pairs } = parsePromptTerms(prompt);
      const terms = [
        ...asked.flatMap(({ term, related }) => [term, ...related.map((each) => each.term)]),
        ...pairs.map(({ term }) => term),
      ];
      const slots = new Map([...new Set(terms)].map((term, slot) => [term, slot]));
      const all: Terms = new Map();
      addTerms(all, text, 1);
      const found = new Set<number>();
      new TermFinder(slots).find(text, (slot) => found.add(slot));
      const expected = [...slots].flatMap(([term, slot]) => (all.has(term) ? [slot] : []));
      expect([...found].sort((a, b) => a - b)).toEqual(expected);
    }),
    { numRuns: 1_000 },
  );
});
