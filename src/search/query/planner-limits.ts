/**
 * The thresholds by which a search chooses its plan. Most affect only its speed; beyond `maxChecked`, matches among older
 * documents are missed.
 */
export const PLANNER = {
  /** Documents that one search reads to check whether they contain the typed text. */
  maxChecked: 20_000,
  /** How many documents with all words as a phrase are checked for what separates the words: a share, within bounds. */
  minPhrasesChecked: 200,
  phrasesCheckedShare: 0.1,
  maxPhrasesChecked: 2_000,
  /** Shorter texts are part of very many words, so the newest `checkedForShortText` documents are checked first. */
  shortTextLength: 3,
  checkedForShortText: 1_000,
  /** Up to this many documents with a rare word of a phrase are checked one by one, without looking for the phrase. */
  maxAnchored: 100,
  /** Documents that are checked, when needed, without looking for a narrower scope. */
  maxEasilyChecked: 3_000,
  /** Microseconds that FTS5 takes to pass an entry of a word while it looks for documents with several words. */
  entryCost: 0.006,
  /** Microseconds to read a document. */
  readCost: 40,

  /** A scope with at most this many documents is not narrowed further. */
  tinyScope: 20,
  /** Matches, expected or found, that are checked without narrowing the scope, or before it is known whether that is needed. */
  fewMatches: 200,
  /** Phrases of a scope that is checked before it is known whether that is needed. */
  fewPhrases: 32,
  /** Larger scopes are narrowed by the symbols of the text. */
  narrowedBySymbols: 1_000,

  /** Terms of one expression. With more it is slow to set up. */
  maxTerms: 500,
  /** Longer words that are enumerated for a word at first, and when too few documents are found with those. */
  fewWords: 64,
  manyWords: 5_000,
  /** The few completions of a word are searched together with it up to this many documents. */
  maxCompletionDocuments: 8_000,
  /** Shorter words are the prefix of too many others to be completed, and one in this many documents needs no completion. */
  minPrefixLength: 3,
  frequent: 1_000,
  /** The first word must be rarer than the other words by this factor to make looking for its extensions worthwhile. */
  anchorFactor: 4,

  /** Terms of a phrase. More do not make it more selective. */
  maxPhraseTerms: 16,
  /** The largest distance, in words, between the two words of a text that it is looked for by. */
  maxDistance: 4,
  /** Consecutive terms that a text is found by; its other words are seen when it is checked. */
  selectiveTerms: 3,
  /** A term in at most `rare` documents is selective alone, and one with a neighbour if at most `maxPairs` have both by chance. */
  rare: 16,
  maxPairs: 1_000,
  /** Documents with the rarest word between the first and the last of a text, for these words to be enough to find it by. */
  maxInnerWord: 20_000,
  /** Estimated share of the documents with the rarest word of a phrase that have the whole phrase. */
  phraseShare: 0.1,

  /** Terms with the prefix of a word among which its other forms are looked for. */
  maxForms: 300,
  /** A word of a question in more documents is looked for only where it was said or done. */
  maxListedAnywhere: 300,
  /** Of a question: documents with its rarest words that are listed, how many of these are read, and how many with neighbours. */
  maxListed: 4_000,
  maxRelated: 150,
  maxWithNeighbours: 30,
} as const;
