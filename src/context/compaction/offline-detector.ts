import {
  exchangeProbabilities,
  isReply,
  pickTopicStarts,
  type TopicStart,
} from '../topics/segment-topics.ts';
import type { TopicMessage } from '../topics/session-facts.ts';
import { findNewWords, findSwitchEvidence, isFollowUp } from '../topics/switch-evidence.ts';
import type { Turn } from '../turns/turn-list.ts';
import { MAX_DETECTOR_TURNS } from './model-detector.ts';
import { SAFE_BOUNDARY, type TopicBoundary, type TopicDetector } from './topic-boundary.ts';

/** From here on a boundary is taken for certain enough to discard what is before it. */
const MIN_CONFIDENCE = 0.5;
/** Messages that must be on each side: a boundary is in the middle, not at the end. */
const MIN_AROUND = 2;
/** In log-odds, set by hand: as much as an announced switch adds. */
const FOLLOW_UP_LOG_ODDS = 2;
/** How a summary of an earlier compaction begins. */
const SUMMARY_TITLE = '[History Summary';

/**
 * Finds the change of topic by words and cues, without a language model: always at hand, the same answer for the same
 * session. It takes the last change that it is sure of, else the most probable one. Does not summarise. Never rejects.
 */
export class OfflineDetector implements TopicDetector {
  async detect(turns: readonly Turn[]): Promise<TopicBoundary> {
    const first = Math.max(0, turns.length - MAX_DETECTOR_TURNS);
    const messages = turns.slice(first).map(({ role, content }) => ({ role, text: content }));
    if (messages.length === 0) return SAFE_BOUNDARY;
    const best = bestStart(pickTopicStarts(startProbabilities(messages)));
    if (best === undefined) return { ...SAFE_BOUNDARY, reason: 'no change of topic found' };
    return {
      boundaryIndex: first + best.index,
      reason: reasonAt(messages, best.index),
      confidence: best.confidence,
      summary: '',
    };
  }
}

function bestStart(starts: readonly TopicStart[]): TopicStart | undefined {
  const confident = starts.findLast(({ confidence }) => confidence >= MIN_CONFIDENCE);
  return confident ?? starts.toSorted((a, b) => b.confidence - a.confidence)[0];
}

/** For each message how probable it is that a new topic begins there and the session may be cut there. */
function startProbabilities(messages: readonly TopicMessage[]): readonly number[] {
  return exchangeProbabilities(messages).map((probability, at) => {
    if (probability === 0 || !mayStart(messages, at)) return 0;
    const evidence = findSwitchEvidence(messages, at).reduce(
      (sum, { logOdds }) => sum + logOdds,
      -tie(messages[at]),
    );
    return 1 / (1 + ((1 - probability) / probability) * Math.exp(-evidence));
  });
}

/** What a request that leans on what was said before takes off the log-odds of a new topic. */
function tie(message: TopicMessage | undefined): number {
  return message?.role === 'user' && isFollowUp(message.text) ? FOLLOW_UP_LOG_ODDS : 0;
}

function mayStart(messages: readonly TopicMessage[], at: number): boolean {
  if (at < MIN_AROUND || at > messages.length - MIN_AROUND || isReply(messages, at)) return false;
  // Right after a summary nothing is cut: without it nobody would know what went before.
  return !messages.slice(at - MIN_AROUND, at).some(({ text }) => text.startsWith(SUMMARY_TITLE));
}

function reasonAt(messages: readonly TopicMessage[], at: number): string {
  const reasons = findSwitchEvidence(messages, at).map(({ reason }) => reason);
  const words = findNewWords(messages, at);
  if (words.length > 0) reasons.push(`new words: ${words.join(', ')}`);
  return reasons.length > 0 ? reasons.join('; ') : 'the messages before and after have little in common';
}
