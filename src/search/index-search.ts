import { Candidates } from './candidates.ts';
import type { Connection } from './connection.ts';
import { DocumentLoader, type LoadedDocument } from './document-loader.ts';
import type { Expression } from './expression.ts';
import { type FoundDocument, rankFound } from './found-document.ts';
import { containsLiteral, type ParsedQuery } from './parse-query.ts';
import { closedLiteral, openLiteral, type Place } from './plan-literal.ts';
import { relatedExpression, relatedWords } from './plan-related.ts';
import { widenedExpression, wordsExpression } from './plan-words.ts';
import { type Needle, rarity, relevance } from './rank.ts';
import type { SearchQuery } from './search-query.ts';
import type { Match } from './search-result.ts';
import { Vocabulary } from './vocabulary.ts';
import { wordsOf } from './words.ts';

/** Documents that one search reads to see whether they contain what was typed. */
const MOST_CHECKED = 20_000;
/** How many of the documents with all words in a row are checked for what stands between the words. */
const LEAST_CHECKED = 200;
const CHECKED_PART = 0.1;
const MOST_CHECKED_FIRST = 2_000;
/** Documents that are looked at one after the other before the words around a short piece are worked out. */
const FIRST_LOOK = 1_000;
/** A piece shorter than this is in so many words that looking at the newest documents comes first. */
const SHORT_PIECE = 3;

/** What a search in the index found. */
export interface IndexFindings {
  readonly found: readonly FoundDocument[];
  /** False when only the newest {@link MOST_CHECKED} candidates were checked for what was typed. */
  readonly isExhaustive: boolean;
}

/** Searches the index as it is. */
export function searchIndex(
  connection: Connection,
  parsed: ParsedQuery,
  query: SearchQuery,
  limit: number,
): IndexFindings {
  return connection.snapshot(() => {
    const search = new IndexSearch(connection, parsed, query, limit);
    try {
      return search.run();
    } finally {
      search.close();
    }
  });
}

/** One search. Goes from what is most likely meant to what is least, until there is enough. */
class IndexSearch {
  readonly #parsed: ParsedQuery;
  readonly #limit: number;
  readonly #vocabulary: Vocabulary;
  readonly #candidates: Candidates;
  readonly #loader: DocumentLoader;
  readonly #found = new Map<number, FoundDocument>();
  readonly #needles: readonly Needle[];
  #checked = 0;

  constructor(connection: Connection, parsed: ParsedQuery, query: SearchQuery, limit: number) {
    this.#parsed = parsed;
    this.#limit = limit;
    this.#vocabulary = new Vocabulary(connection);
    this.#candidates = new Candidates(connection, query, this.#vocabulary.all);
    this.#loader = new DocumentLoader(connection, query);
    this.#needles = this.#needlesOf(parsed);
  }

  run(): IndexFindings {
    const isOneWord = this.#isOneWord();
    if (!isOneWord) this.#addClosedLiteral();
    if (!this.#isEnough()) this.#addWords();
    if (!this.#isEnough()) this.#addOpenLiteral();
    if (!this.#isEnough() && !isOneWord) this.#addWidened();
    if (this.#found.size === 0) this.#addRelated();
    return {
      found: rankFound([...this.#found.values()], this.#limit),
      isExhaustive: this.#checked < MOST_CHECKED,
    };
  }

  close(): void {
    this.#loader.close();
  }

  #addWords(): void {
    this.#addBest(wordsExpression(this.#vocabulary, this.#parsed.units), 'words');
  }

  #addWidened(): void {
    this.#addBest(widenedExpression(this.#vocabulary, this.#parsed.units), 'words');
  }

  /** Takes the best documents that match an expression. */
  #addBest(expression: Expression | undefined, match: Match): void {
    if (!expression) return;
    for (const place of this.#candidates.best(expression, this.#limit)) {
      const document = this.#found.has(place.id) ? undefined : this.#loader.load(place);
      if (document) this.#add(document, this.#containsTyped(document) ? 'literal' : match, this.#needles);
    }
  }

  /** Takes the newest documents of a place that contain what was typed. */
  #check(place: Place, most: number): void {
    const end = Math.min(this.#checked + most, MOST_CHECKED);
    for (const candidate of this.#candidates.newest(place === 'everywhere' ? undefined : place)) {
      if (this.#isEnough() || this.#checked >= end) return;
      if (this.#found.has(candidate.id)) continue;
      this.#checked++;
      const document = this.#loader.load(candidate);
      if (document && this.#containsTyped(document)) this.#add(document, 'literal', this.#needles);
      else this.#loader.discard(candidate.id);
    }
  }

  /** Where documents have the words but not in the way they were typed, not all of them are checked. */
  #addClosedLiteral(): void {
    const place = closedLiteral(this.#vocabulary, this.#parsed);
    if (!place) return;
    const documents = place === 'everywhere' ? this.#vocabulary.all : place.documents;
    const most = Math.min(Math.max(LEAST_CHECKED, documents * CHECKED_PART), MOST_CHECKED_FIRST);
    this.#check(place, Math.max(most, this.#limit * 4));
  }

  #addOpenLiteral(): void {
    if (this.#parsed.literal.length < SHORT_PIECE) this.#check('everywhere', FIRST_LOOK);
    if (this.#isEnough()) return;
    for (const place of openLiteral(this.#vocabulary, this.#parsed)) this.#check(place, MOST_CHECKED);
  }

  #addRelated(): void {
    const words = relatedWords(this.#vocabulary, this.#parsed);
    const expression = relatedExpression(words);
    if (!expression) return;
    const needles = words.flatMap(({ terms, documents }) =>
      terms.map(({ term }) => ({ text: term, weight: rarity(documents, this.#vocabulary.all) })),
    );
    for (const place of this.#candidates.best(expression, this.#limit * 2)) {
      const document = this.#loader.load(place);
      if (document) this.#add(document, 'related', needles);
    }
  }

  #add(document: LoadedDocument, match: Match, needles: readonly Needle[]): void {
    const score = relevance(document.folded, needles);
    this.#found.set(document.id, { document, match, score, needles: needles.map(({ text }) => text) });
  }

  #containsTyped({ text, folded }: LoadedDocument): boolean {
    return containsLiteral(this.#parsed, text, folded);
  }

  #isEnough(): boolean {
    return this.#found.size >= this.#limit;
  }

  #isOneWord(): boolean {
    const words = wordsOf(this.#parsed.literal);
    const isIdentifier = this.#parsed.units.some(({ parts }) => parts.length > 0);
    return words.length === 1 && words[0]?.text === this.#parsed.literal && !isIdentifier;
  }

  #needlesOf({ literal, units }: ParsedQuery): readonly Needle[] {
    const terms = [...new Set(units.flatMap((unit) => [...unit.terms, ...unit.parts]))];
    const words = terms.map((text) => ({
      text,
      weight: rarity(this.#vocabulary.documents(text), this.#vocabulary.all),
    }));
    const whole = Math.max(1, ...words.map(({ weight }) => weight));
    return literal === '' || terms.includes(literal) ? words : [{ text: literal, weight: whole }, ...words];
  }
}
