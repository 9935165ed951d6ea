import { stem } from '../../text/stem.ts';
import { isEmptyWord } from './words.ts';

/** What a request orders: a verb and what it is to be done to. */
export interface TaskPhrase {
  /** The same for the same task: kind of verb and last word of the object, as stems. */
  readonly key: string;
  /** As it was written: `write the release notes` is `write release notes`. */
  readonly name: string;
  /** The same with the usual verb and the last word of the object: `create notes`. */
  readonly short: string;
}

/** Verbs that order work, those of a line being the same order. Looking and asking are no work. */
const ORDERS: ReadonlyMap<string, string> = new Map(
  [
    'add introduce provide',
    'create make open write build generate implement file raise',
    'remove delete drop disable strip uninstall',
    'fix repair solve resolve debug correct address handle',
    'update upgrade bump migrate',
    'convert switch replace rename move refactor simplify improve clean',
    'enable integrate configure install',
    'review audit',
    'release publish deploy ship',
    'merge rebase',
    'commit push',
    'draft prepare plan design',
    'document describe summarize summarise translate',
    'split extract',
    'benchmark profile optimize optimise',
    'spawn start launch',
    'triage investigate',
    'rotate renew back restore import export sync',
    'do',
  ].flatMap((line) => {
    const verbs = line.split(' ');
    return verbs.map((verb) => [verb, verbs[0] ?? verb] as const);
  }),
);

/** Before the object, and no part of it. */
const DETERMINERS: ReadonlySet<string> = new Set(
  'the a an this that these those our my your their its some all any more another new next last latest current same few further other following up down out also me us'.split(
    ' ',
  ),
);
/** Objects that say nothing of a task. */
const VAGUE: ReadonlySet<string> = new Set(
  'plan thing stuff way code change file line part point one something everything case time bit lot place work thought idea option step sense example question answer'
    .split(' ')
    .map(stem),
);
/** How questions begin, and sentences that tell something. */
const NO_ORDER = /^(?:why|what|how|when|where|which|who|is|are|was|were|does|did|has|have|it|they|he|she)$/;
/** After these a word is a noun: `the release`, `of import`. */
const BEFORE_NOUNS = /^(?:of|in|on|for|from|with|by|at|about|after|before|into|per|no|not|never)$/;
const CHARACTERS_READ = 200;
const MOST_PHRASES = 3;
const MOST_OBJECT_WORDS = 2;
const CLAUSE = /[.,;!?()"“”`\n]+|\s(?:and|then|but|so|because|if|when|which|that|as well)\s/;
const WORD = /^[\p{L}][\p{L}'-]*$/u;

/** The tasks that a request orders, in order, each once; none for questions and for what only tells something. */
export function taskPhrases(request: string): readonly TaskPhrase[] {
  const phrases = new Map<string, TaskPhrase>();
  // What follows a colon is pasted or quoted, as a rule.
  const [text = ''] = request
    .slice(0, CHARACTERS_READ)
    .replace(/['’]/g, '')
    .toLowerCase()
    .split(/:(?=\s|$)/, 1);
  for (const clause of text.split(CLAUSE)) {
    const phrase = phraseOf(clause.split(/\s+/).filter((word) => word !== ''));
    if (phrase !== undefined && !phrases.has(phrase.key)) phrases.set(phrase.key, phrase);
    if (phrases.size === MOST_PHRASES) break;
  }
  return [...phrases.values()];
}

function phraseOf(words: readonly string[]): TaskPhrase | undefined {
  // Only what is polite or says who shall do it stands before an order.
  const at = words.findIndex((word) => ORDERS.has(word) || !isEmptyWord(word));
  const verb = words[at];
  const order = verb === undefined ? undefined : ORDERS.get(verb);
  if (verb === undefined || order === undefined || NO_ORDER.test(words[0] ?? '')) return undefined;
  const before = words[at - 1] ?? '';
  if (DETERMINERS.has(before) || BEFORE_NOUNS.test(before)) return undefined;
  const object = objectOf(words.slice(at + 1));
  const last = object.at(-1);
  if (last === undefined || VAGUE.has(stem(last))) return undefined;
  return { key: `${order} ${stem(last)}`, name: [verb, ...object].join(' '), short: `${order} ${last}` };
}

/** The words after the verb up to the first that is none of the object, at most the last two of them. */
function objectOf(words: readonly string[]): readonly string[] {
  const from = words.findIndex((word) => !DETERMINERS.has(word));
  if (from === -1) return [];
  const rest = words.slice(from);
  const end = rest.findIndex((word) => !WORD.test(word) || isEmptyWord(word) || DETERMINERS.has(word));
  const object = end === -1 ? rest : rest.slice(0, end);
  return object.slice(0, 3).slice(-MOST_OBJECT_WORDS);
}
