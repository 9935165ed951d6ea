const VOWEL = /[aeiouy]/;
const PLAIN_WORD = /^[a-z]+$/;
/** Shorter words have no ending worth removing. */
const MIN_WORD = 4;
/** Fewer letters are the beginning of too many other words. */
const MIN_PREFIX = 3;
const MAX_CACHED = 4000;

/** Words that the rules get wrong, and British spellings. */
const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ['setting', 'setting'],
  ['settings', 'setting'],
  ['licence', 'licens'],
  ['licences', 'licens'],
  ['colour', 'color'],
  ['colours', 'color'],
  ['behaviour', 'behavior'],
  ['behaviours', 'behavior'],
  ['catalogue', 'catalog'],
  ['broke', 'break'],
  ['broken', 'break'],
  ['built', 'build'],
  ['ran', 'run'],
  ['sent', 'send'],
  ['hung', 'hang'],
  ['hidden', 'hide'],
  ['chosen', 'choos'],
  ['written', 'writ'],
  ['wrote', 'writ'],
]);

/** Endings that derive another kind of word, longest first. What is left must have at least `rest` letters. */
const DERIVED: readonly { readonly ending: string; readonly rest: number; readonly replacement: string }[] = [
  { ending: 'ization', rest: 3, replacement: 'iz' },
  { ending: 'isation', rest: 3, replacement: 'iz' },
  { ending: 'ation', rest: 4, replacement: '' },
  { ending: 'ment', rest: 5, replacement: '' },
  { ending: 'tion', rest: 3, replacement: 't' },
  { ending: 'sion', rest: 4, replacement: 's' },
  { ending: 'ize', rest: 3, replacement: 'iz' },
  { ending: 'ise', rest: 4, replacement: 'iz' },
  { ending: 'ate', rest: 4, replacement: '' },
  { ending: 'ly', rest: 4, replacement: '' },
  { ending: 'er', rest: 4, replacement: '' },
];

let cache = new Map<string, string>();

/**
 * The stem of a lower-case English word, so that its forms compare equal: adding, added and adds are `add`;
 * authenticate and authentication are `authentic`. Words with digits or of other scripts stay as they are. A stem is for
 * comparing, not for reading.
 */
export function stem(word: string): string {
  const cached = cache.get(word);
  if (cached !== undefined) return cached;
  const found = findStem(word);
  if (cache.size >= MAX_CACHED) cache = new Map();
  cache.set(word, found);
  return found;
}

/**
 * What a word and its forms begin with, for finding them in a text or a sorted list: `retr` for retry and retries. The
 * word itself when too few letters would be left.
 */
export function stemPrefix(word: string): string {
  const base = stem(word);
  let length = 0;
  while (length < base.length && base[length] === word[length]) length++;
  // The stem of retries ends with an i that retry has not.
  if (length === base.length && base.endsWith('i')) length--;
  return length < MIN_PREFIX ? word : word.slice(0, length);
}

/** The longest prefix that {@link stemStart} returns. */
const MAX_START = 4;

/**
 * The first letters of a stem, which every word with that stem begins with unless it is irregular, so that the words of
 * a list can be found without stemming them all. See {@link startsLike}.
 */
export function stemStart(base: string): string {
  return base.slice(0, Math.max(1, Math.min(MAX_START, base.length - 1)));
}

/** What words begin with whose stem begins with `start`: that, or an irregular word. */
export function startsLike(start: string): readonly string[] {
  const found = [start];
  IRREGULAR.forEach((base, word) => {
    if (base.startsWith(start) && !word.startsWith(start)) found.push(word);
  });
  return found;
}

/** Whether a list of lower-case words, separated by spaces, has one with this stem. Stems only those that may have it. */
export function includesStem(list: string, base: string): boolean {
  const text = ` ${list} `;
  return startsLike(stemStart(base)).some((start) => {
    const needle = ` ${start}`;
    for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + 1)) {
      if (stem(text.slice(at + 1, text.indexOf(' ', at + 1))) === base) return true;
    }
    return false;
  });
}

function findStem(word: string): string {
  const irregular = IRREGULAR.get(word);
  if (irregular !== undefined) return irregular;
  if (word.length < MIN_WORD || !PLAIN_WORD.test(word)) return word;
  return removeFinalVowel(removeDerivation(removeInflection(word)));
}

function removeInflection(word: string): string {
  const single = toSingular(word);
  if (single.endsWith('ied') && single.length > 4) return `${single.slice(0, -3)}y`;
  if (single.endsWith('ing')) return restoreVerb(single, single.slice(0, -3));
  if (single.endsWith('ed')) return restoreVerb(single, single.slice(0, -2));
  return single;
}

function toSingular(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|x|ch|sh|zz)es$/.test(word)) return word.slice(0, -2);
  if (word.endsWith('s') && !/(?:ss|us|is)$/.test(word)) return word.slice(0, -1);
  return word;
}

/** Restores the ending of a verb: `runn` is run, `migrat` is migrate. The word itself when too little would be left. */
function restoreVerb(word: string, rest: string): string {
  if (rest.length < 3 || !VOWEL.test(rest)) return word;
  if (rest.endsWith('at') || (rest.endsWith('is') && rest.length > 5)) return `${rest}e`;
  return rest.length > 3 && /([^aeioulsz])\1$/.test(rest) ? rest.slice(0, -1) : rest;
}

function removeDerivation(word: string): string {
  for (const { ending, rest, replacement } of DERIVED) {
    if (word.length - ending.length >= rest && word.endsWith(ending)) {
      const left = word.slice(0, -ending.length);
      return ending === 'er' ? restoreVerb(word, left) : left + replacement;
    }
  }
  return word;
}

function removeFinalVowel(word: string): string {
  if (word.length < MIN_WORD) return word;
  if (word.endsWith('e')) return word.slice(0, -1);
  if (word.endsWith('y')) return `${word.slice(0, -1)}i`;
  return word;
}
