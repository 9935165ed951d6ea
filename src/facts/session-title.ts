import { once } from '../record/once.ts';
import type { Attempt, Message } from '../record/record.ts';
import { isTypedPrompt } from '../text/is-typed-prompt.ts';
import { hasLetters } from '../text/letters.ts';
import { stem } from '../text/stem.ts';
import { isCommonWord, isStopWord } from '../text/stop-words.ts';
import { splitWords } from '../text/words.ts';
import { findPullRequestTitle } from './call/command-text.ts';

/**
 * What one record says about the title of its session: its `name` is what the session was called or asked for, its
 * `result` a pull request or a commit.
 */
export interface TitleCandidate {
  readonly part: 'name' | 'result';
  readonly text: string;
  /** Of the candidates for a part, the highest rank wins; see {@link compareTitles}. */
  readonly rank: number;
  /** Epoch milliseconds. */
  readonly time: number;
}

/** A plan has a heading, and what a session is called is a title already. */
const NAME_RANK = { request: 0, plan: 1, agent: 2, user: 3 } as const;
const RESULT_RANK = { commit: 0, pullRequest: 1 } as const;

/** What a message suggests for the title of its session: a name given by the agent or the user, or the request in it. */
export function titleOfMessage(message: Message): TitleCandidate | undefined {
  const time = Date.parse(message.timestamp);
  const { role, content, kind, systemEvent } = message;
  if (kind === 'title') {
    const rank = role === 'user' ? NAME_RANK.user : NAME_RANK.agent;
    return content === '' ? undefined : { part: 'name', text: content, rank, time };
  }
  if (role !== 'user' || kind !== undefined || systemEvent === true) return undefined;
  const text = titleFromRequest(content);
  const rank = PLAN.test(content.trimStart()) ? NAME_RANK.plan : NAME_RANK.request;
  return text === '' ? undefined : { part: 'name', text, rank, time };
}

/** What a call that made a commit with a `subject`, or opened a pull request, suggests for the title of its session. */
export function titleOfCall(attempt: Attempt, subject: string | undefined): TitleCandidate | undefined {
  const title = findPullRequestTitle(attempt);
  const text = title ?? subject;
  if (text === undefined || isUnspecific(text)) return undefined;
  const rank = title === undefined ? RESULT_RANK.commit : RESULT_RANK.pullRequest;
  return { part: 'result', text: shorten(text), rank, time: Date.parse(attempt.timestamp) };
}

/** Positive when `a` is the better one. Of given names the latest wins, of others the first; zero: the log decides. */
export function compareTitles(
  a: Pick<TitleCandidate, 'rank' | 'time' | 'part'>,
  b: Pick<TitleCandidate, 'rank' | 'time'> | undefined,
): number {
  if (b === undefined) return 1;
  if (a.rank !== b.rank) return a.rank - b.rank;
  return isGiven(a) ? a.time - b.time : b.time - a.time;
}

/** Whether a name was given, so that a later one replaces it. */
export function isGiven({ part, rank }: Pick<TitleCandidate, 'part' | 'rank'>): boolean {
  return part === 'name' && rank >= NAME_RANK.agent;
}

/** What is known of a session when its title is chosen. */
interface TitleParts {
  readonly name?: Pick<TitleCandidate, 'text' | 'rank'> | undefined;
  readonly result?: Pick<TitleCandidate, 'text'> | undefined;
  /** The branch it was on last. */
  readonly branch?: string | undefined;
}

/**
 * The title of a session: what it was called or asked for, completed by what that does not tell: what came of it
 * (`Fix the tests → Wait for the lamp`), or else the branch (`Fix the tests (lamp-timer)`). What only explains or asks
 * something gives way to what came of it.
 */
export function composeTitle({ name, result, branch = '' }: TitleParts): string | undefined {
  if (name === undefined) return result?.text;
  const { text, rank } = name;
  if (rank === NAME_RANK.user) return text;
  if (result !== undefined) {
    if (rank === NAME_RANK.request && !isUnspecific(text) && !isOrder(text)) return result.text;
    return sharesWord(text, result.text) ? text : joinTitles(text, result.text);
  }
  const topic = branch.slice(branch.lastIndexOf('/') + 1);
  const isNamed = MAIN_BRANCH.test(topic) || isUnspecific(topic) || sharesWord(text, topic);
  return isNamed || rank !== NAME_RANK.request ? text : `${shorten(text, MAX_LENGTH - topic.length - 3)} (${topic})`;
}

