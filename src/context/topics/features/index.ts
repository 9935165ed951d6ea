import type { Feature } from '../session-facts.ts';
import { KNOWN_WORD_FEATURES } from './known-words.ts';
import { SHAPE_FEATURES } from './shape.ts';
import { SIMILARITY_FEATURES } from './similarity.ts';
import { WORDING_FEATURES } from './wording.ts';

/** Every feature by name. `weights.ts` says what each is worth; one that is not there is not calculated. */
export const FEATURES: Readonly<Record<string, Feature>> = {
  ...SIMILARITY_FEATURES,
  ...KNOWN_WORD_FEATURES,
  ...WORDING_FEATURES,
  ...SHAPE_FEATURES,
};
