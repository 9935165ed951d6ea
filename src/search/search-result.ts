import type { Diagnostic } from '../record/index.ts';
import type { SearchedDocument } from '../store/searchable.ts';
import { hasUnspacedLetters } from '../text/characters.ts';
import { withIrregularForms } from '../text/irregular-forms.ts';
import { stem, stemPrefix } from '../text/stem.ts';
import { isCommonWord } from '../text/stop-words.ts';
import { findWord, isWordBorder } from '../text/word-matches.ts';
import type { ParsedQuery } from './query/parse-query.ts';
import { isQuestion, parseQuestion } from './query/question.ts';
import { groupBySession, isChatTalk, markedTerms, type ScoredDocument, toHit } from './rank/hits.ts';
import type { SearchHit, SearchResult } from './search-types.ts';

/** Terms that a result lists. */
const MAX_TERMS = 100;
/** Enough of a request to tell it from others. */
const COMPARED_REQUEST = 200;
/** Shorter messages of the user that have no word of a question, such as "Perfect.", say nothing about it. */
const MIN_TELLING_LENGTH = 30;

/** What a search returns of the documents that it found, the best first. `sessions`: how well each fits a question. */
export function toResult(
  parsed: ParsedQuery,
  found: readonly ScoredDocument[],
  source: SearchResult['source'],
  warnings: readonly Diagnostic[],
  sessions?: ReadonlyMap<string, number>,
): SearchResult {
  const hits = found.map(toHit);
  const terms = [...new Set(found.flatMap((one) => markedTerms(one)))].slice(0, MAX_TERMS);
  const shown = sessions === undefined ? hits : oncePerRequest(found, hits);
  const grouped = groupBySession(shown, sessions);
  const missing = findMissing(parsed, found);
  return { hits, sessions: grouped, isQuestion: isQuestion(parsed), source, missing, terms, warnings };
}

/** The words of a query that none of the documents has. What the chat said about them does not count. */
function findMissing({ typed }: ParsedQuery, found: readonly ScoredDocument[]): readonly string[] {
  const work = found.filter(({ document }) => !isChatTalk(document));
  if (work.length === 0 || work.some(({ match }) => match !== 'related')) return [];
  const known = [...new Set(work.flatMap(({ terms }) => terms.map(({ text }) => text)))];
  return parseQuestion(typed, Date.now()).words.filter((word) => {
    if (isCommonWord(word)) return false;
    const [base, ...irregular] = withIrregularForms(word);
    const forms = [stemPrefix(base), ...irregular, ...known.filter((term) => stem(term) === stem(base))];
    return !work.some(({ document }) => forms.some((form) => hasWord(document, form)));
  });
}

/** The best hit of each request: a message, or the calls that served it. No short reply of the user next to a match. */
function oncePerRequest(found: readonly ScoredDocument[], hits: readonly SearchHit[]): readonly SearchHit[] {
  const seen = new Set<string>();
  return hits.filter(({ role, snippet }, index) => {
    const { document: { record, project } = {}, isSimilar } = found[index] ?? {};
    const isNextToMatch = snippet.marks.length === 0 && !isSimilar;
    if (role === 'user' && isNextToMatch && snippet.text.length < MIN_TELLING_LENGTH) return false;
    const request = record && ('outcome' in record ? (record.context ?? record.id) : record.content);
    const key = `${project} ${record?.sessionId} ${request?.slice(0, COMPARED_REQUEST)}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** Short words count only as whole words: "wir" is not in "wired". */
const MAX_SHORT = 3;

function hasWord({ text, folded }: SearchedDocument, form: string): boolean {
  for (let at = findWord(text, folded, form, 0); at >= 0; at = findWord(text, folded, form, at + 1)) {
    if (form.length > MAX_SHORT || isWordBorder(text, folded, at + form.length)) return true;
  }
  // Scripts without spaces have no words that could begin there.
  return hasUnspacedLetters(form) && folded.includes(form);
}

/** The missing words of a result, to be put after "Nothing mentions". */
export function listMissing({ missing }: Pick<SearchResult, 'missing'>): string {
  const quoted = missing.map((word) => `"${word}"`);
  const last = quoted.pop() ?? '';
  return quoted.length === 0 ? last : `${quoted.join(', ')} or ${last}`;
}
