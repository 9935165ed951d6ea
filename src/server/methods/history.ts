import type { Home, Project, SessionView } from '../../project/index.ts';
import { type Attempt, type Message, OUTCOMES, omitUndefined, YoreError } from '../../record/index.ts';
import { DEFAULT_LIMIT, type SearchQuery } from '../../search/index.ts';
import { conditionsBeyondRecords, type SessionConditions } from '../../store/session-filters.ts';
import type { Chats } from '../chat/chats.ts';
import { projectById } from '../find-project.ts';
import type {
  HistoryMethods,
  Methods,
  SearchResults,
  SessionFacets,
  SessionItem,
  SessionRecordsPage,
  UsageSums,
} from '../rpc/api.ts';
import { byteSize, MAX_RESPONSE_BYTES } from '../rpc/json-rpc.ts';
import { indexStamp } from '../workers/log-cache.ts';
import type { WorkerContext } from '../workers/tasks.ts';
import type { MethodTable } from './method.ts';
import { count, flag, oneOf, optional, projectId, text, time } from './parameters.ts';

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
  author: optional(text(100)),
  role: optional(oneOf('user', 'assistant')),
  outcome: optional(oneOf(...OUTCOMES)),
  starred: optional(flag),
  tag: optional(text(100)),
  since: optional(time),
  until: optional(time),
} as const;

