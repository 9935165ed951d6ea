import { type LogName, listSegments, readLines } from '../log/index.ts';
import {
  type Attempt,
  type HistoryRecord,
  type Parsed,
  type Problem,
  parseAttempt,
  parseHistoryRecord,
} from '../record/index.ts';

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
