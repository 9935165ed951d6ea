import { getOrAdd, once } from '../../record/once.ts';
import { toPlainRuns } from '../../text/words.ts';
import { matchText, type Query, type QueryMatches, type QueryWord, type SessionHits } from './query.ts';
import type { ActiveFailure } from './recall-snapshot.ts';

/** How relevant a session is for a prompt. */
export interface Relevance {
  readonly hits: SessionHits;
  /** Index of the most relevant passage. */
  readonly passage: number;
  /** Sessions are sorted by this. */
  readonly rank: number;
  /** The probability that the session is about the subject of the prompt, 0 to 1. */
  readonly confidence: number;
}

/** In a project with fewer sessions, rarity is computed as if it had this many. */
const MIN_SESSIONS = 20;
/** The weight of a word that occurs elsewhere in the session. */
const ELSEWHERE_WEIGHT = 0.3;
/** The weight of repetitions, which raise the rank but not the confidence. */
const REPETITION_WEIGHT = 0.2;
/** The additional weight of two adjacent words. */
const PAIR_WEIGHT = 0.35;
/** The share of a name in the total, which contains its parts too. */
const NAME_SHARE = 0.5;

/**
 * The confidence is a logistic function of the share of the prompt that is in the session. `SLACK` is added to the
 * total, so that a single word is never all of it; `SPREAD` raises shares that several words make up, because a single
 * word may match by chance. In the middle, the confidence is three quarters. The constants were fitted to prompts about
 * the work of real projects against prompts about other subjects, chores, and the trade in general, of which fewer than
 * one in a hundred gets to the middle.
 */
const SLACK = 0.8;
const SHARE = { middle: 0.55, slope: 14 } as const;
const SPREAD = { weight: 0.1, least: 0.5, most: 4 } as const;
const MIDDLE_LOGIT = Math.log(3);
/** Evidence is summed in units of this fraction, rounded up. */
const EVIDENCE_UNITS = 2 ** 16;

/** More than a sum of evidence may be off. */
const ROUNDING = 1e-6;

/** What a prompt and a passage have in common. */
interface Evidence {
  readonly rank: number;
  readonly evidence: number;
  /** The effective number of words that the evidence is made up of. */
  readonly spread: number;
}

/** Scores the sessions of a project for one prompt. */
export class RelevanceScorer {
  readonly #found: QueryMatches;
  readonly #query: Query;
  readonly #rarity: Float64Array;
  readonly #total: number;
  /** The maximum evidence of a term, by slot. */
  readonly #most: Float64Array;

  constructor(found: QueryMatches) {
    this.#found = found;
    this.#query = found.query;
    this.#rarity = computeRarity(found);
    this.#total = this.#query.words.reduce((sum, word) => sum + this.#weightInTotal(word, found), SLACK);
    this.#most = this.#mostBySlot();
  }

