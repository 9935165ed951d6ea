import { LETTERS } from '../../text/letters.ts';
import type { TopicMessage } from './session-facts.ts';
import { contentWords } from './session-words.ts';

/** A sign in coding sessions that the work turned to something else. */
interface SwitchEvidence {
  /** What it adds to the log-odds of a topic boundary. Set by hand: public dialogues have no such signs to fit it to. */
  readonly logOdds: number;
  readonly reason: string;
  /** The user says so, and goes on to a subject that did not come up before: enough even in a session of few words. */
  readonly isAnnounced?: true;
}

/** How many messages before and after a message are compared. */
const SPAN = 6;
const MAX_EARLIER_REQUESTS = 3;
const MAX_NAMES = 3;
const MAX_SCAN = 2_000;

/** The signs that with message `at` the work turns to something else. */
export function findSwitchEvidence(messages: readonly TopicMessage[], at: number): readonly SwitchEvidence[] {
  return [announcement(messages, at), otherFiles(messages, at), otherWork(messages, at)].filter(
    (sign) => sign !== undefined,
  );
}

const NEW_WORD = new RegExp(`\\p{L}[${LETTERS}_-]{3,30}`, 'gu');

/** Words that come up from message `at` on and were not used shortly before, the most frequent first. */
export function findNewWords(messages: readonly TopicMessage[], at: number): readonly string[] {
  const before = new Set(textsBefore(messages, at).flatMap((text) => contentWords(text)));
  const counts = new Map<string, number>();
  for (const text of textsFrom(messages, at)) {
    for (const [word] of text.toLowerCase().matchAll(NEW_WORD)) {
      const stems = contentWords(word);
      if (stems.length > 0 && !stems.some((stem) => before.has(stem))) counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_NAMES)
    .map(([word]) => word);
}

function announcement(messages: readonly TopicMessage[], at: number): SwitchEvidence | undefined {
  const message = messages[at];
  if (message === undefined || message.role !== 'user') return undefined;
  const kind = detectAnnouncedSwitch(message.text);
  if (kind === undefined) return undefined;
  const isNew = opensSubject(messages, at, kind);
  const reason = kind === 'reset' ? 'the user drops the previous task' : 'the user announces another task';
  if (kind === 'reset') return isNew ? { logOdds: 5, reason, isAnnounced: true } : { logOdds: 3, reason };
  if (!isNew) return { logOdds: 1, reason };
  return EXPLICIT.test(openingOf(message.text)) ? { logOdds: 4.5, reason, isAnnounced: true } : { logOdds: 2, reason };
}

/** At most this share of the words after an announcement may have come up before. */
const MAX_KNOWN_SHARE = 1 / 4;

/** Whether a message is about something that did not come up shortly before. */
function opensSubject(messages: readonly TopicMessage[], at: number, kind: 'reset' | 'switch'): boolean {
  const rest = openingOf(messages[at]?.text ?? '')
    .replace(RESET, ' ')
    .replace(EXPLICIT, ' ');
  const words = new Set(contentWords(rest));
  if (words.size === 0) return kind === 'reset';
  const before = new Set(textsBefore(messages, at).flatMap((text) => contentWords(text)));
  const known = [...words].filter((word) => before.has(word)).length;
  return known <= words.size * MAX_KNOWN_SHARE;
}

function otherFiles(messages: readonly TopicMessage[], at: number): SwitchEvidence | undefined {
  const before = new Set(textsBefore(messages, at).flatMap((text) => [...findMentionedFiles(text)]));
  const after = new Set(textsFrom(messages, at).flatMap((text) => [...findMentionedFiles(text)]));
  if (before.size === 0 || after.size === 0 || [...after].some((file) => before.has(file))) return undefined;
  return { logOdds: 1, reason: `other files: ${listFiles(after)} instead of ${listFiles(before)}` };
}

function otherWork(messages: readonly TopicMessage[], at: number): SwitchEvidence | undefined {
  const message = messages[at];
  if (message === undefined || message.role !== 'user') return undefined;
  const now = classifyWork(message.text);
  const earlier = messages
    .slice(Math.max(0, at - 2 * SPAN), at)
    .filter(({ role }) => role === 'user')
    .slice(-MAX_EARLIER_REQUESTS)
    .flatMap(({ text }) => classifyWork(text) ?? []);
  const last = earlier.at(-1);
  if (now === undefined || last === undefined || earlier.includes(now)) return undefined;
  return { logOdds: 0.7, reason: `from ${last} to ${now}` };
}

function textsBefore(messages: readonly TopicMessage[], at: number): string[] {
  return messages.slice(Math.max(0, at - SPAN), at).map(({ text }) => text.slice(0, MAX_SCAN));
}

function textsFrom(messages: readonly TopicMessage[], at: number): string[] {
  return messages.slice(at, at + SPAN).map(({ text }) => text.slice(0, MAX_SCAN));
}

function listFiles(files: ReadonlySet<string>): string {
  return [...files].slice(0, MAX_NAMES).join(', ');
}

const RESET =
  /\b(?:forget (?:about )?(?:that|this|it|all|everything)|never ?mind(?! (?:the|my|your|about)\b)|(?:scrap|drop|ditch|discard) (?:that|this|it|all)|start(?:ing)? (?:over|afresh|fresh|from scratch|again from)|(?:try|do|work on) something (?:else|different|new|completely|entirely)|(?:new|different|another|unrelated|separate) (?:topic|task|subject|problem|matter)|change of (?:plans?|topic|subject)|(?:switch|change|shift)(?:ing)? (?:gears|topics?|subjects?)|clean slate)\b/i;
const SWITCH =
  /(?:^|[.!?;:,\n]\s{0,3}|\b(?:ok|okay|great|good|perfect|thanks|and|so),? )(?:now,? (?:let'?s|let us|we |i (?:want|need|would like)|i'?d like|can (?:you|we)|could you|please|for |on to|to the)|next(?:,| up| task| thing| i | we | let'?s| please)|moving on|on to (?:the next|something)|by the way|on (?:another|a different) note|unrelated(?:ly)?|separately|different question|another (?:thing|question|issue))|\blet'?s (?:now |next |instead )?(?:work on|move on|turn to|switch to|go on to|get started (?:on|with)|focus on)\b/i;

/** The announcements among these that can hardly be part of the same task, as "now add a test" can. */
const EXPLICIT =
  /\b(?:work(?:ing)? on|mov(?:e|ing) on|turn(?:ing)? to|switch(?:ing)? to|go(?:ing)? on to|get started (?:on|with)|focus on|on to (?:the next|something)|next (?:up|task|thing|topic|item)|on (?:another|a different) note|unrelated(?:ly)?|separately|different question|another (?:thing|question|issue|topic))\b/i;

/** Announcements stand near the beginning of a message. */
const MAX_OPENING = 200;

function openingOf(text: string): string {
  return text.trimStart().slice(0, MAX_OPENING);
}

/** Whether a message announces another task: `reset` drops the previous one, `switch` moves on from it. */
export function detectAnnouncedSwitch(text: string): 'reset' | 'switch' | undefined {
  const opening = openingOf(text);
  if (RESET.test(opening)) return 'reset';
  return SWITCH.test(opening) ? 'switch' : undefined;
}

const FOLLOW_UP =
  /^\W*(?:(?:ok|okay|yes|yeah|yep|no|sure|great|good|perfect)\W+)*(?:yes|yeah|yep|no|sure|go ahead|continue|go on|do (?:it|that|both|all|\d)|let'?s do (?:it|that|this|both|\d|option)|let'?s go with|what(?:'s| is) (?:remaining|left|missing|still))\b|\boption (?:\d|[a-d]\b)|\b(?:as (?:above|before|discussed|you (?:said|suggested))|the same (?:for|as|way)|(?:these|those|this|that) (?:changes?|fix(?:es)?|commits?|results?|issues?|ones?|idea|approach))\b/i;

/** Whether a request can only be understood together with what was said before it. */
export function continuesTopic(text: string): boolean {
  return FOLLOW_UP.test(openingOf(text));
}

type WorkKind =
  | 'documentation'
  | 'testing'
  | 'release'
  | 'refactoring'
  | 'debugging'
  | 'feature development'
  | 'explanation';

/** In the order they are tried: "add tests" is testing, "fix the docs" is documentation. */
const WORK_KINDS: readonly (readonly [WorkKind, RegExp])[] = [
  ['documentation', /\b(?:readme|changelog|docs?|document(?:ation|ed)?|docstrings?|tutorial|write[- ]up)\b/i],
  [
    'testing',
    /\b(?:(?:unit|integration|end-to-end|e2e|write|add|more) tests?|test (?:cases?|coverage|suite)|coverage)\b/i,
  ],
  ['release', /\b(?:deploy\w*|releases?|publish\w*|ci|pipeline|dockerfile|docker|version bump|bump the version)\b/i],
  ['refactoring', /\b(?:refactor\w*|renam\w+|clean(?:ing)? up|extract|simplif\w+|restructure|reorgani[sz]e|dedupe)\b/i],
  [
    'debugging',
    /\b(?:bugs?|debug\w*|fix(?:es|ing)?|errors?|exceptions?|crash\w*|fail(?:s|ed|ing|ure)?|broken|traceback|wrong|hangs?|leaks?)\b/i,
  ],
  [
    'feature development',
    /\b(?:add|implement\w*|create|introduce|new (?:feature|page|command|option|endpoint|component))\b/i,
  ],
  [
    'explanation',
    /\b(?:explain|how (?:does|do|is|are)|what (?:is|are|does)|why (?:is|are|does|do)|walk me through)\b/i,
  ],
];

const MAX_WORK_SCAN = 400;

/** The kind of work that a message asks for; undefined when it does not say. */
export function classifyWork(text: string): WorkKind | undefined {
  const opening = text.slice(0, MAX_WORK_SCAN);
  return WORK_KINDS.find(([, pattern]) => pattern.test(opening))?.[0];
}

const FILE = /(?<![\w./-])(?:[\w.-]{1,60}\/){0,12}[\w-][\w.-]{0,60}\.[a-z][a-z0-9]{0,5}\b(?!\()/gi;
const NO_FILE = /^(?:e\.g|i\.e|etc\.\w+|(?:node|vue|next)\.js|\d[\d.]*[a-z]*)$|\.\.|\.(?:com|org|net|io|dev|ai)$/i;

/** The files that a text names, without their folders, in lower case. */
export function findMentionedFiles(text: string): ReadonlySet<string> {
  const found = text.slice(0, MAX_SCAN).match(FILE) ?? [];
  return new Set(
    found.map((path) => path.slice(path.lastIndexOf('/') + 1).toLowerCase()).filter((name) => !NO_FILE.test(name)),
  );
}
