import { isRecallable, type RecollectionLine } from '../../memory/index.ts';
import { CHAT_AGENT, NOTES_SESSION } from '../../record/index.ts';
import type { SearchResult } from '../../search/index.ts';
import { compareText } from '../../text/compare-text.ts';
import { foldCase } from '../../text/fold-case.ts';
import { findFailures, formatFailure, listFailures } from './failure-answers.ts';
import { findHistoryFacts, type HistoryFact, listRecentWork, searchHistory } from './history-facts.ts';
import {
  explainNothingRecorded,
  formatCode,
  formatDay,
  formatQuote,
  formatText,
  formatWhen,
  shortSessionId,
  suggestCommand,
} from './memory-text.ts';
import { countMatches, findSubject, type MemoryQuestion, type MemorySource } from './question.ts';

const MAX_FAILURES = 2;
const MAX_FACTS = 4;
const MAX_FACTS_PER_SESSION = 2;
const MAX_NAMED_WORDS = 5;
const MAX_OTHER_SESSIONS = 2;
/** Someone who asks is also told what may be related, unlike an agent at work. */
const MIN_CONFIDENCE = 0.3;
/** Facts are duplicates if they begin with the same characters. */
const COMPARED_FACT = 60;
const POLITE = "^\\W*(?:(?:please|can you|could you|let's|now)[\\s,]+)*";
/** A request to do something, or a command. */
const ORDER = new RegExp(
  `${POLITE}(?:(?:run|execute|install|add|use|try)\\b|(?:npm|npx|pnpm|yarn|bun|pip3?|uv|poetry|cargo|go|gem|bundle|brew|apt(?:-get)?|docker|make|git)\\s+\\S)`,
  'i',
);
/** A question about the last time. */
const LATEST = /\b(?:when|what|which)\b.{0,60}\b(?:last|latest|(?:most )?recently)\b/i;
const BEFORE_COMMAND = new RegExp(`${POLITE}(?:(?:run|execute)\\s+)?`, 'i');
const RANK: Readonly<Record<HistoryFact['kind'], number>> = { note: 0, said: 1, failed: 2, worked: 2 };

interface TopicOptions {
  /** Puts decisions first. */
  readonly decisionsFirst?: boolean;
  /** The question is why something failed, so that what worked is no answer. */
  readonly isWhy?: boolean;
}

interface RelevantFailure {
  readonly what: string;
  readonly text: string;
  readonly resolution: string | undefined;
  readonly sessionId: string | undefined;
}

/**
 * Answers a question of no special kind: what was done and how, what failed, what was said. For an order, failures come
 * first, followed by a command that worked instead.
 */
export function answerTopic(asked: MemoryQuestion, source: MemorySource, options: TopicOptions = {}): string {
  const { decisionsFirst = false } = options;
  const subject = findSubject(asked.question);
  const result = searchHistory(asked, source);
  const missing = subject.filter((word) => isMissing(word, result.missing));
  const words = subject.filter((word) => !missing.includes(word));
  const isOrder = ORDER.test(asked.question);
  // Also brings the digests up to date, which recall needs.
  const hasHistory = listRecentWork(source).length > 0;
  // What remains says nothing by itself: what is about "test" is no answer to a question about a flaky test.
  if (missing.length > 0 && !isOrder && !isRecallable(words.join(' '))) return explainNothingFound(missing);
  const failed = relevantFailures(words, isOrder, asked, source);
  const failures = failed.map(({ text }) => text);
  const { lines, sessionId } = recallLines(
    asked,
    source,
    failed.map(({ what }) => what),
  );
  const found = findFacts(words, asked, result, source, options);
  const facts = selectFacts(found, decisionsFirst ? failures : [...lines, ...failures], decisionsFirst);
  const recalled = lines.filter((line) => !facts.some((fact) => includesFact(line, fact)));
  const history = facts.map(({ text }) => text);
  const answer = (
    isOrder
      ? [failures, recalled, history]
      : decisionsFirst
        ? [history, recalled, failures]
        : [recalled, history, failures]
  ).flat();
  const closest = answer.length === 0 && !isOrder ? listClosest(words, result) : [];
  if (closest.length > 0) return ['I am not sure. What comes closest:', '', ...closest].join('\n');
  if (answer.length === 0)
    return hasHistory ? explainNothingFound(words) : explainNothingRecorded(source.project.info.displayName);
  return [
    ...(missing.length === 0 || isOrder
      ? []
      : [`Nothing here mentions ${listQuoted(missing)}. With the other words:`, '']),
    ...answer.map((line) => (line.startsWith('  ') ? line : `- ${line}`)),
    ...linkToSession([sessionId, failed[0]?.sessionId, facts[0]?.sessionId]),
    ...(isOrder ? suggestCommand(failed[0]?.resolution) : []),
  ].join('\n');
}

