import { once } from '../record/once.ts';
import type { Message } from '../record/record.ts';
import { isTypedPrompt } from './is-typed-prompt.ts';
import { hasLetters } from './letters.ts';
import { stem } from './stem.ts';
import { isCommonWord, isStopWord } from './stop-words.ts';
import { splitWords } from './words.ts';

/** A title that a session may have. The highest rank wins; see {@link compareTitles}. */
export interface TitleCandidate {
  readonly title: string;
  readonly rank: number;
  /** Epoch milliseconds. */
  readonly time: number;
}

const RANK = { command: 0, request: 1, agent: 2, user: 3 } as const;

/** The title that a message suggests for its session: one given by the agent or the user, else the request in it. */
export function titleCandidate(message: Message): TitleCandidate | undefined {
  const time = Date.parse(message.timestamp);
  const { role, content, kind, systemEvent } = message;
  if (kind === 'title') {
    return content === '' ? undefined : { title: content, rank: role === 'user' ? RANK.user : RANK.agent, time };
  }
  if (role !== 'user' || kind !== undefined || systemEvent === true) return undefined;
  const title = titleFromRequest(content, message.branch);
  if (title !== '') return { title, rank: RANK.request, time };
  const command = COMMAND_WITH_ARGUMENT.exec(content.trim())?.[0];
  return command === undefined ? undefined : { title: shorten(command), rank: RANK.command, time };
}

/** Positive when `a` is the better title. Of given titles the latest wins, of requests the first; zero: the log decides. */
export function compareTitles(a: Omit<TitleCandidate, 'title'>, b: Omit<TitleCandidate, 'title'> | undefined): number {
  if (b === undefined) return 1;
  if (a.rank !== b.rank) return a.rank - b.rank;
  return isGiven(a) ? a.time - b.time : b.time - a.time;
}

/** Whether a title was given, so that a later one replaces it. */
export function isGiven({ rank }: Pick<TitleCandidate, 'rank'>): boolean {
  return rank > RANK.request;
}

/** The best title among messages in the order of the log. */
export function chooseTitle(messages: Iterable<Message>): string | undefined {
  let best: TitleCandidate | undefined;
  for (const message of messages) best = betterTitle(best, message);
  return best?.title;
}

/** The better one of a title and that of the next message in the log. */
function betterTitle(known: TitleCandidate | undefined, message: Message): TitleCandidate | undefined {
  const candidate = mayBeBetter(known, message) ? titleCandidate(message) : undefined;
  if (candidate === undefined) return known;
  const order = compareTitles(candidate, known);
  return order > 0 || (order === 0 && isGiven(candidate)) ? candidate : known;
}

/** Most messages come after the request that gave the title: this spares parsing them. */
export function mayBeBetter(known: Omit<TitleCandidate, 'title'> | undefined, message: Message): boolean {
  if (known === undefined || message.kind === 'title') return true;
  return known.rank < RANK.request || (!isGiven(known) && Date.parse(message.timestamp) <= known.time);
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
const LINE_MARK = /^\s*(?:\[\[[^\]]*\]\]\s*|#{1,6}\s+|[-*+]\s+|\d+[.)]\s+|\[(?:image|pasted text)\b[^\]]*\]\s*)/i;
/** What people say before a request. */
const OPENING =
  /^(?:(?:hi|hello|hey)(?:\s+(?:there|claude|codex|gemini))?\s*[,!.]|ok(?:ay)?\s*[,!.]|so\s*,|now\s*,?(?=\s)|please|pls|kindly|(?:can|could|would|will) (?:you|we|u)(?: please)?|(?:i|we)(?:'d| would)? (?:want|need|like) (?:you )?to|help me(?: to)?|let'?s|let us|go ahead and|i want you to)\s*[,:]?\s+/i;
const ENDING = /(?:[\s,]+(?:please|pls|thanks|thank you))?[\s.:;,!?…]*$/i;

/**
 * A title made from what the user asked for; empty for a text that is no request, such as a slash command or an answer.
 * What would fit any project is completed by the branch: `Fix the tests (lamp-timer)`.
 */
export function titleFromRequest(content: string, branch = ''): string {
  const text = content.slice(0, MAX_READ).trim();
  const request = COMMAND_WITH_REQUEST.test(text) ? text.replace(COMMAND_WITH_REQUEST, '') : text;
  if (!isTypedPrompt(request)) return '';
  const plan = PLAN.test(request) ? request.replace(PLAN, '') : undefined;
  const heading = plan === undefined ? undefined : HEADING.exec(plan)?.[1];
  const line = heading ?? findLine(plan ?? request);
  if (line === undefined) return '';
  const title = withoutPoliteness(line);
  const topic = branch.slice(branch.lastIndexOf('/') + 1);
  const isComplete = topic === '' || MAIN_BRANCH.test(topic) || !(ON_BRANCH.test(title) || isUnspecific(title));
  return isComplete ? shorten(title) : `${shorten(title, MAX_LENGTH - topic.length - 3)} (${topic})`;
}

const MAIN_BRANCH = /^(?:main|master|trunk|develop|dev|HEAD)$/;
/** A request about the branch that the session is on. */
const ON_BRANCH = /\b(?:this|the|my|our) (?:branch|pr|pull request)\b/i;

/** What is done in any project, and what it is done to. */
const ANY_PROJECT: () => ReadonlySet<string> = once(
  () =>
    new Set(
      (
        'add address app branch bug build change check clean code comment commit conflict continue create delete ' +
        'deploy describe description diff doc error explain fail failure feature feedback file finish fix format ' +
        'implement improve issue latest lint merge message open origin parent project pull push read rebase refactor ' +
        'release remove rename repo repository request resolve respond review run staged suggestion task test type ' +
        'unit update upstream write pr ci'
      )
        .split(' ')
        .map(stem),
    ),
);

/** Whether every word of a title would fit any project. */
function isUnspecific(title: string): boolean {
  return splitWords(title).every(({ text }) => isCommonWord(text) || ANY_PROJECT().has(stem(text)));
}

/** The first line that is more than a word, or else the first word. */
function findLine(text: string): string | undefined {
  const prose = text.replace(FENCED, '\n');
  const lines = (prose.trim() === '' ? text : prose)
    .split('\n')
    .map((line) => line.replace(LINE_MARK, '').replace(/\s+/g, ' ').trim())
    .filter((line) => !EMPTY_LINE.test(withoutPoliteness(line)) && saysSomething(line));
  return lines.find((line) => line.includes(' ')) ?? lines[0];
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
