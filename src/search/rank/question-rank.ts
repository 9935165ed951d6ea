import { getOrAdd } from '../../record/once.ts';
import type { SearchedDocument } from '../../store/searchable.ts';
import { foldCase } from '../../text/fold-case.ts';
import type { TimePhrase } from '../../text/time-phrases.ts';
import { findWord, isWordBorder } from '../../text/word-matches.ts';
import type { Match } from '../search-types.ts';
import { compareNewest, type ScoredDocument, sessionKey } from './hits.ts';
import { rarity, saturate } from './relevance.ts';

/** A content word of a question. */
interface QuestionWord {
  /** Its forms in the texts that are searched, folded: fix, fixes, fixed. */
  readonly forms: readonly string[];
  /** How rare it is. */
  readonly weight: number;
  /** How much it says about a subject: nothing for a word that any request may have. Default 0. */
  readonly information?: number;
}

/** A query of several words that is answered with the passages and sessions that are most likely about it. */
export interface Question {
  /** What was typed, folded. */
  readonly literal: string;
  /** In the order of the question. */
  readonly words: readonly QuestionWord[];
  /** That of all its words, also of those that no document has. */
  readonly information: number;
  readonly times: readonly TimePhrase[];
  /** Agents that it names. */
  readonly agents: ReadonlySet<string>;
}

/** A text in which words are looked for. */
type Passage = Pick<SearchedDocument, 'text' | 'folded' | 'saidEnd'>;

/** A document that may answer a question. */
export interface Candidate {
  readonly document: SearchedDocument;
  readonly match: Match;
  /** Messages right before and after a message, each with its distance: 1 or 2, negative for earlier ones. */
  readonly neighbours?: readonly { readonly candidate: Candidate; readonly distance: number }[];
}

/**
 * The parameters of the ranking. docs/search.md says what each is for and what it adds.
 */
const RANKING = {
  /** How much long passages lose: the parameter b of BM25. */
  lengthPenalty: 0.75,
  /** What a word in the output of a call is worth, compared with one that was said or done. */
  output: 0.2,
  /** What two words of the question that stand together are worth, compared with the two alone. */
  pair: 0.3,
  /** What the whole question, word for word, is worth where it was said or done, compared with all its words. */
  literal: 0.6,
  /** A session is scored by its best passages, each of which counts less than the one before. */
  passages: 5,
  decay: 0.6,
  /** What a session gains if it was the first with all words of the question, or is named after them, compared with the evidence for the best one. */
  first: 0.5,
  /** What a message gains from the score of its neighbours, and from a question that it answers. */
  neighbour: 0.3,
  answer: 0.6,
  farNeighbour: 0.1,
  /** Factors for passages of an agent or of a time that the question names. */
  agent: 1.75,
  time: 3,
  /** The share of a question's information that some session must have if a word of it is mentioned nowhere. */
  answered: 0.4,
  /** What is needed besides the information of the question, in units of what singles out one of all documents. */
  surprise: 1.4,
  /** In a smaller history the words of any session are frequent, so that information is counted as in one of this size. */
  documents: 1000,
  /** The power of the share of the information that is found that is the confidence. */
  calibration: 1 / 3,
} as const;

/** Two words stand together when at most this many characters are between them: a short word or punctuation. */
const MAX_PAIR_GAP = 8;
const MAX_OCCURRENCES = 20;
/** The last place among the sessions of the oldest one that quotes the question. */
const QUOTE_PLACE = 3;
/** The score of a passage that has nothing but the time that the question names. */
const TIME_ONLY = 0.3;

/** The passages and sessions for a question, best first. */
export interface RankedAnswer {
  readonly found: readonly ScoredDocument[];
  /** Scores by {@link sessionKey}. */
  readonly sessions: ReadonlyMap<string, number>;
}

/** Sessions that count as having introduced a word. */
export const MAX_FIRST = 8;

/**
 * By session, the share of a question's words that it introduced: all of a word for the first session that has it, half
 * for the second, a third for the next. `sessions` are those with the word, by {@link sessionKey}, oldest first.
 */
