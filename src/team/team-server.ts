import type { KnownFailure } from '../ask/guard/known-failure.ts';
import { summariseSession } from '../history/index.ts';
import { PostgresStore, type TeamKnowledge } from '../postgres/index.ts';
import { type FailureSummary, type Home, type Project, summariseFailure } from '../project/index.ts';
import { type Attempt, type Message, messageOf, type SessionSummary, YoreError } from '../record/index.ts';
import { redactValue } from '../redact/redact.ts';
import type { SearchQuery, SearchResult } from '../search/index.ts';
import { compareText } from '../text/compare-text.ts';
import { requireMembership } from './membership.ts';
import { projectKey } from './shared-records.ts';
import { plainName } from './team-copy.ts';
import { findAddress, type TeamMembership } from './team-file.ts';

/** A session on the server. */
interface TeamSession {
  readonly summary: SessionSummary;
  readonly records: readonly (Message | Attempt)[];
}

/** Characters of its key that name a project which is not on this machine. */
const SHOWN_KEY_LENGTH = 6;

/**
 * The team's server, asked directly instead of the local copy: knows all projects of the team, also those that are not on
 * this machine, as of the last sync of each colleague. What it returns is recorded content, redacted again. Projects are
 * named by their id on this machine, or by their key where they are not on it.
 */
export class TeamServer {
  readonly #store: PostgresStore;
  readonly #keys: readonly string[];
  /** Projects on this machine by their key. */
  readonly #local: ReadonlyMap<string, Project>;
  readonly #names: ReadonlyMap<string, string>;

  private constructor(
    store: PostgresStore,
    keys: readonly string[],
    local: ReadonlyMap<string, Project>,
    names: ReadonlyMap<string, string>,
  ) {
    this.#store = store;
    this.#keys = keys;
    this.#local = local;
    this.#names = names;
  }

  /** Asks the server of a home's team. Throws TEAM; local commands work all the same. */
  static async use<T>(home: Home, work: (server: TeamServer) => Promise<T>): Promise<T> {
    const membership = requireMembership(home);
    const store = await connect(home, membership);
    try {
      const local = new Map<string, Project>();
      for (const project of home.allProjects()) {
        const key = projectKey(membership.team, project.info, project.config.get('team.project'));
        if (key !== undefined) local.set(key, project);
      }
      const names = (await store.members()).map(({ author, name }) => [author, plainName(name) || author] as const);
      return await work(new TeamServer(store, await store.projects(), local, new Map(names)));
    } finally {
      await store.close();
    }
  }

  /** What to call a project of a result. */
  projectName = (id: string): string => {
    const local = [...this.#local.values()].find(({ info }) => info.projectHash === id);
    return local?.info.displayName ?? `project ${id.slice(0, SHOWN_KEY_LENGTH)}`;
  };

  /** Searches all projects of the team, or one. */
  async search(
    query: Omit<SearchQuery, 'projects' | 'author'>,
    project?: Project,
  ): Promise<Pick<SearchResult, 'hits' | 'sessions'>> {
    const { hits, sessions } = await this.#store.search(this.#keysOf(project), query);
    const toShown = <T extends { readonly project: string; readonly author?: string }>(found: T): T => ({
      ...found,
      ...this.#origin(found),
    });
    return {
      hits: hits.map(toShown),
      sessions: sessions.map((session) => ({ ...toShown(session), hits: session.hits.map(toShown) })),
    };
  }

  /** The sessions of all members that were active last. */
  async listSessions(limit: number, project?: Project): Promise<readonly SessionSummary[]> {
    const sessions = await this.#store.listSessions(this.#keysOf(project), limit);
    return sessions.map((session) => ({ ...session, ...this.#origin(session) }));
  }

  /** A session by its id of {@link search} or {@link listSessions}. Throws NOT_FOUND. */
  async readSession(sessionId: string): Promise<TeamSession> {
    const key = await this.#store.findProject(sessionId);
    const found = key === undefined ? undefined : await this.#store.readSession(key, sessionId);
    if (key === undefined || found === undefined) {
      throw new YoreError(
        'NOT_FOUND',
        `There is no session ${sessionId} on the team's server. Run yore team sessions.`,
      );
    }
    const summary = summariseSession(key, sessionId, found);
    return {
      summary: { ...summary, ...this.#origin(summary) },
      records: [...found.messages, ...found.attempts].sort((a, b) => compareText(a.timestamp, b.timestamp)),
    };
  }

  /** What the guards of all members know to fail in a project, with what worked instead, newest first. */
  async failures(project: Project, now: number): Promise<readonly FailureSummary[]> {
    const days = project.config.get('retrieval.failureLookbackDays');
    const failures = await this.#store.failures(this.#requireKey(project), now, days);
    return failures.map((failure) => redactValue(this.#summarise(failure)));
  }

  /** What all members have learned about a project. */
  async knowledge(project: Project): Promise<TeamKnowledge> {
    const { antiPatterns, bestPractices } = await this.#store.knowledge(this.#requireKey(project));
    const toShown = <T extends { readonly authors: readonly string[] }>(lesson: T): T =>
      redactValue({ ...lesson, authors: lesson.authors.map((author) => this.#names.get(author) ?? author) });
    return { antiPatterns: antiPatterns.map(toShown), bestPractices: bestPractices.map(toShown) };
  }

  #summarise(failure: KnownFailure): FailureSummary {
    const summary = summariseFailure(failure, 'none');
    const author = summary.author ?? '';
    return { ...summary, author: this.#names.get(author) ?? author };
  }

  #origin({ project, author }: { readonly project: string; readonly author?: string }) {
    return {
      project: this.#local.get(project)?.info.projectHash ?? project,
      ...(author === undefined ? {} : { author: this.#names.get(author) ?? author }),
    };
  }

  #keysOf(project: Project | undefined): readonly string[] {
    return project === undefined ? this.#keys : [this.#requireKey(project)];
  }

  #requireKey(project: Project): string {
    const key = [...this.#local].find(([, { info }]) => info.projectHash === project.info.projectHash)?.[0];
    if (key !== undefined) return key;
    throw new YoreError(
      'USAGE',
      `The team does not know ${project.info.displayName}: it has no repository and no name.`,
    );
  }
}

async function connect(home: Home, membership: TeamMembership): Promise<PostgresStore> {
  try {
    return await PostgresStore.open(findAddress(membership, home.env), membership.machine);
  } catch (error) {
    if (!(error instanceof YoreError)) throw error;
    const hint = 'What this machine has received so far: yore search, yore sessions, yore failures.';
    throw new YoreError(error.code, `${messageOf(error)} ${hint}`, { cause: error });
  }
}
