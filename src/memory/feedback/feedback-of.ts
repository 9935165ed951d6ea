import { isAscii } from '../is-ascii.ts';
import { once } from '../once.ts';
import { FEEDBACK, type FeedbackPhrase, type FeedbackRow, type Verdict } from './feedback-table.ts';
import { startsAs } from './starts-as.ts';

/** What a user says of the attempt before. */
export interface Feedback {
  readonly verdict: Verdict;
  /** In the user's words, on one line, at most 200 characters. */
  readonly reason: string;
}

/** What people say before they say it, and how that may start. */
const OPENING_STARTS =
  'ok|yes|yea|yep|yup|no|hh|hm|ah|oh|uh|great|cool|nice|thank|thx|wow|well|so|hey|and|alright|unfort|sadly|leider|ja|nein|sí|oui';
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

const patterns = new Map<string, RegExp>();

/** The first of the phrases that a text begins with, as it is said there. */
function phraseAt(text: string, phrases: readonly FeedbackPhrase[], boundary: string): string | undefined {
  for (const [starts, source] of phrases) {
    if (!startsAs(text, starts)) continue;
    const whole = `^(?:${source})${boundary}`;
    const pattern = patterns.get(whole) ?? new RegExp(whole, boundary === BOUNDARY ? '' : 'u');
    patterns.set(whole, pattern);
    const said = pattern.exec(text)?.[0];
    if (said !== undefined) return said;
  }
  return undefined;
}

/**
 * What the user says of the attempt before at the beginning of a prompt: "that worked", "perfect, thanks",
 * "still broken", "try again". Undefined when it says nothing of it, asks ("did that work?"), or is in doubt.
 */
export function feedbackOf(prompt: string): Feedback | undefined {
  if (last?.prompt !== prompt) last = { prompt, feedback: find(prompt) };
  return last.feedback;
}

/** The same prompt is mostly asked about twice. */
let last: { readonly prompt: string; readonly feedback: Feedback | undefined } | undefined;

function find(prompt: string): Feedback | undefined {
  const text = prompt
    .slice(0, READ)
    .trim()
    .toLowerCase()
    .replace(/[’‘`]/g, "'")
    .replace(/[^\S\n]+/g, ' ');
  const bare = withoutOpening(text);
  const boundary = isAscii(text) ? BOUNDARY : BOUNDARY_OF_ANY_SCRIPT;
  for (const row of FEEDBACK) {
    // "no luck" begins with what may also stand in front of something else.
    for (const said of text === bare ? [text] : [text, bare]) {
      const phrase = phraseAt(said, row.phrases, boundary);
      if (phrase === undefined) continue;
      if (!isMeant(row, said.slice(phrase.length))) return undefined;
      return { verdict: row.verdict, reason: reasonIn(prompt) };
    }
  }
  return undefined;
}

/** Thanks alone are no verdict; in front of one they are no part of it. */
function withoutOpening(text: string): string {
  return startsAs(text, OPENING_STARTS) ? text.slice(OPENING.exec(text)?.[0].length ?? 0) : text;
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
