import { blamedBy, readKnowledge } from '../../memory/index.ts';
import type { FailureSummary, Project, WarningHistory } from '../../project/index.ts';
import { type Attempt, NOTES_SESSION } from '../../record/index.ts';
import type { Evidence, MemoryAntiPattern, MemoryWarning, ProjectMemory } from '../rpc/api.ts';

const MOST_FAILURES = 200;
const MOST_WARNINGS = 200;
const MOST_EVIDENCE = 50;
/** Sessions that are read for evidence, the latest ones. */
const MOST_SESSIONS = 20;
/** This often is sure. */
const SURE_COUNT = 3;
/** How a warning ended cannot be told before. */
const OPEN_MS = 10 * 60_000;
const LONGEST_TEXT = 2000;

/** What is known of what fails and works in a project, and which warnings were given. */
export function memoryView(project: Project, now: number): ProjectMemory {
  project.memory.synthesise();
  const notes = notesOf(project);
  const failures = project.memory.failures();
  const live = new Set(failures.map(({ id }) => id));
  // What the user decided about stays in view, so that it can be taken back.
  const decided = project.memory
    .failures({ all: true })
    .filter(({ id, choice }) => choice !== 'none' && !live.has(id));
  const warnings = project.memory.warnings(Number.MAX_SAFE_INTEGER).map((given) => memoryWarning(given, now));
  return {
    antiPatterns: [
      ...notes.filter(({ outcome }) => outcome === 'failure').map(fromNote),
      ...[...failures, ...decided].slice(0, MOST_FAILURES).map(fromFailure),
    ],
    bestPractices: (readKnowledge(project.directory)?.bestPractices ?? []).map(
      ({ pattern, reason, confidence, evidence }) => {
        const id = notes.findLast((note) => note.outcome !== 'failure' && note.pattern === pattern)?.id;
        return { pattern, reason, confidence, evidence, ...(id === undefined ? {} : { id }) };
      },
    ),
    warnings: warnings.slice(0, MOST_WARNINGS),
    warningTotals: totalsOf(warnings),
  };
}

/** The attempts behind a failure or a note, the latest first. Empty for an id that is not known. */
export function evidenceOf(project: Project, id: string): readonly Evidence[] {
  const note = notesOf(project).find((attempt) => attempt.id === id);
  if (note !== undefined) return [toEvidence(note)];
  const key = project.memory.keyOf(id);
  const failure = project.memory.failures({ all: true }).find((other) => other.id === id);
  if (key === undefined || failure === undefined) return [];
  return failure.sessions
    .slice(-MOST_SESSIONS)
    .flatMap((sessionId) => project.history.getSessionRecords(sessionId).attempts)
    .filter((attempt) => attempt.outcome === 'failure' && blamedBy(attempt).includes(key))
    .sort((a, b) => (a.timestamp < b.timestamp ? 1 : -1))
    .slice(0, MOST_EVIDENCE)
    .map(toEvidence);
}

/** A warning as clients see it. */
export function memoryWarning({ warning, hazardId, outcome }: WarningHistory, now: number): MemoryWarning {
  const { id, timestamp, what, text, sessionId, agent } = warning;
  const isOpen = now - Date.parse(timestamp) < OPEN_MS;
  const unanswered = isOpen ? 'open' : 'heeded';
  const overridden = outcome?.succeeded ? 'overridden-succeeded' : 'overridden-failed';
  return {
    id,
    failureId: hazardId,
    at: timestamp,
    command: what,
    reason: text,
    ended: outcome === undefined ? unanswered : overridden,
    sessionId,
    ...(agent === undefined ? {} : { agent }),
  };
}

function totalsOf(warnings: readonly MemoryWarning[]): ProjectMemory['warningTotals'] {
  const count = (ended: MemoryWarning['ended']): number =>
    warnings.filter((warning) => warning.ended === ended).length;
  return {
    heeded: count('heeded'),
    overriddenFailed: count('overridden-failed'),
    overriddenSucceeded: count('overridden-succeeded'),
    open: count('open'),
  };
}

/** What the user asked to remember, the latest last. */
function notesOf(project: Project): readonly Attempt[] {
  const { attempts } = project.history.getSessionRecords(NOTES_SESSION);
  return attempts.filter(({ pattern }) => pattern !== undefined);
}

function fromNote({ id, pattern = '', description = '', timestamp }: Attempt): MemoryAntiPattern {
  return {
    id,
    kind: 'note',
    pattern: pattern.slice(0, LONGEST_TEXT),
    reason: description.slice(0, LONGEST_TEXT),
    count: 1,
    occurredAt: timestamp,
    confidence: 1,
    state: 'active',
    sessions: [],
  };
}

function fromFailure(failure: FailureSummary): MemoryAntiPattern {
  const { id, what, error, count, at, resolution, choice, sessions } = failure;
  return {
    id,
    kind: 'failure',
    pattern: what,
    reason: error,
    count,
    occurredAt: at,
    confidence: choice === 'pin' ? 1 : Math.min(count / SURE_COUNT, 1),
    ...(resolution === undefined ? {} : { alternative: resolution }),
    state: choice === 'pin' ? 'pinned' : choice === 'dismiss' ? 'dismissed' : 'active',
    sessions,
  };
}

function toEvidence(attempt: Attempt): Evidence {
  const { sessionId, id, timestamp, command, path, pattern, error, description } = attempt;
  const told = [command ?? path ?? pattern, error ?? description].filter((part) => part !== undefined);
  return { sessionId, id, at: timestamp, text: told.join('\n').slice(0, LONGEST_TEXT) };
}