export function introducedShares(
  words: readonly { readonly weight: number; readonly sessions: readonly string[] }[],
): ReadonlyMap<string, number> {
  const shares = new Map<string, number>();
  const total = words.reduce((sum, { weight }) => sum + weight, 0);
  for (const { weight, sessions } of words) {
    for (const [index, key] of sessions.slice(0, MAX_FIRST).entries()) {
      shares.set(key, (shares.get(key) ?? 0) + weight / total / (index + 1));
    }
  }
  return shares;
}

/** Ranks candidates. `firstShare` has what {@link introducedShares} returns for each project. */
export function rankQuestion(
  question: Question,
  candidates: readonly Candidate[],
  firstShare: ReadonlyMap<string, number> = new Map(),
): RankedAnswer {
  if (!isAnswered(question, candidates)) return { found: [], sessions: new Map() };
  const prefixes = question.words.map(({ forms }) => commonPrefix(forms));
  const known = new Map<SearchedDocument, number>();
  const scoreOf = ({ document }: Candidate): number =>
    getOrAdd(known, document, () => scorePassage(question, prefixes, document));
  const sessions = liftLiteral(
    question,
    candidates,
    scoreSessions(
      candidates.map((candidate) => ({ ...candidate, score: emphasise(question, candidate, scoreOf(candidate)) })),
      firstShare,
      namedShares(question, candidates),
    ),
  );
  const scored = candidates.map((candidate) => {
    const total = (candidate.neighbours ?? []).reduce(
      (sum, { candidate: other, distance }) => sum + scoreOf(other) * neighbourShare(other, distance),
      scoreOf(candidate),
    );
    return { ...candidate, score: emphasise(question, candidate, total) };
  });
  const best = Math.max(...sessions.values(), Number.MIN_VALUE);
  const terms = [
    { text: question.literal, weight: 1 },
    ...question.words.flatMap(({ forms, weight }) => forms.map((text) => ({ text, weight }))),
  ];
  const found = scored
    .filter(({ score, match }) => score > 0 || match !== 'related')
    .map(({ document, match, score }) => {
      const ofSession = sessions.get(sessionKey(document.project, document.record.sessionId)) ?? 0;
      return { document, match, score: score * (1 + ofSession / best), terms };
    });
  return { found, sessions };
}

/**
 * Whether some session may answer a question. One with a word that is mentioned nowhere is likely about something else:
 * then a session needs much of what it says, or must be of a time that it names.
 */
function isAnswered({ words, information, agents, times }: Question, candidates: readonly Candidate[]): boolean {
  const known = words.filter(({ forms }) => forms.length > 0);
  if (sumInformation(known) === information) return true;
  const found = new Map<string, Map<Question['words'][number], number>>();
  for (const { document, match } of candidates) {
    const { project, record, time } = document;
    if (match !== 'related' || times.some(({ includes }) => includes(time))) return true;
    const ofSession = getOrAdd(found, sessionKey(project, record.sessionId), () => new Map());
    for (const word of known) {
      // Who says something rarely says their own name.
      const isNamed = agents.has(record.agent ?? '') && namedAgents(agents, word.forms).size > 0;
      const most = isNamed ? (word.information ?? 0) : informationIn([word], document);
      ofSession.set(word, Math.max(most, ofSession.get(word) ?? 0));
    }
  }
  const least = RANKING.answered * information;
  return [...found.values()].some((ofSession) => [...ofSession.values()].reduce((sum, one) => sum + one, 0) >= least);
}

function sumInformation(words: Question['words']): number {
  return words.reduce((sum, { information = 0 }) => sum + information, 0);
}

/** The agents that some words name: `claude` names `claude-code`. */
export function namedAgents(agents: Iterable<string>, words: readonly string[]): ReadonlySet<string> {
  const isNamed = (name: string): boolean => words.some((word) => name === word || name.startsWith(`${word}-`));
  return new Set([...agents].filter((agent) => isNamed(foldCase(agent))));
}

function neighbourShare({ document }: Candidate, distance: number): number {
  if (Math.abs(distance) > 1) return RANKING.farNeighbour;
  return distance < 0 && document.text.trimEnd().endsWith('?') ? RANKING.answer : RANKING.neighbour;
}

