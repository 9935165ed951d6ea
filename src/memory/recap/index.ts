export { type Recap, type RecapDay, type RecapOptions, type RecapSession, recap } from './recap.ts';
export { recapQuestion } from './recap-question.ts';
export { recapText } from './recap-text.ts';
export type { TimeSpan } from './time-span.ts';
export { type TimelineDay, timeline } from './timeline.ts';
