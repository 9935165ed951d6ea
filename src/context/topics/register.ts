import type { TopicMessage } from './topic-message.ts';

/**
 * What kind of talk a session is, as shares from 0 to 1. The same sign of a new topic has another weight in each.
 */
export interface Register {
  /** Code, commands, paths. */
  readonly technical: number;
  /** Requests with figures and thanks, as at a counter; what is neither is small talk. */
  readonly errand: number;
  /** What is not technical. */
  readonly talk: number;
}

const TECHNICAL = /[`$_/{}()=]|\w\.\w{1,4}\b/;
const ERRAND = /\d|\b(?:please|thank|thanks|need|find|book|reservation|help|schedule|address)\b/i;

/** The register of a session. */
export function registerOf(messages: readonly TopicMessage[]): Register {
  const technical = share(messages, TECHNICAL);
  const talk = 1 - technical;
  return { technical, talk, errand: talk * Math.min(1, 2 * share(messages, ERRAND)) };
}

function share(messages: readonly TopicMessage[], pattern: RegExp): number {
  return messages.filter(({ text }) => pattern.test(text)).length / Math.max(1, messages.length);
}
