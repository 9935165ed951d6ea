import { isCommonWord } from '../../text/stop-words.ts';
import { splitWords } from '../../text/words.ts';
import { parseFeedback } from './feedback.ts';

/** Words that are said of any work and so name no task. */
const WORK_WORDS = wordSet('call change changes code commit continue file files fix help merge proceed push run time');
/** Words of replies: consent, refusal, a choice between proposals, thanks. */
const REPLY_WORDS = wordSet(
  `abort absolutely agree agreed approve approved cancel carry cheers confirm confirmed correct former hold latter mind
  non noted nvm option problem revert second sense ship skip sounds stop third ty understood undo`,
);
/** Longer prompts have a subject. */
const MAX_LENGTH = 400;
const MAX_WORD = 40;
/** After praise, the part of a prompt that may be a request. */
const NEXT_CLAUSE = /[,.;:!\n]/;

/**
 * Whether a prompt continues the previous request and is no request of its own: it says that it failed, or it has no
 * subject ("yes", "go on", "fix it", "thanks, commit this"). "Fix the parser" and "Refactor" are requests, and so is what
 * follows praise ("perfect, now the header").
 */
export function isFollowUp(prompt: string): boolean {
  const feedback = parseFeedback(prompt);
  if (feedback?.outcome === 'failed') return true;
  const text = feedback === undefined ? prompt.trim() : nextClause(feedback.rest);
  return text.length <= MAX_LENGTH && !hasSubject(text);
}

/** Whether a lower-case word names no task. */
export function isEmptyWord(word: string): boolean {
  return isCommonWord(word) || WORK_WORDS.has(word);
}

function nextClause(text: string): string {
  const start = text.search(NEXT_CLAUSE);
  return start === -1 ? '' : text.slice(start);
}

function hasSubject(text: string): boolean {
  return splitWords(text).some(({ parts }) => parts.some(isSubject));
}

function isSubject(word: string): boolean {
  return (
    !isEmptyWord(word) && !REPLY_WORDS.has(word) && word.length >= 2 && word.length <= MAX_WORD && !/^\d+$/.test(word)
  );
}

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/));
}
