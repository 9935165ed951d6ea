import type { Turn } from '../turns/turn-list.ts';

/** Where a session turned to another topic. */
export interface TopicBoundary {
  /** Index of the first message of the new topic; null when there is none. */
  readonly boundaryIndex: number | null;
  readonly reason: string;
  /** 0 to 1. */
  readonly confidence: number;
  /** What was said before the boundary, in a few sentences; empty when the detector does not summarise. */
  readonly summary: string;
}

/** The answer when nothing can be said: no boundary, no confidence. */
export const SAFE_BOUNDARY: TopicBoundary = { boundaryIndex: null, reason: '', confidence: 0, summary: '' };

/**
 * Finds the change of topic in a session at which it may be cut. Gets the whole session; looks at the last 50 messages at
 * most and answers with an index of the whole session.
 */
export interface TopicDetector {
  detect(turns: readonly Turn[], options?: DetectOptions): Promise<TopicBoundary>;
}

/** How a detector is asked. */
export interface DetectOptions {
  /** Aborted when the answer is no longer waited for. */
  readonly signal?: AbortSignal;
}
