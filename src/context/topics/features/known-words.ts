import { type Feature, type Gap, type SessionFacts, usesAt } from '../session-facts.ts';
import type { WordUse } from '../session-words.ts';

const SPAN = 5;

/** How much of what is said was said before, and how much of what was said goes on. */
export const KNOWN_WORD_FEATURES: Readonly<Record<string, Feature>> = {
  known1: ({ session, at }) => known(session, at, at - 1),
  knownEver: ({ session, at }) => known(session, at, 0),
  nextKnown: ({ session, at }) => (at + 1 < session.count ? known(session, at + 1, at - 3) : 0.5),
  knownPeak: ({ session, at }) =>
    at > 1 && at + 1 < session.count
      ? known(session, at, at - 4) - (known(session, at - 1, at - 5) + known(session, at + 1, at - 3)) / 2
      : 0,
  turnsToNew: (gap) =>
    gap.session.cues[gap.at]?.turnsToAsking ? talk(gap) * (1 - lastSentenceKnown(gap)) : 0,
  statesNew: (gap) => (asks(gap, 0) || asks(gap, -1) ? 0 : talk(gap) * (1 - known4(gap))),
  sharedAhead,
  newThatStay: ({ session, at }) =>
    portion(usesAt(session, at), ({ previous, next }) => previous < 0 && Number.isFinite(next)),
  lastThatStay: ({ session, at }) => portion(usesAt(session, at - 1), ({ next }) => Number.isFinite(next)),
};

/** The share, by rarity, of a message's words that the messages from `from` on have; one half when it has no words. */
function known(session: SessionFacts, index: number, from: number): number {
  return weighed(usesAt(session, index), ({ previous }) => previous >= Math.max(0, from));
}

function known4({ session, at }: Gap): number {
  return known(session, at, at - 4);
}

function lastSentenceKnown({ session, at }: Gap): number {
  const last = session.words.numbersIn(session.cues[at]?.lastSentence ?? '');
  return weighed(
    usesAt(session, at).filter(({ word }) => last.has(word)),
    ({ previous }) => previous >= Math.max(0, at - 4),
  );
}

/** The share of the words of the messages from the gap on, each where it comes first, that the ones before it have. */
function sharedAhead({ session, at }: Gap): number {
  let [sum, all] = [0, 0];
  for (let index = at; index < at + SPAN; index++) {
    for (const { previous, rarity } of usesAt(session, index)) {
      if (previous >= at) continue;
      all += rarity;
      if (previous >= at - SPAN) sum += rarity;
    }
  }
  return all > 0 ? sum / all : 0.5;
}

function weighed(uses: readonly WordUse[], counts: (use: WordUse) => boolean): number {
  let [sum, all] = [0, 0];
  for (const use of uses) {
    all += use.rarity;
    if (counts(use)) sum += use.rarity;
  }
  return all > 0 ? sum / all : 0.5;
}

function portion(uses: readonly WordUse[], counts: (use: WordUse) => boolean): number {
  return uses.filter(counts).length / (1 + uses.length);
}

function asks({ session, at }: Gap, offset: number): boolean {
  return session.cues[at + offset]?.asks ?? false;
}

function talk({ session }: Gap): number {
  return session.register.talk;
}
