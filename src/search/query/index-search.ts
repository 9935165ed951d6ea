import { CHAT_AGENT, type Problem } from '../../record/index.ts';
import type { Connection } from '../../store/connection.ts';
import { splitTerms } from '../../store/index-terms.ts';
import type { SearchedDocument } from '../../store/searchable.ts';
import { listProblems } from '../../store/tracked-files.ts';
import { scanWords } from '../../text/words.ts';
import { isChatTalk, rankDocuments, type ScoredDocument } from '../rank/hits.ts';
import { pickBest } from '../rank/question-rank.ts';
import { rarity, relevance, type WeightedTerm } from '../rank/relevance.ts';
import type { Match, QuestionVector, SearchQuery } from '../search-types.ts';
import { Candidates, type DocumentLocation } from './candidates.ts';
import { DocumentLoader, type LoadedDocument } from './document-loader.ts';
import type { Expression } from './expression.ts';
import { containsLiteral, type ParsedQuery } from './parse-query.ts';
import {
  hasManySuffixes,
  planAnchor,
  planInnerPair,
  planInnerWords,
  planPartialWords,
  planWholeWords,
  type SearchScope,
} from './plan-literal.ts';
import { planSelectiveWords, planWiderWords, planWords } from './plan-words.ts';
import { PLANNER } from './planner-limits.ts';
import { isQuestion, planQuestion } from './question.ts';
import { answerQuestion, listQuestion, type QuestionOptions } from './question-search.ts';
import { findSimilar } from './similar-documents.ts';
import { hasAllUnits, TextFilter } from './text-matcher.ts';
import { Vocabulary } from './vocabulary.ts';

/** The result of searching the index. */
export interface IndexResult {
  readonly found: readonly ScoredDocument[];
  /** Lines of the logs that could not be indexed. */
  readonly problems: readonly Problem[];
  /** False when only the newest of very many candidates were checked for the typed text. */
  readonly isExhaustive: boolean;
  /** Set when the vector of the question could not be compared with any, so that only words were. */
  readonly lacksVectors?: boolean;
  /** Scores of the sessions that answer a question, by `sessionKey()`. Undefined: sessions follow their best document. */
  readonly sessions?: ReadonlyMap<string, number>;
}

/** Searches the index as it is. */
export function searchIndex(
  connection: Connection,
  parsed: ParsedQuery,
  query: SearchQuery,
  limit: number,
): IndexResult {
  return connection.snapshot(() => {
    const search = new IndexSearch(connection, parsed, query, limit);
    try {
      const problems = connection.cached('problems', () => listProblems(connection));
      return { ...search.run(), problems };
    } finally {
      search.close();
    }
  });
}

/** One search. Goes from what is most likely meant to what is least likely, until there are enough documents. */
class IndexSearch {
  readonly #connection: Connection;
  readonly #parsed: ParsedQuery;
  readonly #limit: number;
  readonly #isChatWanted: boolean;
  readonly #vector: QuestionVector | undefined;
  readonly #vocabulary: Vocabulary;
  readonly #candidates: Candidates;
  readonly #loader: DocumentLoader;
  readonly #literalFilter: TextFilter;
  readonly #terms: readonly WeightedTerm[];
  readonly #found = new Map<number, ScoredDocument & { readonly document: LoadedDocument }>();
  /** Scopes whose documents have all been checked. */
  readonly #exhausted = new Set<string>();
  /** How many documents were found, and how many of them contain the typed text; unless wanted, talk of the chat is left out. */
  #workCount = 0;
  #literalCount = 0;
  #checkedCount = 0;
  #lacksVectors = false;

  constructor(connection: Connection, parsed: ParsedQuery, query: SearchQuery, limit: number) {
    this.#connection = connection;
    this.#parsed = parsed;
    this.#limit = limit;
    this.#isChatWanted = query.agent === CHAT_AGENT;
    this.#vector = query.embedding && 'vector' in query.embedding ? query.embedding : undefined;
    this.#vocabulary = new Vocabulary(connection);
    this.#candidates = new Candidates(connection, query, this.#vocabulary.documentCount);
    this.#loader = new DocumentLoader(connection, query);
    this.#literalFilter = TextFilter.forLiteral(parsed.literal);
    this.#terms = this.#weighTerms(parsed);
  }

