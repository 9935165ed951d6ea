import type { ReadConnection } from '../../store/connection.ts';
import { findIdentifierParts, splitLongWord } from '../../store/index-terms.ts';
import { foldCase } from '../../text/fold-case.ts';
import { isLetters } from '../../text/letters.ts';
import { isCommonWord, isStopWord } from '../../text/stop-words.ts';
import { findTimePhrases, type TimePhrase } from '../../text/time-phrases.ts';
import { scanWords } from '../../text/words.ts';
import { informationOf, namedAgents, type Question } from '../rank/question-rank.ts';
import { rarity } from '../rank/relevance.ts';
import { type ParsedQuery, parseQuery } from './parse-query.ts';
import { findForms } from './plan-words.ts';
import { type KnownTerm, sumDocumentCounts, type Vocabulary } from './vocabulary.ts';

/** Fewer words, or fewer content words, are looked for as they are. */
const MIN_WORDS = 3;
const MIN_CONTENT_WORDS = 2;
/** With as many content words beside what is in quotes, the quotes are part of a sentence. */
const MIN_SENTENCE_WORDS = 4;
/** Enough words to find a long text by. */
const MAX_WORDS = 24;

/**
 * Whether a query is a question rather than something to look for as it is typed: several words, at least two of them
 * plain content words, no prefix, and no quotes except in a sentence. Paths, flags, codes and identifiers alone are no
 * question.
 */
export function isQuestion({ typed, units }: ParsedQuery): boolean {
  if (units.length < MIN_WORDS || units.some(({ isPrefix }) => isPrefix)) return false;
  const isContent = ([word = '', ...rest]: readonly string[]): boolean =>
    rest.length === 0 && isLetters(word) && !isStopWord(word);
  const least = typed.includes('"') ? MIN_SENTENCE_WORDS : MIN_CONTENT_WORDS;
  return units.filter(({ terms }) => isContent(terms)).length >= least;
}

/** What a commit's message may have around the description of the change: `feat(scope): …`, `… (#12)`, `Co-authored-by: …`. */
const COMMIT_TYPE = /^(?:build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test)(?:\(([^)]*)\))?!?:\s+/i;
const PULL_REQUEST = /\s\(#\d+\)$/;
const TRAILERS = /(?:\s{1,4}[A-Z]\w{0,40}(?:-\w{1,40}){1,4}: (?:[^\n<]{1,80}<[^\n>]{0,80}>|[\da-f]{7,40})){1,9}$/;

/**
 * Parses what somebody searches for. Of a commit's message, the description is looked for, and the scope as one more word:
 * who did the work need not have said what kind of change it is, where it was merged or who made it.
 */
export function parseSearch(text: string): ParsedQuery {
  const parsed = parseQuery(text);
  const [label = '', scope = ''] = COMMIT_TYPE.exec(parsed.typed) ?? [];
  const description = parsed.typed.slice(label.length).replace(TRAILERS, '').replace(PULL_REQUEST, '');
  if (description === parsed.typed || !isQuestion(parsed)) return parsed;
  const subject = parseQuery(`${scope} ${description}`);
  return isQuestion(subject) ? { ...subject, literal: foldCase(description) } : parsed;
}

/** The content words of a text, folded: without stop words, with the parts of identifiers, each once, in order. */
function contentWords(text: string): readonly string[] {
  const words = scanWords(foldCase(text)).flatMap(({ text: word }) => splitLongWord(word));
  const all = [...new Set([...words, ...findIdentifierParts(text)])];
  const content = all.filter((word) => !isStopWord(word));
  return (content.length > 0 ? content : all).slice(0, MAX_WORDS);
}

/** A text without the times that it names. */
function withoutTimes(text: string, times: readonly TimePhrase[]): string {
  return times.reduce((rest, { start, end }) => rest.slice(0, start) + ' '.repeat(end - start) + rest.slice(end), text);
}

/** What a question consists of: its content words, and the times that it names. */
export function parseQuestion(
  typed: string,
  now: number,
): Pick<Question, 'times'> & { readonly words: readonly string[] } {
  const times = findTimePhrases(typed, now);
  return { times, words: contentWords(withoutTimes(typed, times)) };
}

/** A question with the terms of the index that its words stand for. */
export interface PlannedQuestion extends Question {
  readonly terms: readonly (readonly KnownTerm[])[];
}

/** How much a word says about a subject if that many documents have it. */
export function informationOfWord(word: string, documentCount: number, totalCount: number): number {
  return isCommonWord(word) ? 0 : informationOf(documentCount, totalCount);
}

/** What a question asks for. Words that no document has are left out, but count as information. */
export function planQuestion(
  connection: ReadConnection,
  vocabulary: Vocabulary,
  { typed, literal }: ParsedQuery,
  now: number,
): PlannedQuestion {
  const { times, words } = parseQuestion(typed, now);
  const all = words.map((word) => {
    const terms = findForms(vocabulary, word);
    const counts = [sumDocumentCounts(terms), vocabulary.documentCount] as const;
    const information = informationOfWord(word, ...counts);
    return { terms, forms: terms.map(({ term }) => term), weight: rarity(...counts), information };
  });
  const known = all.filter(({ forms }) => forms.length > 0);
  return {
    literal,
    words: known,
    terms: known.map(({ terms }) => terms),
    information: all.reduce((sum, { information }) => sum + information, 0),
    times,
    agents: namedAgents(
      connection.cached('agents', () => listAgents(connection)),
      words,
    ),
  };
}

/** Skips in an index from one agent to the next: reading all sessions takes 20 ms for 40,000. */
function listAgents(connection: ReadConnection): readonly string[] {
  const next = (column: string): string =>
    `SELECT (SELECT min(${column}) FROM session WHERE ${column} > agent) FROM ${column}s WHERE agent IS NOT NULL`;
  const rows = connection.all<{ readonly agent: string }>(
    `WITH firstAgents (agent) AS (SELECT min(firstAgent) FROM session UNION ALL ${next('firstAgent')}),
       lastAgents (agent) AS (SELECT min(lastAgent) FROM session UNION ALL ${next('lastAgent')})
     SELECT agent FROM firstAgents WHERE agent IS NOT NULL UNION SELECT agent FROM lastAgents WHERE agent IS NOT NULL`,
  );
  return rows.map(({ agent }) => agent);
}
