import { drainSpool } from '../recording/drain-spool.ts';
import type { ProjectHandle } from '../recording/project-handle.ts';

/** How long a process that is just at it is waited for. */
const WAIT_MS = 100;

/** Writes down what hooks have left to be analysed. What goes wrong is told and is no reason to stop. */
export function drainBeside(
  project: ProjectHandle,
  onProblem: (problem: unknown) => void,
  waitMs: number = WAIT_MS,
): boolean {
  try {
    return drainSpool(project.surroundings(), waitMs);
  } catch (error) {
    onProblem(error);
    return false;
  }
}
