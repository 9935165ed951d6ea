import type { MessageCues } from '../message-cues.ts';
import type { Feature } from '../session-facts.ts';

/**
 * Cues of the message after the gap, of the one before it, and of the next. They count as far as people talk: among
 * code, a question mark or an "it" says nothing.
 */
export const WORDING_FEATURES: Readonly<Record<string, Feature>> = {
  asks: cue(0, 'asks'),
  endsAsking: cue(0, 'endsAsking'),
  asksYou: cue(0, 'asksYou'),
  reacts: cue(0, 'reacts'),
  smallTalk: cue(0, 'smallTalk'),
  aboutSelf: cue(0, 'aboutSelf'),
  closes: cue(0, 'closes'),
  requests: cue(0, 'requests'),
  pointsBack: ({ session, at }) => (session.cues[at]?.pointsBack ?? 0) * session.register.talk,
  lastAsks: cue(-1, 'asks'),
  lastSmallTalk: cue(-1, 'smallTalk'),
  lastAboutSelf: cue(-1, 'aboutSelf'),
  lastCloses: cue(-1, 'closes'),
  closedBefore: cue(-2, 'closes'),
  nextAsks: cue(1, 'asks'),
  nextSmallTalk: cue(1, 'smallTalk'),
};

function cue(
  offset: number,
  name: Exclude<keyof MessageCues, 'lastSentence' | 'sentences' | 'pointsBack'>,
): Feature {
  return ({ session, at }) => (session.cues[at + offset]?.[name] ? session.register.talk : 0);
}
