import { type SessionWords, sessionWords, type WordUse } from './session-words.ts';

/** One message of a session in which topics are looked for. */
export interface TopicMessage {
  readonly role: string;
  readonly text: string;
}

/** Only the beginning of a message counts: a long output says no more about the topic than its first screen. */
const MAX_TEXT = 2_000;

/** Everything about a session that the features are computed from. */
export interface SessionFacts {
  readonly count: number;
  readonly register: Register;
  readonly words: SessionWords;
  readonly cues: readonly MessageCues[];
  readonly roles: readonly string[];
  /** Similarities with windows of `width` messages; computed at the first call for a width. */
  similarity(width: number): Similarities;
}

/** How similar the messages on both sides of each gap are, by {@link windowSimilarity}. */
interface Similarities {
  readonly values: readonly number[];
  /** Over all gaps of the session. */
  readonly mean: number;
  /** The standard deviation, never 0. */
  readonly deviation: number;
}

/** The register of a session as shares from 0 to 1. The same cue has a different weight in each register. */
interface Register {
  /** Share of messages with code, commands or paths. */
  readonly technical: number;
  /** Requests with figures and thanks, as at a service desk; what is neither is small talk. */
  readonly taskOriented: number;
  /** 1 - technical. */
  readonly conversational: number;
}

/** What the wording of a message says about whether it opens, continues or closes a topic. */
export interface MessageCues {
  readonly asks: boolean;
  readonly endsAsking: boolean;
  /** Ends with a question about the other person. */
  readonly asksYou: boolean;
  /** Has more than one sentence, the last of them a question. */
  readonly turnsToAsking: boolean;
  readonly lastSentence: string;
  readonly sentences: number;
  /** Begins with an answer or a reaction. */
  readonly reacts: boolean;
  /** A question or remark that people open a subject with. */
  readonly smallTalk: boolean;
  readonly aboutSelf: boolean;
  /** Thanks, farewells, offers of further help. */
  readonly closes: boolean;
  readonly requests: boolean;
  /** Words like "it" and "those" near the beginning, 0 to 1. */
  readonly pointsBack: number;
}

/** The place before message `at`, which is at least 1. */
export interface Gap {
  readonly session: SessionFacts;
  readonly at: number;
}

/** One cue for or against a topic boundary at a gap, as a number of roughly 0 to 3. Never throws. */
export type Feature = (gap: Gap) => number;

/** Collects the facts of a session. Linear in the number of messages. */
export function readSessionFacts(messages: readonly TopicMessage[]): SessionFacts {
  const cut = messages.map(({ role, text }) => ({ role, text: text.slice(0, MAX_TEXT) }));
  const words = sessionWords(cut.map(({ text }) => text));
  const similarities = new Map<number, Similarities>();
  return {
    count: cut.length,
    register: measureRegister(cut),
    words,
    cues: cut.map(({ text }) => readCues(text)),
    roles: cut.map(({ role }) => role),
    similarity(width) {
      const known = similarities.get(width) ?? describe(windowSimilarity(words, width));
      similarities.set(width, known);
      return known;
    },
  };
}

/** The words of a message; empty where there is no such message. */
export function usesAt({ words }: SessionFacts, index: number): readonly WordUse[] {
  return words.uses[index] ?? [];
}

function describe(values: readonly number[]): Similarities {
  const gaps = Math.max(1, values.length - 1);
  const mean = values.slice(1).reduce((sum, value) => sum + value, 0) / gaps;
  const squares = values.slice(1).reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { values, mean, deviation: Math.sqrt(squares / gaps) || 1 };
}

