import type { Feature, SessionFacts } from '../session-facts.ts';

/** A message with hardly a word of its own. */
const FILLER_WORDS = 2;

/** Who speaks, how much, and where in the session. */
export const SHAPE_FEATURES: Readonly<Record<string, Feature>> = {
  technical: ({ session }) => session.register.technical,
  errand: ({ session }) => session.register.errand,
  user: ({ session, at }) => (session.roles[at] === 'user' ? 1 : 0),
  lastLength: ({ session, at }) => Math.log(1 + length(session, at - 1)),
  sentences: ({ session, at }) => Math.log(1 + (session.cues[at]?.sentences ?? 0)),
  filler: ({ session, at }) => (length(session, at) <= FILLER_WORDS ? 1 : 0),
  atStart: ({ at }) => (at <= 2 ? 1 : 0),
  atEnd: ({ session, at }) => (session.count - at <= 2 ? 1 : 0),
};

function length(session: SessionFacts, index: number): number {
  return session.words.lengths[index] ?? 0;
}
