import { type MessageCues, messageCues } from './message-cues.ts';
import { type Register, registerOf } from './register.ts';
import { type SessionWords, sessionWords, type WordUse } from './session-words.ts';
import type { TopicMessage } from './topic-message.ts';
import { windowSimilarity } from './window-similarity.ts';

/** A message is judged by its beginning: a long output says no more about the topic than its first screen. */
const MAX_TEXT = 2_000;

/** What the features are made of: everything about a session that is read once. */
export interface SessionFacts {
  readonly count: number;
  readonly register: Register;
  readonly words: SessionWords;
  readonly cues: readonly MessageCues[];
  readonly roles: readonly string[];
  /** Calculated at the first call for a width. */
  similarity(width: number): Similarities;
}

/** How alike the messages on both sides of each gap are, by {@link windowSimilarity}. */
interface Similarities {
  readonly values: readonly number[];
  /** Over all gaps of the session. */
  readonly mean: number;
  /** The standard deviation, never 0. */
  readonly deviation: number;
}

/** The place before message `at`, which is at least 1. */
export interface Gap {
  readonly session: SessionFacts;
  readonly at: number;
}

/** One sign of a change of topic, or of there being none, as a number around 0 to 3. Never throws. */
export type Feature = (gap: Gap) => number;

/** Reads a session. Linear in the number of messages. */
export function readSession(messages: readonly TopicMessage[]): SessionFacts {
  const cut = messages.map(({ role, text }) => ({ role, text: text.slice(0, MAX_TEXT) }));
  const words = sessionWords(cut.map(({ text }) => text));
  const similarities = new Map<number, Similarities>();
  return {
    count: cut.length,
    register: registerOf(cut),
    words,
    cues: cut.map(({ text }) => messageCues(text)),
    roles: cut.map(({ role }) => role),
    similarity(width) {
      const known = similarities.get(width) ?? describe(windowSimilarity(words, width));
      similarities.set(width, known);
      return known;
    },
  };
}

/** The words of a message; none where there is no such message. */
export function usesAt({ words }: SessionFacts, index: number): readonly WordUse[] {
  return words.uses[index] ?? [];
}

function describe(values: readonly number[]): Similarities {
  const gaps = Math.max(1, values.length - 1);
  const mean = values.slice(1).reduce((sum, value) => sum + value, 0) / gaps;
  const squares = values.slice(1).reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { values, mean, deviation: Math.sqrt(squares / gaps) || 1 };
}