/** Both, each with at least half of the room. */
function joinTitles(name: string, result: string): string {
  const room = MAX_LENGTH - 3;
  const start = shorten(name, Math.max(room - result.length, room / 2));
  return `${start} → ${shorten(result, room - start.length)}`;
}

/** Most messages come after the request that gave the title: this spares reading them. */
export function mayBeBetter(known: Pick<TitleCandidate, 'rank' | 'time'> | undefined, message: Message): boolean {
  if (known === undefined || message.kind === 'title') return true;
  if (known.rank >= NAME_RANK.agent) return false;
  return Date.parse(message.timestamp) <= known.time || (known.rank < NAME_RANK.plan && PLAN.test(message.content));
}

/** The best title among candidates in the order of the log. */
export function chooseTitle(candidates: Iterable<TitleCandidate>, branch?: string): string | undefined {
  const best: { [K in TitleCandidate['part']]?: TitleCandidate } = {};
  for (const candidate of candidates) {
    const order = compareTitles(candidate, best[candidate.part]);
    if (order > 0 || (order === 0 && isGiven(candidate))) best[candidate.part] = candidate;
  }
  return composeTitle({ ...best, branch });
}

const MAX_LENGTH = 80;
const MAX_READ = 2_000;
const COMMAND_WITH_REQUEST = /^\/[a-z][\w:.-]*\s+(?=(?:\S+\s+){2})/i;
const COMMAND_WITH_ARGUMENT = /^\/[a-z][\w:.-]*[ \t]+\S[^\n]*$/i;
const PLAN =
  /^(?:please\s+)?(?:implement|execute|carry out|follow)\s+(?:the following|this|the)\s+plan\b[^\n]{0,40}(?:\n|$)/i;
