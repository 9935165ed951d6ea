import type { Problem } from '../../record/index.ts';
import { scanWords } from '../../text/words.ts';
import type { Connection } from '../index/connection.ts';
import { termsOf } from '../index/index-terms.ts';
import { knownProblems } from '../index/tracked-files.ts';
import { type FoundDocument, rankFound } from '../rank/hits.ts';
import { type Needle, rarity, relevance } from '../rank/relevance.ts';
import type { Match, SearchQuery } from '../search-types.ts';
import { Candidates, type DocumentPlace } from './candidates.ts';
import { DocumentLoader, type LoadedDocument } from './document-loader.ts';
import type { Expression } from './expression.ts';
import { containsLiteral, type ParsedQuery } from './parse-query.ts';
import { closedLiteral, hasManyEndings, literalAnchor, openLiteral, type Place } from './plan-literal.ts';
import { relatedExpression, relatedWords, widenedExpression, wordsExpression } from './plan-words.ts';
import { TextFilter, UnitMatcher } from './text-matcher.ts';
import { Vocabulary } from './vocabulary.ts';

/** Documents that one search reads to see whether they contain what was typed. */
const MOST_CHECKED = 20_000;
/** How many of the documents with all words in a row are checked for what stands between the words. */
const LEAST_CHECKED_FIRST = 200;
const CHECKED_FIRST_PART = 0.1;
const MOST_CHECKED_FIRST = 2_000;
/** Documents that are looked at one after the other before the words around a short piece are worked out. */
const FIRST_LOOK = 1_000;
/** A piece shorter than this is in so many words that looking at the newest documents comes first. */
const SHORT_PIECE = 3;
/** Where no more documents have some word of a row of words, the row is looked for among them. */
const MOST_ANCHORED = 100;
/** What an expression may cost that is looked up before it is known whether it is needed. */
const CHEAP_PHRASES = 32;
const CHEAP_MATCHES = 200;
/** So many documents are checked when it is needed, rather than looking for an expression with fewer. */
const CHECKED_EASILY = 3_000;
/** Words that are told apart at first, and when it is needed. */
const FEW_WORDS = 64;
const MANY_WORDS = 5_000;
/** Matches of a question that are scored. */
const SCORED_RELATED = 6_000;

/** What a search in the index found. */
export interface IndexFindings {
  readonly found: readonly FoundDocument[];
  /** Lines of the logs that are not in the index because they could not be used. */
  readonly problems: readonly Problem[];
  /** False when only the newest of very many candidates were checked for what was typed. */
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
      const problems = connection.remembered('problems', () => knownProblems(connection));
      return { ...search.run(), problems };
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
  readonly #units: UnitMatcher;
  readonly #typed: TextFilter;
  readonly #needles: readonly Needle[];
  readonly #found = new Map<number, FoundDocument>();
  /** Places of which every document was checked. */
  readonly #exhausted = new Set<string>();
  #literals = 0;
  #checked = 0;

  constructor(connection: Connection, parsed: ParsedQuery, query: SearchQuery, limit: number) {
    this.#parsed = parsed;
    this.#limit = limit;
    this.#vocabulary = new Vocabulary(connection);
    this.#candidates = new Candidates(connection, query, this.#vocabulary.all);
    this.#loader = new DocumentLoader(connection, query);
    this.#units = new UnitMatcher(parsed.units);
    this.#typed = TextFilter.forLiteral(parsed.literal);
    this.#needles = this.#needlesOf(parsed);
  }

