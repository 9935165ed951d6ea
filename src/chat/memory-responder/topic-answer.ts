import { NOTES_SESSION } from '../../record/index.ts';
import { type HistoryFact, historyFacts } from './history-facts.ts';
import { failuresAbout, failureText, type KnownFailure, knownFailures } from './known-failures.ts';
import type { Asked, MemorySource } from './memory-source.ts';
import { code, nothingRecorded, quoted, said, sessionName, suggestion, when } from './memory-text.ts';
import { recalled } from './recalled.ts';
import { recentWork } from './recent-work.ts';
import { subjectOf } from './subject.ts';

const MOST_FAILURES = 2;
const MOST_FACTS = 4;
const MOST_OF_SESSION = 2;
const MOST_WORDS = 5;
/** A fact that begins like one that is told already says nothing new. */
const TELLING = 60;
const POLITE = "^\\W*(?:(?:please|can you|could you|let's|now)[\\s,]+)*";
/** Somebody wants something done, or types a command. */
const ORDER = new RegExp(
  `${POLITE}(?:(?:run|execute|install|add|use|try)\\b|(?:npm|npx|pnpm|yarn|bun|pip3?|uv|poetry|cargo|go|gem|bundle|brew|apt(?:-get)?|docker|make|git)\\s+\\S)`,
  'i',
);
const BEFORE_COMMAND = new RegExp(`${POLITE}(?:(?:run|execute)\\s+)?`, 'i');
const RANK: Readonly<Record<HistoryFact['kind'], number>> = {
  note: 0,
  said: 1,
  failed: 2,
  worked: 2,
};

/** What kind of question it is. */
export interface TopicOptions {
  /** What was decided comes first. */
  readonly decisionsFirst?: boolean;
  /** Why something failed: what worked is no answer. */
  readonly isWhy?: boolean;
}

/** What something failed with, and what worked instead. */
interface Failed {
  readonly what: string;
  readonly text: string;
  readonly instead: string | undefined;
  readonly sessionId: string | undefined;
}

/**
 * What the memory says to anything that is not a question of another kind: what was done and how, what failed, what was
 * said. To an order, what failed comes first, with a command that worked instead.
 */
export function answerTopic(
  asked: Asked,
  source: MemorySource,
  { decisionsFirst = false, isWhy = false }: TopicOptions = {},
): string {
  const words = subjectOf(asked.question);
  const isOrder = ORDER.test(asked.question);
  // Brings the digests up to date, in which recall looks.
  const hasWork = recentWork(asked, source).length > 0;
  const failed = failuresFor(words, isOrder, asked, source);
  const failures = failed.map(({ text }) => text);
  const whatFailed = failed.map(({ what }) => what);
  const { lines, sessionId } = recalled(asked, source, whatFailed);
  const found = historyFacts(words, asked, source).filter(
    ({ kind }) => kind !== 'worked' || !(isWhy || decisionsFirst),
  );
  const facts = newFacts(found, decisionsFirst ? failures : [...lines, ...failures], decisionsFirst);
  const done = lines.filter((line) => !facts.some((fact) => isIn(line, fact)));
  const history = facts.map(({ text }) => text);
  const parts = isOrder
    ? [failures, done, history]
    : decisionsFirst
      ? [history, done, failures]
      : [done, failures, history];
  const told = parts.flat();
  if (told.length === 0)
    return hasWork ? nothingFound(words) : nothingRecorded(source.project.info.displayName);
  return [
    ...told.map((line) => (line.startsWith('  ') ? line : `- ${line}`)),
    ...whereToRead([sessionId, failed[0]?.sessionId, facts[0]?.sessionId]),
    ...(isOrder ? suggestion(failed[0]?.instead) : []),
  ].join('\n');
}

/** The command that shows the first session there is; notes are in none. */
function whereToRead(sessions: readonly (string | undefined)[]): readonly string[] {
  const first = sessions.find((id) => id !== undefined && id !== '' && id !== NOTES_SESSION);
  return first === undefined ? [] : ['', `\`yore show ${sessionName(first)}\` shows all of it.`];
}

function failuresFor(
  words: readonly string[],
  isOrder: boolean,
  asked: Asked,
  source: MemorySource,
): readonly Failed[] {
  const failed = [
    ...(isOrder ? guarded(asked, source) : []),
    ...failuresAbout(words, knownFailures(asked, source)).map(toldFailure),
  ];
  return failed
    .filter(({ what }, index) => failed.findIndex((other) => other.what === what) === index)
    .slice(0, MOST_FAILURES);
}

/** What the guard would say to a command that is typed as a question. */
function guarded({ question, sessionId }: Asked, { project, now }: MemorySource): readonly Failed[] {
  const command = question.replace(BEFORE_COMMAND, '').trim();
  const timestamp = new Date(now()).toISOString();
  const warning = project.memory.check({ sessionId, tool: 'Bash', input: { command }, timestamp });
  if (warning === undefined) return [];
  const { failed, reason, failedAt, instead, sessionId: from } = warning;
  const worked = instead === undefined ? '' : ` ${code(instead)} worked instead.`;
  const text = `${code(failed)} failed ${when(failedAt, from)}: ${reason === '' ? 'without a word' : said(reason)}.${worked}`;
  return [{ what: failed, text, instead, sessionId: from }];
}

function toldFailure(failure: KnownFailure): Failed {
  return { ...failure, text: failureText(failure) };
}

/** A few facts that are not told yet, of several sessions rather than one. */
function newFacts(
  facts: readonly HistoryFact[],
  told: readonly string[],
  decisionsFirst: boolean,
): readonly HistoryFact[] {
  const perSession = new Map<string, number>();
  const rank = ({ kind, isDecision }: HistoryFact): number =>
    RANK[kind] - (decisionsFirst && isDecision ? 3 : 0);
  return facts
    .filter((fact) => !told.some((line) => isIn(line, fact)))
    .toSorted((a, b) => rank(a) - rank(b))
    .filter(({ sessionId }) => {
      const count = perSession.get(sessionId) ?? 0;
      perSession.set(sessionId, count + 1);
      return count < MOST_OF_SESSION;
    })
    .slice(0, MOST_FACTS);
}

function isIn(line: string, { key }: HistoryFact): boolean {
  return line.toLowerCase().includes(key.slice(0, TELLING).toLowerCase());
}

function nothingFound(words: readonly string[]): string {
  const named = words.slice(0, MOST_WORDS).map((word) => quoted(word));
  const what = named.length === 0 ? 'that' : named.join(', ');
  return [
    `Nothing in this project’s history speaks of ${what}.`,
    '',
    '- other words may find it: a file, a package, the text of an error',
    '- `yore search TEXT` looks through all projects',
    '- a model can answer what was never recorded: `yore config set model.provider anthropic`, then `model.name`',
  ].join('\n');
}
