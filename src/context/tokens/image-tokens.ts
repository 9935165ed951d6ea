import type { ImageRule } from './image-rule.ts';
import type { ModelInfo } from './model-info.ts';

/** What a picture counts where nothing is known of it or of the model's rule. */
export const UNKNOWN_IMAGE_TOKENS = 1_000;

/** Tokens that a picture of this size in pixels costs a model. Sizes that no picture has count as unknown. */
export function imageTokens(model: Pick<ModelInfo, 'imageRule'>, width: number, height: number): number {
  if (!isSize(width) || !isSize(height)) return UNKNOWN_IMAGE_TOKENS;
  const rule = model.imageRule;
  switch (rule.kind) {
    case 'grid':
      return gridTokens(rule, width, height);
    case 'tiles':
      return tileTokens(rule, width, height);
    case 'patches':
      return patchTokens(rule, width, height);
    case 'crops':
      return cropTokens(rule, width, height);
    case 'flat':
      return rule.tokens;
  }
}

/** Anthropic: a token for each square of the picture, which is scaled down as far as it has to be. */
function gridTokens(rule: ImageRule & { kind: 'grid' }, width: number, height: number): number {
  const fit = Math.min(1, rule.maxSide / Math.max(width, height));
  return Math.min(rule.maxTokens, squares(width * fit, rule.side) * squares(height * fit, rule.side));
}

/** OpenAI until GPT-5: scaled to fit 2,048 × 2,048, then to a shorter side of 768, then squares of 512. */
function tileTokens(rule: ImageRule & { kind: 'tiles' }, width: number, height: number): number {
  const fit = Math.min(1, 2_048 / Math.max(width, height));
  const scale = fit * Math.min(1, 768 / (Math.min(width, height) * fit));
  return rule.base + rule.perTile * squares(width * scale, 512) * squares(height * scale, 512);
}

/** OpenAI's small and newer models: squares of 32, at most so many of them, times a factor of the model. */
function patchTokens(rule: ImageRule & { kind: 'patches' }, width: number, height: number): number {
  const fit = Math.min(1, rule.maxSide / Math.max(width, height));
  const patches = squares(width * fit, 32) * squares(height * fit, 32);
  return Math.ceil(Math.min(patches, rule.maxPatches) * rule.factor);
}

/** Gemini until 2.5: 258 up to 384 × 384, else for each crop, whose side is two thirds of the picture's shorter one. */
function cropTokens(rule: ImageRule & { kind: 'crops' }, width: number, height: number): number {
  if (width <= 384 && height <= 384) return rule.perCrop;
  const side = clamp(Math.floor(Math.min(width, height) / 1.5), 256, 768);
  return rule.perCrop * squares(width, side) * squares(height, side);
}

function squares(length: number, side: number): number {
  // A length that was scaled may be a hair above a whole number.
  return Math.max(1, Math.ceil(length / side - 1e-9));
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}

function isSize(pixels: number): boolean {
  return Number.isInteger(pixels) && pixels > 0 && pixels <= 1_000_000;
}
