import type { Home, Project, SessionView } from '../../project/index.ts';
import type { Attempt, Message } from '../../record/index.ts';
import { byteSize, LARGEST_ANSWER } from '../answer-size.ts';
import { projectById } from '../project-by-id.ts';
import type { SessionContent, SessionItem } from '../rpc/api.ts';
import { KeptViews } from './kept-views.ts';
import { logStamp } from './log-stamp.ts';

/** Which part of a session is wanted. */
export interface SessionPart {
  readonly id: string;
  readonly project?: string;
  readonly offset?: number;
  readonly limit?: number;
  /** Id of a record or a time in ISO 8601: the page that holds it, or the first record from then on. */
  readonly around?: string;
}

const DEFAULT_LIMIT = 200;
/** Sessions whose records are kept in memory between two pages of them. */
const MOST_KEPT = 3;

/** Sessions in pages: reading a long one takes longer than sending a part of it. */
export class SessionPages {
  readonly #home: Home;
  readonly #kept = new KeptViews<SessionView>(MOST_KEPT);

  constructor(home: Home) {
    this.#home = home;
  }

  /** A part of a session. NOT_FOUND. */
  page({ id, project: projectId, offset = 0, limit = DEFAULT_LIMIT, around }: SessionPart): SessionContent {
    const { project, sessionId } = this.#find(id, projectId);
    const { summary, entries } = this.#kept.get(
      `${project.info.projectHash} ${sessionId}`,
      logStamp(project.directory),
      () => project.session(sessionId),
    );
    const wanted = around === undefined ? -1 : placeOf(entries, around);
    const found = entries[wanted] === undefined ? {} : { around: entries[wanted].id };
    const total = entries.length;
    const start = wanted < 0 ? offset : Math.floor(wanted / limit) * limit;
    const page = withinSize(entries.slice(start, start + limit));
    if (wanted < start + page.length) return { summary, entries: page, offset: start, total, ...found };
    // The records before it fill the page: begin with the one that is wanted.
    const rest = withinSize(entries.slice(wanted, wanted + limit));
    return { summary, entries: rest, offset: wanted, total, ...found };
  }

  #find(
    id: string,
    projectId: string | undefined,
  ): { readonly project: Project; readonly sessionId: string } {
    if (projectId === undefined) return this.#home.findSession(id);
    return { project: projectById(this.#home, projectId), sessionId: id };
  }
}

/** Where a record is, or the first from a time on, else the last. -1 when there is no such record. */
function placeOf(entries: readonly (Message | Attempt)[], around: string): number {
  const place = entries.findIndex((entry) => entry.id === around);
  const time = place < 0 && ISO_TIME.test(around) ? Date.parse(around) : Number.NaN;
  if (Number.isNaN(time)) return place;
  const from = entries.findIndex((entry) => Date.parse(entry.timestamp) >= time);
  return from < 0 ? entries.length - 1 : from;
}

const ISO_TIME = /^\d{4}-\d\d-\d\d(?:T[\d:.]{5,15}(?:Z|[+-]\d\d:?\d\d)?)?$/;

function withinSize(entries: readonly (Message | Attempt)[]): readonly SessionItem[] {
  const page: SessionItem[] = [];
  let bytes = 0;
  for (const entry of entries) {
    bytes += byteSize(entry);
    if (bytes > LARGEST_ANSWER && page.length > 0) break;
    page.push('role' in entry ? { type: 'message', message: entry } : { type: 'attempt', attempt: entry });
  }
  return page;
}
