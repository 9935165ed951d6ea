import { formatCommand } from '../../memory/digest/command-text.ts';
import { type Attempt, type Message, NOTES_SESSION } from '../../record/index.ts';
import { CHAT_AGENT } from '../session-log.ts';
import type { Asked, MemorySource } from './memory-source.ts';
import { code, day, error as errorText, place, quoted, said, when } from './memory-text.ts';
import { isAbout, wordsIn } from './subject.ts';

/** Something that the history says. */
export interface HistoryFact {
  readonly sessionId: string;
  readonly at: string;
  /** With its day and its session. */
  readonly text: string;
  /** A command, a path or what was said: the same again says nothing new. */
  readonly key: string;
  readonly kind: 'note' | 'said' | 'worked' | 'failed';
  /** Somebody says what is to be done from now on. */
  readonly isDecision: boolean;
}

const LOOKED_AT = 60;
const DECIDED =
  /\b(?:decid\w+|decision|chose|choose|agreed?|prefer\w*|instead of|rather than|let's (?:use|go)|go with|we(?:'ll| will) use|settled on|from now on|always|never)\b/i;
const QUESTION =
  /\?\s*$|^(?:\W|so|and|but)*(?:what|which|why|how|when|where|who|did|do|does|is|are|was|were|have|has|can|could|should)\b/i;
/** Numbers of lines, tables, JSON, and what an agent's program puts into messages. */
const NOISE = /^\s*(?:[{}[\]|<>]|\d+(?:→|\t|\s*[|:]\s)|```|"[\w-]+":)/;
const ERROR = /\b(?:error|failed|failure|fatal|not found|cannot|can't|denied|refused|unknown|missing)\b/i;
/** Commands that only look at something. */
const LOOKING =
  /^(?:cat|sed -n|ls|grep|rg|head|tail|find|echo|wc|which|git (?:status|diff|log|show|branch))\b/;
/** So much of a message is looked through. */
const READ = 20_000;
/** A longer line is told from its middle. */
const LONG_LINE = 200;

/** What the history says to some words, the best first: notes, then what was said, then what was done. */
export function historyFacts(
  words: readonly string[],
  asked: Asked,
  { home, project }: MemorySource,
): readonly HistoryFact[] {
  if (words.length === 0) return [];
  const { hits } = home.search({
    text: words.join(' '),
    projects: [project.info.projectHash],
    limit: LOOKED_AT,
  });
  const sessions = new Map<string, ReadonlyMap<string, Message | Attempt>>();
  const facts: HistoryFact[] = [];
  for (const { sessionId, id } of hits) {
    let records = sessions.get(sessionId);
    if (records === undefined) {
      const { messages, attempts } = project.history.getSessionRecords(sessionId);
      records = new Map([...messages, ...attempts].map((record) => [record.id, record]));
      sessions.set(sessionId, records);
    }
    const record = records.get(id);
    const fact = record && factOf(record, words, asked);
    if (fact !== undefined && facts.every(({ key }) => key !== fact.key)) facts.push(fact);
  }
  return facts;
}

function factOf(record: Message | Attempt, words: readonly string[], asked: Asked): HistoryFact | undefined {
  return 'outcome' in record ? attemptFact(record, words) : messageFact(record, words, asked);
}

function messageFact(message: Message, words: readonly string[], asked: Asked): HistoryFact | undefined {
  const { role, content, agent, timestamp: at, sessionId } = message;
  // What yore itself said of the history is not the history.
  if (message.systemEvent === true || message.kind !== undefined) return undefined;
  if (
    sameWords(content, asked.question) ||
    (agent === CHAT_AGENT && role === 'user' && QUESTION.test(content))
  )
    return undefined;
  if (!isAbout(content, words)) return undefined;
  const line = tellingLine(content, words);
  if (line === undefined) return undefined;
  const who =
    role === 'user'
      ? 'you said'
      : `${agent === undefined || agent === CHAT_AGENT ? 'the model' : said(agent)} said`;
  return {
    sessionId,
    at,
    key: line.toLowerCase(),
    kind: 'said',
    isDecision: DECIDED.test(line),
    text: `${who} ${quoted(line)} (${place(at, sessionId)})`,
  };
}

/** The line of a message that has most of the words; of a long one, from the sentence that has most of them. */
function tellingLine(content: string, words: readonly string[]): string | undefined {
  const line = best(content.slice(0, READ).split('\n'), words);
  if (line === undefined || line.length <= LONG_LINE) return line && plain(line);
  const sentences = line.split(/(?<=[.!?])\s+/);
  const start = sentences.indexOf(best(sentences, words) ?? '');
  return plain(sentences.slice(Math.max(0, start)).join(' '));
}

function best(lines: readonly string[], words: readonly string[]): string | undefined {
  let [found, most] = [undefined as string | undefined, 0];
  for (const line of lines) {
    const count = NOISE.test(line) ? 0 : wordsIn(line, words);
    // Of lines that have as many, one that decides something tells more.
    const worth = count === 0 ? 0 : count + (DECIDED.test(line) ? 0.5 : 0);
    if (worth > most) [found, most] = [line, worth];
  }
  return found;
}

/** Without the marks of Markdown at the beginning of a line. */
function plain(line: string): string {
  return line
    .replace(/^\s*(?:[-*+>]|#{1,6}|\d{1,3}[.)])\s+/, '')
    .replace(/\*\*/g, '')
    .trim();
}

function attemptFact(attempt: Attempt, words: readonly string[]): HistoryFact | undefined {
  const { command, path, error = '', kind, description, timestamp: at, sessionId, outcome } = attempt;
  const fact = { sessionId, at, isDecision: false };
  if (sessionId === NOTES_SESSION || kind === 'note') {
    const text = attempt.pattern ?? description ?? '';
    if (!isAbout(text, words)) return undefined;
    return {
      ...fact,
      kind: 'note',
      isDecision: true,
      key: text,
      text: `${said(text)} (noted on ${day(at)})`,
    };
  }
  const what = command === undefined ? path : formatCommand(command);
  if (what === undefined || kind === 'feedback' || what.includes('…') || LOOKING.test(what)) return undefined;
  if (outcome === 'success') {
    const isEdit = kind === 'edit' || kind === 'create';
    // What a command printed is mostly about something else.
    if (!isAbout(what, words) || (command === undefined && !isEdit)) return undefined;
    const done = isEdit ? `changed ${code(what)}` : `${code(what)} worked`;
    return { ...fact, kind: 'worked', key: what, text: `${done} (${place(at, sessionId)})` };
  }
  if (outcome !== 'failure' || !isAbout(`${what} ${error}`, words)) return undefined;
  const why = error === '' ? '.' : `: ${errorText(telling(error, words))}`;
  return { ...fact, kind: 'failed', key: what, text: `${code(what)} failed ${when(at, sessionId)}${why}` };
}

/** The line of an error that says most. */
function telling(error: string, words: readonly string[]): string {
  const lines = error
    .slice(0, READ)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const errors = lines.filter((line) => ERROR.test(line));
  return best(errors, words) ?? errors[0] ?? best(lines, words) ?? lines[0] ?? '';
}

function sameWords(one: string, other: string): boolean {
  return one.length < 2000 && bare(one) === bare(other);
}

function bare(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
