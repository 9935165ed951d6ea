import { attemptsBlaming } from '../../ask/blamed.ts';
import { MAX_STATEMENT_LENGTH } from '../../facts/statements/statement.ts';
import { type FailureSummary, findWarningEnding, type Project, type WarningHistory } from '../../project/index.ts';
import { type Attempt, NOTES_SESSION, omitUndefined } from '../../record/index.ts';
import { compareText } from '../../text/compare-text.ts';
import { projectById } from '../find-project.ts';
import type { Evidence, MemoryAntiPattern, MemoryMethods, MemoryResult, MemoryWarning } from '../rpc/api.ts';
import type { Method, MethodTable } from './method.ts';
import { oneOf, optional, projectId, text } from './parameters.ts';
import { READ_WAIT_MS } from './read-wait.ts';

const MAX_DECISIONS = 200;
const MAX_FAILURES = 200;
const MAX_WARNINGS = 200;
const MAX_EVIDENCE = 50;
/** How long an answer waits for what was recorded last. */
const WAIT_MS = 500;
/** A failure that occurred this often has full confidence. */
const CERTAIN_COUNT = 3;
const MAX_TEXT_LENGTH = 2000;

/** The parameters of a method about one failure or note. */
const ONE_ENTRY = { project: projectId, id: text(300) } as const;

/** What the memory of a project holds, and the user's choices about it. */
export const memoryMethods: MethodTable<keyof MemoryMethods> = {
  'memory.get': {
    parameters: { project: projectId },
    runsIn: 'memory',
    indexWaitMs: READ_WAIT_MS,
    run: ({ project }, { home, now }) => readMemory(projectById(home, project), now()),
  },
  'memory.chooseDecision': {
    parameters: {
      ...ONE_ENTRY,
      choice: oneOf('edit', 'pin', 'dismiss', 'undo'),
      text: optional(text(MAX_STATEMENT_LENGTH)),
    },
    changes: true,
    runsIn: 'memory',
    indexWaitMs: WAIT_MS,
    run: ({ project, id, choice, text: edited }, { home }) => {
      projectById(home, project).memory.chooseConclusion(choice, id, edited);
      return null;
    },
  },
  'memory.evidence': {
    parameters: ONE_ENTRY,
    runsIn: 'memory',
    indexWaitMs: WAIT_MS,
    run: ({ project, id }, { home }) => ({ evidence: findEvidence(projectById(home, project), id) }),
  },
  'memory.dismiss': choiceMethod('dismiss'),
  'memory.pin': choiceMethod('pin'),
  'memory.reset': choiceMethod('reset'),
  'memory.forget': {
    parameters: ONE_ENTRY,
    changes: true,
    runsIn: 'index',
    run: ({ project, id }, { home }) => {
      home.forgetPattern(projectById(home, project), id);
      return null;
    },
  },
};

function choiceMethod(choice: 'dismiss' | 'pin' | 'reset'): Method<'memory.dismiss'> {
  return {
    parameters: ONE_ENTRY,
    changes: true,
    runsIn: 'memory',
    indexWaitMs: WAIT_MS,
    run: ({ project, id }, { home }) => {
      projectById(home, project).memory.choose(choice, id);
      return null;
    },
  };
}

/** What fails and works in a project, what has failed so far, and the warnings that were given. */
export function readMemory(project: Project, now: number): MemoryResult {
  const past = project.memory.pastFailures();
  const notes = readNotes(project);
  const active = project.memory.failures();
  const activeIds = new Set(active.map(({ id }) => id));
  // Failures that the user made a choice about are always listed, so that the choice can be reset.
  const chosen = project.memory
    .failures({ all: true })
    .filter(({ id, choice }) => choice !== 'none' && !activeIds.has(id));
  const warnings = project.memory.warnings(Number.MAX_SAFE_INTEGER).map((given) => toMemoryWarning(given, now));
  return {
    decisions: project.memory.conclusions({ limit: MAX_DECISIONS }),
    antiPatterns: [
      ...notes.filter(({ outcome }) => outcome === 'failure').map(fromNote),
      ...[...active, ...chosen].slice(0, MAX_FAILURES).map(fromFailure),
    ],
    ...(active.length === 0 ? { whyNone: project.memory.explainNoWarnings() } : {}),
    past,
    bestPractices: project.memory.knowledge().knowledge.bestPractices.map((practice) => {
      const { confidence, reason, evidence } = practice;
      const note = notes.findLast(({ outcome, pattern: noted }) => outcome !== 'failure' && noted === practice.pattern);
      return { pattern: practice.pattern, reason, confidence, evidence, ...omitUndefined({ id: note?.id }) };
    }),
    warnings: warnings.slice(0, MAX_WARNINGS),
    warningTotals: countByEnd(warnings),
  };
}