  /**
   * The sessions that may reach a confidence: a cheap upper bound. Terms that are not enough all together, which are the
   * frequent ones, are only looked up in sessions with others. A short process runs this without compiling it, where
   * every fraction and every step of an iterator is an object: hence the integers and the plain loops.
   */
  candidates(confidence: number): readonly number[] {
    const least = Math.max(1, Math.floor(shareFor(confidence, SPREAD.most) * this.#total * EVIDENCE_UNITS));
    const terms = this.#found.sessions
      .map((sessions, slot) => ({ sessions, most: Math.ceil((this.#most[slot] ?? 0) * EVIDENCE_UNITS) }))
      .filter(({ sessions, most }) => sessions.length > 0 && most > 0)
      .sort((a, b) => a.most - b.most);
    let insufficient = 0;
    let rest = 0;
    for (const { most } of terms) {
      if (rest + most >= least) break;
      rest += most;
      insufficient++;
    }
    const evidence = new Int32Array(this.#found.capacity);
    for (const { sessions, most } of terms.slice(insufficient)) {
      const list = sessions.toArray();
      for (let i = 0; i < list.length; i++) {
        const session = list[i] as number;
        evidence[session] = (evidence[session] as number) + most;
      }
    }
    const found: number[] = [];
    if (insufficient === terms.length) return found;
    for (let session = 0; session < evidence.length; session++) {
      let sum = evidence[session] as number;
      if (sum === 0 || sum + rest < least) continue;
      for (let term = 0; term < insufficient && sum < least; term++) {
        if (terms[term]?.sessions.has(session)) sum += terms[term]?.most ?? 0;
      }
      if (sum >= least) found.push(session);
    }
    return found;
  }

  /**
   * Returns a filter of the texts that may reach a confidence: a cheap upper bound, by the first letters of words. A hook
   * looks at hundreds of texts, and most have too little in common with the prompt to be worth splitting into words.
   */
  textFilter(confidence: number): (text: string) => boolean {
    const least = shareFor(confidence, SPREAD.most) * this.#total - ROUNDING;
    // First the words: those with a meaning or subject in common are many, and mostly do not matter any more.
    const ofPrompt = new Set(this.#query.words.map(({ slot }) => slot));
    const terms = Array.from(this.#most, (most, slot) => ({
      most,
      isOfPrompt: ofPrompt.has(slot),
      starts: once(() => this.#query.starts(slot)),
    })).sort((a, b) => Number(b.isOfPrompt) - Number(a.isOfPrompt) || b.most - a.most);
    const all = terms.reduce((sum, { most }) => sum + most, 0);
    return (text) => {
      const runs = toPlainRuns(text);
      if (runs === undefined) return true;
      let possible = all;
      for (let i = 0; i < terms.length && possible >= least; i++) {
        const { starts, most } = terms[i] as (typeof terms)[number];
        if (!includesAny(runs, starts())) possible -= most;
      }
      return possible >= least;
    };
  }

  /** Scores a session by its most relevant passage. */
  score(hits: SessionHits): Relevance {
    let index = 0;
    let best = { rank: 0, evidence: 0, spread: 0 };
    for (const passage of hits.passages) {
      const measured = this.#measure(passage.strengths, hits);
      if (measured.rank <= best.rank) continue;
      best = measured;
      index = passage.index;
    }
    const confidence = toConfidence(best.evidence / this.#total, best.spread);
    return { hits, passage: index, rank: best.rank, confidence };
  }

  #mostBySlot(): Float64Array {
    const most = new Float64Array(this.#rarity.length);
    const add = (slot: number, value: number): void => {
      most[slot] = (most[slot] ?? 0) + value * (this.#rarity[slot] ?? 1);
    };
    for (const { slot, weight, related } of this.#query.words) {
      add(slot, weight);
      for (const each of related) add(each.slot, weight * each.share);
    }
    for (const { slot, weight } of this.#query.pairs) add(slot, weight * PAIR_WEIGHT);
    return most;
  }

  /** The evidence in a text, given by its strengths, to compare lines. */
  scoreText(strengths: Float32Array): number {
    const counts = new Uint16Array(strengths.length);
    return this.#measure(strengths, { whole: strengths, counts }).evidence;
  }

  /** An unknown word counts as the rarest known one; a word of a known subject counts as that. */
  #weightInTotal({ slot, weight, related, isName, partOf }: QueryWord, { sessions }: QueryMatches): number {
    const rarity = this.#rarity[slot] ?? 1;
    if ((sessions[slot]?.length ?? 0) > 0) return weight * rarity * (isName || partOf !== undefined ? NAME_SHARE : 1);
    if (isName) return 0;
    const shares = related.filter(({ slot: each }) => (sessions[each]?.length ?? 0) > 0).map(({ share }) => share);
    return weight * (shares.length === 0 ? 1 : Math.max(...shares));
  }

  #measure(strengths: Float32Array, hits: Pick<SessionHits, 'whole' | 'counts'>): Evidence {
    const names = new Set<string>();
    const subjects = new Set<number>();
    let [rank, evidence, ofWords, ofSquares] = [0, 0, 0, 0];
    for (const word of this.#query.words) {
      if (word.partOf !== undefined && names.has(word.partOf)) continue;
      if (word.isName && (strengths[word.slot] ?? 0) > 0) names.add(word.term);
      const value = Math.max(
        this.#valueIn(strengths, word, subjects, 1),
        this.#valueIn(hits.whole, word, subjects, ELSEWHERE_WEIGHT),
      );
      evidence += value;
      ofWords += value;
      ofSquares += value ** 2;
      rank += value * (1 + REPETITION_WEIGHT * Math.log(Math.max(1, hits.counts[word.slot] ?? 1)));
    }
    for (const { slot, weight } of this.#query.pairs) {
      const strength = Math.max(strengths[slot] ?? 0, ELSEWHERE_WEIGHT * (hits.whole[slot] ?? 0));
      const value = PAIR_WEIGHT * weight * strength * (this.#rarity[slot] ?? 1);
      evidence += value;
      rank += value;
    }
    return { rank, evidence, spread: ofSquares === 0 ? 0 : ofWords ** 2 / ofSquares };
  }

  /** A subject counts only for the first word that has it. */
  #valueIn(strengths: Float32Array, word: QueryWord, subjects: Set<number>, factor: number): number {
    let most = (strengths[word.slot] ?? 0) * (this.#rarity[word.slot] ?? 1);
    let subject = -1;
    for (const { slot, share } of word.related) {
      const value = share * (strengths[slot] ?? 0) * (this.#rarity[slot] ?? 1);
      if (value <= most || subjects.has(slot)) continue;
      subject = slot;
      most = value;
    }
    if (subject >= 0) subjects.add(subject);
    return most * word.weight * factor;
  }
}

function includesAny(text: string, parts: readonly string[]): boolean {
  for (let i = 0; i < parts.length; i++) if (text.includes(parts[i] as string)) return true;
  return false;
}

/** By slot, 1 for a term in a single session, 0 for one in every session; less for a word with common synonyms. */
function computeRarity({ query, sessionCount, sessions }: QueryMatches): Float64Array {
  const all = Math.max(sessionCount, MIN_SESSIONS) + 1;
  const rarest = Math.log(all / 1.5);
  const plain = Float64Array.from(sessions, ({ length }) =>
    length === 0 ? 1 : Math.max(0, Math.log(all / (length + 0.5)) / rarest),
  );
  const rarity = plain.slice();
  for (const { slot, related } of query.words) {
    const meanings = related.filter(({ isMeaning }) => isMeaning).map((each) => plain[each.slot] ?? 1);
    if (meanings.length > 0) rarity[slot] = ((plain[slot] ?? 1) + Math.max(...meanings)) / 2;
  }
  return rarity;
}

function toConfidence(share: number, spread: number): number {
  return 1 / (1 + Math.exp(-MIDDLE_LOGIT - SHARE.slope * (share + spreadShare(spread) - SHARE.middle)));
}

/** The share that is needed for a confidence. */
function shareFor(confidence: number, spread: number): number {
  const logit = Math.log(confidence / (1 - confidence));
  return (logit - MIDDLE_LOGIT) / SHARE.slope - spreadShare(spread) + SHARE.middle;
}

function spreadShare(spread: number): number {
  return SPREAD.weight * Math.log(Math.min(SPREAD.most, Math.max(SPREAD.least, spread)));
}

/** An active failure that is relevant for a prompt. */
interface RelevantFailure {
  readonly failure: ActiveFailure;
  readonly confidence: number;
}

/** Only the newest failures are considered. */
const MAX_FAILURES = 300;

/** The failures whose request matches the prompt, the newest last. */
export function matchFailures(
  query: Query,
  failures: readonly ActiveFailure[],
  scorer: RelevanceScorer,
  minConfidence: number,
): readonly RelevantFailure[] {
  if (failures.length === 0) return [];
  // Many failures served the same request, or are of the same command.
  const known = new Map<string, Float32Array>();
  const match = (text: string): Float32Array => getOrAdd(known, text, () => matchText(query, text));
  const mayMatch = scorer.textFilter(minConfidence);
  return failures
    .slice(-MAX_FAILURES)
    .filter(({ context = '', what }) => context !== '' && mayMatch(`${context}\n${what}`))
    .map((failure) => ({ failure, confidence: scorer.score(matchFailure(query, failure, match)).confidence }))
    .filter(({ failure, confidence }) => confidence >= minConfidence && failure.isActive !== false);
}

function matchFailure(
  query: Query,
  { context = '', what }: ActiveFailure,
  match: (text: string) => Float32Array,
): SessionHits {
  const ofCommand = match(what);
  const strengths = match(context).map((strength, slot) => Math.max(strength, ofCommand[slot] ?? 0));
  return {
    endedAt: 0,
    passages: [{ index: 0, strengths }],
    whole: strengths,
    counts: new Uint16Array(query.slots.size),
  };
}
