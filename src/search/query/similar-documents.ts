import type { Connection } from '../../store/connection.ts';
import { compareVectors } from '../../store/vectors.ts';
import type { SimilarDocument } from '../rank/fuse-rankings.ts';
import type { QuestionVector } from '../search-types.ts';
import type { Candidates, DocumentLocation } from './candidates.ts';
import type { LoadedDocument } from './document-loader.ts';

/** The most similar documents that are read, and how many of them are ranked: some may not be shown. */
const MAX_READ = 200;
const MAX_SIMILAR = 50;

/** The messages that are most similar to a question in meaning. Undefined when none has a vector of its model. */
export function findSimilar(
  connection: Connection,
  candidates: Candidates,
  { model, vector }: QuestionVector,
  load: (location: DocumentLocation) => LoadedDocument | undefined,
): readonly SimilarDocument[] | undefined {
  const ids: number[] = [];
  const similarities: number[] = [];
  const isComparable = compareVectors(connection, model, vector, (id, file, similarity) => {
    if (!candidates.mayMatch(id, file)) return;
    ids.push(id);
    similarities.push(similarity);
  });
  if (!isComparable) return undefined;
  const least = Float64Array.from(similarities).sort().at(-MAX_READ) ?? Number.NEGATIVE_INFINITY;
  const best = new Map(
    ids.flatMap((id, index): [number, number][] => {
      const similarity = similarities[index] ?? 0;
      return similarity >= least ? [[id, similarity]] : [];
    }),
  );
  const similar: SimilarDocument[] = [];
  const sorted = [...best.keys()].sort((a, b) => (best.get(b) ?? 0) - (best.get(a) ?? 0) || a - b);
  for (const location of candidates.locate(sorted)) {
    const document = load(location);
    if (document) similar.push({ document, similarity: best.get(location.id) ?? 0 });
    if (similar.length === MAX_SIMILAR) break;
  }
  return similar;
}
