import type { SearchedDocument } from '../../store/searchable.ts';
import { type ScoredDocument, sessionKey } from './hits.ts';
import type { RankedAnswer } from './question-rank.ts';

/** A document that is similar to a question in meaning. */
export interface SimilarDocument {
  readonly document: SearchedDocument;
  /** The cosine of the angle between the two vectors. */
  readonly similarity: number;
}

/** The constant of reciprocal rank fusion: the larger, the less the first places count compared with the next ones. */
const RANK_CONSTANT = 3;
/**
 * What a place in the ranking by meaning is worth, compared with one in the ranking by words. With these two, the most
 * similar document comes after twelve that only have the words, and what is in both rankings moves up.
 */
const MEANING_WEIGHT = 0.2;

/**
 * Fuses the ranking by words with one by meaning, most similar first: documents, and sessions by their most similar
 * document. What contains the question word for word keeps its place.
 */
export function fuseRankings({ found, sessions }: RankedAnswer, similar: readonly SimilarDocument[]): RankedAnswer {
  const documents = new Map(found.map((one) => [documentKey(one.document), one]));
  const terms = found[0]?.terms ?? [];
  for (const { document } of similar) {
    const key = documentKey(document);
    if (!documents.has(key)) documents.set(key, { document, match: 'related', score: 0, terms, isSimilar: true });
  }
  const literal = found.filter(({ match }) => match === 'literal');
  const order = fuse(
    found.toSorted((a, b) => b.score - a.score).map(({ document }) => documentKey(document)),
    similar.map(({ document }) => documentKey(document)),
    new Set(literal.map(({ document }) => documentKey(document))),
  );
  const sessionOrder = fuse(
    [...sessions].sort(([, a], [, b]) => b - a).map(([key]) => key),
    similar.map(({ document }) => keyOfSession(document)),
    new Set(literal.map(({ document }) => keyOfSession(document))),
  );
  return {
    found: order.flatMap((key, place): ScoredDocument[] => {
      const one = documents.get(key);
      return one ? [{ ...one, score: 1 / (place + 1) }] : [];
    }),
    sessions: new Map(sessionOrder.map((key, place) => [key, 1 / (place + 1)])),
  };
}

/** Two rankings as one. Of a key that repeats, the first place counts. Those that are `kept` keep their place by words. */
function fuse(byWords: readonly string[], byMeaning: readonly string[], kept: ReadonlySet<string>): readonly string[] {
  const scores = new Map<string, number>();
  const add = (ranking: readonly string[], weight: number): void => {
    for (const [place, key] of [...new Set(ranking)].entries()) {
      scores.set(key, (scores.get(key) ?? 0) + weight / (RANK_CONSTANT + place));
    }
  };
  add(byWords, 1);
  add(byMeaning, MEANING_WEIGHT);
  const others = [...scores]
    .filter(([key]) => !kept.has(key))
    .sort(([, a], [, b]) => b - a)
    .map(([key]) => key);
  const fused: string[] = [];
  for (const key of byWords) {
    const next = kept.has(key) ? key : others.shift();
    if (next !== undefined) fused.push(next);
  }
  return [...fused, ...others];
}

function documentKey({ project, record }: SearchedDocument): string {
  return `${sessionKey(project, record.sessionId)} ${record.id}`;
}

function keyOfSession({ project, record }: SearchedDocument): string {
  return sessionKey(project, record.sessionId);
}
