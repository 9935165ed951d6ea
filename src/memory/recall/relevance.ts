import type { Found, SessionHits } from './look-up.ts';
import type { Query, QueryWord } from './query.ts';

/** How a passage of a session answers to a prompt. */
export interface Relevance {
  readonly hits: SessionHits;
  /** Which of the session's passages answers best. */
  readonly place: number;
  /** What sessions are ordered by. */
  readonly rank: number;
  /** The probability that the session is about what the prompt is about, 0 to 1. */
  readonly confidence: number;
}

/** A young project has too few sessions to tell what is rare in it: it is weighed as if it had this many. */
const FEWEST_SESSIONS = 20;
/** A word that stands elsewhere in the session counts so much. */
const ELSEWHERE = 0.3;
/** A word that a session comes back to is what it is about: more for the order, not for the confidence. */
const RETURNING = 0.2;
/** Two words side by side, on top of each of them. */
const PAIR = 0.35;
/** A name stands in the total with half of its weight: its parts are there too. */
const NAME_IN_TOTAL = 0.5;

/**
 * The confidence is logistic in how much of what the prompt says is in the session: the share of all it says and
 * a little more (`SLACK`), so that a single word is never all of it. Of two equal shares the one that more words
 * make up counts more (`SPREAD`): a single word may be there by chance. In the middle it is three quarters.
 * The constants were fitted to prompts about work of real projects against prompts about anything else, chores of
 * every project among them: of the latter one in a hundred reaches the middle.
 */
const SLACK = 0.8;
const SHARE = { middle: 0.35, slope: 14 } as const;
const SPREAD = { weight: 0.04, least: 0.5, most: 4 } as const;
const IN_THE_MIDDLE = Math.log(3);

/** What a prompt has in common with a passage. */
interface Evidence {
  readonly evidence: number;
  /** How many words make it up, as if all had the same part in it. */
  readonly spread: number;
}

/** Tells how sessions answer to one prompt in one project. */
export class Relevances {
  readonly #found: Found;
  readonly #query: Query;
  readonly #rarity: Float64Array;
  readonly #total: number;
  /** What a term can add to the evidence at most, by slot. */
  readonly #most: Float64Array;

  constructor(found: Found) {
    this.#found = found;
    this.#query = found.query;
    this.#rarity = rarityOf(found);
    this.#total = this.#query.words.reduce((sum, word) => sum + this.#weightInTotal(word, found), SLACK);
    this.#most = this.#mostBySlot();
  }

  /** The sessions of which a passage may reach the confidence; cheap, and some of them don't. */
  candidates(confidence: number): readonly number[] {
    const evidence = new Float64Array(this.#found.places);
    for (const [slot, sessions] of this.#found.sessions.entries()) {
      const most = this.#most[slot] ?? 0;
      for (const session of sessions) evidence[session] = (evidence[session] ?? 0) + most;
    }
    const found: number[] = [];
    for (const [session, most] of evidence.entries()) {
      if (most > 0 && confidenceOf(most / this.#total, SPREAD.most) >= confidence) found.push(session);
    }
    return found;
  }

  /** The passage of the session that answers best. */
  of(hits: SessionHits): Relevance {
    let place = 0;
    let best = { rank: 0, evidence: 0, spread: 0 };
    for (const passage of hits.passages) {
      const measured = this.#measure(passage.strengths, hits);
      if (measured.rank <= best.rank) continue;
      best = measured;
      place = passage.place;
    }
    const confidence = confidenceOf(best.evidence / this.#total, best.spread);
    return { hits, place, rank: best.rank, confidence };
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
    for (const { slot, weight } of this.#query.pairs) add(slot, weight * PAIR);
    return most;
  }

  /** How much of the prompt is in a text of the session, given by its strengths; for telling lines apart. */
  evidenceIn(strengths: Float32Array): number {
    const counts = new Uint16Array(strengths.length);
    return this.#measure(strengths, { whole: strengths, counts }).evidence;
  }

  /** A word the project does not know says as much as the rarest that it knows; one it knows by its subject, as that. */
  #weightInTotal({ slot, weight, related, isName, partOf }: QueryWord, { sessions }: Found): number {
    const rarity = this.#rarity[slot] ?? 1;
    if ((sessions[slot]?.length ?? 0) > 0)
      return weight * rarity * (isName || partOf !== undefined ? NAME_IN_TOTAL : 1);
    if (isName) return 0;
    const shares = related
      .filter(({ slot: each }) => (sessions[each]?.length ?? 0) > 0)
      .map(({ share }) => share);
    return weight * (shares.length === 0 ? 1 : Math.max(...shares));
  }

  #measure(
    strengths: Float32Array,
    hits: Pick<SessionHits, 'whole' | 'counts'>,
  ): Evidence & { readonly rank: number } {
    const names = new Set<string>();
    const subjects = new Set<number>();
    let [rank, evidence, ofWords, ofSquares] = [0, 0, 0, 0];
    for (const word of this.#query.words) {
      if (word.partOf !== undefined && names.has(word.partOf)) continue;
      if (word.isName && (strengths[word.slot] ?? 0) > 0) names.add(word.term);
      const value = Math.max(
        this.#valueIn(strengths, word, subjects, 1),
        this.#valueIn(hits.whole, word, subjects, ELSEWHERE),
      );
      evidence += value;
      ofWords += value;
      ofSquares += value ** 2;
      rank += value * (1 + RETURNING * Math.log(Math.max(1, hits.counts[word.slot] ?? 1)));
    }
    for (const { slot, weight } of this.#query.pairs) {
      const strength = Math.max(strengths[slot] ?? 0, ELSEWHERE * (hits.whole[slot] ?? 0));
      const value = PAIR * weight * strength * (this.#rarity[slot] ?? 1);
      evidence += value;
      rank += value;
    }
    return { rank, evidence, spread: ofSquares === 0 ? 0 : ofWords ** 2 / ofSquares };
  }

  /** A subject counts for the first word that has it: two words for one thing are no more than one. */
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

/** 1 for a term of a single session, 0 for one of every session; less for a word that has common synonyms. */
function rarityOf({ query, sessionCount, sessions }: Found): Float64Array {
  const all = Math.max(sessionCount, FEWEST_SESSIONS) + 1;
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

function confidenceOf(share: number, spread: number): number {
  const words = Math.log(Math.min(SPREAD.most, Math.max(SPREAD.least, spread)));
  return 1 / (1 + Math.exp(-IN_THE_MIDDLE - SHARE.slope * (share + SPREAD.weight * words - SHARE.middle)));
}
