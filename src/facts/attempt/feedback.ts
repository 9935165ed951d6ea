import { omitUndefined } from '../../record/object.ts';
import { once } from '../../record/once.ts';
import type { Attempt } from '../../record/record.ts';
import { oneLine } from '../../text/one-line.ts';
import { isCommonWord } from '../../text/stop-words.ts';

/** What a user says about the previous attempt. */
interface Feedback {
  readonly outcome: FeedbackOutcome;
  /** The user's words on one line, at most 200 characters. */
  readonly reason: string;
  /** What follows the feedback, in lower case. */
  readonly rest: string;
}

/** What users say about the previous attempt. */
type FeedbackOutcome = 'worked' | 'failed';

/** How prompts begin that say one thing, in lower case. */
interface FeedbackRow {
  readonly outcome: FeedbackOutcome;
  /** `whole`: only thanks may follow. `beginning`: anything may follow. */
  readonly match: 'whole' | 'beginning';
  readonly phrases: RegExp;
}

const IT = '(?:its?|that|this|the (?:fix|change|patch|build|test|tests|command|script|code|app|page))';
const NOT = "(?:did ?n[o']?t|does ?n[o']?t|do ?n[o']?t|is ?n[o']?t|has ?n[o']?t|wo ?n[o']?t|cannot|can'?t)";

/** Failures come first, because "that did not work" contains the words of praise. */
const FEEDBACK: () => readonly FeedbackRow[] = once(() => [
  {
    outcome: 'failed',
    match: 'beginning',
    phrases: beginning(
      `(?:${IT} )?(?:still |also |just )*${NOT} (?:seem to |really |quite |even )*(?:work|help|fix|build|compile|run|pass|start|load|solve)\\w*`,
      `${IT}(?:'s| is| was)? (?:still )?(?:not (?:working|fixed|right|correct|what i (?:wanted|meant|asked for))|wrong|incorrect|broken)`,
      `${IT} (?:just |still |now )?(?:fails?|failed|crash(?:es|ed)|broke|breaks|times? out|timed out|hangs?|errors? out)`,
      'still (?:not (?:working|fixed|right|there)|broken|fail(?:s|ing)|wrong|the same|same|crash(?:es|ing)|does|nothing|error|red|getting|seeing|gives?|throws?|hangs?|stuck)',
      '(?:the )?(?:tests?|checks?|build|lint|ci|pipeline) (?:is |are )?still (?:fail|broken|red|failing)\\w*',
      "(?:i'?m|i am|we'?re|i) still (?:get|getting|see|seeing|have|having)",
      '(?:the |exact(?:ly)? (?:the )?)?same (?:error|issue|problem|failure|exception|result|thing again)',
      'not working',
      '(?:no luck|no change|no difference|no effect|nothing changed|nothing happens|made (?:it|things) worse)',
      'why (?:is|does) (?:it|this|that) still (?:not |fail|broken|crash|happen)[^?\\n]*\\??',
    ),
  },
  {
    outcome: 'failed',
    match: 'whole',
    phrases: beginning(
      "(?:please |let'?s |can you |could you |just )*(?:try|do) (?:it |that |this )?again",
      '(?:please |just )?retry(?: it| that| this)?',
    ),
  },
  {
    outcome: 'worked',
    match: 'beginning',
    phrases: beginning(
      `(?:${IT}|everything|all of it) (?:really |actually |finally |now |all )*(?:worked|did it|did the trick|fixed (?:it|that|the \\w+)|solved (?:it|that|the \\w+)|helped)`,
      `(?:(?:${IT}|everything|all|it all) )?(?:really |finally |now )*work(?:s|ed|ing)? (?:now|fine|great|well|perfectly|nicely|again|as expected|like a charm|as intended)`,
      `(?:${IT}|everything)(?:'s| is| are)? (?:finally |all )*(?:working|fixed|solved|resolved|green|passing)(?: now| again| fine| great| perfectly)*`,
      '(?:all )?(?:the )?(?:tests?|builds?|ci|lint) (?:now |all )?(?:pass(?:es|ed)?|(?:is|are) (?:green|passing))(?: now)?',
      '(?:fixed|solved|resolved) now|problem solved',
    ),
  },
  {
    outcome: 'worked',
    match: 'whole',
    phrases: beginning(
      `(?:${IT}(?:'s| is)? )?(?:just )?(?:perfect|excellent|awesome|amazing|fantastic|brilliant|wonderful)(?: work| job)?`,
      `(?:${IT} )?works|worked`,
      '(?:that |it |this |all |everything )?looks? (?:good|great|perfect|right|correct)(?: to me| now)?',
      'lgtm|all (?:good|green)(?: now)?|(?:great|good|nice) (?:job|work)',
    ),
  },
]);

function beginning(...phrases: readonly string[]): RegExp {
  return new RegExp(`^(?:${phrases.join('|')})(?![\\p{L}\\p{N}_])`, 'u');
}

/** Interjections before the actual feedback. */
const OPENING =
  /^(?:(?:ok(?:ay)?|yes|yeah|yep|yup|no|nope|h+m+|ah+|oh|uh|great|cool|nice|thanks|thank you|thx|wow|well|sorry|hey|so|and|alright|unfortunately|sadly|now)(?:[\s,.!:;…-]+|$))*/;
/** What may follow a phrase that must be all that is said. */
const AFTER_WHOLE =
  /^(?:[\s,.!:;()…-]|\p{Emoji_Presentation}|thanks?(?: you)?(?: so much| a lot)?|thx|man|now|please)*(?:$|[\n.,!;])/u;
/** Words that retract praise, or refer to another time or a condition. */
const RETRACTED =
  /\b(?:but|except|however|though|although|until|before|previously|yesterday|earlier|last (?:time|week|month|night)|if|unless|would|should|could|locally|on my machine|differently|by)\b/;
/** "That failed test should be skipped" says what to do, not how it went. */
const INSTRUCTION = /^[^,.;:!\n]*\b(?:(?<!\bit )should|must|needs? to)\b/;
/** Phrases that may belong to the next word. */
const ATTRIBUTE = /(?:working|failed|broken|wrong|incorrect)$/;
const SENTENCE_END = /[.!?\n;]|$/;
/** Feedback is expected at the beginning of a prompt. */
const MAX_READ = 400;
const MAX_REASON_LENGTH = 200;

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
  const bare = text.replace(OPENING, '');
  for (const row of FEEDBACK()) {
    // "no luck" starts with an interjection, so the whole text is tried too.
    for (const candidate of text === bare ? [text] : [text, bare]) {
      const phrase = row.phrases.exec(candidate)?.[0];
      if (phrase === undefined) continue;
      const rest = candidate.slice(phrase.length);
      if (!isMeant(row, phrase, rest)) return undefined;
      return { outcome: row.outcome, reason: oneLine(prompt, MAX_REASON_LENGTH), rest };
    }
  }
  return undefined;
}

/** Whether a phrase is really feedback, judged by what follows it. */
function isMeant({ match, outcome }: FeedbackRow, phrase: string, rest: string): boolean {
  if (INSTRUCTION.test(rest) || (ATTRIBUTE.test(phrase) && isNamed(rest))) return false;
  if (match === 'whole') return AFTER_WHOLE.test(rest) && !RETRACTED.test(firstSentence(rest));
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
