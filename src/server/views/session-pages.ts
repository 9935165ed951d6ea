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
  /** Id of a record: the page that holds it. */
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
    const wanted = around === undefined ? -1 : entries.findIndex((entry) => entry.id === around);
    const start = wanted < 0 ? offset : Math.floor(wanted / limit) * limit;
    const page = withinSize(entries.slice(start, start + limit));
    if (wanted < start + page.length) return { summary, entries: page, offset: start, total: entries.length };
    // The records before it fill the page: begin with the one that is wanted.
    const rest = withinSize(entries.slice(wanted, wanted + limit));
    return { summary, entries: rest, offset: wanted, total: entries.length };
  }

  #find(
    id: string,
    projectId: string | undefined,
  ): { readonly project: Project; readonly sessionId: string } {
    if (projectId === undefined) return this.#home.findSession(id);
    return { project: projectById(this.#home, projectId), sessionId: id };
  }
}

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