/**
 * Puts the sessions first in which the question was said or done word for word, and the oldest one that only quotes it
 * in an output among the first few: what a question contains literally must not get lost.
 */
function liftLiteral(
  question: Question,
  candidates: readonly Candidate[],
  sessions: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const lifted = new Map(sessions);
  const literal = candidates
    .filter(({ match }) => match === 'literal')
    .sort((a, b) => a.document.time - b.document.time);
  const scores = [...sessions.values()].sort((a, b) => b - a);
  const [best = 0] = scores;
  const keyOf = ({ document }: Candidate): string => sessionKey(document.project, document.record.sessionId);
  const said = new Set(literal.filter(({ document }) => isLiterallySaid(question, document)).map(keyOf));
  for (const key of said) lifted.set(key, best + (sessions.get(key) ?? 0));
  const [oldest] = literal;
  if (said.size > 0 || oldest === undefined) return lifted;
  // Slightly more than the session that has the place now.
  const place = (scores[QUOTE_PLACE - 1] ?? 0) * (1 + Number.EPSILON * 4);
  lifted.set(keyOf(oldest), Math.max(sessions.get(keyOf(oldest)) ?? 0, place));
  return lifted;
}

function scoreSessions(
  scored: readonly (Candidate & { readonly score: number })[],
  firstShare: ReadonlyMap<string, number>,
  namedShare: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const scores = new Map<string, number[]>();
  for (const { document, score } of scored) {
    const key = sessionKey(document.project, document.record.sessionId);
    const known = scores.get(key);
    if (known) known.push(score);
    else scores.set(key, [score]);
  }
  const sessions = new Map<string, number>();
  for (const [key, list] of scores) {
    const top = list.sort((a, b) => b - a).slice(0, RANKING.passages);
    sessions.set(
      key,
      top.reduce((sum, score, index) => sum + score * RANKING.decay ** index, 0),
    );
  }
  const first = RANKING.first * Math.max(0, ...sessions.values());
  const shareOf = (key: string): number => Math.max(firstShare.get(key) ?? 0, namedShare.get(key) ?? 0);
  return new Map([...sessions].map(([key, evidence]) => [key, evidence + first * shareOf(key)]));
}

/** By session, the share of a question's words that its title has. */
function namedShares({ words }: Question, candidates: readonly Candidate[]): ReadonlyMap<string, number> {
  const total = words.reduce((sum, { weight }) => sum + weight, 0);
  const titles = candidates.filter(({ document: { record } }) => record.kind === 'title');
  return new Map(
    titles.map(({ document }) => {
      const named = words.filter(({ forms }) => findOccurrences(document, forms).spans.length > 0);
      const key = sessionKey(document.project, document.record.sessionId);
      return [key, named.reduce((sum, { weight }) => sum + weight, 0) / total];
    }),
  );
}

/**
 * How well a passage answers a question by itself: BM25 over its words, pairs of words, and the whole question. Most
 * texts have no form of a word, which one look for the common prefix of its forms tells.
 */
function scorePassage(question: Question, prefixes: readonly string[], document: SearchedDocument): number {
  const { folded } = document;
  let score = 0;
  let before: Occurrences | undefined;
  let total = 0;
  for (const [index, { forms, weight }] of question.words.entries()) {
    const hasPrefix = folded.includes(prefixes[index] ?? '');
    const occurrences = findOccurrences(document, hasPrefix ? forms : []);
    score += weight * saturate(occurrences.count, folded.length, RANKING.lengthPenalty);
    total += weight;
    if (before)
      score +=
        RANKING.pair *
        (weight + before.weight) *
        saturate(countPairs(before, occurrences, document), folded.length, RANKING.lengthPenalty);
    before = { ...occurrences, weight };
  }
  if (isLiterallySaid(question, document))
    score += RANKING.literal * total * saturate(1, folded.length, RANKING.lengthPenalty);
  return score;
}

/**
 * How certain it is that a text is about a question, 0 to 1, by how much of the question's information it has. As much as
 * singles out one of all documents is found somewhere by chance, and so is added to what is needed.
 */
export function toConfidence(found: number, information: number, documentCount: number): number {
  return (found / neededInformation(information, documentCount)) ** RANKING.calibration;
}

