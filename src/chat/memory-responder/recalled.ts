import type { Asked, MemorySource } from './memory-source.ts';
import { isWork } from './recent-work.ts';

/** What was recalled for a question. */
export interface Recalled {
  /** Lines of a list; those of its second level are indented. */
  readonly lines: readonly string[];
  /** The session that most of it is from. */
  readonly sessionId?: string;
}

const NOTHING: Recalled = { lines: [] };
/** Lines that go on with the one before them. */
const CONTINUED = /^(?:Outcome|Failed there|What worked):/;
/** Commands are cut in what is recalled. */
const COMPARED = 80;

/** What the memory recalls by itself for a prompt, without the failures that are told anyway. */
export function recalled(asked: Asked, { project }: MemorySource, failuresTold: readonly string[]): Recalled {
  const found = project.memory.recall(asked.question, { sessionId: asked.sessionId });
  if (found === undefined) return NOTHING;
  const { book } = project.memory.synthesise();
  const digest = book.digest(found.sessionId);
  const isWorthTelling = digest === undefined || isWork(digest, asked);
  const lines = found.lines
    .filter((line) => isWorthTelling || isStanding(line) || line.startsWith('See also '))
    .filter(
      (line) => !isFailure(line) || !failuresTold.some((what) => line.includes(what.slice(0, COMPARED))),
    )
    .toSorted((a, b) => Number(isStanding(a)) - Number(isStanding(b)))
    .map((line) => (CONTINUED.test(line) ? `  - ${line}` : line));
  const sessionId = isWorthTelling ? found.sessionId : found.otherSessionIds[0];
  return lines.length === 0 ? NOTHING : { lines, ...(sessionId === undefined ? {} : { sessionId }) };
}

/** What still fails is said after what was done. */
function isStanding(line: string): boolean {
  return line.startsWith('Failed before ');
}

function isFailure(line: string): boolean {
  return line.startsWith('Failed ');
}