/** Sessions of all projects: search, list, read, and what they cost. */
export const historyMethods: MethodTable<keyof HistoryMethods> = {
  'history.search': {
    parameters: { ...filters, query: text(MAX_QUERY_LENGTH), limit: optional(count(1, 200)) },
    runsIn: 'index',
    indexWaitMs: SEARCH_WAIT_MS,
    isReplaceable: true,
    complete: (found, params, { chats }) => addMatchesInMemory(found, params, chats),
    run: ({ query, project, ...filter }, { home }) =>
      search(home, { ...filter, text: query, ...inProject(project) }, filter),
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
  'history.facets': {
    parameters: filters,
    runsIn: 'index',
    indexWaitMs: LIST_WAIT_MS,
    run: ({ project, ...rest }, { home }) =>
      home.indexed.countByChoice({ ...rest, ...inProject(project) }) ?? NO_FACETS,
  },
  'history.findSessions': {
    parameters: { query: text(MAX_QUERY_LENGTH), project: optional(projectId), limit: optional(count(1, 50)) },
    runsIn: 'index',
    isReplaceable: true,
    run: ({ query, project, limit = 10 }, { home }) => ({
      sessions: home.indexed.findSessionsByTitle(query, { limit, ...inProject(project) }),
    }),
  },
  'history.getSession': {
    parameters: {
      id: text(MAX_ID_LENGTH),
      project: optional(projectId),
      offset: optional(count(0, MAX_OFFSET)),
      limit: optional(count(1, 500)),
      around: optional(text(MAX_ID_LENGTH)),
      images: optional(flag),
    },
    runsIn: 'index',
    indexWaitMs: SEARCH_WAIT_MS,
    run: readPage,
  },
  'usage.get': {
    parameters: {
      project: optional(projectId),
      since: optional(time),
      until: optional(time),
      timeZone: optional(text(100)),
      limit: optional(count(1, 100)),
    },
    runsIn: 'index',
    indexWaitMs: SEARCH_WAIT_MS,
    isReplaceable: true,
    run: ({ project, ...query }, { home }) => home.usage({ ...query, ...inProject(project) }),
  },
};

const NO_FACETS: SessionFacets = { agents: [], projects: [], authors: [], roles: [], outcomes: [] };

function inProject(project: string | undefined): { readonly projects?: readonly string[] } {
  return project === undefined ? {} : { projects: [project] };
}

/** Searches, and adds the summary of each session that was found. */
async function search(home: Home, query: SearchQuery, filter: SessionConditions): Promise<SearchResults> {
  const { sessions, hits, isQuestion, missing, terms, warnings } = home.search(await home.embeddings.embedQuery(query));
  const known = home.indexed.findSessionsById(sessions, filter);
  const summaries = new Map(known.map((summary) => [`${summary.project} ${summary.sessionId}`, summary]));
  const needsSession = conditionsBeyondRecords(filter).length > 0;
  const shown = sessions.flatMap((found) => {
    const summary = summaries.get(`${found.project} ${found.sessionId}`);
    return needsSession && summary === undefined ? [] : [{ ...found, ...omitUndefined({ summary }) }];
  });
  return {
    sessions: shown,
    isQuestion,
    missing,
    terms,
    total: shown.length === sessions.length ? hits.length : shown.reduce((sum, found) => sum + found.hits.length, 0),
    warnings,
  };
}

/**
 * Adds what open chats have in memory, where the history has nothing or the chat is not recorded. Filters that only
 * records can pass exclude it.
 */
function addMatchesInMemory(
  found: SearchResults,
  { query, project, role, limit = DEFAULT_LIMIT, ...others }: Parameters<Methods['history.search']>[0],
  chats: Chats,
): SearchResults {
  if (Object.values(others).some((filter) => filter !== undefined)) return found;
  const options = omitUndefined({ role, limit });
  const matches = chats.open(project).flatMap((chat) => chat.search(query, options, found.total) ?? []);
  const total = matches.reduce((sum, { hits }) => sum + hits.length, found.total);
  const missing = matches.length === 0 ? found.missing : [];
  return { ...found, missing, sessions: [...found.sessions, ...matches], total };
}

/** One page of a session. The last sessions stay in memory: reading a long one takes longer than sending a page of it. */
function readPage(
  params: Parameters<Methods['history.getSession']>[0],
  { home, sessions, now }: WorkerContext,
): SessionRecordsPage {
  const { offset = 0, limit = DEFAULT_PAGE_SIZE, around } = params;
  const { project, sessionId } =
    params.project === undefined
      ? home.findSession(params.id)
      : { project: projectById(home, params.project), sessionId: params.id };
  const { summary, records }: SessionView = sessions.get(
    `${project.info.projectHash} ${sessionId}`,
    indexStamp(home, project.directory, now()),
    () => project.session(sessionId),
  );
  const wanted = around === undefined ? -1 : findIndexAround(records, around);
  const found = omitUndefined({ around: records[wanted]?.id, usage: readSessionUsage(home, project, sessionId) });
  const total = records.length;
  const start = wanted < 0 ? offset : Math.floor(wanted / limit) * limit;
  const toItem = (record: Message | Attempt) => toSessionItem(record, params.images === false ? undefined : project);
  const page = takeWithinSize(records.slice(start, start + limit), toItem);
  if (wanted < start + page.length) return { summary, records: page, offset: start, total, ...found };
  // The records before the wanted one fill the page: start with the wanted one.
  const rest = takeWithinSize(records.slice(wanted, wanted + limit), toItem);
  return { summary, records: rest, offset: wanted, total, ...found };
}

/** What a session used and cost; undefined when the index cannot be used. */
export function readSessionUsage(home: Home, project: Project, sessionId: string): UsageSums | undefined {
  try {
    return home.sessionUsage(project, sessionId);
  } catch (error) {
    if (error instanceof YoreError) return undefined;
    throw error;
  }
}

/** The index of the record of this id, or of the first record from this time on (else the last). -1 when there is none. */
function findIndexAround(records: readonly (Message | Attempt)[], around: string): number {
  const index = records.findIndex((record) => record.id === around);
  const since = index < 0 && time.isValid(around) ? Date.parse(around) : Number.NaN;
  if (Number.isNaN(since)) return index;
  const from = records.findIndex((record) => Date.parse(record.timestamp) >= since);
  return from < 0 ? records.length - 1 : from;
}

function takeWithinSize(
  records: readonly (Message | Attempt)[],
  toItem: (record: Message | Attempt) => SessionItem,
): readonly SessionItem[] {
  const page: SessionItem[] = [];
  let bytes = 0;
  for (const record of records) {
    const item = toItem(record);
    bytes += byteSize(item);
    if (bytes > MAX_RESPONSE_BYTES && page.length > 0) break;
    page.push(item);
  }
  return page;
}

/** More image data would disconnect a client that reads slowly. */
const MAX_IMAGE_DATA = 3 * MAX_RESPONSE_BYTES;

/** A record for clients; with the images from `project`, unless they are too large to send with the message. */
function toSessionItem(record: Message | Attempt, project: Project | undefined): SessionItem {
  if (!('role' in record)) return { type: 'attempt', attempt: record };
  const { images: _legacyCount, ...message } = record;
  const complete = project?.history.withImages(record) ?? message;
  return { type: 'message', message: byteSize(complete) > MAX_IMAGE_DATA ? message : complete };
}