/** The attempts behind a failure or a note, the latest first. Empty for an unknown id. */
function findEvidence(project: Project, id: string): readonly Evidence[] {
  const note = readNotes(project).find((attempt) => attempt.id === id);
  if (note !== undefined) return [toEvidence(note)];
  const key = project.memory.findKey(id);
  if (key === undefined) return [];
  const blaming = project.rows.ask((rows) => attemptsBlaming(rows, key)) ?? [];
  const ids = new Set(blaming.slice(0, MAX_EVIDENCE).map((attempt) => attempt.id));
  const sessions = new Set(blaming.slice(0, MAX_EVIDENCE).map(({ sessionId }) => sessionId));
  return [...sessions]
    .flatMap((sessionId) => project.history.getSessionRecords(sessionId).attempts)
    .filter((attempt) => ids.has(attempt.id))
    .sort((a, b) => compareText(a.timestamp, b.timestamp))
    .reverse()
    .map(toEvidence);
}

/** A warning as clients see it. */
export function toMemoryWarning(history: WarningHistory, now: number): MemoryWarning {
  const { id, timestamp, what, text: reason, sessionId, agent } = history.warning;
  return {
    id,
    failureId: history.failureId,
    at: timestamp,
    command: what,
    reason,
    ended: findWarningEnding(history, now),
    sessionId,
    ...omitUndefined({ agent }),
  };
}

function countByEnd(warnings: readonly MemoryWarning[]): MemoryResult['warningTotals'] {
  const count = (ended: MemoryWarning['ended']): number => warnings.filter((warning) => warning.ended === ended).length;
  return {
    heeded: count('heeded'),
    overriddenFailed: count('overridden-failed'),
    overriddenSucceeded: count('overridden-succeeded'),
    open: count('open'),
  };
}

/** What the user asked to remember, the latest last. */
function readNotes(project: Project): readonly Attempt[] {
  const { attempts } = project.history.getSessionRecords(NOTES_SESSION);
  return attempts.filter((attempt) => attempt.pattern !== undefined);
}

function fromNote({ id, pattern: noted = '', description = '', timestamp }: Attempt): MemoryAntiPattern {
  return {
    id,
    kind: 'note',
    pattern: noted.slice(0, MAX_TEXT_LENGTH),
    reason: description.slice(0, MAX_TEXT_LENGTH),
    count: 1,
    occurredAt: timestamp,
    confidence: 1,
    state: 'active',
    sessions: [],
  };
}

/** A failure as the memory lists it. */
export function fromFailure(failure: FailureSummary): MemoryAntiPattern {
  const { id, what, error, count, at, fix, choice, sessions, author } = failure;
  return {
    id,
    kind: 'failure',
    pattern: what,
    reason: error,
    count,
    occurredAt: at,
    confidence: choice === 'pin' ? 1 : Math.min(count / CERTAIN_COUNT, 1),
    ...omitUndefined({ fix, author }),
    state: choice === 'pin' ? 'pinned' : choice === 'dismiss' ? 'dismissed' : 'active',
    sessions,
  };
}

function toEvidence(attempt: Attempt): Evidence {
  const { sessionId, id, timestamp, command, path, error, description } = attempt;
  const parts = [command ?? path ?? attempt.pattern, error ?? description].filter((part) => part !== undefined);
  return { sessionId, id, at: timestamp, text: parts.join('\n').slice(0, MAX_TEXT_LENGTH) };
}
