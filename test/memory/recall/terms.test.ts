import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findMatches, matchText, parseQuery } from '../../../src/memory/recall/query.ts';
import { encodeRecallIndex, openRecallIndex } from '../../../src/memory/recall/recall-index.ts';
import { RelevanceScorer } from '../../../src/memory/recall/relevance.ts';
import { addTerms, listStarts, parsePromptTerms, TermFinder, type Terms } from '../../../src/memory/recall/terms.ts';
import { toPlainRuns } from '../../../src/text/words.ts';

/** Words with tags and synonyms, names, irregular and empty words, paths. */
const words = fc.constantFrom(
  ...`login auth credentials slow performance slowly cache caching redis folder directories dir tests flaky broke broken
  break crash panic maxSize max_size src/cache.ts invoice invoices payment the of and add fix to retry retries timeout
  built build runs ran setting settings colour export parser Docker kubernetes docs README licence pre-commit
  precommit getUserById cache's don't-do dondo it's/docs docs s/docs café tokenization tokenize`.split(/\s+/),
);
const texts = fc.array(words, { minLength: 1, maxLength: 12 }).map((list) => list.join(' '));

/** All terms of a prompt, each with a slot. */
function toSlots(prompt: string): ReadonlyMap<string, number> {
  const { words: asked, pairs } = parsePromptTerms(prompt);
  const terms = [
    ...asked.flatMap(({ term, related }) => [term, ...related.map((each) => each.term)]),
    ...pairs.map(({ term }) => term),
  ];
  return new Map([...new Set(terms)].map((term, slot) => [term, slot]));
}

it('the terms of a prompt that are found in a text are those that the text has', () => {
  fc.assert(
    fc.property(texts, texts, (prompt, text) => {
      const slots = toSlots(prompt);
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

it('a text in which a term is found contains one of its starts', () => {
  fc.assert(
    fc.property(texts, texts, (prompt, text) => {
      const slots = toSlots(prompt);
      const terms = [...slots.keys()];
      const runs = toPlainRuns(text);
      new TermFinder(slots).find(text, (slot) => {
        const starts = listStarts(terms[slot] ?? '');
        expect(runs === undefined || starts.some((start) => runs.includes(start)), `${terms[slot]}: ${starts}`).toBe(
          true,
        );
      });
    }),
    { numRuns: 1_000 },
  );
});

it('a text that is filtered out does not reach the confidence', () => {
  const index = openRecallIndex(encodeRecallIndex([]));
  if (index === undefined) throw new TypeError('A new index must be readable');
  let filtered = 0;
  fc.assert(
    fc.property(texts, texts, fc.double({ min: 0.05, max: 0.95, noNaN: true }), (prompt, text, confidence) => {
      const query = parseQuery(prompt);
      const scorer = new RelevanceScorer(findMatches(index, query));
      if (scorer.textFilter(confidence)(text)) return;
      filtered++;
      const strengths = matchText(query, text);
      const counts = new Uint16Array(strengths.length);
      const hits = { endedAt: 0, whole: strengths, counts, passages: [{ index: 0, strengths }] };
      expect(scorer.score(hits).confidence).toBeLessThan(confidence);
    }),
    { numRuns: 2_000 },
  );
  expect(filtered).toBeGreaterThan(100);
});
