/** Words that say how something is asked, not what about. */
const FILLER: ReadonlySet<string> = new Set(
  (
    'a about added after again all also always am an and another any anything are around as ask at attempt attempts be because been before ' +
    'being between both but by called can choice choose chose chosen could currently decide decided decision decisions did do does ' +
    'doing done each earlier either else error errors ever every everything explain fail failed failing fails failure failures find ' +
    'first for from get go going gone got had happen happened has have having he help her here him his how i if in install installed ' +
    'instead into is issue issues it its just kind know known last lately let library libraries like list made make many ' +
    'may me might more most much must my need never new no not now of off on once one only or other our out over package packages ' +
    'pick picked please prefer problem problems project put question really recall recently remember remind remove run running said ' +
    'same say see set she should show since so some something still such sure tell than that the their them then there these ' +
    'they thing things think this those through time to today together too tool tools tried try under until up us use used uses ' +
    'using very want was way we week went were what when where whether which while who whom whose why will with work worked working ' +
    'works would wrong yesterday yet you your yours'
  ).split(' '),
);
const WORD = /[\p{L}\p{N}_@][\p{L}\p{N}_@./:+-]*/gu;
const MOST_WORDS = 12;
/** Questions are short; what is longer was pasted. */
const READ = 600;
/** Shorter words are only found whole. */
const SHORT = 3;
/** Words of this length may be within another one: `redis` in `ioredis`. */
const LONG = 5;
const LEAST_STEM = 4;

/** What a question is about: its telling words in lower case, each once, in their order. */
export function subjectOf(question: string): readonly string[] {
  const words = new Set<string>();
  for (const [found] of question.slice(0, READ).toLowerCase().matchAll(WORD)) {
    const word = found.replace(/[./:+-]+$/, '');
    if (word.length < 2 || FILLER.has(word)) continue;
    words.add(word);
    if (words.size >= MOST_WORDS) break;
  }
  return [...words];
}

/** How many of the words a text has, in whatever form. */
export function wordsIn(text: string, words: readonly string[]): number {
  const lower = text.toLowerCase();
  return words.filter((word) => has(lower, word)).length;
}

/** Whether a text has enough of the words to be about them. Nothing is about no words. */
export function isAbout(text: string, words: readonly string[]): boolean {
  return words.length > 0 && wordsIn(text, words) >= Math.ceil(words.length * 0.6);
}

function has(text: string, word: string): boolean {
  const part = word.length <= SHORT ? word : stemOf(word);
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) {
    if (part.length >= LONG) return true;
    const isStart = !isLetter(text[at - 1]);
    if (isStart && (word.length > SHORT || !isLetter(text[at + part.length]))) return true;
  }
  return false;
}

/** `caching`, `cached` and `caches` have `cach` in common. */
function stemOf(word: string): string {
  const stem = word.replace(/(?:ings?|ed|es|(?<![isu])s|e)$/, '');
  return stem.length >= LEAST_STEM ? stem : word;
}

function isLetter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character);
}