/** What the history says about the words, or about those that say something by themselves; the latest first if asked for. */
function findFacts(
  words: readonly string[],
  asked: MemoryQuestion,
  result: SearchResult,
  source: MemorySource,
  { decisionsFirst = false, isWhy = false }: TopicOptions,
): readonly HistoryFact[] {
  const factsAbout = (about: readonly string[]): readonly HistoryFact[] =>
    findHistoryFacts(about, asked, result, source).filter(
      ({ kind }) => kind !== 'worked' || !(isWhy || decisionsFirst),
    );
  const together = factsAbout(words);
  const facts = together.length > 0 ? together : factsAbout(words.filter((word) => isRecallable(word)));
  return LATEST.test(asked.question) ? facts.toSorted((a, b) => compareText(b.at, a.at)) : facts;
}

/** The command that shows the first of the sessions; notes have none. */
function linkToSession(sessions: readonly (string | undefined)[]): readonly string[] {
  const first = sessions.find((id) => id !== undefined && id !== '' && id !== NOTES_SESSION);
  return first === undefined ? [] : ['', `\`yore show ${shortSessionId(first)}\` shows the whole session.`];
}

function relevantFailures(
  words: readonly string[],
  isOrder: boolean,
  asked: MemoryQuestion,
  source: MemorySource,
): readonly RelevantFailure[] {
  const known = findFailures(words, listFailures(source));
  const failures = [
    ...(isOrder ? checkCommand(asked, source) : []),
    ...known.map((failure) => ({ ...failure, text: formatFailure(failure) })),
  ];
  return failures
    .filter(({ what }, index) => failures.findIndex((other) => other.what === what) === index)
    .slice(0, MAX_FAILURES);
}

/** Asks the guard about a command that is typed as a question. */
function checkCommand(
  { question, sessionId }: MemoryQuestion,
  { project, now }: MemorySource,
): readonly RelevantFailure[] {
  const command = question.replace(BEFORE_COMMAND, '').trim();
  const timestamp = new Date(now()).toISOString();
  const warning = project.memory.check({ sessionId, tool: 'Bash', input: { command }, timestamp });
  if (warning === undefined) return [];
  const { failed, reason, failedAt, resolution, sessionId: from, project: other } = warning;
  const where = other === undefined ? '' : ` in ${formatText(other)}`;
  const cause = reason === '' ? ' without an error message' : `: ${formatText(reason)}`;
  const instead = resolution === undefined ? '' : ` ${formatCode(resolution)} worked instead.`;
  const text = `${formatCode(failed)} failed${where} ${formatWhen(failedAt, from)}${cause}.${instead}`;
  return [{ what: failed, text, resolution, sessionId: from }];
}

/** Selects a few facts that were not mentioned yet, from several sessions rather than one. */
function selectFacts(
  facts: readonly HistoryFact[],
  mentioned: readonly string[],
  decisionsFirst: boolean,
): readonly HistoryFact[] {
  const perSession = new Map<string, number>();
  const rank = ({ kind, isDecision }: HistoryFact): number => RANK[kind] - (decisionsFirst && isDecision ? 3 : 0);
  return facts
    .filter((fact) => !mentioned.some((line) => includesFact(line, fact)))
    .toSorted((a, b) => rank(a) - rank(b))
    .filter(({ sessionId }) => {
      const count = perSession.get(sessionId) ?? 0;
      perSession.set(sessionId, count + 1);
      return count < MAX_FACTS_PER_SESSION;
    })
    .slice(0, MAX_FACTS);
}

