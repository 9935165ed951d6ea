import { boundaryProbabilities } from './boundary-probabilities.ts';
import { registerOf } from './register.ts';
import type { TopicMessage } from './topic-message.ts';

/** How much of a request and of its reply counts when they are taken as one. */
const MAX_TEXT = 1_000;

/** A message that answers the one before it: a session is not cut between the two. */
export function isReply(messages: readonly TopicMessage[], at: number): boolean {
  return messages[at]?.role === 'assistant' && messages[at - 1]?.role === 'user';
}

/**
 * As {@link boundaryProbabilities}, but a request and its reply count together: replies have 0. In talk the signs of
 * either are signs for both. Among code a request is often too short to tell ("and a badge"), so there the two are read
 * as one message.
 */
export function exchangeProbabilities(messages: readonly TopicMessage[]): readonly number[] {
  const apart = boundaryProbabilities(messages);
  const starts = [...messages.keys()].filter((at) => !isReply(messages, at));
  const exchanges = starts.map((at) => joinReply(messages, at));
  const joined = boundaryProbabilities(exchanges);
  const { technical, talk } = registerOf(exchanges);
  const probabilities = messages.map(() => 0);
  for (const [place, at] of starts.entries()) {
    const either = Math.max(apart[at] ?? 0, isReply(messages, at + 1) ? (apart[at + 1] ?? 0) : 0);
    probabilities[at] = place === 0 ? 0 : technical * (joined[place] ?? 0) + talk * either;
  }
  return probabilities;
}

function joinReply(messages: readonly TopicMessage[], at: number): TopicMessage {
  const own = messages.slice(at, isReply(messages, at + 1) ? at + 2 : at + 1);
  return {
    role: messages[at]?.role ?? 'user',
    text: own.map(({ text }) => text.slice(0, MAX_TEXT)).join('\n'),
  };
}
