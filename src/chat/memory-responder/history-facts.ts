import { formatCommand } from '../../facts/call/command-text.ts';
import type { SessionDigest } from '../../memory/index.ts';
import { type Attempt, CHAT_AGENT, type Message, NOTES_SESSION } from '../../record/index.ts';
import { getOrAdd } from '../../record/once.ts';
import type { SearchResult } from '../../search/index.ts';
import {
  formatCode,
  formatDay,
  formatError,
  formatQuote,
  formatSource,
  formatText,
  formatWhen,
} from './memory-text.ts';
import { countMatches, isAbout, type MemoryQuestion, type MemorySource } from './question.ts';

/** A fact from the history. */
export interface HistoryFact {
  readonly sessionId: string;
  readonly at: string;
  /** With its date and session. */
  readonly text: string;
  /** A command, a path or a line, by which duplicates are recognised. */
  readonly key: string;
  readonly kind: 'note' | 'said' | 'worked' | 'failed';
  /** Whether it states what is to be done from now on. */
  readonly isDecision: boolean;
}

const MAX_HITS = 60;
const DECISION =
  /\b(?:decid\w+|decision|chose|choose|agreed?|prefer\w*|instead of|rather than|let's (?:use|go)|go with|we(?:'ll| will) use|settled on|from now on|always|never)\b/i;
const QUESTION =
  /\?\s*$|^(?:\W|so|and|but|please)*(?:what|which|why|how|when|where|who|did|do|does|is|are|was|were|have|has|can|could|should|(?:tell|show|give|remind) (?:me|us)|explain|describe|list|find|search|recap|summari[sz]e)\b/i;
