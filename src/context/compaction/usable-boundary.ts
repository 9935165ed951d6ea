import { SAFE_BOUNDARY, type TopicBoundary } from './topic-boundary.ts';

/**
 * What a detector answered, as far as it makes sense for a history of `length` turns. An index that is not one of a later
 * turn is no boundary; a confidence that is no number is none.
 */
export function usableBoundary(answer: unknown, length: number): TopicBoundary {
  if (typeof answer !== 'object' || answer === null)
    return { ...SAFE_BOUNDARY, reason: 'The detector gave no answer.' };
  const { boundaryIndex, reason, confidence, summary } = answer as Readonly<Record<string, unknown>>;
  const isIndex =
    Number.isSafeInteger(boundaryIndex) && Number(boundaryIndex) > 0 && Number(boundaryIndex) < length;
  return {
    boundaryIndex: isIndex ? Number(boundaryIndex) : null,
    reason: typeof reason === 'string' ? reason : '',
    confidence: typeof confidence === 'number' && confidence > 0 ? Math.min(1, confidence) : 0,
    summary: typeof summary === 'string' ? summary : '',
  };
}
