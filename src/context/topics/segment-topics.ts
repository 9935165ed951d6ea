import { boundaryProbabilities } from './boundary-probabilities.ts';
import type { TopicMessage } from './topic-message.ts';

/** A message with which a new topic begins. */
export interface TopicStart {
  readonly index: number;
  /** How probable that is, 0 to 1. */
  readonly confidence: number;
}

/** Less probable changes are not reported: where most are found with the fewest in the wrong place. */
const LEAST_CONFIDENCE = 0.33;
/** No topic is shorter than this. */
const LEAST_MESSAGES = 2;

/**
 * The messages of a session with which new topics begin, in order, found by their words and cues without a language
 * model. The first message is none of them.
 */
export function segmentTopics(messages: readonly TopicMessage[]): readonly TopicStart[] {
  return pickStarts(boundaryProbabilities(messages));
}

/** The most probable starts first, none next to another. */
export function pickStarts(probabilities: readonly number[]): readonly TopicStart[] {
  const likely = [...probabilities.entries()]
    .filter(([index, confidence]) => index > 0 && confidence >= LEAST_CONFIDENCE)
    .sort(([a, first], [b, second]) => second - first || a - b);
  const taken = new Map<number, number>();
  for (const [index, confidence] of likely) {
    if (!hasNear(taken, index)) taken.set(index, confidence);
  }
  return [...taken].sort(([a], [b]) => a - b).map(([index, confidence]) => ({ index, confidence }));
}

function hasNear(taken: ReadonlyMap<number, number>, index: number): boolean {
  for (let near = index - LEAST_MESSAGES + 1; near < index + LEAST_MESSAGES; near++) {
    if (taken.has(near)) return true;
  }
  return false;
}
