const ENDINGS =
  /(?:ational|ization|fulness|ousness|iveness|ements?|ments?|ations?|ions?|ings?|edly|ed|ies|ers?|(?<![iu])es|ly|(?<![ius])s)$/;
const SHORTEST_STEM = 3;
const SHORTEST_WORD = 4;

/**
 * What is left of an English word without its ending: `installing`, `installed` and `installs` give the same. Rough:
 * for finding other forms of a word, not for comparing meanings. Words with digits stay as they are.
 */
export function stem(word: string): string {
  if (word.length < SHORTEST_WORD || !/^[a-z]+$/.test(word)) return word;
  const base = word.replace(ENDINGS, '');
  if (base.length < SHORTEST_STEM || (base.endsWith('s') && word === `${base}s`)) return word;
  return base.replace(/([bdfgklmnprtv])\1$/, '$1').replace(/[eiy]$/, '');
}

/** Whether two words are forms of the same one. */
export function haveSameStem(a: string, b: string): boolean {
  return stem(a) === stem(b);
}
