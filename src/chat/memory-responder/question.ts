import { isFollowUp, isRecallable, parseFeedback, parseRecapQuestion, type TimeSpan } from '../../memory/index.ts';
import type { Home, Project } from '../../project/index.ts';
import { stemPrefix } from '../../text/stem.ts';
import { isCommonWord } from '../../text/stop-words.ts';
import { findTimePhrases } from '../../text/time-phrases.ts';

/** A task that commands are asked for. */
export type Task = 'test' | 'build' | 'lint' | 'format' | 'install' | 'start' | 'deploy';

/** The kind of a question to the memory; a `topic` is searched in all of it. */
type Question =
  | { readonly kind: 'recap'; readonly span: TimeSpan }
  | { readonly kind: 'greeting' }
  /** A comment on what was said before: consent, thanks, feedback. */
  | { readonly kind: 'remark' }
  /** A question about the last answer, without a subject of its own. */
  | { readonly kind: 'followUp' }
  | { readonly kind: 'why' }
  | { readonly kind: 'failures'; readonly span: TimeSpan }
  /** What fails again and again. */
  | { readonly kind: 'frequentFailures' }
  | { readonly kind: 'command'; readonly task: Task }
  | { readonly kind: 'project' }
  /** Who changed a file, when and why. */
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'decision' }
  | { readonly kind: 'topic' };

