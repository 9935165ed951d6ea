import { getOrAdd } from '../../record/once.ts';
import type { ReadConnection } from '../../store/connection.ts';
import { isAttempt } from '../../store/searchable.ts';
import { fuseRankings, type SimilarDocument } from '../rank/fuse-rankings.ts';
import { sessionKey } from '../rank/hits.ts';
import { type Candidate, introducedShares, MAX_FIRST, type RankedAnswer, rankQuestion } from '../rank/question-rank.ts';
import { saturate } from '../rank/relevance.ts';
import type { Candidates, DocumentLocation } from './candidates.ts';
import type { LoadedDocument } from './document-loader.ts';
import { anyTerm } from './expression.ts';
import { PLANNER } from './planner-limits.ts';
import type { PlannedQuestion } from './question.ts';
import { type KnownTerm, sumDocumentCounts } from './vocabulary.ts';

/** What {@link answerQuestion} needs to know besides the index. */
export interface QuestionOptions {
  /** Reads a document; undefined for one that may not be shown. */
  readonly load: (location: DocumentLocation) => LoadedDocument | undefined;
  /** Documents that contain the question or all of its words, as far as they are known. */
  readonly found: readonly { readonly document: LoadedDocument; readonly match: Candidate['match'] }[];
  /** The documents that are most similar in meaning, best first, if that is known. */
  readonly similar?: readonly SimilarDocument[] | undefined;
  /** How a document matches the question as it was typed. */
  readonly matchOf: (document: LoadedDocument) => Candidate['match'];
}

/** Times of a question that are looked into, and how many documents of each. */
const MAX_TIMES = 2;
const MAX_IN_TIME = 50;
/** Projects in which the first sessions with a word are looked for, and for how many words. */
const MAX_PROJECTS = 2;
const MAX_FIRST_WORDS = 8;
/** The oldest documents with a word whose sessions count as having introduced it. */
const MAX_OLDEST = 40;
/** Documents of one session that are read, and how many documents are considered to get enough short ones of all sessions. */
const MAX_PER_SESSION = 10;
const MAX_CONSIDERED = 1_000;
/** How much long records lose before their texts are read: less than texts do, because a record is longer than its text. */
const LENGTH_PENALTY = 0.12;

/** A question, and the documents that have words of it, which the index tells without reading a text. */
export interface ListedQuestion {
  readonly question: PlannedQuestion;
  /** The words of the question, rarest first. */
  readonly words: readonly PlannedWord[];
  readonly listed: ListedDocuments;
}

/** Lists the documents that have words of a question. */
export function listQuestion(question: PlannedQuestion, candidates: Candidates): ListedQuestion {
  const words = sortWords(question);
  return { question, words, listed: listDocuments(words, candidates, question.times.length > 0) };
}

/** Ranks the documents that are most likely about a question, by their texts. */
export function answerQuestion(
  connection: ReadConnection,
  candidates: Candidates,
  { question, words, listed }: ListedQuestion,
  options: QuestionOptions,
): RankedAnswer {
  const documents = new Map<number, LoadedCandidate>();
  for (const { document, match } of options.found) documents.set(document.id, { document, match });
  for (const location of findRelated(question, words, listed, candidates)) {
    const document = documents.has(location.id) ? undefined : options.load(location);
    if (document) documents.set(document.id, { document, match: options.matchOf(document) });
  }
  const projects = [...new Set([...documents.values()].map(({ document }) => document.project))];
  const firstShares = findFirstSessions(words.slice(0, MAX_FIRST_WORDS), candidates, projects.slice(0, MAX_PROJECTS));
  const byWords = rankQuestion(question, addNeighbours(documents, candidates, options), firstShares);
  const { found, sessions } = options.similar ? fuseRankings(byWords, options.similar) : byWords;
  return { found, sessions: onePlacePerFamily(connection, found, sessions) };
}

/** Generations of sessions that are followed, a fork of a fork, and the best sessions for which they are. */
const MAX_GENERATIONS = 8;
const MAX_PLACES = 50;

/** Scores sessions below all others if a better one has the same origin: forks and helpers of one piece of work. */
function onePlacePerFamily(
  connection: ReadConnection,
  found: RankedAnswer['found'],
  sessions: RankedAnswer['sessions'],
): RankedAnswer['sessions'] {
  const known = new Map(
    found.map(({ document: { project, record } }) => [
      sessionKey(project, record.sessionId),
      { project, name: record.sessionId },
    ]),
  );
  const placed = new Set<string>();
  const scores = new Map<string, number>();
  const sorted = [...sessions].sort(([, a], [, b]) => b - a);
  const best = sorted[0]?.[1] ?? 0;
  for (const [place, [key, score]] of sorted.entries()) {
    const session = place < MAX_PLACES ? known.get(key) : undefined;
    const origin = session && sessionKey(session.project, findOrigin(connection, session.project, session.name));
    scores.set(key, origin !== undefined && placed.has(origin) ? score - best - 1 : score);
    if (origin !== undefined) placed.add(origin);
  }
  return scores;
}

