import { type ProjectInfo, type SessionSummary, YoreError } from '../record/index.ts';
import { oneLine } from '../text/one-line.ts';
import { quoteId } from '../text/recorded-text.ts';
import { labelProjects } from './project-labels.ts';

/** Finds a project by id, name, label or folder, else by the prefix of its id. Throws NOT_FOUND, or USAGE when several match. */
export function findProjectByName(name: string, all: readonly ProjectInfo[]): ProjectInfo {
  const byId = all.find(({ projectHash }) => projectHash === name);
  if (byId) return byId;
  const labels = labelProjects(all);
  const exact = all.filter((info) => [info.displayName, labels.get(info.projectHash), info.projectPath].includes(name));
  const matching = exact.length > 0 ? exact : all.filter((info) => name !== '' && info.projectHash.startsWith(name));
  const [first, ...others] = matching;
  if (!first) {
    const known = [...labels.values()].slice(0, 5).map((label) => quoteId(label, 80));
    const hint = known.length > 0 ? `Known projects: ${known.join(', ')}.` : 'No project is known yet.';
    throw new YoreError('NOT_FOUND', `There is no project "${name}". ${hint}`);
  }
  if (others.length > 0) {
    const candidates = matching.map((info) => quoteId(labels.get(info.projectHash) ?? '', 80)).join(', ');
    throw new YoreError('USAGE', `Several projects match "${name}": ${candidates}. Use one of these names.`);
  }
  return first;
}

/** Chooses from the sessions whose ids start with `id`. Throws NOT_FOUND, or USAGE when several match and none exactly. */
export function findSessionById(id: string, candidates: readonly SessionSummary[]): SessionSummary {
  const exact = candidates.filter((session) => session.sessionId === id);
  const [first, ...others] = exact.length > 0 ? exact : candidates;
  if (!first) throw new YoreError('NOT_FOUND', `There is no session "${id}". \`yore sessions\` lists them.`);
  if (others.length > 0) {
    const ids = [first, ...others].slice(0, 5).map((session) => quoteId(session.sessionId));
    throw new YoreError('USAGE', `Several sessions start with "${id}": ${ids.join(', ')}. Type more of the id.`);
  }
  return first;
}

/** One sentence; longer notes would be truncated in briefings. */
const MAX_NOTE_LENGTH = 160;
/** Up to this length, the error message says how long the text is. */
const MAX_MEASURED_LENGTH = 100_000;

/** The text of a note on one line and without control characters. Throws USAGE when it is empty, LIMIT when too long. */
export function parseNote(given: string): string {
  const line = oneLine(given, MAX_MEASURED_LENGTH);
  if (line === '') throw new YoreError('USAGE', 'The text of the note is empty.');
  if (line.length > MAX_NOTE_LENGTH) {
    throw new YoreError(
      'LIMIT',
      `The note has ${line.length} characters; at most ${MAX_NOTE_LENGTH} are allowed. Use one sentence, or several notes.`,
    );
  }
  return line;
}
