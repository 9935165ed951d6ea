import { FEATURES } from './features.ts';
import {
  type Feature,
  measureRegister,
  readSessionFacts,
  type SessionFacts,
  type TopicMessage,
} from './session-facts.ts';
import { TOPIC_WEIGHTS, type TopicWeights } from './weights.ts';

/** A message with which a new topic begins. */
export interface TopicStart {
  readonly index: number;
  /** The probability of a topic boundary, 0 to 1. */
  readonly confidence: number;
}

/** Less probable boundaries are not reported; this threshold gave the best Score on the training data. */
const MIN_CONFIDENCE = 0.33;
const MIN_TOPIC_MESSAGES = 2;
/** How much of a request and of its reply counts when the two are read as one message. */
const MAX_EXCHANGE_TEXT = 1_000;

/**
 * Finds the messages with which new topics begin, in order, from their words and cues and without a language model. The
 * first message is never one of them.
 */
export function segmentTopics(messages: readonly TopicMessage[]): readonly TopicStart[] {
  return pickTopicStarts(boundaryProbabilities(messages));
}

/** Picks the most probable starts, at least two messages apart. */
export function pickTopicStarts(probabilities: readonly number[]): readonly TopicStart[] {
  const likely = [...probabilities.entries()]
    .filter(([index, confidence]) => index > 0 && confidence >= MIN_CONFIDENCE)
    .sort(([a, first], [b, second]) => second - first || a - b);
  const taken = new Map<number, number>();
  for (const [index, confidence] of likely) {
    if (!hasNear(taken, index)) taken.set(index, confidence);
  }
  return [...taken].sort(([a], [b]) => a - b).map(([index, confidence]) => ({ index, confidence }));
}

function hasNear(taken: ReadonlyMap<number, number>, index: number): boolean {
  for (let near = index - MIN_TOPIC_MESSAGES + 1; near < index + MIN_TOPIC_MESSAGES; near++) {
    if (taken.has(near)) return true;
  }
  return false;
}

/**
 * For each message the probability, 0 to 1, that a topic begins with it; 0 for the first. Linear in the number of
 * messages, whatever the texts contain.
 */
export function boundaryProbabilities(
  messages: readonly TopicMessage[],
  weights: TopicWeights = TOPIC_WEIGHTS,
): readonly number[] {
  const session = readSessionFacts(messages);
  const terms = termsFor(session, weights);
  return messages.map((_, at) => {
    if (at === 0) return 0;
    const logOdds = terms.reduce(
      (sum, { feature, weight }) => sum + weight * feature({ session, at }),
      weights.intercept,
    );
    return 1 / (1 + Math.exp(-logOdds));
  });
}

/** The values of all features at each gap of a session, in order: the training data of `scripts/fit-topics.mjs`. */
export function featureRows(messages: readonly TopicMessage[]): readonly Readonly<Record<string, number>>[] {
  const session = readSessionFacts(messages);
  return messages
    .slice(1)
    .map((_, index) =>
      Object.fromEntries(
        Object.entries(FEATURES).map(([name, feature]) => [name, feature({ session, at: index + 1 })]),
      ),
    );
}

interface Term {
  readonly feature: Feature;
  readonly weight: number;
}

/** The features that count in a session, each with its weight in the session's register. */
function termsFor({ register }: SessionFacts, { features }: TopicWeights): readonly Term[] {
  return Object.entries(features).flatMap(([name, { always = 0, technical = 0, taskOriented = 0 }]) => {
    const feature = FEATURES[name];
    const weight = always + technical * register.technical + taskOriented * register.taskOriented;
    return feature === undefined || weight === 0 ? [] : [{ feature, weight }];
  });
}

/** Whether a message answers the one before it: a session is never cut between the two. */
export function isReply(messages: readonly TopicMessage[], at: number): boolean {
  return messages[at]?.role === 'assistant' && messages[at - 1]?.role === 'user';
}

/**
 * Like {@link boundaryProbabilities}, but for whole exchanges: replies get 0. In conversation, cues in either message
 * count for both. In technical sessions a request is often too short to judge ("and a badge"), so there the request and
 * its reply are read as one message.
 */
export function exchangeProbabilities(messages: readonly TopicMessage[]): readonly number[] {
  const separate = boundaryProbabilities(messages);
  const starts = [...messages.keys()].filter((at) => !isReply(messages, at));
  const exchanges = starts.map((at) => joinReply(messages, at));
  const joined = boundaryProbabilities(exchanges);
  const { technical, conversational } = measureRegister(exchanges);
  const probabilities = messages.map(() => 0);
  for (const [exchange, at] of starts.entries()) {
    if (exchange === 0) continue;
    const either = Math.max(separate[at] ?? 0, isReply(messages, at + 1) ? (separate[at + 1] ?? 0) : 0);
    probabilities[at] = technical * (joined[exchange] ?? 0) + conversational * either;
  }
  return probabilities;
}

function joinReply(messages: readonly TopicMessage[], at: number): TopicMessage {
  const own = messages.slice(at, isReply(messages, at + 1) ? at + 2 : at + 1);
  return {
    role: messages[at]?.role ?? 'user',
    text: own.map(({ text }) => text.slice(0, MAX_EXCHANGE_TEXT)).join('\n'),
  };
}