function includesFact(line: string, { key }: HistoryFact): boolean {
  return line.toLowerCase().includes(key.slice(0, COMPARED_FACT).toLowerCase());
}

/** The best passage of each of the sessions that a search finds first, if it has a word that says something. */
function listClosest(words: readonly string[], { sessions }: SearchResult): readonly string[] {
  const telling = words.filter((word) => isRecallable(word));
  return sessions.slice(0, MAX_FACTS).flatMap(({ sessionId, hits }) => {
    const hit = hits.find(({ agent, foreign, snippet }) => {
      const isEvidence = agent !== CHAT_AGENT && foreign === undefined && snippet.marks.length > 0;
      return isEvidence && countMatches(snippet.text, telling) > 0;
    });
    if (hit === undefined) return [];
    const show = `\`yore show ${shortSessionId(sessionId)}\``;
    return `- ${formatText(hit.reason ?? '')}: ${formatQuote(hit.snippet.text)} (${formatDay(hit.timestamp)}, ${show})`;
  });
}

function isMissing(word: string, missing: readonly string[]): boolean {
  return foldCase(word)
    .split(/[^\p{L}\p{N}]+/u)
    .some((part) => missing.includes(part));
}

function listQuoted(words: readonly string[]): string {
  return words
    .slice(0, MAX_NAMED_WORDS)
    .map((word) => formatQuote(word))
    .join(', ');
}

function explainNothingFound(words: readonly string[]): string {
  const telling = words.filter((word) => isRecallable(word));
  const subject = words.length === 0 ? 'that' : listQuoted(telling.length > 0 ? telling : words);
  return [
    `Nothing about ${subject} is in this project’s history.`,
    '',
    '- try other words: a file, a package, the text of an error',
    '- `yore search TEXT` searches all projects',
    '- a model can answer what was never recorded: `yore config set model.provider anthropic`, then `model.name`',
  ].join('\n');
}

interface RecalledLines {
  /** Lines of a list; those of its second level are indented. */
  readonly lines: readonly string[];
  /** The session that most of them come from. */
  readonly sessionId?: string;
}

/** Lines about the task in the line before them. */
const TASK_DETAILS: ReadonlySet<RecollectionLine['kind']> = new Set(['outcome', 'resolvedFailure', 'steps'] as const);
/** Commands are truncated in recollections, so only their beginning is compared. */
const COMPARED_COMMAND = 80;

/** What the memory recalls for a question, active failures last, without those that the answer mentions anyway. */
function recallLines(
  asked: MemoryQuestion,
  { project }: MemorySource,
  mentionedFailures: readonly string[],
): RecalledLines {
  const found = project.memory.recall(asked.question, { sessionId: asked.sessionId, minConfidence: MIN_CONFIDENCE });
  if (found === undefined) return { lines: [] };
  const isMentioned = ({ kind, text }: RecollectionLine): boolean =>
    (kind === 'activeFailure' || kind === 'resolvedFailure') &&
    mentionedFailures.some((what) => text.includes(what.slice(0, COMPARED_COMMAND)));
  const others = found.lines.filter(({ kind }) => kind === 'otherSession').slice(0, MAX_OTHER_SESSIONS);
  const lines = found.lines
    .filter((line) => !isMentioned(line) && (line.kind !== 'otherSession' || others.includes(line)))
    .toSorted((a, b) => Number(a.kind === 'activeFailure') - Number(b.kind === 'activeFailure'))
    .map(({ kind, text }) => (TASK_DETAILS.has(kind) ? `  - ${text}` : text));
  return lines.length === 0 ? { lines } : { lines, sessionId: found.sessionId };
}
