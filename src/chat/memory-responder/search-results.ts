import { CHAT_AGENT } from '../../record/index.ts';
import { listMissing, type SearchHit, type SearchResult, type SessionHits } from '../../search/index.ts';
import { dayOf, formatQuote, formatSource, formatText, type MemorySource } from './memory-text.ts';

const MAX_SESSIONS = 4;
const MAX_RESULTS_PER_SESSION = 2;
const MAX_QUERY_LENGTH = 2000;

/** The sessions that a search finds first, with their best passages. Undefined if it finds nothing. */
export function listSearchResults(message: string, source: MemorySource): string | undefined {
  const result = search(message, source);
  const sessions = result.sessions
    .map((session) => ({ ...session, hits: session.hits.filter(isEvidence).slice(0, MAX_RESULTS_PER_SESSION) }))
    .filter(({ hits }) => hits.length > 0)
    .slice(0, MAX_SESSIONS);
  if (sessions.length === 0) return undefined;
  const missing = result.missing.length === 0 ? '' : `Nothing mentions ${listMissing(result)}. `;
  const titles = new Map(
    source.home.indexed.findSessionsById(sessions).map(({ sessionId, title }) => [sessionId, title]),
  );
  return [
    `${missing}Search results, the most likely first:`,
    '',
    ...sessions.flatMap((session) => {
      const title = titles.get(session.sessionId) ?? '';
      // The title is often a request, or a note, that was found.
      const hits = session.hits.filter(({ snippet }) => snippet.text !== title);
      return [`- ${formatFound(session, title, source)}`, ...hits.map((hit) => `  - ${formatHit(hit)}`)];
    }),
    '',
    '`yore show SESSION` shows a whole session.',
  ].join('\n');
}

/** Searches the project. If other projects may be asked, all are searched when it has nothing. */
function search(message: string, { home, project }: MemorySource): SearchResult {
  const text = message.slice(0, MAX_QUERY_LENGTH);
  const own = home.search({ text, projects: [project.info.projectHash] });
  return own.hits.length === 0 && project.config.get('retrieval.crossProject') ? home.search({ text }) : own;
}

/** What was said in the chat itself or by a stranger is not quoted. */
function isEvidence({ kind, agent, foreign, snippet }: SearchHit): boolean {
  return (kind === 'attempt' || agent !== CHAT_AGENT) && foreign === undefined && snippet.marks.length > 0;
}

function formatFound({ project, sessionId, timestamp }: SessionHits, title: string, source: MemorySource): string {
  const own = source.project.info.projectHash;
  const other = project === own ? undefined : source.home.projectInfo(project)?.displayName;
  const where = other === undefined ? '' : `, project ${formatText(other)}`;
  return `${title === '' ? 'a session' : formatQuote(title)} (${formatSource(timestamp, sessionId, source.home)}${where})`;
}

function formatHit({ reason = '', outcome, timestamp, snippet }: SearchHit): string {
  const what = `${formatText(reason)}${outcome === 'failure' ? ', which failed' : ''} on ${dayOf(timestamp)}`;
  // The text of an attempt has one line for each field; what it did is said already.
  const lines = snippet.text.split('\n').filter((line) => line.trim() !== '' && !reason.includes(line));
  return lines.length === 0 ? what : `${what}: ${formatQuote(lines.join(' · '))}`;
}