const HEADING = /^\s{0,3}#{1,6}\s+(?:(?:implementation\s+)?plan\s*[:–—-]\s*)?(.+?)\s*#*$/im;
/** Lines that say nothing about the request: fences, quotes, rules, placeholders, pasted logs, greetings and answers. */
const EMPTY_LINE =
  /^(?:`{3}.*|>.*|[•⨯│➜✗✓].*|[-=*_\s]{3,}|(?:\[(?:image|pasted text)\b[^\]]*\]\s*)+|(?:hi|hello|hey|good (?:morning|evening))(?:\s+\w+)?|yes|no|ok(?:ay)?|sure|thanks?(?: you)?|continue|go on|go ahead|proceed|next|test|ping)[.!,…\s]*$/i;
const FENCED = /^```[\s\S]*?(?:^```[^\n]*$|(?![\s\S]))/gm;
const LINE_MARK = /^\s*(?:\[\[[^\]]*\]\]\s*|#{1,6}\s+|[-*+❯]\s+|\d+[.)]\s+|\[(?:image|pasted text)\b[^\]]*\]\s*)/i;
/** What people say before a request. */
const OPENING =
  /^(?:(?:hi|hello|hey)(?:\s+(?:there|claude|codex|gemini))?\s*[,!.]|ok(?:ay)?\s*[,!.]|so\s*,|now\s*,?(?=\s)|please|pls|kindly|(?:can|could|would|will) (?:you|we|u)(?: please)?|(?:i|we)(?:'d| would)? (?:want|need|like) (?:you )?to|help me(?: to)?|let'?s|let us|go ahead and|i want you to)\s*[,:]?\s+/i;
const ENDING = /(?:[\s,]+(?:please|pls|thanks|thank you))?[\s.:;,!?…]*$/i;
/** An issue or a pull request at a code host, another address, or a path from the root: known by its last part. */
const ADDRESS =
  /https?:\/\/[^\s?#)]*?(?:\/(?:issues|pull|merge_requests)\/(\d+)\S*|([^\s/?#)]+)\/?(?=[\s?#)]|$)\S*)|@?(?<![\w.])~?\/(?:[^\s/]+\/)+([^\s/]+)/g;

/** The heading of a plan that the user asks to carry out. */
export function planHeading(request: string): string | undefined {
  return PLAN.test(request) ? HEADING.exec(request.replace(PLAN, ''))?.[1] : undefined;
}

/**
 * A title made from what the user asked for; empty for a text that is no request, such as a bare slash command or an
 * answer.
 */
export function titleFromRequest(content: string): string {
  const text = content.slice(0, MAX_READ).trim();
  const request = COMMAND_WITH_REQUEST.test(text) ? text.replace(COMMAND_WITH_REQUEST, '') : text;
  if (!isTypedPrompt(request)) return shorten(COMMAND_WITH_ARGUMENT.exec(text)?.[0] ?? '');
  const line = planHeading(request) ?? findLine(request.replace(PLAN, ''));
  return line === undefined ? '' : shorten(withoutPoliteness(line));
}

const MAIN_BRANCH = /^(?:main|master|trunk|develop|dev|HEAD)$/;

/** What is done in any project, and what it is done to. */
const ANY_PROJECT: () => ReadonlySet<string> = once(
  () =>
    new Set(
      (
        'add address app branch bug build change check clean code comment commit conflict continue create debug delete ' +
        'deploy describe description diff doc error explain fail failure feature feedback file finish fix format github ' +
        'group implement improve initial investigate issue latest lint linter main meaningful merge message open origin ' +
        'parent project pull push read rebase refactor release remove rename repo repository request resolve respond ' +
        'review run ship staged suggestion task test type unit update upstream wip write pr ci'
      )
        .split(' ')
        .map(stem),
    ),
);

const NUMBER_OR_HASH = /^(?:\d+|[\da-f]{7,40})$/;

/** The stems of the words of a title that would not fit any project. */
function specificWords(title: string): readonly string[] {
  return splitWords(title)
    .flatMap(({ text, parts }) => [text, ...parts])
    .filter((word) => !isCommonWord(word) && !NUMBER_OR_HASH.test(word))
    .map(stem)
    .filter((word) => !ANY_PROJECT().has(word));
}

function isUnspecific(title: string): boolean {
  return specificWords(title).length === 0;
}

/** Whether a title says what to do: a question or an explanation begins with another word. */
function isOrder(title: string): boolean {
  const [first] = splitWords(title);
  return first !== undefined && !isStopWord(first.text);
}

/** Whether both titles name the same thing. */
function sharesWord(a: string, b: string): boolean {
  const words = new Set(specificWords(a));
  return specificWords(b).some((word) => words.has(word));
}

/** The first line that is more than a word, or else the first word. */
function findLine(text: string): string | undefined {
  const prose = text.replace(FENCED, '\n');
  const lines = (prose.trim() === '' ? text : prose)
    .split('\n')
    .map((line) => shortenAddresses(line.replace(LINE_MARK, '')).replace(/\s+/g, ' ').trim())
    .filter((line) => !EMPTY_LINE.test(withoutPoliteness(line)) && saysSomething(line));
  const line = lines.find((each) => each.includes(' ')) ?? lines[0];
  if (line === undefined || isOrder(withoutPoliteness(line))) return line;
  // What is explained first is asked for in a later sentence.
  const sentences = lines.flatMap((each) => each.split(/(?<=[.!?])\s+/));
  return sentences.find((each) => OPENING.test(each) && !isUnspecific(withoutPoliteness(each))) ?? line;
}

function shortenAddresses(line: string): string {
  return line.replace(ADDRESS, (_, issue, page, file) => (issue === undefined ? (page ?? file) : `#${issue}`));
}

/** Whether a line has a word with a meaning of its own, unlike `y`, `9` and `both of them`. */
function saysSomething(line: string): boolean {
  return /[^\p{ASCII}]/u.test(line)
    ? hasLetters(line)
    : splitWords(line).some(({ text }) => /[a-z]{2}/.test(text) && !isStopWord(text));
}

function withoutPoliteness(line: string): string {
  let rest = line.replace(/\*\*|__|`/g, '').trim();
  for (let shorter = rest; ; rest = shorter) {
    shorter = rest.replace(OPENING, '').trim();
    if (shorter === rest || shorter === '') break;
  }
  // What was asked politely is no question without its opening.
  const trimmed = rest.replace(ENDING, rest.endsWith('?') && rest.length === line.length ? '?' : '');
  const shown = trimmed === '' ? rest : trimmed;
  // An identifier or a path keeps its case.
  return /^\p{Ll}[\p{Ll}'’-]*(?:\s|$)/u.test(shown) ? shown.charAt(0).toUpperCase() + shown.slice(1) : shown;
}

/** The first sentence, or the words that fit. */
function shorten(title: string, limit = MAX_LENGTH): string {
  const sentence = /^.{15,}?[.!?](?=\s)/u.exec(title)?.[0].replace(/[.!?]$/, '') ?? title;
  const characters = Array.from(sentence);
  if (characters.length <= limit) return sentence;
  const cut = characters.slice(0, limit).join('');
  const space = cut.lastIndexOf(' ');
  return `${(space > limit / 2 ? cut.slice(0, space) : cut).replace(/[\s,;:.]+$/, '')}…`;
}
