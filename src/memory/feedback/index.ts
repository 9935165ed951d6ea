export { type Feedback, feedbackOf } from './feedback-of.ts';
export type { Verdict } from './feedback-table.ts';
export { goesOn } from './goes-on.ts';
