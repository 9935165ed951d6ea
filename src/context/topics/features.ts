import { type Feature, type Gap, type MessageCues, type SessionFacts, usesAt } from './session-facts.ts';
import type { WordUse } from './session-words.ts';

/** How many messages before and after a gap `sharedAhead` compares. */
const COMPARED_MESSAGES = 5;
/** A message with at most this many content words is filler. */
const MAX_FILLER_WORDS = 2;

/** How similar the words on both sides of the gap are: absolute, compared with nearby gaps, and with the whole session. */
const SIMILARITY_FEATURES: Readonly<Record<string, Feature>> = {
  similar1: (gap) => similarity(gap, 1),
  similar2: (gap) => similarity(gap, 2),
  similar3: (gap) => similarity(gap, 3),
  similar5: (gap) => similarity(gap, 5),
  dip3: (gap) => similarityDip(gap, 3),
  dip12: (gap) => similarityDip(gap, 12),
  unusual8: (gap) => similarityDeviation(gap, 8),
  pairBefore: ({ session, at }) => session.similarity(1).values[at - 1] ?? 0,
};

/** How much of a message was said before, and how much of what was said before continues. */
const KNOWN_WORD_FEATURES: Readonly<Record<string, Feature>> = {
  known1: ({ session, at }) => knownShare(session, at, at - 1),
  knownEver: ({ session, at }) => knownShare(session, at, 0),
  nextKnown: ({ session, at }) => (at + 1 < session.count ? knownShare(session, at + 1, at - 3) : 0.5),
  knownPeak: ({ session, at }) =>
    at > 1 && at + 1 < session.count
      ? knownShare(session, at, at - 4) -
        (knownShare(session, at - 1, at - 5) + knownShare(session, at + 1, at - 3)) / 2
      : 0,
  turnsToNew: (gap) =>
    gap.session.cues[gap.at]?.turnsToAsking
      ? gap.session.register.conversational * (1 - lastSentenceKnownShare(gap))
      : 0,
  statesNew: ({ session, at }) =>
    session.cues[at]?.asks || session.cues[at - 1]?.asks
      ? 0
      : session.register.conversational * (1 - knownShare(session, at, at - 4)),
  sharedAhead,
  newThatStay: ({ session, at }) =>
    countShare(usesAt(session, at), ({ previous, next }) => previous < 0 && Number.isFinite(next)),
  lastThatStay: ({ session, at }) => countShare(usesAt(session, at - 1), ({ next }) => Number.isFinite(next)),
};

/**
 * Cues of the message after the gap, the one before it and the one after next. They are scaled by how conversational the
 * session is: in technical text a question mark or an "it" means nothing.
 */
const WORDING_FEATURES: Readonly<Record<string, Feature>> = {
  asks: cueFeature(0, 'asks'),
  endsAsking: cueFeature(0, 'endsAsking'),
  asksYou: cueFeature(0, 'asksYou'),
  reacts: cueFeature(0, 'reacts'),
  smallTalk: cueFeature(0, 'smallTalk'),
  aboutSelf: cueFeature(0, 'aboutSelf'),
  closes: cueFeature(0, 'closes'),
  requests: cueFeature(0, 'requests'),
  pointsBack: ({ session, at }) => (session.cues[at]?.pointsBack ?? 0) * session.register.conversational,
  lastAsks: cueFeature(-1, 'asks'),
  lastSmallTalk: cueFeature(-1, 'smallTalk'),
  lastAboutSelf: cueFeature(-1, 'aboutSelf'),
  lastCloses: cueFeature(-1, 'closes'),
  closedBefore: cueFeature(-2, 'closes'),
  nextAsks: cueFeature(1, 'asks'),
  nextSmallTalk: cueFeature(1, 'smallTalk'),
};

/** Who speaks, how much, and where in the session. */
const SHAPE_FEATURES: Readonly<Record<string, Feature>> = {
  technical: ({ session }) => session.register.technical,
  taskOriented: ({ session }) => session.register.taskOriented,
  user: ({ session, at }) => (session.roles[at] === 'user' ? 1 : 0),
  lastLength: ({ session, at }) => Math.log(1 + wordCount(session, at - 1)),
  sentences: ({ session, at }) => Math.log(1 + (session.cues[at]?.sentences ?? 0)),
  filler: ({ session, at }) => (wordCount(session, at) <= MAX_FILLER_WORDS ? 1 : 0),
  atStart: ({ at }) => (at <= 2 ? 1 : 0),
  atEnd: ({ session, at }) => (session.count - at <= 2 ? 1 : 0),
};

/** Every feature by name. A feature without a weight in `weights.ts` is not computed. */
export const FEATURES: Readonly<Record<string, Feature>> = {
  ...SIMILARITY_FEATURES,
  ...KNOWN_WORD_FEATURES,
  ...WORDING_FEATURES,
  ...SHAPE_FEATURES,
};

function similarity({ session, at }: Gap, width: number): number {
  return session.similarity(width).values[at] ?? 0;
}

/** How far similarity rises on both sides of the gap, within `width` messages. */
function similarityDip({ session, at }: Gap, width: number): number {
  const { values } = session.similarity(width);
  const here = values[at] ?? 0;
  let [before, after] = [here, here];
  for (let step = 1; step <= width; step++) {
    if (at - step > 0) before = Math.max(before, values[at - step] ?? 0);
    after = Math.max(after, values[at + step] ?? 0);
  }
  return before - here + (after - here);
}

/** Similarity in standard deviations from the session's mean. */
function similarityDeviation({ session, at }: Gap, width: number): number {
  const { values, mean, deviation } = session.similarity(width);
  return ((values[at] ?? 0) - mean) / deviation;
}

/** The share of a message's words, weighted by rarity, that occur in an earlier message from index `from` on. */
function knownShare(session: SessionFacts, index: number, from: number): number {
  return rarityShare(usesAt(session, index), ({ previous }) => previous >= Math.max(0, from));
}

function lastSentenceKnownShare({ session, at }: Gap): number {
  const last = session.words.numbersIn(session.cues[at]?.lastSentence ?? '');
  return rarityShare(
    usesAt(session, at).filter(({ word }) => last.has(word)),
    ({ previous }) => previous >= Math.max(0, at - 4),
  );
}

/** Of the words after the gap, each counted where it first occurs: the share that also occurs before the gap. */
function sharedAhead({ session, at }: Gap): number {
  let [sum, all] = [0, 0];
  for (let index = at; index < at + COMPARED_MESSAGES; index++) {
    for (const { previous, rarity } of usesAt(session, index)) {
      if (previous >= at) continue;
      all += rarity;
      if (previous >= at - COMPARED_MESSAGES) sum += rarity;
    }
  }
  return all > 0 ? sum / all : 0.5;
}

/** The share of words that match, weighted by rarity; one half without words. */
function rarityShare(uses: readonly WordUse[], matches: (use: WordUse) => boolean): number {
  let [sum, all] = [0, 0];
  for (const use of uses) {
    all += use.rarity;
    if (matches(use)) sum += use.rarity;
  }
  return all > 0 ? sum / all : 0.5;
}

function countShare(uses: readonly WordUse[], matches: (use: WordUse) => boolean): number {
  return uses.filter(matches).length / (1 + uses.length);
}

function cueFeature(
  offset: number,
  name: Exclude<keyof MessageCues, 'lastSentence' | 'sentences' | 'pointsBack'>,
): Feature {
  return ({ session, at }) => (session.cues[at + offset]?.[name] ? session.register.conversational : 0);
}

function wordCount(session: SessionFacts, index: number): number {
  return session.words.lengths[index] ?? 0;
}
