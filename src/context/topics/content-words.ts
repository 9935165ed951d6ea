const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about above after again all also am an and any are as at be because been before being below between both but by
  can could did do does doing don down during each few for from further had has have having he her here hers him his
  how i if in into is it its itself just let ll me more most my myself no nor not now of off on once only or other our
  out over own re s same she should so some such t than that the their them then there these they this those through
  to too under until up ve very was we were what when where which while who why will with would you your yours yes
  yeah ok okay oh well like get got really much lot good great nice cool one go going know think want need please
  thanks thank im`.split(/\s+/),
);
const WORD = /[\p{L}_][\p{L}\p{N}_]*|\p{N}+/gu;
const HUMP = /(\p{Ll}|\p{N})(\p{Lu})/gu;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/**
 * The words of a text that carry its subject, in order and stemmed. The parts of a name (`readFile`, `max_size`) count
 * each, and the whole name once more. Scripts without spaces are taken as pairs of letters.
 */
export function contentWords(text: string): string[] {
  return (text.match(WORD) ?? []).flatMap(wordsOfName);
}

function wordsOfName(name: string): string[] {
  if (UNSPACED.test(name)) return letterPairs(name);
  const parts = nameParts(name);
  const words = parts.filter((part) => part.length > 1 && !STOP_WORDS.has(part)).map(stem);
  return parts.length > 1 ? [...words, `#${name.toLowerCase()}`] : words;
}

function nameParts(name: string): string[] {
  const isPlain = !name.includes('_') && name === name.toLowerCase();
  return isPlain ? [name] : name.replace(HUMP, '$1 $2').toLowerCase().split(/[_ ]+/).filter(Boolean);
}

function stem(word: string): string {
  if (word.length < 4) return word;
  return word.replace(/ies$/, 'y').replace(/(?:ing|edly|ed|es|s|ly)$/, '') || word;
}

function letterPairs(run: string): string[] {
  const letters = [...run];
  if (letters.length === 1) return letters;
  return letters.slice(1).map((letter, index) => `${letters[index]}${letter}`);
}