/** The session that a session goes back to: itself if it has no parent. */
function findOrigin(connection: ReadConnection, project: string, session: string): string {
  let origin = session;
  for (let generation = 0; generation < MAX_GENERATIONS; generation++) {
    const row = connection.get<{ readonly parent: string | null }>(
      'SELECT coalesce(forkedFrom, startedBy) AS parent FROM session WHERE name = ? AND project = (SELECT id FROM project WHERE name = ?)',
      origin,
      project,
    );
    if (row?.parent == null) break;
    origin = row.parent;
  }
  return origin;
}

type LoadedCandidate = Candidate & { readonly document: LoadedDocument };

/**
 * The documents with the most of the question's words, and the most of those of a time that it names. Short documents
 * come before long ones, which have many words by chance.
 */
function findRelated(
  question: PlannedQuestion,
  words: readonly PlannedWord[],
  listed: ListedDocuments,
  candidates: Candidates,
): readonly DocumentLocation[] {
  const inTime = question.times.slice(0, MAX_TIMES).flatMap(({ since, until }) => {
    const best = bestDocuments(words, onlyWithin(listed, candidates.isBetween(since, until - 1)), MAX_IN_TIME);
    return best.length > 0
      ? best.map(({ id }) => id)
      : candidates.newestBetween(since, until - 1, MAX_IN_TIME).map(({ id }) => id);
  });
  const considered = bestDocuments(words, listed, MAX_CONSIDERED);
  const { lengths, sessions } = candidates.measure(considered.map(({ id }) => id));
  const sorted = considered
    .map(({ id, score }, index) => ({
      id,
      session: sessions[index] ?? 0,
      score: score * saturate(1, lengths[index] ?? 0, LENGTH_PENALTY),
    }))
    .sort((a, b) => b.score - a.score);
  return candidates.locate([...new Set([...fewPerSession(sorted), ...inTime])]);
}

/**
 * Documents in ascending order of their ids. Each has a number with a bit for every word of the question that it has.
 * Typed arrays, because thousands of entries in maps or plain arrays take several times as long.
 */
interface ListedDocuments {
  readonly ids: Float64Array;
  readonly words: Uint32Array;
}

/**
 * The documents with words of a question. The words are listed rarest first. Those that are in too many documents are
 * looked for among the documents with the rarer ones, unless these are too few.
 */
function listDocuments(words: readonly PlannedWord[], candidates: Candidates, hasTimes: boolean): ListedDocuments {
  let documents: ListedDocuments = { ids: new Float64Array(), words: new Uint32Array() };
  const listed: KnownTerm[] = [];
  let left = PLANNER.maxListed;
  for (const [index, { terms, count }] of words.entries()) {
    const isSaid = count > PLANNER.maxListedAnywhere;
    const isListed = count <= left || documents.ids.length < PLANNER.maxRelated;
    const ids = isListed
      ? candidates.list(anyTerm(terms), { isSaid, count: left })
      : candidates.list(anyTerm(terms), {
          isSaid,
          count: PLANNER.maxListed,
          among: anyTerm(listed),
          last: hasTimes ? undefined : lastWorthListing(words, index, documents),
        });
    documents = addWord(documents, ids, 1 << index);
    if (!isListed) continue;
    left -= ids.length;
    listed.push(...terms);
  }
  return documents;
}

/**
 * The last of the documents if none after it can be among the best: if there are enough with a word that weighs more than
 * all those from `index` on together.
 */
function lastWorthListing(words: readonly PlannedWord[], index: number, { ids }: ListedDocuments): number | undefined {
  const rest = words.slice(index).reduce((sum, { weight }) => sum + weight, 0);
  const least = Math.min(...words.slice(0, index).map(({ weight }) => weight));
  return ids.length >= MAX_CONSIDERED && rest < least ? ids.at(-1) : undefined;
}

/** Adds the documents with a word. */
function addWord(known: ListedDocuments, added: readonly number[], bit: number): ListedDocuments {
  const ids = new Float64Array(known.ids.length + added.length);
  const words = new Uint32Array(ids.length);
  let size = 0;
  for (let old = 0, index = 0; old < known.ids.length || index < added.length; size++) {
    const oldId = known.ids[old] ?? Number.POSITIVE_INFINITY;
    const newId = added[index] ?? Number.POSITIVE_INFINITY;
    ids[size] = Math.min(oldId, newId);
    if (newId <= oldId) {
      words[size] = bit;
      index++;
    }
    if (oldId <= newId) words[size] = (words[size] ?? 0) | (known.words[old++] ?? 0);
  }
  return { ids: ids.subarray(0, size), words: words.subarray(0, size) };
}

