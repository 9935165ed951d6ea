import type { Home, SessionView } from '../../project/index.ts';
import { type Attempt, type Message, OUTCOMES, omitUndefined } from '../../record/index.ts';
import type { SearchQuery } from '../../search/index.ts';
import { projectById } from '../find-project.ts';
import type { Methods, SearchResults, SessionItem, SessionRecordsPage } from '../rpc/api.ts';
import { byteSize, MAX_RESPONSE_BYTES } from '../rpc/json-rpc.ts';
import { logStamp } from '../workers/log-cache.ts';
import type { WorkerContext } from '../workers/tasks.ts';
import type { MethodTable } from './method.ts';
import { count, oneOf, optional, projectId, text, time } from './parameters.ts';

/** Far beyond any number of sessions or records. */
const MAX_OFFSET = 1_000_000_000;
/** Lists are shown at once, even when the index lacks what was written a moment ago. */
const LIST_WAIT_MS = 40;
/** A search reads from the logs what the index still lacks after this time. */
const SEARCH_WAIT_MS = 200;
const MAX_QUERY_LENGTH = 1000;
const MAX_ID_LENGTH = 300;
const DEFAULT_PAGE_SIZE = 200;

const filters = {
  project: optional(projectId),
  agent: optional(text(100)),
  role: optional(oneOf('user', 'assistant')),
  outcome: optional(oneOf(...OUTCOMES)),
  since: optional(time),
  until: optional(time),
} as const;

/** Sessions of all projects: search, list, read. */
export const historyMethods: MethodTable<'history.search' | 'history.listSessions' | 'history.getSession'> = {
  'history.search': {
    parameters: { ...filters, query: text(MAX_QUERY_LENGTH), limit: optional(count(1, 200)) },
    runsIn: 'index',
    indexWaitMs: SEARCH_WAIT_MS,
    isReplaceable: true,
    run: ({ query, project, ...rest }, { home }) => search(home, { ...rest, text: query, ...inProject(project) }),
  },
  'history.listSessions': {
    parameters: { ...filters, limit: optional(count(1, 500)), offset: optional(count(0, MAX_OFFSET)) },
    runsIn: 'main',
    run: async ({ project, ...rest }, { home, workers, index }) => {
      const filter = { ...rest, ...inProject(project) };
      const complete = await index.catchUp(LIST_WAIT_MS);
      const known = home.indexedSessions(filter);
      if (known !== undefined) return { ...known, complete };
      return complete ? workers.ask('listSessions', filter) : { sessions: [], total: 0, complete };
    },
  },
  'history.getSession': {
    parameters: {
      id: text(MAX_ID_LENGTH),
      project: optional(projectId),
      offset: optional(count(0, MAX_OFFSET)),
      limit: optional(count(1, 500)),
      around: optional(text(MAX_ID_LENGTH)),
    },
    runsIn: 'index',
    indexWaitMs: SEARCH_WAIT_MS,
    run: readPage,
  },
};

function inProject(project: string | undefined): { readonly projects?: readonly string[] } {
  return project === undefined ? {} : { projects: [project] };
}

/** Searches, and adds the summary of each session that was found. */
function search(home: Home, query: SearchQuery): SearchResults {
  const { sessions, hits, warnings } = home.search(query);
  const summaries = new Map(
    home.findSessionsById(sessions).map((summary) => [`${summary.project} ${summary.sessionId}`, summary]),
  );
  return {
    sessions: sessions.map((found) => ({
      ...found,
      ...omitUndefined({ summary: summaries.get(`${found.project} ${found.sessionId}`) }),
    })),
    total: hits.length,
    warnings,
  };
}

/** One page of a session. The last sessions stay in memory: reading a long one takes longer than sending a page of it. */
function readPage(
  params: Parameters<Methods['history.getSession']>[0],
  { home, sessions }: WorkerContext,
): SessionRecordsPage {
  const { offset = 0, limit = DEFAULT_PAGE_SIZE, around } = params;
  const { project, sessionId } =
    params.project === undefined
      ? home.findSession(params.id)
      : { project: projectById(home, params.project), sessionId: params.id };
  const { summary, records }: SessionView = sessions.get(
    `${project.info.projectHash} ${sessionId}`,
    logStamp(project.directory),
    () => project.session(sessionId),
  );
  const wanted = around === undefined ? -1 : findIndexAround(records, around);
  const found = omitUndefined({ around: records[wanted]?.id });
  const total = records.length;
  const start = wanted < 0 ? offset : Math.floor(wanted / limit) * limit;
  const page = takeWithinSize(records.slice(start, start + limit));
  if (wanted < start + page.length) return { summary, records: page, offset: start, total, ...found };
  // The records before the wanted one fill the page: start with the wanted one.
  const rest = takeWithinSize(records.slice(wanted, wanted + limit));
  return { summary, records: rest, offset: wanted, total, ...found };
}

/** The index of the record of this id, or of the first record from this time on (else the last). -1 when there is none. */
function findIndexAround(records: readonly (Message | Attempt)[], around: string): number {
  const index = records.findIndex((record) => record.id === around);
  const since = index < 0 && time.isValid(around) ? Date.parse(around) : Number.NaN;
  if (Number.isNaN(since)) return index;
  const from = records.findIndex((record) => Date.parse(record.timestamp) >= since);
  return from < 0 ? records.length - 1 : from;
}

function takeWithinSize(records: readonly (Message | Attempt)[]): readonly SessionItem[] {
  const page: SessionItem[] = [];
  let bytes = 0;
  for (const record of records) {
    bytes += byteSize(record);
    if (bytes > MAX_RESPONSE_BYTES && page.length > 0) break;
    page.push('role' in record ? { type: 'message', message: record } : { type: 'attempt', attempt: record });
  }
  return page;
}