  run(): Omit<IndexFindings, 'problems'> {
    if (this.#isOneWord()) this.#findWord();
    else this.#findText();
    if (this.#found.size === 0) this.#addRelated();
    return {
      found: rankFound([...this.#found.values()], this.#limit),
      isExhaustive: this.#checked < MOST_CHECKED,
    };
  }

  close(): void {
    this.#loader.close();
  }

  /** One word: every document that has it contains what was typed, and so do those with longer words around it. */
  #findWord(): void {
    this.#addBest(wordsExpression(this.#vocabulary, this.#parsed.units));
    if (this.#isEnough()) return;
    this.#addOpenLiteral(openLiteral(this.#vocabulary, this.#parsed, MANY_WORDS));
  }

  #findText(): void {
    if (!this.#addAnchored()) this.#addTyped();
    if (!this.#isEnough()) this.#addBest(widenedExpression(this.#vocabulary, this.#parsed.units));
  }

  /**
   * Where few documents have some word of the typed text, takes those with the text or with all words. False when
   * they are to be looked for in other ways.
   */
  #addAnchored(): boolean {
    const anchor = areWholeWords(this.#parsed) ? literalAnchor(this.#vocabulary, this.#parsed) : undefined;
    if (!anchor) return false;
    if (anchor.documents === 0) return true;
    const isRow = this.#isRow();
    if (!(isRow ? this.#isEasyRow(anchor) : anchor.documents <= this.#limit)) return false;
    const row = isRow ? TextFilter.forRow(this.#parsed.literal) : undefined;
    // Few documents are worth keeping in memory: whoever is typing gets them again with the next letter.
    const lines = anchor.documents > MOST_ANCHORED ? row : undefined;
    this.#check(anchor, MOST_CHECKED, (place) => {
      const document = this.#loader.load(place, lines);
      if (document && row?.letsText(document.folded) !== false) this.#addIfMatching(document);
    });
    return true;
  }

  /** Whether looking at all documents is faster than asking FTS5 for words in a row, and for longer words. */
  #isEasyRow({ documents }: Expression): boolean {
    if (documents <= MOST_ANCHORED) return true;
    return documents <= CHECKED_EASILY && hasManyEndings(this.#vocabulary, this.#parsed);
  }

  #addTyped(): void {
    const words = wordsExpression(this.#vocabulary, this.#parsed.units);
    const { areWordsDone, isLeftOnly } = this.#addClosed(words);
    const places = openLiteral(this.#vocabulary, this.#parsed, FEW_WORDS, isLeftOnly);
    this.#addOpenLiteral(places.filter(isCheap));
    if (!areWordsDone && !this.#isEnough()) this.#addBest(words);
    if (this.#isEnough()) return;
    const rest = places.filter((place) => !isCheap(place));
    this.#addOpenLiteral(
      rest.every(isCheckedEasily)
        ? rest
        : openLiteral(this.#vocabulary, this.#parsed, MANY_WORDS, isLeftOnly),
    );
  }

  /**
   * Takes documents with the typed text as whole words. Tells whether those with all words are taken, too, and whether
   * the text is left only where its first word is part of a longer one.
   */
  #addClosed(words: Expression | undefined): {
    readonly areWordsDone: boolean;
    readonly isLeftOnly: boolean;
  } {
    // Documents with the typed text have all of its words, so there is nothing more to find there.
    if (words && this.#addAllWords(words)) return { areWordsDone: true, isLeftOnly: false };
    const closed = closedLiteral(this.#vocabulary, this.#parsed);
    if (!closed) return { areWordsDone: false, isLeftOnly: false };
    const isRow = closed.includesRows && this.#isRow();
    const isWhole = this.#addClosedLiteral(closed.place, isRow);
    return { areWordsDone: isWhole && isRow, isLeftOnly: isWhole && closed.includesLonger };
  }

  /** Takes the documents with all words, if they are probably few. False when there may be more. */
  #addAllWords(words: Expression): boolean {
    if (words.matches > this.#limit || this.#isRow()) return false;
    const places = this.#candidates.take(words, this.#limit + 1);
    if (places.length > this.#limit) return false;
    for (const place of places) this.#addWithWords(place);
    return true;
  }

  #addBest(expression: Expression | undefined): void {
    if (!expression) return;
    for (const place of this.#candidates.best(expression, this.#limit)) this.#addWithWords(place);
  }

  /** Takes a document that has all words. */
  #addWithWords(place: DocumentPlace): void {
    const document = this.#found.has(place.id) ? undefined : this.#loader.load(place);
    if (document) this.#add(document, this.#containsTyped(document) ? 'literal' : 'words', this.#needles);
  }

  /** Takes a document if it turns out to contain what was typed. */
  #addIfTyped(place: DocumentPlace): void {
    const document = this.#loader.load(place, this.#typed);
    if (document && this.#containsTyped(document)) this.#add(document, 'literal', this.#needles);
  }

  /** Takes a document if it turns out to have all words, or to contain what was typed. */
  #addIfMatching(document: LoadedDocument): void {
    if (this.#containsTyped(document)) this.#add(document, 'literal', this.#needles);
    else if (this.#units.matches(document.text, document.folded)) this.#add(document, 'words', this.#needles);
  }

  /**
   * Takes documents of a place with the typed text, with `isRow` also others with its words in a row. Where many are
   * neither, not all are checked: false then.
   */
  #addClosedLiteral(place: Place, isRow: boolean): boolean {
    const documents = place === 'everywhere' ? this.#vocabulary.all : place.documents;
    const most = Math.min(Math.max(LEAST_CHECKED_FIRST, documents * CHECKED_FIRST_PART), MOST_CHECKED_FIRST);
    const addRow = (one: DocumentPlace) => {
      const document = this.#loader.load(one);
      if (document) this.#addIfMatching(document);
    };
    this.#check(place, Math.max(most, this.#limit * 4), isRow ? addRow : undefined);
    return this.#exhausted.has(textOf(place));
  }

  #addOpenLiteral(places: readonly Place[]): void {
    if (this.#parsed.literal.length < SHORT_PIECE) this.#check('everywhere', FIRST_LOOK);
    for (const place of places) this.#check(place, MOST_CHECKED);
  }

  /** Takes the newest documents of a place that contain what was typed, or those that `add` takes. */
  #check(place: Place, most: number, add = (one: DocumentPlace) => this.#addIfTyped(one)): void {
    const end = Math.min(this.#checked + most, MOST_CHECKED);
    if (this.#literals >= this.#limit || this.#exhausted.has(textOf(place))) return;
    for (const candidate of this.#candidates.newest(place === 'everywhere' ? undefined : place)) {
      if (this.#checked >= end) return;
      if (this.#found.has(candidate.id)) continue;
      this.#checked++;
      add(candidate);
      if (this.#literals >= this.#limit) return;
    }
    this.#exhausted.add(textOf(place));
  }

  #addRelated(): void {
    const words = relatedWords(this.#vocabulary, this.#parsed);
    const expression = relatedExpression(words, SCORED_RELATED);
    if (!expression) return;
    const needles = words.flatMap(({ terms, documents }) =>
      terms.map(({ term }) => ({ text: term, weight: rarity(documents, this.#vocabulary.all) })),
    );
    const places =
      expression.documents <= SCORED_RELATED
        ? this.#candidates.bestOfAll(expression, this.#limit * 2)
        : this.#candidates.take(expression, this.#limit * 2);
    for (const place of places) {
      const document = this.#loader.load(place);
      if (document) this.#add(document, 'related', needles);
    }
  }

  #add(document: LoadedDocument, match: Match, needles: readonly Needle[]): void {
    const score = relevance(document.folded, needles);
    this.#found.set(document.id, { document, match, score, needles });
    if (match === 'literal') this.#literals++;
  }

  #containsTyped({ text, folded }: LoadedDocument): boolean {
    return containsLiteral(this.#parsed, text, folded);
  }

  #isEnough(): boolean {
    return this.#found.size >= this.#limit;
  }

  #isOneWord(): boolean {
    const words = scanWords(this.#parsed.literal);
    const isIdentifier = this.#parsed.units.some(({ parts }) => parts.length > 0);
    return words.length === 1 && words[0]?.text === this.#parsed.literal && !isIdentifier;
  }

  /** Whether nothing but its words in a row was asked for. */
  #isRow(): boolean {
    const { units, literal } = this.#parsed;
    const [unit] = units;
    return units.length === 1 && unit?.isPrefix === false && unit.terms.length === termsOf(literal).length;
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

/** Whether the units of a query are the words of the typed text, each of them whole. */
function areWholeWords({ units, literal }: ParsedQuery): boolean {
  const terms = new Set(units.flatMap((unit) => unit.terms));
  return units.every(({ isPrefix }) => !isPrefix) && termsOf(literal).every((term) => terms.has(term));
}

function isCheckedEasily(place: Place): boolean {
  return place !== 'everywhere' && place.phrases <= FEW_WORDS && place.documents <= CHECKED_EASILY;
}

function isCheap(place: Place): boolean {
  return place !== 'everywhere' && place.phrases <= CHEAP_PHRASES && place.matches <= CHEAP_MATCHES;
}

function textOf(place: Place): string {
  return place === 'everywhere' ? '' : place.text;
}
