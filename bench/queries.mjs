import { createRandom } from './corpus/random.mjs';

/** Queries of each class. */
const PER_CLASS = 6;

/**
 * @typedef {object} Query
 * @property {string} kind
 * @property {string} text what a user types
 * @property {string} match the same query for bare FTS5
 */

/**
 * A fixed mix of queries: words by frequency, words that occur together, phrases, parts of identifiers, paths, flags,
 * questions, and words that do not occur. The same corpus gives the same queries.
 * @param {{frequency: (word: string) => number, wordsOfFrequency: (min: number, max: number) => string[]}} bare
 * @param {readonly string[]} texts a sample of the corpus
 * @param {number} documents the number of texts in the corpus
 * @returns {Query[]}
 */
export function createQueries(bare, texts, documents) {
  const random = createRandom('queries');
  const between = (min, max) => bare.wordsOfFrequency(Math.ceil(min), Math.floor(max));
  const rare = between(2, 20);
  const medium = between(documents * 0.002, documents * 0.01);
  const common = between(documents * 0.04, documents * 0.2);
  const everywhere = between(documents * 0.2, documents);
  const some = (make) => unique(make, PER_CLASS);
  const word = (list) => some(() => random.pick(list)).map((text) => ({ text, match: text }));
  const together = (...lists) =>
    some(() => pickWordsOfOneText(random, texts, lists)).map((text) => ({ text, match: text }));
  const quoted = (list) => list.map((text) => ({ text: `"${text}"`, match: `"${text}"` }));
  const spelled = (list) => list.map((text) => ({ text, match: `"${text.replace(/[^a-zA-Z0-9]+/g, ' ').trim()}"` }));

  const anyOf = (text) => text.split(' ').join(' OR ');

  const classes = {
    rare: word(rare),
    medium: word(medium),
    common: word(common),
    'most common': word(everywhere),
    'two words': together(medium, common),
    'rare and common': together(rare, common),
    'three words': together(medium, common, everywhere),
    phrase: quoted(some(() => pickWordPair(random.pick(texts), random))),
    'identifier part': word(findIdentifierParts(texts)),
    path: spelled(some(() => random.pick(allMatches(texts, /`((?:[\w-]+\/)+[\w-]+\.\w+)`/g)))),
    flag: spelled(some(() => random.pick(allMatches(texts, /(?<=\s)(--[a-z-]{4,})(?=\s)/g)))),
    question: together(medium, common, everywhere).map(({ text }) => ({
      text: `how did we ${text}`,
      match: anyOf(text),
    })),
    absent: some(() => inventAbsentWord(random, bare)).map((text) => ({ text, match: text })),
  };
  return Object.entries(classes).flatMap(([kind, queries]) => queries.map((query) => ({ kind, ...query })));
}

/**
 * Substrings that begin inside a word, taken from the texts.
 * @param {readonly string[]} texts
 * @returns {string[]}
 */
export function createInfixes(texts) {
  const random = createRandom('infixes');
  return unique(() => {
    const words = random.pick(texts).match(/[a-z]{9,}/g) ?? [];
    const word = words.length > 0 ? random.pick(words) : undefined;
    return word?.slice(2, 2 + random.between(4, 7));
  }, 20);
}

function unique(make, count) {
  const found = new Set();
  for (let tries = 0; found.size < count && tries < count * 5_000; tries++) {
    const made = make();
    if (made) found.add(made);
  }
  return [...found];
}

/** One word of each list, all from the same text; undefined if the text lacks one. */
function pickWordsOfOneText(random, texts, lists) {
  const words = new Set(
    random
      .pick(texts)
      .toLowerCase()
      .match(/\b[a-z]{3,}\b/g),
  );
  const chosen = lists.map((list) => {
    const known = new Set(list);
    return random.pick([...words].filter((word) => known.has(word) && words.delete(word)));
  });
  return chosen.every(Boolean) ? chosen.join(' ') : undefined;
}

function pickWordPair(text, random) {
  return random.pick(text.match(/\b[a-z]{3,} [a-z]{3,}\b/g) ?? [undefined]);
}

function findIdentifierParts(texts) {
  const parts = allMatches(texts, /\b[a-z]+([A-Z][a-z]{3,})(?=[A-Z]|\b)/g).map((part) => part.toLowerCase());
  return [...new Set(parts)].sort();
}

function allMatches(texts, pattern) {
  return texts.flatMap((text) => Array.from(text.matchAll(pattern), (match) => match[1]));
}

function inventAbsentWord(random, bare) {
  const letters = 'bcdfghjklmnpqrstvwxz';
  let word = '';
  for (let index = 0; index < 8; index++) word += letters[random.below(letters.length)];
  return bare.frequency(word) === 0 ? word : undefined;
}
