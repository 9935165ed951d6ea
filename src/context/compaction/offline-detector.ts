import type { Turn } from '../message.ts';
import { exchangeProbabilities, isReply, pickTopicStarts, type TopicStart } from '../topics/segment-topics.ts';
import type { TopicMessage } from '../topics/session-facts.ts';
import { continuesTopic, findNewWords, findSwitchEvidence } from '../topics/switch-evidence.ts';
import { SUMMARY_TITLE } from './compaction.ts';
import { MAX_DETECTOR_TURNS, SAFE_BOUNDARY, type TopicBoundary, type TopicDetector } from './topic-boundary.ts';

/** From this confidence on, what lies before a boundary may be discarded. */
const MIN_CONFIDENCE = 0.5;
/** Messages that must be on each side of a boundary: it is in the middle of a session, unless the user announces it. */
const MIN_AROUND = 2;
/** What a follow-up takes off the log-odds. Set by hand: as much as an announced switch adds. */
const FOLLOW_UP_LOG_ODDS = 2;

/**
 * Finds the topic boundary by words and cues, without a language model. Deterministic. Takes the last boundary it is
 * confident of, otherwise the most probable one. Does not summarise. Never rejects.
 */
export class OfflineDetector implements TopicDetector {
  async detect(turns: readonly Turn[]): Promise<TopicBoundary> {
    const first = Math.max(0, turns.length - MAX_DETECTOR_TURNS);
    const messages = turns.slice(first).map(({ role, content }) => ({ role, text: content }));
    if (messages.length === 0) return SAFE_BOUNDARY;
    const best = pickBest(pickTopicStarts(startProbabilities(messages)));
    if (best === undefined) return { ...SAFE_BOUNDARY, reason: 'no topic boundary found' };
    return {
      boundaryIndex: first + best.index,
      reason: explain(messages, best.index),
      confidence: best.confidence,
      summary: '',
    };
  }
}

function pickBest(starts: readonly TopicStart[]): TopicStart | undefined {
  const confident = starts.findLast(({ confidence }) => confidence >= MIN_CONFIDENCE);
  return confident ?? starts.toSorted((a, b) => b.confidence - a.confidence)[0];
}

/** For each message the probability that a topic begins there; 0 where the session must not be cut. */
function startProbabilities(messages: readonly TopicMessage[]): readonly number[] {
  return exchangeProbabilities(messages).map((probability, at) => {
    if (probability === 0) return 0;
    const signs = findSwitchEvidence(messages, at);
    const isAnnounced = signs.some((sign) => sign.isAnnounced);
    if (!mayCutAt(messages, at, isAnnounced)) return 0;
    const message = messages[at];
    const followUp = message?.role === 'user' && !isAnnounced && continuesTopic(message.text) ? FOLLOW_UP_LOG_ODDS : 0;
    const evidence = signs.reduce((sum, { logOdds }) => sum + logOdds, -followUp);
    return 1 / (1 + ((1 - probability) / probability) * Math.exp(-evidence));
  });
}

function mayCutAt(messages: readonly TopicMessage[], at: number, isAnnounced: boolean): boolean {
  const isAtEnd = at > messages.length - MIN_AROUND && !isAnnounced;
  if (at < MIN_AROUND || isAtEnd || isReply(messages, at)) return false;
  // Not right after a summary: everything that came before would be lost with it.
  return !messages.slice(at - MIN_AROUND, at).some(({ text }) => text.startsWith(SUMMARY_TITLE));
}

function explain(messages: readonly TopicMessage[], at: number): string {
  const reasons = findSwitchEvidence(messages, at).map(({ reason }) => reason);
  const words = findNewWords(messages, at);
  if (words.length > 0) reasons.push(`new words: ${words.join(', ')}`);
  return reasons.length > 0 ? reasons.join('; ') : 'the messages before and after have little in common';
}
