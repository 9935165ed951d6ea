import type { RecollectionLine } from '../../memory/index.ts';
import { NOTES_SESSION } from '../../record/index.ts';
import { findFailures, formatFailure, listFailures } from './failure-answers.ts';
import { findHistoryFacts, type HistoryFact, listRecentWork } from './history-facts.ts';
import {
  explainNothingRecorded,
  formatCode,
  formatQuote,
  formatText,
  formatWhen,
  shortSessionId,
  suggestCommand,
} from './memory-text.ts';
import { findSubject, type MemoryQuestion, type MemorySource } from './question.ts';

const MAX_FAILURES = 2;
const MAX_FACTS = 4;
const MAX_FACTS_PER_SESSION = 2;
const MAX_NAMED_WORDS = 5;
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
export function answerTopic(
  asked: MemoryQuestion,
  source: MemorySource,
  { decisionsFirst = false, isWhy = false }: TopicOptions = {},
): string {
  const words = findSubject(asked.question);
  const isOrder = ORDER.test(asked.question);
  // Also brings the digests up to date, which recall needs.
  const hasHistory = listRecentWork(source).length > 0;
  const failed = relevantFailures(words, isOrder, asked, source);
  const failures = failed.map(({ text }) => text);
  const { lines, sessionId } = recallLines(
    asked,
    source,
    failed.map(({ what }) => what),
  );
  const found = findHistoryFacts(words, asked, source).filter(
    ({ kind }) => kind !== 'worked' || !(isWhy || decisionsFirst),
  );
  const facts = selectFacts(found, decisionsFirst ? failures : [...lines, ...failures], decisionsFirst);
  const recalled = lines.filter((line) => !facts.some((fact) => includesFact(line, fact)));
  const history = facts.map(({ text }) => text);
  const answer = (
    isOrder
      ? [failures, recalled, history]
      : decisionsFirst
        ? [history, recalled, failures]
        : [recalled, failures, history]
  ).flat();
  if (answer.length === 0)
    return hasHistory ? explainNothingFound(words) : explainNothingRecorded(source.project.info.displayName);
  return [
    ...answer.map((line) => (line.startsWith('  ') ? line : `- ${line}`)),
    ...linkToSession([sessionId, failed[0]?.sessionId, facts[0]?.sessionId]),
    ...(isOrder ? suggestCommand(failed[0]?.resolution) : []),
  ].join('\n');
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

function explainNothingFound(words: readonly string[]): string {
  const named = words.slice(0, MAX_NAMED_WORDS).map((word) => formatQuote(word));
  const subject = named.length === 0 ? 'that' : named.join(', ');
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
  const lines = found.lines
    .filter((line) => !isMentioned(line))
    .toSorted((a, b) => Number(a.kind === 'activeFailure') - Number(b.kind === 'activeFailure'))
    .map(({ kind, text }) => (TASK_DETAILS.has(kind) ? `  - ${text}` : text));
  return lines.length === 0 ? { lines } : { lines, sessionId: found.sessionId };
}
