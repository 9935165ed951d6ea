import { appendFileSync, existsSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

const MOST_BYTES = 256 * 1024;
const LONGEST_LINE = 2_000;

/** The file that says what went wrong in hooks, in yore's home. The one before it ends in `.1`. */
export function hookLogPath(home: string): string {
  return join(home, 'logs', 'hook.log');
}

/** Notes that something went wrong. Never throws: there is nobody to tell. */
export function logHookProblem(home: string, where: string, problem: unknown, now: number): void {
  const path = hookLogPath(home);
  const text = problem instanceof Error ? `${problem.name}: ${problem.message}` : String(problem);
  const line = `${new Date(now).toISOString()} ${where}: ${text}`.replace(/\s+/g, ' ').slice(0, LONGEST_LINE);
  try {
    // Not with its parents: no home is made to complain in.
    if (!existsSync(dirname(path))) mkdirSync(dirname(path), { mode: 0o700 });
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (size > MOST_BYTES) renameSync(path, `${path}.1`);
    appendFileSync(path, `${line}\n`, { mode: 0o600 });
  } catch {
    // A home that cannot be written to cannot keep a log either.
  }
}
