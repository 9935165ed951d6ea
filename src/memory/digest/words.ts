import { hasUnspacedLetters } from '../../text/characters.ts';
import { isAscii } from '../../text/is-ascii.ts';
import { isCommonWord } from '../../text/stop-words.ts';
import { splitWords } from '../../text/words.ts';

/** Words that are said of any work and so name no task. */
const WORK_WORDS: ReadonlySet<string> = new Set(
  'call change changes code commit continue file files fix help merge proceed push run time'.split(' '),
);
const MIN_UNSPACED = 4;
const MAX_WORD = 40;

/** Whether a lower-case word says nothing about a task. */
export function isEmptyWord(word: string): boolean {
  return isCommonWord(word) || WORK_WORDS.has(word);
}

/** Whether a text says something of its own: at least two content words, or a phrase in a script without spaces. */
export function hasContent(text: string): boolean {
  if (!isAscii(text) && hasUnspacedLetters(text)) return text.length >= MIN_UNSPACED;
  let found = 0;
  for (const { parts } of splitWords(text)) {
    found += parts.filter(isContentWord).length;
    if (found >= 2) return true;
  }
  return false;
}

function isContentWord(word: string): boolean {
  return !isEmptyWord(word) && word.length >= 2 && word.length <= MAX_WORD && !/^\d+$/.test(word);
}
