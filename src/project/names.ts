import { type ProjectInfo, type SessionSummary, YoreError } from '../record/index.ts';

/** The project that is called so: by id, name or folder, else by the beginning of its id. NOT_FOUND, or USAGE when several fit. */
export function projectCalled(name: string, all: readonly ProjectInfo[]): ProjectInfo {
  const exact = all.filter((info) => [info.projectHash, info.displayName, info.projectPath].includes(name));
  const fitting =
    exact.length > 0 ? exact : all.filter((info) => name !== '' && info.projectHash.startsWith(name));
  const [first, ...others] = fitting;
  if (!first) {
    const known = all.slice(0, 5).map((info) => info.displayName);
    const hint = known.length > 0 ? `Known projects: ${known.join(', ')}.` : 'No project is known yet.';
    throw new YoreError('NOT_FOUND', `There is no project "${name}". ${hint}`);
  }
  if (others.length > 0) {
    const candidates = fitting.map((info) => `${info.projectHash} (${info.projectPath})`).join(', ');
    throw new YoreError('USAGE', `Several projects are called "${name}": ${candidates}. Name one by its id.`);
  }
  return first;
}

/** The session of that id among those whose ids begin so, or the only one. NOT_FOUND, or USAGE when there are several. */
export function sessionCalled(id: string, found: readonly SessionSummary[]): SessionSummary {
  const exact = found.filter((session) => session.sessionId === id);
  const [first, ...others] = exact.length > 0 ? exact : found;
  if (!first) throw new YoreError('NOT_FOUND', `There is no session "${id}". \`yore sessions\` lists them.`);
  if (others.length > 0) {
    const candidates = [first, ...others].slice(0, 5).map((session) => session.sessionId);
    throw new YoreError(
      'USAGE',
      `Several sessions begin with "${id}": ${candidates.join(', ')}. Give more of the id.`,
    );
  }
  return first;
}
