import type { ModelInfo } from '../tokens/model-info.ts';

const LEAST_TOKENS = 1_024;
const MARGIN = 1.1;

/** Tokens that a cached tier should hold for a model: a tenth above the shortest prefix that its provider caches. */
export function defaultCacheTarget(model: Pick<ModelInfo, 'minCacheableTokens'>): number {
  return Math.ceil(Math.max(LEAST_TOKENS, model.minCacheableTokens) * MARGIN);
}
