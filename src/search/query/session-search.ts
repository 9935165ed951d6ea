import { getOrAdd } from '../../record/once.ts';
import type { ReadConnection } from '../../store/connection.ts';
import { foldCase } from '../../text/fold-case.ts';
import { type ScoredDocument, sessionKey } from '../rank/hits.ts';
import { informationFor, informationIn, toConfidence } from '../rank/question-rank.ts';
import { Candidates } from './candidates.ts';
import { DocumentLoader } from './document-loader.ts';
import { containsLiteral, type ParsedQuery } from './parse-query.ts';
import { type PlannedQuestion, parseSearch, planQuestion } from './question.ts';
import { answerQuestion, listQuestion, withInformation } from './question-search.ts';
import { Vocabulary } from './vocabulary.ts';

/** Which sessions are ranked for a text. */
export interface SessionQuery {
  readonly text: string;
  /** Ids of projects. */
  readonly projects: readonly string[];
  /** The session that asks, which is not ranked. */
  readonly except?: string | undefined;
  /** Below this confidence of all sessions there is none. Spares reading texts, in most cases. */
  readonly minConfidence: number;
}

/** A session that a text may be about. */
export interface RankedSession {
  readonly project: string;
  readonly sessionId: string;
  /** The colleague whose session it is. */
  readonly author?: string | undefined;
  /** Comparable within one ranking. */
  readonly score: number;
  /** How certain it is that the session is about the text, 0 to 1. */
  readonly confidence: number;
}

/** What other texts have in common with a text. */
export interface WeighedText {
  /** The share of the text's information that another text has, 0 to 1, and how many of its words. */
  readonly coverage: (other: string) => { readonly share: number; readonly words: number };
  /** How certain it is that another text, such as a request that failed, is about the same. */
  readonly confidence: (other: string) => number;
}

/** Sessions that a text may be about, and what other texts have in common with it. */
export interface RankedSessions extends WeighedText {
  /** Whether the words of the text that any record has can give it the minimum confidence. */
  readonly isKnown: boolean;
  /** Best first. */
  readonly sessions: readonly RankedSession[];
}

/** What is asked for is at the beginning of a text; the rest is mostly pasted. */
const MAX_TEXT_READ = 1200;

/** Weighs the words of a text as a search for it does. */
export function weighText(connection: ReadConnection, text: string): WeighedText {
  return plan(connection, text).weighed;
}

/** Ranks sessions as a search for the text does. */
export function rankSessions(connection: ReadConnection, query: SessionQuery): RankedSessions {
  const { parsed, question, documentCount, weighed } = plan(connection, query.text);
  const { words, information } = question;
  const least = informationFor(query.minConfidence, information, documentCount);
  const isKnown = words.reduce((sum, word) => sum + (word.information ?? 0), 0) >= least;
  return {
    isKnown,
    sessions: isKnown ? rank(connection, query, { parsed, question, documentCount, least }) : [],
    ...weighed,
  };
}

interface Planned {
  readonly parsed: ParsedQuery;
  readonly question: PlannedQuestion;
  readonly documentCount: number;
  readonly weighed: WeighedText;
}

function plan(connection: ReadConnection, text: string): Planned {
  const vocabulary = new Vocabulary(connection);
  const { documentCount } = vocabulary;
  const parsed = parseSearch(text.slice(0, MAX_TEXT_READ));
  const question = planQuestion(connection, vocabulary, parsed, Date.now());
  const { words, information } = question;
  const weighed: WeighedText = {
    coverage: (other) => {
      const passage = toPassage(other);
      const found = words.filter((word) => informationIn([word], passage) > 0);
      return { share: informationIn(found, passage) / information, words: found.length };
    },
    confidence: (other) => toConfidence(informationIn(words, toPassage(other)), information, documentCount),
  };
  return { parsed, question, documentCount, weighed };
}

function toPassage(text: string): Parameters<typeof informationIn>[1] {
  const folded = foldCase(text);
  return { text, folded, saidEnd: folded.length };
}

function rank(
  connection: ReadConnection,
  query: SessionQuery,
  { parsed, question, documentCount, least }: Omit<Planned, 'weighed'> & { readonly least: number },
): readonly RankedSession[] {
  const { words, information } = question;
  const candidates = new Candidates(connection, query);
  const listed = listQuestion(question, candidates);
  // Of most texts it is known now that no session has as much, before a record is read.
  const { sessions: possible } = candidates.measure(withInformation(listed, least));
  const others = listOthers(connection, new Set(possible), query.except);
  if (others.length === 0) return [];

  const loader = new DocumentLoader(connection, query);
  try {
    const { found, sessions } = answerQuestion(connection, candidates, listed, {
      load: (location) => {
        const document = loader.load(location);
        if (document === undefined || document.record.foreign) return undefined;
        return document.record.sessionId === query.except ? undefined : document;
      },
      found: [],
      matchOf: ({ text, folded }) => (containsLiteral(parsed, text, folded) ? 'literal' : 'related'),
    });
    const passages = new Map<string, ScoredDocument['document'][]>();
    for (const { document } of found)
      getOrAdd(passages, sessionKey(document.project, document.record.sessionId), () => []).push(document);
    return [...passages]
      .map(([key, list]) => {
        const most = Math.max(...list.map((passage) => informationIn(words, passage)));
        const [{ project, record }] = list as [ScoredDocument['document']];
        return {
          ...{ project, sessionId: record.sessionId, author: record.author },
          score: sessions.get(key) ?? 0,
          confidence: toConfidence(most, information, documentCount),
        };
      })
      .sort((a, b) => b.score - a.score);
  } finally {
    loader.close();
  }
}

/** The sessions among some that are not the one that asks. */
function listOthers(
  connection: ReadConnection,
  sessions: ReadonlySet<number>,
  except: string | undefined,
): readonly number[] {
  if (except === undefined) return [...sessions];
  const rows = connection.numbers(
    `SELECT session.id FROM json_each(?) AS possible CROSS JOIN session ON session.id = possible.value
     WHERE session.name <> ?2`,
    JSON.stringify([...sessions]),
    except,
  );
  return rows.map(([id = 0]) => id);
}