const GREETING =
  /^\W*(?:(?:hi|hello|hey|hallo|moin|good (?:morning|afternoon|evening))(?:[\s,]+(?:there|yore|all|again))?|help(?: me)?|who are you|what(?:'s| is) (?:yore|this)|what (?:can|do) (?:you|i) (?:do|ask)(?: (?:you|here))?)\W*$/i;
const PROJECT =
  /\bwhat(?:'s| is| kind of| sort of| do (?:you|we) know (?:about|of))? ?(?:is )?(?:this|the|our) (?:project|repo|repository|code ?base|app)\b(?! (?:using|doing))|\b(?:describe|explain|tell me about|summari[sz]e) (?:this|the|our) (?:project|repo|repository|code ?base|app)\b|\bhow many (?:sessions|requests|messages)\b|\b(?:our|the|which|what) (?:coding )?(?:conventions|tech(?:nology)? stack|best practices)\b|^\W*what do you (?:know|remember)\W*$/i;
const WHY =
  /^(?:\W|so|and|but)*(?:why\b.{0,200}\b(?:fail\w*|broke\w*|break\w*|crash\w*|(?:not|n't) work\w*|wrong|error\w*)|what (?:went wrong|was wrong|is wrong) with\b|what (?:broke|caused)\b.{2,})/i;
const FAILURES =
  /\bwhat (?:has |have |had |all )*(?:failed|fails|went wrong|broke|(?:did|does|do)(?:n't| not) work)\b|\bwhat (?:should|must|to) (?:i|we)? ?(?:avoid|not do)\b|\b(?:which|what|any|known|open|recent|last|latest|list|show)(?: \w+){0,3} (?:failures?|errors|problems|pitfalls|anti-?patterns)\b|^\W*(?:failures|errors|problems|pitfalls)\W*$|\bwhat (?:commands?|attempts?) (?:has |have )?failed\b/i;
const FREQUENT_FAILURES =
  /\b(?:what|which|anything|something)\b.{0,40}\b(?:keeps?|kept|always|often|usually|frequently|repeatedly|regularly|most|again and again)\b.{0,20}\b(?:fail(?:s|ed|ing)?|break(?:s|ing)?|broke)\b|\b(?:what|which)\b.{0,40}\bfail(?:s|ed)?\b.{0,20}\b(?:most|often|frequently|repeatedly|regularly|again and again)\b|\b(?:most (?:common|frequent)|recurring|repeated|frequent) (?:failures?|errors?|problems?)\b/i;
const DECISION =
  /\b(?:decid\w+|decision\w*|agree[ds]?(?: on| to| that)?|chose|choose|chosen|choice)\b|\bwhat did (?:i|we) (?:say|settle|conclude)\b/i;

const WORK_DONE =
  /\bwhat (?:did|was|were|has|have|had)\b.{0,60}\b(?:do|done|did|doing|work(?:ed|ing)?|happen(?:ed)?|change[ds]?)\b/i;
/** Whoever worked, which is no subject. */
const WORKERS: ReadonlySet<string> = new Set('agent agents assistant claude codex gemini cursor copilot'.split(' '));
const FILE_CHANGE =
  /\b(?:who|when|why|which|what|how)\b.{0,120}\b(?:chang|edit|touch|modif|wrote|writ|creat|updat|renam|delet|remov|broke)\w*/i;
/** A path with a folder or an extension. */
const PATH = /(?:^|[\s`"'(])((?:[\w@.-]+\/)+[\w@.-]*\w|[\w-]+\.[a-z]{1,5}[a-z0-9]?)(?=$|[\s`"'),?!:;]|\.(?:\s|$))/i;
/** What was changed in general; with a time, the recap of that time says it. */
const FILES_CHANGED =
  /\b(?:which|what) files? (?:did|was|were|has|have|had)\b.{0,60}\b(?:chang|edit|touch|modif|writ|creat|updat)\w*/i;
const ASKS_MORE = /\?\s*$|^\W*(?:(?:tell|show|give) me )?(?:more|details)\b/i;
const FIXED = /\bhow (?:did|was|were|have|had)\b.{0,120}\b(?:fix|solv|resolv|repair|debug|mend|cur)\w*/i;

const HOW =
  /\bhow (?:do|can|should|would|did|could) (?:i|we|you|one)\b|\bhow to\b|\bis there (?:a|any) way to\b|\bhow (?:is|are|was|were|does)\b|\bwhat(?:'s| is| was| are) the\b.{0,30}\bcommands?\b|\b(?:which|what) commands?\b|^\W*(?:\w+ ){1,2}command\W*$/i;
const DO_IT =
  /^\W*(?:please |can you |could you |now )*(?:(?:run|execute|start) (?:all |the |our |my )*(?:unit |integration |whole )?(?:tests?|test ?suite|specs|build|lint(?:er|ing)?|formatter|type ?check|app|server|dev server)|(?:build|test|lint|format|compile|deploy)(?: (?:it|this|everything|the (?:project|code|app)))?|install (?:the |all )*dependencies)(?:[\s,]+(?:please|now|again))*\W*$/i;

/** The first that matches counts. */
const TASKS: readonly (readonly [Task, RegExp])[] = [
  ['test', /\b(?:tests?|tested|testing|specs?|test ?suite)\b/i],
  ['lint', /\b(?:lint\w*|type-?check\w*)\b/i],
  ['format', /\bformat(?:ted|ting|ter)?\b/i],
  ['build', /\b(?:build|built|building|compil\w+)\b/i],
  ['deploy', /\b(?:deploy\w*|release[ds]?|publish\w*)\b/i],
  [
    'install',
    /\b(?:install (?:it|this|everything|(?:the |all |my |our )*(?:dependencies|packages|project))|set ?up)\b/i,
  ],
  [
    'start',
    /\b(?:(?:start|launch|serve|run) (?:it|this|(?:the |our |my )?(?:\w+ )?(?:app|server|project|program|site))|dev server)\b/i,
  ],
];

/** A question is at the beginning; what follows is pasted text. */
const MAX_SCAN = 300;

/** Classifies a question. Days are in the time zone of this machine. */
export function parseQuestion(text: string, now: number): Question {
  const asked = text.slice(0, MAX_SCAN).replaceAll('’', "'").replace(/\s+/g, ' ').trim();
  const span = parseRecapQuestion(asked, now);
  if (GREETING.test(asked)) return { kind: 'greeting' };
  if (span !== undefined) return { kind: 'recap', span };
  if (ASKS_MORE.test(asked) && isFollowUp(asked)) return { kind: 'followUp' };
  if (isFollowUp(asked) || parseFeedback(asked) !== undefined) return { kind: 'remark' };
  const dated = WORK_DONE.test(asked) || FILES_CHANGED.test(asked) ? datedSpan(asked, now) : undefined;
  if (dated !== undefined) return { kind: 'recap', span: dated };
  const path = FILE_CHANGE.test(asked) ? PATH.exec(asked)?.[1] : undefined;
  if (path !== undefined) return { kind: 'file', path };
  if (WHY.test(asked)) return { kind: 'why' };
  if (FREQUENT_FAILURES.test(asked)) return { kind: 'frequentFailures' };
  if (FAILURES.test(asked)) return { kind: 'failures', span: spanIn(asked, now) };
  const task = !FIXED.test(asked) && (HOW.test(asked) || DO_IT.test(asked)) ? taskIn(asked) : undefined;
  if (task !== undefined) return { kind: 'command', task };
  if (PROJECT.test(asked)) return { kind: 'project' };
  return { kind: DECISION.test(asked) ? 'decision' : 'topic' };
}

/** The time that a question names, if it asks for nothing else. */
function datedSpan(asked: string, now: number): TimeSpan | undefined {
  const times = findTimePhrases(asked, now);
  const [time] = times;
  const rest = times.reduce(
    (text, { start, end }) => text.slice(0, start) + ' '.repeat(end - start) + text.slice(end),
    asked,
  );
  if (time === undefined || findSubject(rest).some((word) => !WORKERS.has(word))) return undefined;
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return { since: time.since, until: time.until, timeZone };
}

/** The words that show what a command is for. */
export function taskPattern(task: Task): RegExp {
  return TASKS.find(([name]) => name === task)?.[1] ?? /$^/;
}

/** The time span that a question names; unlimited if it names none. */
function spanIn(asked: string, now: number): TimeSpan {
  const when =
    /\b(?:today|yesterday|(?:this|last|past) (?:week|month)|in the (?:last|past) (?:few|\d{1,4}) days)\b/i.exec(
      asked,
    )?.[0];
  const named = when === undefined ? undefined : parseRecapQuestion(`what have we done ${when}`, now);
  if (named !== undefined) return named;
  // `from March` and `during March` are times like `in March`.
  const [time] = findTimePhrases(asked.replace(/\b(?:from|of|during)\b/gi, 'in'), now);
  return time === undefined ? {} : { since: time.since, until: time.until };
}

function taskIn(asked: string): Task | undefined {
  return TASKS.find(([, words]) => words.test(asked))?.[0];
}

/** Stop words of questions about a project: they say how something is asked, not what it is about. */
const QUESTION_WORDS: ReadonlySet<string> = new Set(
  (
    'add added anybody anyone ask attempt attempts break breaking breaks broke broken called change changed ' +
    'changes choice choose chose chosen currently decide decided decision decisions earlier error errors ' +
    'explain fail failed failing fails failure failures file files find happen happened help install ' +
    'installed issue issues known lately libraries library list package packages pick picked prefer problem ' +
    'problems project question recall recently remember remind remove run running set show somebody someone ' +
    'time today tool tools touch touched touching way week write written wrote yesterday'
  ).split(' '),
);
const WORD = /[\p{L}\p{N}_@][\p{L}\p{N}_@./:+-]*/gu;
const MAX_SUBJECT_WORDS = 12;
const MAX_QUESTION_LENGTH = 600;
/** Words up to this length only match as a whole. */
const SHORT_WORD = 3;
/** From this length on, words match inside another one: `redis` in `ioredis`. */
const LONG_WORD = 5;
const MIN_STEM_LENGTH = 4;

/** The words of a question that carry its subject: in lower case, in order, without duplicates. */
export function findSubject(question: string): readonly string[] {
  const words = new Set<string>();
  for (const [found] of question.slice(0, MAX_QUESTION_LENGTH).toLowerCase().matchAll(WORD)) {
    const word = found.replace(/[./:+-]+$/, '');
    if (word.length < 2 || isCommonWord(word) || QUESTION_WORDS.has(word)) continue;
    words.add(word);
    if (words.size >= MAX_SUBJECT_WORDS) break;
  }
  return [...words];
}

/** How many of the words occur in a text, in any inflection. */
export function countMatches(text: string, words: readonly string[]): number {
  const lower = text.toLowerCase();
  return words.filter((word) => contains(lower, word)).length;
}

/** A text is about some words if it has this share of their weight. */
const MIN_SHARE = 0.6;
/** The weight of a word that says nothing by itself; others weigh 1. */
const GENERAL_WEIGHT = 0.3;

/** Whether a text contains enough of the words to be about them; false without words. */
export function isAbout(text: string, words: readonly string[]): boolean {
  const lower = text.toLowerCase();
  let [found, total] = [0, 0];
  for (const word of words) {
    const weight = isRecallable(word) ? 1 : GENERAL_WEIGHT;
    total += weight;
    if (contains(lower, word)) found += weight;
  }
  return found > 0 && found >= total * MIN_SHARE;
}

function contains(text: string, word: string): boolean {
  const prefix = stemPrefix(word);
  const part = prefix.length < MIN_STEM_LENGTH ? word : prefix;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) {
    if (part.length >= LONG_WORD) return true;
    const isStart = !isLetter(text[at - 1]);
    if (isStart && (word.length > SHORT_WORD || !isLetter(text[at + part.length]))) return true;
  }
  return false;
}

function isLetter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character);
}

/** What answers are made from. */
export interface MemorySource {
  readonly home: Home;
  readonly project: Project;
  readonly now: () => number;
  /** Answers in another thread. Default: `answerFromMemory` in this one. */
  readonly answer?: (asked: MemoryQuestion) => Promise<string>;
}

/** A question and the session it is asked in, which does not count as a source. */
export interface MemoryQuestion {
  readonly question: string;
  readonly sessionId: string;
}