/** Line numbers, tables, JSON, and what programs insert into messages. */
const NOISE = /^\s*(?:[{}[\]|<>]|\d+(?:→|\t|\s*[|:]\s)|```|"[\w-]+":)/;
const ERROR = /\b(?:error|failed|failure|fatal|not found|cannot|can't|denied|refused|unknown|missing)\b/i;
/** Commands that only show something. */
const READ_ONLY = /^(?:cat|sed -n|ls|grep|rg|head|tail|find|echo|wc|which|git (?:status|diff|log|show|branch))\b/;
const MAX_CONTENT_LENGTH = 20_000;
/** A longer line is quoted from its best sentence on. */
const LONG_LINE = 200;
const MAX_QUESTION_LENGTH = 2000;

/** Searches the project's history for a question, as `yore search` does. */
export function searchHistory({ question }: MemoryQuestion, { home, project }: MemorySource): SearchResult {
  return home.search({
    text: question.slice(0, MAX_QUESTION_LENGTH),
    projects: [project.info.projectHash],
    limit: MAX_HITS,
  });
}

/** What the history says about some words, best match first. */
export function findHistoryFacts(
  words: readonly string[],
  asked: MemoryQuestion,
  { hits }: Pick<SearchResult, 'hits'>,
  { project }: MemorySource,
): readonly HistoryFact[] {
  if (words.length === 0) return [];
  const sessions = new Map<string, ReadonlyMap<string, Message | Attempt>>();
  const facts: HistoryFact[] = [];
  for (const { sessionId, id } of hits) {
    const records = getOrAdd(sessions, sessionId, () => {
      const { messages, attempts } = project.history.getSessionRecords(sessionId);
      return new Map([...messages, ...attempts].map((record) => [record.id, record]));
    });
    const record = records.get(id);
    // What a stranger may have written is no answer.
    if (record === undefined || record.foreign) continue;
    const fact = 'outcome' in record ? attemptFact(record, words) : messageFact(record, words, asked);
    if (fact !== undefined && facts.every(({ key }) => key !== fact.key)) facts.push(fact);
  }
  return facts;
}

function messageFact(message: Message, words: readonly string[], asked: MemoryQuestion): HistoryFact | undefined {
  const { role, content, agent, timestamp: at, sessionId } = message;
  // What yore itself said about the history is not evidence, and neither are questions to the chat.
  if (message.systemEvent === true || message.kind !== undefined) return undefined;
  const isQuestion = agent === CHAT_AGENT && role === 'user' && QUESTION.test(content);
  if (isQuestion || isSameQuestion(content, asked.question) || !isAbout(content, words)) return undefined;
  const line = findBestLine(content, words);
  if (line === undefined || !isAbout(line, words)) return undefined;
  const assistant = agent === undefined || agent === CHAT_AGENT ? 'the model' : formatText(agent);
  const speaker = role === 'user' ? 'you' : assistant;
  return {
    sessionId,
    at,
    key: line.toLowerCase(),
    kind: 'said',
    isDecision: DECISION.test(line),
    text: `${speaker} said ${formatQuote(line)} (${formatSource(at, sessionId)})`,
  };
}

/** The line that contains most of the words; a long line is cut to begin with its best sentence. */
function findBestLine(content: string, words: readonly string[]): string | undefined {
  const line = pickBest(content.slice(0, MAX_CONTENT_LENGTH).split('\n'), words);
  if (line === undefined || line.length <= LONG_LINE) return line && stripMarkdown(line);
  const sentences = line.split(/(?<=[.!?])\s+/);
  const start = sentences.indexOf(pickBest(sentences, words) ?? '');
  return stripMarkdown(sentences.slice(Math.max(0, start)).join(' '));
}

function pickBest(lines: readonly string[], words: readonly string[]): string | undefined {
  let best: string | undefined;
  let highest = 0;
  for (const line of lines) {
    const matches = NOISE.test(line) ? 0 : countMatches(line, words);
    // Of lines with the same matches, a decision says more.
    const score = matches === 0 ? 0 : matches + (DECISION.test(line) ? 0.5 : 0);
    if (score > highest) [best, highest] = [line, score];
  }
  return best;
}

function stripMarkdown(line: string): string {
  return line
    .replace(/^\s*(?:[-*+>]|#{1,6}|\d{1,3}[.)])\s+/, '')
    .replace(/\*\*/g, '')
    .trim();
}

function attemptFact(attempt: Attempt, words: readonly string[]): HistoryFact | undefined {
  const { command, path, error = '', kind, description, timestamp: at, sessionId, outcome } = attempt;
  const fact = { sessionId, at, isDecision: false };
  if (sessionId === NOTES_SESSION || kind === 'note') {
    const key = attempt.pattern ?? description ?? '';
    if (!isAbout(key, words)) return undefined;
    const text = `${formatText(key)} (noted on ${formatDay(at)})`;
    return { ...fact, kind: 'note', isDecision: true, key, text };
  }
  const key = command === undefined ? path : formatCommand(command);
  if (key === undefined || kind === 'feedback' || key.includes('…') || READ_ONLY.test(key)) return undefined;
  if (outcome === 'success') {
    const isEdit = kind === 'edit' || kind === 'create';
    // The output is not compared: it is mostly about something else.
    if (!isAbout(key, words) || (command === undefined && !isEdit)) return undefined;
    const done = isEdit ? `changed ${formatCode(key)}` : `${formatCode(key)} worked`;
    return { ...fact, kind: 'worked', key, text: `${done} (${formatSource(at, sessionId)})` };
  }
  if (outcome !== 'failure' || !isAbout(`${key} ${error}`, words)) return undefined;
  const reason = error === '' ? '.' : `: ${formatError(findErrorLine(error, words))}`;
  const text = `${formatCode(key)} failed ${formatWhen(at, sessionId)}${reason}`;
  return { ...fact, kind: 'failed', key, text };
}

function findErrorLine(error: string, words: readonly string[]): string {
  const lines = error
    .slice(0, MAX_CONTENT_LENGTH)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const errors = lines.filter((line) => ERROR.test(line));
  return pickBest(errors, words) ?? errors[0] ?? pickBest(lines, words) ?? lines[0] ?? '';
}

function isSameQuestion(content: string, question: string): boolean {
  return content.length < MAX_QUESTION_LENGTH && lettersOnly(content) === lettersOnly(question);
}

function lettersOnly(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

const MAX_SESSIONS = 200;

/** The most recent sessions of work, latest first. */
export function listRecentWork({ project, now }: MemorySource): readonly SessionDigest[] {
  return project.memory.synthesise().store.recent(MAX_SESSIONS, now());
}