/** The least information that a text must have for a confidence: the reverse of {@link toConfidence}. */
export function informationFor(confidence: number, information: number, documentCount: number): number {
  return confidence ** (1 / RANKING.calibration) * neededInformation(information, documentCount);
}

function neededInformation(information: number, documentCount: number): number {
  return information + RANKING.surprise * Math.log(documentCount + 1);
}

/** The information of a word that is in some of all documents; as much as one document's if it is in none. */
export function informationOf(documentCount: number, totalCount: number): number {
  return rarity(Math.max(1, documentCount), Math.max(totalCount, RANKING.documents));
}

/** The information of a question that a passage has. */
export function informationIn(words: Question['words'], passage: Passage): number {
  return words.reduce((sum, { forms, information = 0 }) => sum + information * strengthIn(passage, forms), 0);
}

/** What a word is worth in a passage: 1 where it was said or done, 0 where it is missing. */
function strengthIn(passage: Passage, forms: readonly string[]): number {
  const { spans } = findOccurrences(passage, forms);
  if (spans.some(([start]) => start < passage.saidEnd)) return 1;
  return spans.length > 0 ? RANKING.output : 0;
}

/** The score of a passage, raised if it is of an agent or of a time that the question names. */
function emphasise({ agents, times }: Question, { document }: Candidate, score: number): number {
  const { agent } = document.record;
  const ofAgent = agent !== undefined && agents.has(agent) ? score * RANKING.agent : score;
  return times.some(({ includes }) => includes(document.time)) ? (ofAgent + TIME_ONLY) * RANKING.time : ofAgent;
}

function isLiterallySaid({ literal }: Question, { folded, saidEnd }: SearchedDocument): boolean {
  const at = literal === '' ? -1 : folded.indexOf(literal);
  return at >= 0 && at < saidEnd;
}

interface Occurrences {
  /** Weighted by where they are. */
  readonly count: number;
  /** Start and end of each, in order of the forms. */
  readonly spans: readonly (readonly [start: number, end: number])[];
  readonly weight: number;
}

function findOccurrences({ text, folded, saidEnd }: Passage, forms: readonly string[]): Occurrences {
  const spans: (readonly [number, number])[] = [];
  let count = 0;
  for (const form of forms) {
    for (let at = findWord(text, folded, form, 0); at >= 0 && spans.length < MAX_OCCURRENCES; ) {
      const end = at + form.length;
      if (isWordBorder(text, folded, end)) {
        count += at < saidEnd ? 1 : RANKING.output;
        spans.push([at, end]);
      }
      at = findWord(text, folded, form, end);
    }
  }
  return { count, spans, weight: 0 };
}

function commonPrefix([first = '', ...others]: readonly string[]): string {
  let length = first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length--;
  return first.slice(0, length);
}

function countPairs(first: Occurrences, second: Occurrences, { saidEnd }: SearchedDocument): number {
  let count = 0;
  for (const [, end] of first.spans) {
    if (second.spans.some(([start]) => start >= end && start - end <= MAX_PAIR_GAP))
      count += end < saidEnd ? 1 : RANKING.output;
  }
  return count;
}

/** The best documents, among them the best one of each of the best sessions. */
export function pickBest(
  found: readonly ScoredDocument[],
  sessions: ReadonlyMap<string, number>,
  limit: number,
): readonly ScoredDocument[] {
  const keyOf = ({ document }: ScoredDocument): string => sessionKey(document.project, document.record.sessionId);
  const sorted = found.toSorted((a, b) => b.score - a.score || compareNewest(a.document, b.document));
  const leads = new Map<string, ScoredDocument>();
  for (const one of sorted) if (!leads.has(keyOf(one))) leads.set(keyOf(one), one);
  const order = [...leads.values()].sort((a, b) => (sessions.get(keyOf(b)) ?? 0) - (sessions.get(keyOf(a)) ?? 0));
  const preferred = new Set([...order.slice(0, Math.ceil(limit / 2)), ...sorted]);
  const picked = new Set([...preferred].slice(0, limit));
  return sorted.filter((one) => picked.has(one));
}
