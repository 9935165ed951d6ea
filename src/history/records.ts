import { type LogName, listSegments, readLines } from '../log/index.ts';
import {
  type Attempt,
  type HistoryRecord,
  type Parsed,
  parseAttempt,
  parseHistoryRecord,
} from '../record/index.ts';

/** A line of a log that could not be used, and why. */
export interface Problem {
  readonly path: string;
  readonly line: number;
  readonly reason: 'newer' | 'invalid';
  readonly detail: string;
}

/** Says what is wrong with a line, and where. */
export function describeProblem(problem: Problem): string {
  const place = `${problem.path}, line ${problem.line}`;
  if (problem.reason === 'invalid') return `${place}: skipped, ${problem.detail}`;
  return `${place}: written by a newer yore (${problem.detail}) and left as it is. Upgrade yore to read it`;
}

/** Reads messages, checkpoints and tombstones of a project, oldest segment first. Unusable lines are reported and skipped. */
export function readHistory(
  directory: string,
  onProblem: (problem: Problem) => void,
): Generator<HistoryRecord> {
  return readRecords(directory, 'history', parseHistoryRecord, onProblem);
}

/** Reads the attempts of one log, oldest segment first. Unusable lines are reported and skipped. */
export function readAttempts(
  directory: string,
  log: 'failures' | 'successes',
  onProblem: (problem: Problem) => void,
): Generator<Attempt> {
  return readRecords(directory, log, parseAttempt, onProblem);
}

function* readRecords<T>(
  directory: string,
  log: LogName,
  parse: (value: unknown) => Parsed<T>,
  onProblem: (problem: Problem) => void,
): Generator<T> {
  for (const { path } of listSegments(directory, log)) {
    for (const line of readLines(path)) {
      const parsed = parseLine(line.text, parse);
      if (parsed.ok) yield parsed.record;
      else onProblem({ path, line: line.number, ...problemOf(parsed) });
    }
  }
}

/** Parses one line of a log. Never throws. */
export function parseLine<T>(text: string, parse: (value: unknown) => Parsed<T>): Parsed<T> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, reason: 'invalid', problem: 'not valid JSON' };
  }
  return parse(value);
}

function problemOf(parsed: Exclude<Parsed<unknown>, { ok: true }>): Pick<Problem, 'reason' | 'detail'> {
  return parsed.reason === 'newer'
    ? { reason: 'newer', detail: `record version ${parsed.version}` }
    : { reason: 'invalid', detail: parsed.problem };
}
