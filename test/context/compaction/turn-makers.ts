import type { TopicBoundary, TopicDetector } from '../../../src/context/compaction/topic-boundary.ts';
import type { Turn } from '../../../src/context/message.ts';
import { TokenCounter } from '../../../src/context/tokens/token-counter.ts';

/** Exact, and shared by all tests, so that the encoding is loaded once. */
export const counter: TokenCounter = new TokenCounter('gpt-4o');

/** `count` exchanges of about `words` words per message; each message contains its number. */
export function exchanges(count: number, words = 40): Turn[] {
  return Array.from({ length: count }, (_, index) => [
    { role: 'user' as const, content: `Question ${index}: ${'berth '.repeat(words).trim()}?` },
    { role: 'assistant' as const, content: `Answer ${index}: ${'pontoon '.repeat(words).trim()}.` },
  ]).flat();
}

/** A detector that always gives the same answer. */
export function detectorOf(boundary: Partial<TopicBoundary>): TopicDetector {
  return {
    detect: async () => ({ boundaryIndex: null, reason: 'told so', confidence: 0, summary: '', ...boundary }),
  };
}
