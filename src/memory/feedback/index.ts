export { type FeedbackDraft, feedbackAttempt } from './feedback-attempt.ts';
export { feedbackOf } from './feedback-of.ts';

export { goesOn } from './goes-on.ts';
