import { isEmptyWord } from '../../../facts/attempt/follow-up.ts';
import { truncateLine } from '../../../text/one-line.ts';
import { stem } from '../../../text/stem.ts';
import type { RequestEntry } from '../aggregate/requests.ts';
import type { BoundedCounts, Counted } from './bounded-counts.ts';

/** A task that was requested: a verb and its object. */
export interface CountedTask extends Counted {
  /** As written, or what the requests have in common if they differ. */
  name: string;
  /** Number of days on which it was requested, and the last of them. */
  days: number;
  day: string;
  /** The last request; empty while there is only one session. */
  example: string;
}

const MAX_EXAMPLE_LENGTH = 80;
const DAY_LENGTH = 'YYYY-MM-DD'.length;

/** Counts the tasks of a request, to find recurring ones. */
export function countTask(counts: BoundedCounts<CountedTask>, sessionId: string, request: RequestEntry): void {
  const day = request.at.slice(0, DAY_LENGTH);
  for (const { key, name, short } of findTasks(request.text)) {
    const entry = counts.count(key, request.at, sessionId, (counted) => ({
      ...counted,
      name,
      days: 0,
      day: '',
      example: '',
    }));
    if (entry.name !== name) entry.name = short;
    if (day > entry.day) {
      entry.days++;
      entry.day = day;
    }
    // Most tasks never recur and need no example.
    if (entry.sessions > 1) entry.example = truncateLine(request.text, MAX_EXAMPLE_LENGTH);
  }
}

/** A task in a request: a verb and its object. */
interface TaskPhrase {
  /** Identifies the task: the verb's main synonym and the stem of the object's last word. */
  readonly key: string;
  /** As written: `write release notes` for "write the release notes". */
  readonly name: string;
  /** With the main synonym and the last word of the object: `create notes`. */
  readonly short: string;
}

/** Verbs of orders, by line of synonyms with the main one first. Reading and asking are no tasks. */
const VERBS: ReadonlyMap<string, string> = new Map(
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

/** Words before the object that are not part of it. */
const DETERMINERS: ReadonlySet<string> = new Set(
  'the a an this that these those our my your their its some all any more another new next last latest current same few further other following up down out also me us'.split(
    ' ',
  ),
);
/** Objects that do not identify a task. */
const VAGUE: ReadonlySet<string> = new Set(
  'plan thing stuff way code change file line part point one something everything case time bit lot place work thought idea option step sense example question answer'
    .split(' ')
    .map(stem),
);
/** First words of questions and statements. */
const NOT_AN_ORDER = /^(?:why|what|how|when|where|which|who|is|are|was|were|does|did|has|have|it|they|he|she)$/;
/** Words before nouns: `of import` is no order. */
const BEFORE_NOUNS = /^(?:of|in|on|for|from|with|by|at|about|after|before|into|per|no|not|never)$/;
const MAX_REQUEST_READ = 200;
const MAX_PHRASES = 3;
const MAX_OBJECT_WORDS = 2;
const CLAUSE = /[.,;!?()"“”`\n]+|\s(?:and|then|but|so|because|if|when|which|that|as well)\s/;
const WORD = /^[\p{L}][\p{L}'-]*$/u;

/** The tasks of a request in order, without duplicates; none for questions and statements. */
export function findTasks(request: string): readonly TaskPhrase[] {
  const phrases = new Map<string, TaskPhrase>();
  // Text after a colon is usually pasted or quoted.
  const [text = ''] = request
    .slice(0, MAX_REQUEST_READ)
    .replace(/['’]/g, '')
    .toLowerCase()
    .split(/:(?=\s|$)/, 1);
  for (const clause of text.split(CLAUSE)) {
    const phrase = parseClause(clause.split(/\s+/).filter((word) => word !== ''));
    if (phrase !== undefined && !phrases.has(phrase.key)) phrases.set(phrase.key, phrase);
    if (phrases.size === MAX_PHRASES) break;
  }
  return [...phrases.values()];
}

function parseClause(words: readonly string[]): TaskPhrase | undefined {
  // An order is preceded only by words without content: "please", "can you".
  const at = words.findIndex((word) => VERBS.has(word) || !isEmptyWord(word));
  const verb = words[at];
  const order = verb === undefined ? undefined : VERBS.get(verb);
  if (verb === undefined || order === undefined || NOT_AN_ORDER.test(words[0] ?? '')) return undefined;
  const before = words[at - 1] ?? '';
  if (DETERMINERS.has(before) || BEFORE_NOUNS.test(before)) return undefined;
  const object = findObject(words.slice(at + 1));
  const last = object.at(-1);
  if (last === undefined || VAGUE.has(stem(last))) return undefined;
  return { key: `${order} ${stem(last)}`, name: [verb, ...object].join(' '), short: `${order} ${last}` };
}

/** The last words, at most two, of the object that follows the verb. */
function findObject(words: readonly string[]): readonly string[] {
  const from = words.findIndex((word) => !DETERMINERS.has(word));
  if (from === -1) return [];
  const rest = words.slice(from);
  const end = rest.findIndex((word) => !WORD.test(word) || isEmptyWord(word) || DETERMINERS.has(word));
  const object = end === -1 ? rest : rest.slice(0, end);
  return object.slice(0, 3).slice(-MAX_OBJECT_WORDS);
}
