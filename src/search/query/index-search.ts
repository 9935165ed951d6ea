import { CHAT_AGENT, type Problem } from '../../record/index.ts';
import type { Connection } from '../../store/connection.ts';
import type { LineFilter } from '../../store/record-reader.ts';
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
import { planPartialWords, planWholeWords, type SearchScope } from './plan-literal.ts';
import { planWiderWords, planWords } from './plan-words.ts';
import { PLANNER } from './planner-limits.ts';
import { isQuestion, planQuestion } from './question.ts';
import { answerQuestion, listQuestion, type QuestionOptions } from './question-search.ts';
import { findSimilar } from './similar-documents.ts';
import { hasAllUnits, literalFilter } from './text-matcher.ts';
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
  readonly #literalFilter: LineFilter | undefined;
  readonly #terms: readonly WeightedTerm[];
  readonly #found = new Map<number, ScoredDocument & { readonly document: LoadedDocument }>();
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
    this.#candidates = new Candidates(connection, query);
    this.#loader = new DocumentLoader(connection, query);
    this.#literalFilter = literalFilter(parsed.literal);
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
      if (document) this.#add(document, 'words');
      if (this.#found.size >= this.#limit) break;
    }
    return rankDocuments([...this.#found.values()], this.#limit);
  }

  /** Every document with the word contains the typed text, and so do those with longer words around it. */
  #findWord(): void {
    this.#addBest(planWords(this.#vocabulary, this.#parsed.units));
    if (this.#isEnough()) return;
    this.#checkPartialWords();
  }

  #findText(): void {
    const whole = planWholeWords(this.#vocabulary, this.#parsed);
    if (whole) this.#check(whole, PLANNER.maxWholeChecked);
    const words = planWords(this.#vocabulary, this.#parsed.units);
    if (isQuestion(this.#parsed)) {
      // What has most words of a question is found by the ranking, which may miss one of the few documents with all of them.
      if (words && words.maxMatches <= this.#limit) this.#addBest(words);
      if (this.#literalCount === 0) this.#checkPartialWords();
      return;
    }
    this.#addBest(words);
    if (this.#isEnough()) return;
    this.#checkPartialWords();
    if (!this.#isEnough()) this.#addBest(planWiderWords(this.#vocabulary, this.#parsed.units));
  }

  /** Adds the best documents of an expression for all words. */
  #addBest(expression: Expression | undefined): void {
    if (!expression) return;
    for (const location of this.#candidates.best(expression, this.#limit)) {
      const document = this.#found.has(location.id) ? undefined : this.#loader.load(location);
      if (document) this.#add(document, this.#containsTyped(document) ? 'literal' : 'words');
    }
  }

  #matchOf(document: LoadedDocument): Match {
    if (this.#containsTyped(document)) return 'literal';
    return hasAllUnits(this.#parsed.units, document.text, document.folded) ? 'words' : 'related';
  }

  #checkPartialWords(): void {
    if (this.#parsed.literal.length < PLANNER.shortTextLength) this.#check('everywhere', PLANNER.checkedForShortText);
    for (const scope of planPartialWords(this.#vocabulary, this.#parsed)) this.#check(scope, PLANNER.maxChecked);
  }

  /** Adds the newest documents of a scope that contain the typed text. */
  #check(scope: SearchScope, maxChecked: number): void {
    const end = Math.min(this.#checkedCount + maxChecked, PLANNER.maxChecked);
    if (this.#literalCount >= this.#limit) return;
    for (const location of this.#candidates.newest(scope === 'everywhere' ? undefined : scope)) {
      if (this.#checkedCount >= end) return;
      if (this.#found.has(location.id)) continue;
      this.#checkedCount++;
      const document = this.#loader.load(location, this.#literalFilter);
      if (document && this.#containsTyped(document)) this.#add(document, 'literal');
      if (this.#literalCount >= this.#limit) return;
    }
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

  #add(document: LoadedDocument, match: Match): void {
    const terms = this.#terms;
    this.#found.set(document.id, { document, match, score: relevance(document.folded, terms), terms });
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
