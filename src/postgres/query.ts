import { omitUndefined } from '../record/index.ts';
import type { ParsedQuery } from '../search/query/parse-query.ts';
import type { SearchQuery } from '../search/search-types.ts';
import { queryFilterTerms } from '../store/filters.ts';
import { findIdentifierParts, SYMBOL_PREFIX, splitTerms, symbolProbes, symbolTerms } from '../store/index-terms.ts';
import { joinText, type Searchable, searchedText } from '../store/searchable.ts';
import { foldCase } from '../text/fold-case.ts';
import { isStopWord } from '../text/stop-words.ts';

/** More terms than this say nothing new about a record. */
const MAX_TERMS = 4_000;

/** Shorter words are not looked up in the middle of others: too many words contain them. */
const MIN_SUBSTRING_LENGTH = 3;

/** The terms that a record is found by on the server: words, parts of identifiers, symbols, and what it is filtered by. */
export function recordTerms(record: Searchable): {
  readonly words: ReadonlySet<string>;
  readonly filters: readonly string[];
} {
  const text = joinText(searchedText(record));
  const folded = foldCase(text);
  const words = new Set<string>();
  for (const terms of [splitTerms(folded), findIdentifierParts(text), symbolTerms(folded)]) {
    for (const term of terms) if (words.size < MAX_TERMS) words.add(term);
  }
  return { words, filters: filterTerms(record).flat() };
}

/** Terms for the fields that queries filter by and that are no columns. */
function filterTerms({
  agent,
  branch,
}: {
  readonly agent?: string;
  readonly branch?: string;
}): readonly Alternatives[] {
  return queryFilterTerms(omitUndefined({ agent, branch }));
}

/** Alternatives, each a term or, with a star at its end, the beginning of one. */
type Alternatives = readonly string[];

function isOpen(term: string): boolean {
  return term.length > 1 && term.endsWith('*');
}

/** Two queries of PostgreSQL that must both match: one of whole words, and one that has beginnings of words. */
export interface RecordQuery {
  readonly closed: string | undefined;
  readonly open: string | undefined;
}

/** Builds queries of PostgreSQL. All terms of a project start with its number. */
export class QueryBuilder {
  readonly #prefix: string;
  readonly #filters: readonly Alternatives[];

  constructor(projectNumber: string, query: SearchQuery) {
    this.#prefix = `${projectNumber}:`;
    this.#filters = filterTerms(query);
  }

  /** Records with all words of the query; the last one may be the beginning of a longer word. */
  allWords({ units }: ParsedQuery): RecordQuery | undefined {
    const last = units.at(-1);
    const groups = units.flatMap((unit) => {
      const isOpen = unit.isPrefix || unit === last;
      return unit.terms.map((term, index) => [isOpen && index === unit.terms.length - 1 ? `${term}*` : term]);
    });
    return this.#join(groups);
  }

  /** Records with any word of the query that says something. */
  anyWord({ units }: ParsedQuery): RecordQuery | undefined {
    const terms = units.flatMap((unit) => [...unit.terms, ...unit.parts]);
    const content = terms.filter((term) => !isStopWord(term));
    return this.#join([content.length > 0 ? content : terms]);
  }

  /** Records with one of the words in `found` for each pattern, and with the other words, of a substring query. */
  oneOfEach(found: readonly Alternatives[], { words }: SubstringQuery): RecordQuery | undefined {
    return found.length === 0 ? undefined : this.#join([...found, ...words.map((word) => [word])]);
  }

  /** Records with one of each group; undefined if that is none. */
  #join(groups: readonly Alternatives[]): RecordQuery | undefined {
    if (groups.length === 0 || groups.some((terms) => terms.length === 0)) return undefined;
    const all = [...this.#filters, ...groups];
    return {
      closed: this.#and(all.filter((terms) => !terms.some(isOpen))),
      open: this.#and(all.filter((terms) => terms.some(isOpen))),
    };
  }

  #and(groups: readonly Alternatives[]): string | undefined {
    if (groups.length === 0) return undefined;
    return groups.map((terms) => `(${terms.map((term) => this.#lexeme(term)).join(' | ')})`).join(' & ');
  }

  #lexeme(term: string): string {
    const text = this.#prefix + (isOpen(term) ? term.slice(0, -1) : term);
    return `'${text.replace(/\\/g, '\\\\').replace(/'/g, "''")}'${isOpen(term) ? ':*' : ''}`;
  }
}

/** What a text must have to contain a query that begins or ends within a word. */
export interface SubstringQuery {
  /** Patterns for LIKE: some word of the text matches each of them. */
  readonly patterns: readonly string[];
  /** Words of the text, the last of which may be the beginning of a longer one. */
  readonly words: readonly string[];
  /** Whether records with a word that matches the first pattern are not found by the words of the query anyway. */
  isNew(word: string): boolean;
}

/** Only the first word of a query may be the end of a longer one; a query for all words finds the rest. */
export function toSubstringQuery({ literal }: ParsedQuery): SubstringQuery {
  const [first = '', ...others] = splitTerms(literal);
  const end = others.length === 0 ? '%' : '';
  const patterns = first.length < MIN_SUBSTRING_LENGTH ? [] : [`%${escapePattern(first)}${end}`];
  const symbols = symbolProbes(literal).map((probe) => `${SYMBOL_PREFIX}%${escapePattern(probe)}%`);
  return {
    patterns: [...patterns, ...symbols],
    words: others.map((word, index) => (index === others.length - 1 ? `${word}*` : word)),
    isNew: (word) => symbols.length > 0 || (others.length === 0 ? !word.startsWith(first) : word !== first),
  };
}

function escapePattern(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
