import { isAscii } from '../is-ascii.ts';
import { once } from '../once.ts';
import { FEEDBACK, type FeedbackRow, type Verdict } from './feedback-table.ts';

/** What a user says of the attempt before. */
export interface Feedback {
  readonly verdict: Verdict;
  /** In the user's words, on one line, at most 200 characters. */
  readonly reason: string;
}

/** What people say before they say it. */
const OPENING =
  /^(?:(?:ok(?:ay)?|yes|yeah|yep|yup|no|nope|h+m+|ah+|oh|uh|great|cool|nice|thanks|thank you|thx|wow|well|sorry|hey|so|and|alright|unfortunately|sadly|now|leider|ja|nein|sí|oui|non)(?:[\s,.!:;…-]+|$))*/;
/** What may follow praise that says nothing else. */
const afterWhole = once(
  () =>
    /^(?:[\s,.!:;()…-]|\p{Emoji_Presentation}|thanks?(?: you)?(?: so much| a lot)?|thx|man|now|please|danke|gracias|merci|obrigado|谢谢|ありがとう)*(?:$|[\n.,!;])/u,
);
/** What takes praise back, or speaks of another time or of a condition. */
const TAKEN_BACK =
  /\b(?:but|except|however|though|although|until|before|previously|yesterday|earlier|last (?:time|week|month|night)|if|unless|would|should|could|locally|on my machine|differently|by)\b/;
const SENTENCE_END = /[.!?\n;]|$/;
const BOUNDARY = '(?![A-Za-z0-9_])';
const BOUNDARY_OF_ANY_SCRIPT = '(?![\\p{L}\\p{N}_])';
/** Longer texts are told apart by their beginning. */
const READ = 400;
const REASON = 200;

interface Matcher {
  readonly row: FeedbackRow;
  readonly pattern: RegExp;
}

const matchers: () => readonly Matcher[] = once(() => matchersWith(BOUNDARY));
const matchersOfAnyScript: () => readonly Matcher[] = once(() => matchersWith(BOUNDARY_OF_ANY_SCRIPT));

function matchersWith(boundary: string): readonly Matcher[] {
  return FEEDBACK.map((row) => ({
    row,
    pattern: new RegExp(`^(?:${row.phrases.join('|')})${boundary}`, 'u'),
  }));
}

/**
 * What the user says of the attempt before at the beginning of a prompt: "that worked", "perfect, thanks",
 * "still broken", "try again". Undefined when it says nothing of it, asks ("did that work?"), or is in doubt.
 */
export function feedbackOf(prompt: string): Feedback | undefined {
  const text = prompt
    .slice(0, READ)
    .trim()
    .toLowerCase()
    .replace(/[’‘`]/g, "'")
    .replace(/[^\S\n]+/g, ' ');
  const bare = withoutOpening(text);
  for (const { row, pattern } of isAscii(text) ? matchers() : matchersOfAnyScript()) {
    // "no luck" begins with what may also stand in front of something else.
    for (const said of text === bare ? [text] : [text, bare]) {
      const phrase = pattern.exec(said)?.[0];
      if (phrase === undefined) continue;
      if (!isMeant(row, said.slice(phrase.length))) return undefined;
      return { verdict: row.verdict, reason: reasonIn(prompt) };
    }
  }
  return undefined;
}

/** Thanks alone are no verdict; in front of one they are no part of it. */
function withoutOpening(text: string): string {
  return text.slice(OPENING.exec(text)?.[0].length ?? 0);
}

function isMeant({ as, verdict }: FeedbackRow, rest: string): boolean {
  if (as === 'whole') return afterWhole().test(rest) && !TAKEN_BACK.test(sentenceOf(rest));
  if (as !== 'order' && isQuestion(rest)) return false;
  return verdict === 'failed' || !TAKEN_BACK.test(sentenceOf(rest));
}

/** "Still broken?" asks; "still broken, is the cache in the way?" tells and then asks. */
function isQuestion(rest: string): boolean {
  return /^[^,.!\n;]*\?/.test(rest);
}

function sentenceOf(rest: string): string {
  return rest.slice(0, rest.search(SENTENCE_END));
}

function reasonIn(prompt: string): string {
  const line = prompt.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  return line.length <= REASON ? line : `${line.slice(0, REASON - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
