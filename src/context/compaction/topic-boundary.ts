import type { Turn } from '../message.ts';

/** Where a session turned to another topic. */
export interface TopicBoundary {
  /** Index of the first message of the new topic; null when there is none. */
  readonly boundaryIndex: number | null;
  readonly reason: string;
  /** 0 to 1. */
  readonly confidence: number;
  /** A short summary of what was said before the boundary; empty if the detector does not summarise. */
  readonly summary: string;
}

/** The answer when nothing is known: no boundary, no confidence. */
export const SAFE_BOUNDARY: TopicBoundary = { boundaryIndex: null, reason: '', confidence: 0, summary: '' };

/** How many of the newest messages a detector reads. */
export const MAX_DETECTOR_TURNS = 50;

/**
 * Finds the topic boundary at which a session may be cut. Gets the whole session, reads at most its last 50 messages and
 * answers with an index into the whole session.
 */
export interface TopicDetector {
  detect(turns: readonly Turn[], options?: DetectOptions): Promise<TopicBoundary>;
}

/** Options of {@link TopicDetector.detect}. */
export interface DetectOptions {
  /** Aborted on timeout. */
  readonly signal?: AbortSignal;
}

/**
 * Validates what a detector answered for a history of `length` turns. An index outside the history counts as no boundary,
 * an invalid confidence as 0.
 */
export function checkBoundary(answer: unknown, length: number): TopicBoundary {
  if (typeof answer !== 'object' || answer === null)
    return { ...SAFE_BOUNDARY, reason: 'The detector gave no answer.' };
  const { boundaryIndex, reason, confidence, summary } = answer as Readonly<Record<string, unknown>>;
  const isIndex = Number.isSafeInteger(boundaryIndex) && Number(boundaryIndex) > 0 && Number(boundaryIndex) < length;
  return {
    boundaryIndex: isIndex ? Number(boundaryIndex) : null,
    reason: typeof reason === 'string' ? reason : '',
    confidence: typeof confidence === 'number' && confidence > 0 ? Math.min(1, confidence) : 0,
    summary: typeof summary === 'string' ? summary : '',
  };
}
