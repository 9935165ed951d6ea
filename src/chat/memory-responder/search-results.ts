import { CHAT_AGENT } from '../../record/index.ts';
import { listMissing, type SearchHit, type SearchResult } from '../../search/index.ts';
import { formatQuote, formatSource, formatText, type MemorySource } from './memory-text.ts';

const MAX_RESULTS = 6;
const MAX_RESULTS_PER_SESSION = 2;
const MAX_QUERY_LENGTH = 2000;

/** The best passages of the sessions that a search finds first. Undefined if it finds nothing. */
export function listSearchResults(message: string, source: MemorySource): string | undefined {
  const result = search(message, source);
  const hits = result.sessions
    .flatMap((session) => session.hits.filter(isEvidence).slice(0, MAX_RESULTS_PER_SESSION))
    .slice(0, MAX_RESULTS);
  if (hits.length === 0) return undefined;
  const missing = result.missing.length === 0 ? '' : `Nothing mentions ${listMissing(result)}. `;
  return [
    `${missing}Search results, the most likely first:`,
    '',
    ...hits.map((hit) => `- ${formatHit(hit, source)}`),
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

function formatHit(hit: SearchHit, { home, project }: MemorySource): string {
  const { reason = '', outcome, timestamp, sessionId, snippet } = hit;
  const what = `${formatText(reason)}${outcome === 'failure' ? ', which failed' : ''}`;
  // The text of an attempt has one line for each field; what it did is said already.
  const lines = snippet.text.split('\n').filter((line) => line.trim() !== '' && !reason.includes(line));
  const quoted = lines.length === 0 ? '' : `: ${formatQuote(lines.join(' · '))}`;
  const other = hit.project === project.info.projectHash ? undefined : home.projectInfo(hit.project)?.displayName;
  const where = other === undefined ? '' : `, project ${formatText(other)}`;
  return `${what}${quoted} (${formatSource(timestamp, sessionId, home)}${where})`;
}
