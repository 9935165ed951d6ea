import { FEATURES } from './features/index.ts';
import { type Feature, readSession, type SessionFacts } from './session-facts.ts';
import type { TopicMessage } from './topic-message.ts';
import type { TopicWeights } from './topic-weights.ts';
import { TOPIC_WEIGHTS } from './weights.ts';

/**
 * For each message how probable it is that a topic begins with it, 0 to 1; the first has 0. Linear in the number of
 * messages; anything may be in the texts.
 */
export function boundaryProbabilities(
  messages: readonly TopicMessage[],
  weights: TopicWeights = TOPIC_WEIGHTS,
): readonly number[] {
  const session = readSession(messages);
  const terms = termsFor(session, weights);
  return messages.map((_, at) => {
    if (at === 0) return 0;
    const logOdds = terms.reduce(
      (sum, { feature, weight }) => sum + weight * feature({ session, at }),
      weights.intercept,
    );
    return 1 / (1 + Math.exp(-logOdds));
  });
}

/** The values of all features at each gap of a session, the first gap first: what the weights are fitted to. */
export function featureRows(messages: readonly TopicMessage[]): readonly Readonly<Record<string, number>>[] {
  const session = readSession(messages);
  return messages.slice(1).map((_, index) => rowAt(session, index + 1));
}

function rowAt(session: SessionFacts, at: number): Record<string, number> {
  return Object.fromEntries(
    Object.entries(FEATURES).map(([name, feature]) => [name, feature({ session, at })]),
  );
}

interface Term {
  readonly feature: Feature;
  readonly weight: number;
}

/** The features that count in a session, each with its weight there. */
function termsFor({ register }: SessionFacts, { features }: TopicWeights): readonly Term[] {
  return Object.entries(features).flatMap(([name, { always = 0, technical = 0, errand = 0 }]) => {
    const feature = FEATURES[name];
    const weight = always + technical * register.technical + errand * register.errand;
    return feature === undefined || weight === 0 ? [] : [{ feature, weight }];
  });
}
