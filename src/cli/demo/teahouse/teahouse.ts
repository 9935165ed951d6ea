import type { Moment } from '../script.ts';
import { BASKET } from './basket.ts';
import { CACHE_AND_CHECKOUT } from './cache.ts';
import { CATALOGUE_TEXTS } from './catalogue-texts.ts';
import { DECISIONS } from './decisions.ts';
import { LAST_WEEK } from './last-week.ts';
import { OPENING } from './opening.ts';

/** Six weeks of a shop that sends tea by mail. */
export const TEAHOUSE: readonly Moment[] = [
  ...OPENING,
  ...BASKET,
  ...CACHE_AND_CHECKOUT,
  CATALOGUE_TEXTS,
  ...LAST_WEEK,
  ...DECISIONS,
];