const TECHNICAL = /[`$_/{}()=]|\w\.\w{1,4}\b/;
const TASK_ORIENTED = /\d|\b(?:please|thank|thanks|need|find|book|reservation|help|schedule|address)\b/i;

/** Measures the register of a session. */
export function measureRegister(messages: readonly TopicMessage[]): Register {
  const technical = shareMatching(messages, TECHNICAL);
  const conversational = 1 - technical;
  const taskOriented = conversational * Math.min(1, 2 * shareMatching(messages, TASK_ORIENTED));
  return { technical, conversational, taskOriented };
}

function shareMatching(messages: readonly TopicMessage[], pattern: RegExp): number {
  return messages.filter(({ text }) => pattern.test(text)).length / Math.max(1, messages.length);
}

const REACTS =
  /^\W*(?:yes|yeah|yep|no|nope|nah|ok|okay|sure|right|great|cool|nice|awesome|wow|oh|that|thats|it|they|he|she|i see|me too|same|true|really|lol|haha|thanks|thank you|sounds|perfect|absolutely|of course|not|neither|because|me either|i agree|so do i|exactly|indeed)\b/i;
const SMALL_TALK =
  /\b(?:tell me (?:more |something |a little |a bit )?about (?:you|yourself|your)|what do you do|do you have (?:any|a|kids|pets|siblings)|how old|where (?:are|do) you (?:from|live|work)|favou?rite|any (?:other )?(?:hobbies|pets|kids|siblings|plans)|for (?:a living|work|fun)|free time|spare time|hobb(?:y|ies)|do you (?:like|enjoy|love|work|play|watch|read|travel|cook|listen))\b/i;
const QUESTION_WORD = /\b(?:do|are|have|what|where|how|did|would|can|which|who|any)\b.*\byou(?:r|rs)?\b/is;
const SELF = /\b(?:i|my|mine)\b/i;
const CLOSES =
  /\b(?:thank|thanks|thx|bye|goodbye|you'?re welcome|you are welcome|welcome|have a (?:good|great|nice|wonderful|lovely)|enjoy|anything else|that'?s all|that is all|all i need|glad|happy to help|no problem|take care|see you)\b/i;
const REQUESTS =
  /\b(?:i(?: am|'m)? looking|i (?:need|want|would like|also)|i'?d like|can you|could you|please|find|book|looking for|tell me about|help me|check|what(?:'s| is) the|where(?:'s| is)|schedule|remind|set|give me|also)\b/i;
const POINTS_BACK = /\b(?:its?|that|those|these|them|they|he|she|him|her|there|this|ones?|same|too|either)\b/gi;

/** How much of a text's beginning or end is matched against patterns that could be slow. */
const MAX_CUE_TEXT = 300;

function readCues(text: string): MessageCues {
  const sentences = text.split(/[.!?]+/).filter((sentence) => sentence.trim() !== '');
  const lastSentence = sentences.at(-1) ?? '';
  const endsAsking = text.trimEnd().endsWith('?');
  const start = text.slice(0, MAX_CUE_TEXT);
  return {
    asks: text.includes('?'),
    endsAsking,
    asksYou: endsAsking && QUESTION_WORD.test(lastSentence.slice(-MAX_CUE_TEXT)),
    turnsToAsking: endsAsking && sentences.length > 1,
    lastSentence,
    sentences: sentences.length,
    reacts: REACTS.test(start),
    smallTalk: SMALL_TALK.test(text),
    aboutSelf: SELF.test(text),
    closes: CLOSES.test(text),
    requests: REQUESTS.test(text),
    pointsBack: Math.min(3, start.match(POINTS_BACK)?.length ?? 0) / 3,
  };
}

/**
 * For each index, how similar the `width` messages before it and the `width` messages from it on are: the cosine of their
 * words weighted by rarity, 0 to 1. The windows slide, so the cost does not depend on their width.
 */
export function windowSimilarity(words: SessionWords, width: number): readonly number[] {
  const windows = new SlidingWindows(words);
  const end = words.uses.length;
  for (let index = 0; index < Math.min(width, end); index++) windows.change('after', index, 1);
  const similarities = [0];
  for (let gap = 1; gap < end; gap++) {
    windows.change('after', gap - 1, -1);
    windows.change('before', gap - 1, 1);
    if (gap + width <= end) windows.change('after', gap + width - 1, 1);
    if (gap > width) windows.change('before', gap - width - 1, -1);
    similarities.push(windows.cosine());
  }
  return similarities;
}

interface Bag {
  readonly counts: Float64Array;
  squares: number;
}

/** Two bags of words whose norms and inner product are updated with each word that is added or removed. */
class SlidingWindows {
  readonly #words: SessionWords;
  readonly #before: Bag;
  readonly #after: Bag;
  #product = 0;

  constructor(words: SessionWords) {
    this.#words = words;
    this.#before = { counts: new Float64Array(words.size), squares: 0 };
    this.#after = { counts: new Float64Array(words.size), squares: 0 };
  }

  /** Adds the words of a message to a window, or removes them with a `sign` of -1. */
  change(side: 'before' | 'after', index: number, sign: 1 | -1): void {
    const [bag, other] = side === 'before' ? [this.#before, this.#after] : [this.#after, this.#before];
    for (const { word, count, rarity } of this.#words.uses[index] ?? []) {
      const before = bag.counts[word] ?? 0;
      const after = before + sign * count;
      const [was, is] = [logWeight(before), logWeight(after)];
      bag.counts[word] = after;
      bag.squares += (is * is - was * was) * rarity * rarity;
      this.#product += (is - was) * logWeight(other.counts[word] ?? 0) * rarity * rarity;
    }
  }

  cosine(): number {
    const norm = Math.sqrt(this.#before.squares * this.#after.squares);
    // Adding and subtracting leaves rounding errors where the true value is 0.
    return norm > 1e-6 && this.#product > 1e-6 ? Math.min(1, this.#product / norm) : 0;
  }
}

function logWeight(count: number): number {
  return count > 0 ? 1 + Math.log(count) : 0;
}
