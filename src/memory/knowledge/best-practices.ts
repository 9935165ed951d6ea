import { oneLine } from '../../text/one-line.ts';
import type { CountedCommand } from '../digest/counts/call-counts.ts';
import type { ProjectCounts } from '../digest/counts/project-counts.ts';
import { dateOf } from './date-of.ts';
import type { BestPractice, WorkflowStep } from './knowledge-file.ts';

const MOST = 10;
/** This often is sure. */
const SURE_COUNT = 5;
const LEAST_CONFIDENCE = 0.6;
/** What worked in one session only is not yet a practice of the project. */
const LEAST_SESSIONS = 2;
const MOST_HOOK_COMMANDS = 3;
const PATTERN_CHARACTERS = 160;

const PURPOSES: Readonly<Record<string, string>> = {
  test: 'Runs the tests',
  build: 'Builds the project',
  lint: 'Checks the code',
  format: 'Formats the code',
  install: 'Installs dependencies',
};
const CHECKS: Readonly<Record<string, string>> = {
  test: 'Tests are run',
  lint: 'The code is checked',
  build: 'The project is built',
  format: 'The code is formatted',
};

/**
 * What works in the project, the surest first: what the user asked to remember, what git hooks run, habits of the
 * workflow, then
 * commands that worked repeatedly in several sessions.
 */
export function bestPracticesOf(
  counts: ProjectCounts,
  workflow: readonly WorkflowStep[],
  beforeCommit: readonly string[],
): readonly BestPractice[] {
  const noted = counts.practices.toReversed().map(
    (note): BestPractice => ({
      pattern: note.pattern,
      reason: note.description,
      confidence: 1,
      evidence: `noted on ${dateOf(note.at)}`,
    }),
  );
  const habits = workflow.map(
    (step): BestPractice => ({
      pattern: `${CHECKS[step.check] ?? step.check} (${step.command}) before each ${step.before}`,
      reason: 'That is the order of work here',
      confidence: confidenceOf(step.count),
      evidence: `before ${step.count} of ${step.total} ${step.before === 'push' ? 'pushes' : 'commits'}`,
    }),
  );
  const commands = counts.commands
    .ranked()
    .filter((command) => command.sessions >= LEAST_SESSIONS && confidenceOf(command.count) > LEAST_CONFIDENCE)
    .map(commandPractice);
  return [...noted, ...hookPractices(beforeCommit), ...habits, ...commands].slice(0, MOST);
}

/** How sure a practice is that was seen `count` times. */
export function confidenceOf(count: number): number {
  return Math.min(count / SURE_COUNT, 1);
}

/** What git hooks run cannot be left out. */
function hookPractices(beforeCommit: readonly string[]): readonly BestPractice[] {
  if (beforeCommit.length === 0) return [];
  const commands = beforeCommit.slice(0, MOST_HOOK_COMMANDS).join(', ');
  return [
    {
      pattern: oneLine(`Before each commit a git hook runs ${commands}`, PATTERN_CHARACTERS),
      reason: 'A commit that fails it is refused',
      confidence: 1,
      evidence: "set up in the project's files",
    },
  ];
}

function commandPractice(command: CountedCommand): BestPractice {
  return {
    pattern: command.key,
    reason: PURPOSES[command.kind] ?? 'Works here',
    confidence: confidenceOf(command.count),
    evidence: `worked ${command.count} times in ${command.sessions} sessions, last on ${dateOf(command.last)}`,
  };
}
