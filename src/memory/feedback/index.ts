export { feedbackOf } from './feedback-of.ts';

export { goesOn } from './goes-on.ts';
