import { omitUndefined } from '../../record/object.ts';
import { once } from '../../record/once.ts';
import type { Attempt } from '../../record/record.ts';
import { isAscii } from '../../text/is-ascii.ts';
import { LETTERS } from '../../text/letters.ts';
import { oneLine } from '../../text/one-line.ts';
import { isCommonWord } from '../../text/stop-words.ts';
import { FEEDBACK, type FeedbackOutcome, type FeedbackPhrase, type FeedbackRow } from './feedback-table.ts';

/** What a user says about the previous attempt. */
interface Feedback {
  readonly outcome: FeedbackOutcome;
  /** The user's words on one line, at most 200 characters. */
  readonly reason: string;
  /** What follows the feedback, in lower case. */
  readonly rest: string;
}

/** Interjections before the actual feedback, and how they may start. */
const OPENING_STARTS =
  'ok|yes|yea|yep|yup|no|hh|hm|ah|oh|uh|great|cool|nice|thank|thx|wow|well|so|hey|and|alright|unfort|sadly|leider|ja|nein|sí|oui';
const OPENING =
  /^(?:(?:ok(?:ay)?|yes|yeah|yep|yup|no|nope|h+m+|ah+|oh|uh|great|cool|nice|thanks|thank you|thx|wow|well|sorry|hey|so|and|alright|unfortunately|sadly|now|leider|ja|nein|sí|oui|non)(?:[\s,.!:;…-]+|$))*/;
/** What may follow a phrase that must be all that is said. */
const afterWhole = once(
  () =>
    /^(?:[\s,.!:;()…-]|\p{Emoji_Presentation}|thanks?(?: you)?(?: so much| a lot)?|thx|man|now|please|danke|gracias|merci|obrigado|谢谢|ありがとう)*(?:$|[\n.,!;])/u,
);
/** Words that retract praise, or refer to another time or a condition. */
const RETRACTED =
  /\b(?:but|except|however|though|although|until|before|previously|yesterday|earlier|last (?:time|week|month|night)|if|unless|would|should|could|locally|on my machine|differently|by)\b/;
/** "That failed test should be skipped" says what to do, not how it went. */
const INSTRUCTION = /^[^,.;:!\n]*\b(?:(?<!\bit )should|must|needs? to)\b/;
/** Phrases that may belong to the next word. */
const ATTRIBUTE = /(?:working|failed|broken|wrong|incorrect)$/;
const SENTENCE_END = /[.!?\n;]|$/;
const BOUNDARY = '(?![A-Za-z0-9_])';
const BOUNDARY_OF_ANY_SCRIPT = `(?![${LETTERS}_])`;
/** Feedback is expected at the beginning of a prompt. */
const MAX_READ = 400;
const MAX_REASON_LENGTH = 200;

const patterns = new Map<string, RegExp>();

/**
 * Recognises feedback on the previous attempt at the beginning of a prompt: "that worked", "perfect, thanks", "still
 * broken", "try again". Undefined without feedback, for questions ("did that work?") and in doubt.
 */
export function parseFeedback(prompt: string): Feedback | undefined {
  if (last?.prompt !== prompt) last = { prompt, feedback: parse(prompt) };
  return last.feedback;
}

/** Whether a prompt says how the previous attempt went. */
export function hasFeedback(prompt: string): boolean {
  return parseFeedback(prompt) !== undefined;
}

/** A cache of one prompt: callers mostly ask twice about the same one. */
let last: { readonly prompt: string; readonly feedback: Feedback | undefined } | undefined;

function parse(prompt: string): Feedback | undefined {
  const text = prompt
    .slice(0, MAX_READ)
    .trim()
    .toLowerCase()
    .replace(/[’‘`]/g, "'")
    .replace(/[^\S\n]+/g, ' ');
  const bare = stripOpening(text);
  const boundary = isAscii(text) ? BOUNDARY : BOUNDARY_OF_ANY_SCRIPT;
  for (const row of FEEDBACK) {
    // "no luck" starts with an interjection, so the whole text is tried too.
    for (const candidate of text === bare ? [text] : [text, bare]) {
      const phrase = matchPhrase(candidate, row.phrases, boundary);
      if (phrase === undefined) continue;
      const rest = candidate.slice(phrase.length);
      if (!isMeant(row, phrase, rest)) return undefined;
      return { outcome: row.outcome, reason: oneLine(prompt, MAX_REASON_LENGTH), rest };
    }
  }
  return undefined;
}

function stripOpening(text: string): string {
  return startsWithAny(text, OPENING_STARTS) ? text.slice(OPENING.exec(text)?.[0].length ?? 0) : text;
}

/** The first phrase that a text begins with. */
function matchPhrase(text: string, phrases: readonly FeedbackPhrase[], boundary: string): string | undefined {
  for (const [starts, source] of phrases) {
    if (!startsWithAny(text, starts)) continue;
    const whole = `^(?:${source})${boundary}`;
    const pattern = patterns.get(whole) ?? new RegExp(whole, boundary === BOUNDARY ? '' : 'u');
    patterns.set(whole, pattern);
    const phrase = pattern.exec(text)?.[0];
    if (phrase !== undefined) return phrase;
  }
  return undefined;
}

/** Whether a phrase is really feedback, judged by what follows it. */
function isMeant({ match, outcome }: FeedbackRow, phrase: string, rest: string): boolean {
  if (INSTRUCTION.test(rest) || (ATTRIBUTE.test(phrase) && isNamed(rest))) return false;
  if (match === 'whole') return afterWhole().test(rest) && !RETRACTED.test(firstSentence(rest));
  if (isQuestion(rest)) return false;
  return outcome === 'failed' || !RETRACTED.test(firstSentence(rest));
}

/** "That failed test" and "not working hours" name a thing; "that failed with an error" and "not working properly" do not. */
function isNamed(rest: string): boolean {
  const word = /^ ([a-z]+)/.exec(rest)?.[1];
  return word !== undefined && !word.endsWith('ly') && !isCommonWord(word);
}

/** "Still broken?" is a question; "still broken, is the cache in the way?" is feedback and then a question. */
function isQuestion(rest: string): boolean {
  return /^[^,.!\n;]*\?/.test(rest);
}

function firstSentence(rest: string): string {
  return rest.slice(0, rest.search(SENTENCE_END));
}

const startLists = new Map<string, readonly string[]>();

/** Whether a text starts with one of `starts`, separated by `|`. Much faster than compiling a pattern. */
export function startsWithAny(text: string, starts: string): boolean {
  let list = startLists.get(starts);
  if (list === undefined) {
    list = starts.split('|');
    startLists.set(starts, list);
  }
  return list.some((start) => text.startsWith(start));
}

/**
 * The attempt to record for a prompt that gives feedback on the previous request. `lastCall` returns the last call that
 * served the request. Undefined without feedback.
 */
export function buildFeedbackAttempt(
  prompt: Pick<Attempt, 'sessionId' | 'timestamp' | 'agent' | 'branch'> & { readonly text: string },
  request: string,
  lastCall: () => Pick<Attempt, 'command' | 'path' | 'tags'> | undefined,
): Omit<Attempt, 'v' | 'id'> | undefined {
  const feedback = parseFeedback(prompt.text);
  if (feedback === undefined) return undefined;
  const { command, path, tags } = lastCall() ?? {};
  const { timestamp, sessionId, agent, branch } = prompt;
  return {
    timestamp,
    sessionId,
    outcome: feedback.outcome === 'worked' ? 'success' : 'failure',
    kind: 'feedback',
    context: request,
    description: feedback.reason,
    ...omitUndefined({ agent, branch, command, path, tags }),
  };
}
