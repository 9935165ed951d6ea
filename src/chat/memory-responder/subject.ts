import { stemPrefix } from '../../text/stem.ts';
import { isCommonWord } from '../../text/stop-words.ts';

/** Stop words of questions about a project: they say how something is asked, not what about. */
const QUESTION_WORDS: ReadonlySet<string> = new Set(
  (
    'added ask attempt attempts called choice choose chose chosen currently decide decided decision ' +
    'decisions earlier error errors explain fail failed failing fails failure failures find happen ' +
    'happened help install installed issue issues known lately libraries library list package packages ' +
    'pick picked prefer problem problems project question recall recently remember remind remove run ' +
    'running set show time today tool tools week yesterday'
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
    if (word.length < 2 || isCommonWord(word) || QUESTION_WORDS.has(word)) continue;
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
  const prefix = stemPrefix(word);
  const part = prefix.length < LEAST_STEM ? word : prefix;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) {
    if (part.length >= LONG) return true;
    const isStart = !isLetter(text[at - 1]);
    if (isStart && (word.length > SHORT || !isLetter(text[at + part.length]))) return true;
  }
  return false;
}

function isLetter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character);
}