  run(): Omit<IndexResult, 'problems'> {
    if (this.#parsed.typed === '') return { found: this.#listNewest(), isExhaustive: true };
    if (this.#isOneWord()) this.#findWord();
    else this.#findText();
    const isExhaustive = this.#checkedCount < PLANNER.maxChecked;
    if (this.#wantsAnswer()) return { ...this.#answer(), isExhaustive, lacksVectors: this.#lacksVectors };
    return { found: rankDocuments([...this.#found.values()], this.#limit), isExhaustive };
  }

  close(): void {
    this.#loader.close();
  }

  /** The newest documents that pass the filters. */
  #listNewest(): readonly ScoredDocument[] {
    for (const location of this.#candidates.newest()) {
      const document = this.#loader.load(location);
      if (document) this.#add(document, 'words', []);
      if (this.#found.size >= this.#limit) break;
    }
    return rankDocuments([...this.#found.values()], this.#limit);
  }

  /** Every document with the word contains the typed text, and so do those with longer words around it. */
  #findWord(): void {
    this.#addBest(planWords(this.#vocabulary, this.#parsed.units));
    if (this.#isEnough()) return;
    this.#checkPartialWords(planPartialWords(this.#vocabulary, this.#parsed, PLANNER.manyWords));
  }

  #findText(): void {
    const isAnchored = this.#addAnchored();
    // Of a question only the typed text is looked for: what has its words is found by the ranking.
    if (isQuestion(this.#parsed)) {
      if (!isAnchored) this.#addTypedText();
      return;
    }
    if (!isAnchored) this.#addTyped();
    if (!this.#isEnough()) this.#addBest(planWiderWords(this.#vocabulary, this.#parsed.units));
  }

  /**
   * When few documents have some word of the typed text, adds those with the text or with all words. False when they
   * must be found in other ways.
   */
  #addAnchored(): boolean {
    const anchor = areWholeWords(this.#parsed) ? planAnchor(this.#vocabulary, this.#parsed) : undefined;
    if (!anchor) return false;
    if (anchor.maxMatches === 0) return true;
    const isPhrase = this.#isPhrase();
    const isEasy = isPhrase ? this.#isEasyPhrase(anchor) : anchor.maxMatches <= this.#limit;
    if (!isEasy) return false;
    const phraseFilter = isPhrase ? TextFilter.forPhrase(this.#parsed.literal) : undefined;
    // Few documents are worth caching: while the user is typing, the next query needs them again.
    const lineFilter = anchor.maxMatches > PLANNER.maxAnchored ? phraseFilter : undefined;
    this.#check(anchor, PLANNER.maxChecked, (location) => this.#addIfMatching(location, lineFilter, phraseFilter));
    return true;
  }

  /** Whether checking all documents is faster than having FTS5 find the phrase, also with longer words. */
  #isEasyPhrase({ maxMatches }: Expression): boolean {
    if (maxMatches <= PLANNER.maxAnchored) return true;
    return maxMatches <= PLANNER.maxEasilyChecked && hasManySuffixes(this.#vocabulary, this.#parsed);
  }

  #addTyped(): void {
    const words = planWords(this.#vocabulary, this.#parsed.units);
    const { areWordsDone, isLeftOnly } = this.#addWholeWords(words);
    const scopes = this.#addByInnerPair()
      ? []
      : planPartialWords(this.#vocabulary, this.#parsed, PLANNER.fewWords, isLeftOnly);
    this.#checkPartialWords(scopes.filter(isCheap));
    if (!areWordsDone && !this.#isEnough()) this.#addBest(words);
    if (this.#isEnough()) return;
    const rest = scopes.filter((scope) => !isCheap(scope));
    this.#checkPartialWords(
      rest.every(isEasilyChecked)
        ? rest
        : planPartialWords(this.#vocabulary, this.#parsed, PLANNER.manyWords, isLeftOnly),
    );
  }

  #addTypedText(): void {
    if (this.#addByInnerPair()) return;
    const inner = planInnerWords(this.#vocabulary, this.#parsed);
    if (inner) {
      this.#checkWholeWords(inner, false);
      return;
    }
    const plan = planWholeWords(this.#vocabulary, this.#parsed);
    const isExhausted = plan !== undefined && this.#checkWholeWords(plan.scope, false);
    if (this.#literalCount > 0) return;
    const isLeftOnly = isExhausted && plan.includesExtended;
    this.#checkPartialWords(planPartialWords(this.#vocabulary, this.#parsed, PLANNER.fewWords, isLeftOnly));
  }

  /** Adds the documents with the typed text, if few have two of its words near one another. False when there may be more. */
  #addByInnerPair(): boolean {
    const pair = planInnerPair(this.#vocabulary, this.#parsed);
    return pair !== undefined && this.#checkFew(pair, (location) => this.#addIfTyped(location));
  }

  /**
   * Adds documents with the typed text as whole words. `areWordsDone`: those with all words are added too.
   * `isLeftOnly`: what remains are texts in which the first word is part of a longer one.
   */
  #addWholeWords(words: Expression | undefined): {
    readonly areWordsDone: boolean;
    readonly isLeftOnly: boolean;
  } {
    // Documents with the typed text have all of its words, so there is nothing more to find.
    if (words && this.#addAllWords(words)) return { areWordsDone: true, isLeftOnly: false };
    const plan = planWholeWords(this.#vocabulary, this.#parsed);
    if (!plan) return { areWordsDone: false, isLeftOnly: false };
    const isPhrase = plan.includesPhrases && this.#isPhrase();
    const isExhausted = this.#checkWholeWords(plan.scope, isPhrase);
    return { areWordsDone: isExhausted && isPhrase, isLeftOnly: isExhausted && plan.includesExtended };
  }

  /** Adds the documents with all words, if they are probably few. False when there may be more. */
  #addAllWords(words: Expression): boolean {
    if (words.expectedMatches > this.#limit || this.#isPhrase()) return false;
    const selective = planSelectiveWords(this.#vocabulary, this.#parsed.units);
    return selective !== undefined && this.#checkFew(selective, (location) => this.#addIfMatching(location));
  }

  #addBest(expression: Expression | undefined): void {
    if (!expression) return;
    for (const location of this.#candidates.best(expression, this.#limit)) this.#addWithWords(location);
  }

  /** Adds a document that has all words. */
  #addWithWords(location: DocumentLocation): void {
    const document = this.#found.has(location.id) ? undefined : this.#loader.load(location);
    if (document) this.#add(document, this.#containsTyped(document) ? 'literal' : 'words', this.#terms);
  }

  /** Adds a document if it contains the typed text. */
  #addIfTyped(location: DocumentLocation): void {
    const document = this.#loader.load(location, this.#literalFilter);
    if (document && this.#containsTyped(document)) this.#add(document, 'literal', this.#terms);
  }

  /** Adds a document if it contains the typed text or has all words, unless a filter for its line or its text rules it out. */
  #addIfMatching(location: DocumentLocation, lineFilter?: TextFilter, textFilter?: TextFilter): void {
    const document = this.#loader.load(location, lineFilter);
    if (document === undefined || textFilter?.mayMatch(document.folded) === false) return;
    const match = this.#matchOf(document);
    if (match !== 'related') this.#add(document, match, this.#terms);
  }

  #matchOf(document: LoadedDocument): Match {
    if (this.#containsTyped(document)) return 'literal';
    return hasAllUnits(this.#parsed.units, document.text, document.folded) ? 'words' : 'related';
  }

  /**
   * Adds documents of a scope that contain the typed text; with `isPhrase` also those that have its words as a phrase.
   * False when there were too many to check all of them.
   */
  #checkWholeWords(scope: SearchScope, isPhrase: boolean): boolean {
    const maxMatches = scope === 'everywhere' ? this.#vocabulary.documentCount : scope.maxMatches;
    const share = Math.max(PLANNER.minPhrasesChecked, maxMatches * PLANNER.phrasesCheckedShare);
    const maxChecked = Math.max(Math.min(share, PLANNER.maxPhrasesChecked), this.#limit * 4);
    this.#check(scope, maxChecked, isPhrase ? (location) => this.#addIfMatching(location) : undefined);
    return this.#exhausted.has(scopeKey(scope));
  }

  #checkPartialWords(scopes: readonly SearchScope[]): void {
    if (this.#parsed.literal.length < PLANNER.shortTextLength) this.#check('everywhere', PLANNER.checkedForShortText);
    for (const scope of scopes) this.#check(scope, PLANNER.maxChecked);
  }

  /** Passes the newest documents of a scope to `add`, which by default adds those that contain the typed text. */
  #check(
    scope: SearchScope,
    maxChecked: number,
    add = (location: DocumentLocation) => this.#addIfTyped(location),
  ): void {
    const end = Math.min(this.#checkedCount + maxChecked, PLANNER.maxChecked);
    if (this.#literalCount >= this.#limit || this.#exhausted.has(scopeKey(scope))) return;
    for (const location of this.#candidates.newest(scope === 'everywhere' ? undefined : scope)) {
      if (this.#checkedCount >= end) return;
      if (this.#found.has(location.id)) continue;
      this.#checkedCount++;
      add(location);
      if (this.#literalCount >= this.#limit) return;
    }
    this.#exhausted.add(scopeKey(scope));
  }

  /** Passes the documents of a scope to `add`, if they are few. */
  #checkFew(scope: Expression, add: (location: DocumentLocation) => void): boolean {
    const locations = this.#candidates.take(scope, PLANNER.fewMatches + 1);
    if (locations.length > PLANNER.fewMatches) return false;
    for (const location of locations) if (!this.#found.has(location.id)) add(location);
    return true;
  }

  /** Ranks what was found together with documents that have some of the words. Talk of the chat is no answer and comes last. */
  #answer(): Pick<IndexResult, 'found' | 'sessions'> {
    const found = [...this.#found.values()];
    const talk = found.filter(({ document }) => this.#isTalk(document));
    const work = found.filter(({ document }) => !this.#isTalk(document));
    const load = (location: DocumentLocation): LoadedDocument | undefined => {
      const document = this.#loader.load(location);
      return document && !this.#isTalk(document) ? document : undefined;
    };
    const question = planQuestion(this.#connection, this.#vocabulary, this.#parsed, Date.now());
    const listed = listQuestion(question, this.#candidates);
    const answer = answerQuestion(this.#connection, this.#candidates, listed, {
      load,
      similar: this.#findSimilar(load),
      found: work.map(({ document, match }) => ({ document, match })),
      matchOf: (document) => this.#matchOf(document),
    });
    if (isQuestion(this.#parsed)) {
      const best = pickBest(answer.found, answer.sessions, this.#limit);
      return { found: [...best, ...rankDocuments(talk, this.#limit)].slice(0, this.#limit), sessions: answer.sessions };
    }
    // What was typed comes first, also when other records are more likely to be about it.
    const typed = new Set(work.map(({ document }) => document.record.id));
    const others = pickBest(answer.found, answer.sessions, this.#limit).filter(
      ({ document }) => !typed.has(document.record.id),
    );
    return {
      found: [...rankDocuments(work, this.#limit), ...others, ...rankDocuments(talk, this.#limit)].slice(
        0,
        this.#limit,
      ),
    };
  }

  #findSimilar(load: QuestionOptions['load']): QuestionOptions['similar'] {
    if (this.#vector === undefined || !isQuestion(this.#parsed)) return undefined;
    const similar = findSimilar(this.#connection, this.#candidates, this.#vector, load);
    this.#lacksVectors = similar === undefined;
    return similar;
  }

  #isTalk(document: SearchedDocument): boolean {
    return isChatTalk(document) && !this.#isChatWanted;
  }

  #add(document: LoadedDocument, match: Match, terms: readonly WeightedTerm[]): void {
    const score = relevance(document.folded, terms);
    this.#found.set(document.id, { document, match, score, terms });
    if (this.#isTalk(document)) return;
    this.#workCount++;
    if (match === 'literal') this.#literalCount++;
  }

  #containsTyped({ text, folded }: LoadedDocument): boolean {
    return containsLiteral(this.#parsed, text, folded);
  }

  /** Questions, several words that few records have, and whatever is not found as it is typed. */
  #wantsAnswer(): boolean {
    if (this.#workCount === 0 || isQuestion(this.#parsed)) return true;
    const { units, typed } = this.#parsed;
    return !this.#isEnough() && units.length > 2 && !typed.includes('"') && units.every(({ isPrefix }) => !isPrefix);
  }

  #isEnough(): boolean {
    return this.#workCount >= this.#limit;
  }

  #isOneWord(): boolean {
    const words = scanWords(this.#parsed.literal);
    const isIdentifier = this.#parsed.units.some(({ parts }) => parts.length > 0);
    return words.length === 1 && words[0]?.text === this.#parsed.literal && !isIdentifier;
  }

  /** Whether the query is nothing but a phrase. */
  #isPhrase(): boolean {
    const { units, literal } = this.#parsed;
    const [unit] = units;
    return units.length === 1 && unit?.isPrefix === false && unit.terms.length === splitTerms(literal).length;
  }

  /** The words of the query, preceded by the typed text if it is not one of them. */
  #weighTerms({ literal, units }: ParsedQuery): readonly WeightedTerm[] {
    const terms = [...new Set(units.flatMap((unit) => [...unit.terms, ...unit.parts]))];
    const words = terms.map((text) => ({
      text,
      weight: rarity(this.#vocabulary.countDocuments(text), this.#vocabulary.documentCount),
    }));
    const maxWeight = Math.max(1, ...words.map(({ weight }) => weight));
    return literal === '' || terms.includes(literal) ? words : [{ text: literal, weight: maxWeight }, ...words];
  }
}

/** Whether the units of a query are the words of the typed text, each of them whole. */
function areWholeWords({ units, literal }: ParsedQuery): boolean {
  const terms = new Set(units.flatMap((unit) => unit.terms));
  return units.every(({ isPrefix }) => !isPrefix) && splitTerms(literal).every((term) => terms.has(term));
}

function isEasilyChecked(scope: SearchScope): boolean {
  return (
    scope !== 'everywhere' && scope.phraseCount <= PLANNER.fewWords && scope.maxMatches <= PLANNER.maxEasilyChecked
  );
}

function isCheap(scope: SearchScope): boolean {
  return (
    scope !== 'everywhere' && scope.phraseCount <= PLANNER.fewPhrases && scope.expectedMatches <= PLANNER.fewMatches
  );
}

function scopeKey(scope: SearchScope): string {
  return scope === 'everywhere' ? '' : scope.text;
}
