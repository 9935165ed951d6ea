/**
 * The thresholds by which a search chooses its plan. Most affect only its speed; beyond `maxChecked`, matches among older
 * documents are missed.
 */
export const PLANNER = {
  /** Documents that one search reads to check whether they contain the typed text, and how many of those with its words. */
  maxChecked: 20_000,
  maxWholeChecked: 500,
  /** Shorter texts are part of very many words, so the newest `checkedForShortText` documents are checked first. */
  shortTextLength: 3,
  checkedForShortText: 1_000,
  /** Larger scopes are narrowed by the symbols of the text. */
  narrowedBySymbols: 1_000,

  /** Terms of one expression. With more it is slow to set up. */
  maxTerms: 500,
  /** Longer words that are enumerated for a word. */
  manyWords: 5_000,
  /** The last word of a text is searched together with its completions if these are in at most so many documents. */
  maxCompletionDocuments: 8_000,
  /** Shorter words are the prefix of too many others to be completed, and one in this many documents needs no completion. */
  minPrefixLength: 3,
  frequent: 1_000,
  /** Terms of a phrase. More do not make it more selective. */
  maxPhraseTerms: 16,
  /** Terms with the prefix of a word among which its other forms are looked for. */
  maxForms: 300,
  /** A word of a question in more documents is looked for only where it was said or done. */
  maxListedAnywhere: 300,
  /** Of a question: documents with its rarest words that are listed, how many of these are read, and how many with neighbours. */
  maxListed: 4_000,
  maxRelated: 150,
  maxWithNeighbours: 30,
} as const;