/** The documents with at least some of the question's information. */
export function withInformation({ words, listed }: ListedQuestion, least: number): readonly number[] {
  const groups = new Set(listed.words);
  for (const bits of groups) if (sumWords(words, bits, 'information') < least) groups.delete(bits);
  const ids: number[] = [];
  if (groups.size === 0) return ids;
  for (let at = 0; at < listed.ids.length; at++) if (groups.has(listed.words[at] ?? 0)) ids.push(listed.ids[at] ?? 0);
  return ids;
}

function sumWords(words: readonly PlannedWord[], bits: number, what: 'weight' | 'information'): number {
  return words.reduce((sum, word, index) => (bits & (1 << index) ? sum + word[what] : sum), 0);
}

function onlyWithin({ ids, words }: ListedDocuments, isWithin: (id: number) => boolean): ListedDocuments {
  return { ids: ids.filter(isWithin), words: words.filter((_, index) => isWithin(ids[index] ?? 0)) };
}

/** The documents whose words weigh most, the heaviest first; of equal ones the newest. */
function bestDocuments(
  words: readonly PlannedWord[],
  listed: ListedDocuments,
  count: number,
): readonly { readonly id: number; readonly score: number }[] {
  const groups = new Set<number>();
  for (let at = 0; at < listed.words.length; at++) groups.add(listed.words[at] ?? 0);
  const heaviest = [...groups]
    .map((bits) => ({ bits, score: sumWords(words, bits, 'weight') }))
    .sort((a, b) => b.score - a.score);
  const best: { readonly id: number; readonly score: number }[] = [];
  for (const { bits, score } of heaviest) {
    for (let at = listed.words.indexOf(bits); at >= 0; at = listed.words.indexOf(bits, at + 1)) {
      if (best.length >= count) return best;
      best.push({ id: listed.ids[at] ?? 0, score });
    }
  }
  return best;
}

/** The best of some documents, best first, without those of sessions that already have many among them. */
function fewPerSession(sorted: readonly { readonly id: number; readonly session: number }[]): readonly number[] {
  const counts = new Map<number, number>();
  const few = sorted.filter(({ session }) => {
    const count = (counts.get(session) ?? 0) + 1;
    counts.set(session, count);
    return count <= MAX_PER_SESSION;
  });
  return few.slice(0, PLANNER.maxRelated).map(({ id }) => id);
}

/** A word of a question: its forms in the index, and how rare it is. */
interface PlannedWord {
  readonly terms: readonly KnownTerm[];
  readonly weight: number;
  readonly information: number;
  /** Documents that have it, at most. */
  readonly count: number;
}

/** The words of a question, rarest first. */
function sortWords({ terms, words }: PlannedQuestion): readonly PlannedWord[] {
  return terms
    .map((forms, index) => ({
      terms: forms,
      weight: words[index]?.weight ?? 0,
      information: words[index]?.information ?? 0,
      count: sumDocumentCounts(forms),
    }))
    .sort((a, b) => a.count - b.count);
}

/** Adds the messages next to those that were found, which may hold the answer in other words. */
function addNeighbours(
  documents: ReadonlyMap<number, LoadedCandidate>,
  candidates: Candidates,
  { load }: QuestionOptions,
): readonly Candidate[] {
  const all = new Map<number, LoadedCandidate>(documents);
  const neighbours = new Map<number, { candidate: Candidate; distance: number }[]>();
  const messages = [...documents].filter(([, { document }]) => !isAttempt(document.record));
  for (const [id, candidate] of messages.slice(0, PLANNER.maxWithNeighbours)) {
    for (const [distance, location] of candidates.neighbours(id)) {
      const document = all.get(location.id)?.document ?? load(location);
      if (document === undefined) continue;
      if (!all.has(location.id)) all.set(location.id, { document, match: 'related' });
      getOrAdd(neighbours, location.id, () => []).push({ candidate, distance: -distance });
    }
  }
  return [...all].map(([id, candidate]) => ({ ...candidate, neighbours: neighbours.get(id) ?? [] }));
}

/** By session, the share of the words that it introduced in its project. */
function findFirstSessions(
  words: readonly PlannedWord[],
  candidates: Candidates,
  projects: readonly string[],
): ReadonlyMap<string, number> {
  const shares = projects.map((project) =>
    introducedShares(
      words.map(({ terms, weight }) => ({
        weight,
        sessions: candidates
          .firstSessions(anyTerm(terms), project, { wanted: MAX_FIRST, count: MAX_OLDEST })
          .map((session) => sessionKey(project, session)),
      })),
    ),
  );
  return new Map(shares.flatMap((each) => [...each]));
}
