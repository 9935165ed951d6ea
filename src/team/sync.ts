import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readIfExists, writeFileAtomic } from '../files/file-access.ts';
import { tryWithLockAsync } from '../files/lock.ts';
import {
  archiveFolder,
  isArchiveRead,
  type LogCursor,
  type LogLine,
  type NewLines,
  readLogLines,
  readSince,
  teamFolder,
} from '../log/index.ts';
import type { PostgresStore, SharedDeletion, SharedLog, SharedRecord } from '../postgres/index.ts';
import { deletionsForTeam } from '../project/forget.ts';
import type { Home, Project } from '../project/index.ts';
import { isObject, parseObject, YoreError } from '../record/index.ts';
import { openTeamStore } from './check-in.ts';
import { collectLessons, hashLessons, NO_LESSONS } from './lessons.ts';
import { projectKey, type ShareLevel, toSharedRecord } from './shared-records.ts';
import { TeamCopy } from './team-copy.ts';
import { readMembership, type TeamMembership } from './team-file.ts';

/** What a sync did in a project. */
interface ProjectSync {
  readonly project: string;
  readonly name: string;
  readonly share: ShareLevel;
  /** Records that were sent and were new to the server. */
  readonly pushed: number;
  /** Records and deletions of other machines that were received. */
  readonly pulled: number;
  /** Records of this member that were deleted from the server. */
  readonly deleted: number;
}

/** What a sync did. */
export interface SyncReport {
  readonly projects: readonly ProjectSync[];
  /** Names of projects that cannot be recognised on other machines. */
  readonly unrecognised: readonly string[];
  /** Names of projects that another process was syncing. */
  readonly busy: readonly string[];
}

/** Options of {@link syncHome}. */
interface SyncOptions {
  /** Default: all projects. */
  readonly projects?: readonly Project[];
  readonly now?: () => number;
  /** Stops between two batches. */
  readonly signal?: AbortSignal;
}

const BATCH_RECORDS = 1_000;
const BATCH_CHARACTERS = 2_000_000;
const PAGE_ROWS = 1_000;
const SYNCED_LOGS: readonly SharedLog[] = ['history', 'failures', 'successes'];
const STATE_VERSION = 1;

/** How far a project is synced. In its folder `team/`. */
interface SyncState {
  readonly team: string;
  readonly project: string;
  readonly share: ShareLevel;
  /** How far the own logs were pushed. */
  readonly logs?: LogCursor;
  readonly archive?: LogCursor;
  /** How far the stream was pulled. */
  readonly pulled: number;
  /** A hash of the lessons that were published last; empty if the server has none of them any more. */
  readonly lessons?: string;
}

/**
 * Sends what the user's logs have gained to the team's server, as far as the projects are shared, and receives what other
 * machines have sent. Can be interrupted at any point and repeated: every record arrives once. Throws TEAM; what was
 * done until then counts.
 */
export async function syncHome(home: Home, options: SyncOptions = {}): Promise<SyncReport> {
  const membership = readMembership(home.path);
  if (membership === undefined) {
    throw new YoreError('TEAM', 'This home belongs to no team. Join one: yore team join URL');
  }
  const projects = options.projects ?? home.allProjects();
  const store = await openTeamStore(home, membership);
  const report = { projects: [] as ProjectSync[], unrecognised: [] as string[], busy: [] as string[] };
  try {
    for (const project of projects) {
      if (options.signal?.aborted) break;
      const { displayName } = project.info;
      const key = projectKey(membership.team, project.info, project.config.get('team.project'));
      if (key === undefined) {
        report.unrecognised.push(displayName);
        continue;
      }
      const work = (): Promise<ProjectSync> =>
        new ProjectSynchroniser({ home, project }, store, membership, key, options).run();
      const done = await tryWithLockAsync(join(teamFolder(project.directory), 'sync.lock'), work);
      if (done === undefined) report.busy.push(displayName);
      else report.projects.push(done);
    }
  } finally {
    await store.close();
  }
  return report;
}

class ProjectSynchroniser {
  readonly #home: Home;
  readonly #project: Project;
  readonly #store: PostgresStore;
  readonly #key: string;
  readonly #author: string;
  readonly #options: SyncOptions;
  readonly #copy: TeamCopy;
  readonly #stateFile: string;
  #state: SyncState;

  constructor(
    { home, project }: { readonly home: Home; readonly project: Project },
    store: PostgresStore,
    { team, author }: TeamMembership,
    key: string,
    options: SyncOptions,
  ) {
    this.#home = home;
    this.#project = project;
    this.#store = store;
    this.#key = key;
    this.#author = author;
    this.#options = options;
    const directories = home.allProjects().map(({ directory }) => directory);
    this.#copy = new TeamCopy(project.directory, directories);
    this.#stateFile = join(this.#copy.directory, 'sync.json');
    const share = project.config.get('team.share');
    const known = readState(this.#stateFile);
    const isSame = known?.team === team && known.project === key;
    // What is there belongs to another team.
    if (known !== undefined && !isSame) this.#copy.clear();
    const { logs: _logs, archive: _archive, ...before } = known ?? { pulled: 0 };
    // What was not shared before is shared now, and has to be read again.
    this.#state =
      isSame && known.share === share ? known : { pulled: isSame ? before.pulled : 0, team, project: key, share };
  }

  async run(): Promise<ProjectSync> {
    const { info } = this.#project;
    const { share } = this.#state;
    this.#project.drain();
    const deleted = await this.#sendDeletions();
    const pushed = share === 'nothing' ? 0 : await this.#push();
    if (share !== 'nothing' && (pushed > 0 || !this.#state.lessons)) await this.#publish();
    const pulled = await this.#pull();
    return { project: info.projectHash, name: info.displayName, share, pushed, pulled, deleted };
  }

  async #sendDeletions(): Promise<number> {
    const file = deletionsForTeam(this.#project.directory);
    const sending = `${file}.sending`;
    // What is appended meanwhile goes to a new file; what an interrupted sync was sending is sent first.
    if (!existsSync(sending) && existsSync(file)) renameSync(file, sending);
    if (!existsSync(sending)) return 0;
    this.#save({ lessons: '' });
    let deleted = 0;
    for (const { text } of readLogLines(sending)) {
      const deletion = parseDeletion(text);
      if (deletion !== undefined) deleted += await this.#store.forget(this.#key, deletion);
    }
    rmSync(sending, { force: true });
    return deleted + (existsSync(file) ? await this.#sendDeletions() : 0);
  }

  async #push(): Promise<number> {
    let pushed = 0;
    const { archive, logs } = this.#openLogs();
    const isFresh = this.#state.logs === undefined;
    // With a cursor, archived segments were read before they were moved; only the cursor advances.
    const lines = function* (): Generator<LogLine> {
      for (const line of archive.lines) if (isFresh) yield line;
      yield* logs.lines;
    };
    let batch: SharedRecord[] = [];
    let characters = 0;
    // While the server stores one batch, the next one is prepared.
    let sent: { readonly added: Promise<number>; readonly state: Partial<SyncState> } | undefined;
    const settle = async (): Promise<void> => {
      if (sent === undefined) return;
      pushed += await sent.added;
      this.#save(sent.state);
      sent = undefined;
    };
    const send = async (): Promise<void> => {
      const added = this.#store.push(this.#key, batch);
      const state = { logs: logs.cursor(), archive: archive.cursor() };
      added.catch(() => undefined); // Reported when it is awaited.
      batch = [];
      characters = 0;
      await settle();
      sent = { added, state };
    };
    for (const { log, line } of lines()) {
      const shared = toSharedRecord(log as SharedLog, line.text, this.#state.share);
      if (shared === undefined) continue;
      batch.push(shared);
      characters += line.text.length;
      if (batch.length < BATCH_RECORDS && characters < BATCH_CHARACTERS) continue;
      await send();
      if (this.#options.signal?.aborted) break;
    }
    if (this.#options.signal?.aborted !== true) await send();
    await settle();
    return pushed;
  }

  /** Tells the team what this machine has learned, if that is anything new. */
  async #publish(): Promise<void> {
    const now = (this.#options.now ?? Date.now)();
    const lessons = collectLessons(this.#project, this.#state.share, now);
    const hash = hashLessons(lessons);
    if (hash !== (this.#state.lessons || NO_LESSONS)) await this.#store.publish(this.#key, lessons, now);
    if (hash !== this.#state.lessons) this.#save({ lessons: hash });
  }

  /** What the logs have gained; everything if they were rewritten, or archived before they were read. */
  #openLogs(): { readonly archive: NewLines; readonly logs: NewLines } {
    const { directory } = this.#project;
    const read = () => ({
      archive: readSince(archiveFolder(directory), ['failures'], this.#state.archive),
      logs: readSince(directory, SYNCED_LOGS, this.#state.logs),
    });
    const { logs, archive } = this.#state;
    const found = read();
    const isIntact = !found.logs.isRestarted && !found.archive.isRestarted;
    if (logs === undefined || (isIntact && isArchiveRead(directory, logs, archive ?? {}))) return found;
    const { logs: _logs, archive: _archive, ...rest } = this.#state;
    this.#state = rest;
    return read();
  }

  async #pull(): Promise<number> {
    let pulled = 0;
    // A server that knows less than before was restored from a backup: everything is exchanged again.
    if ((await this.#store.lastSeq(this.#key)) < this.#state.pulled) {
      this.#copy.clear();
      const { logs: _logs, archive: _archive, ...rest } = this.#state;
      this.#state = { ...rest, pulled: 0, lessons: '' };
      if (this.#state.share !== 'nothing') await this.#push();
    }
    for (;;) {
      const page = await this.#store.pull(this.#key, this.#state.pulled, PAGE_ROWS);
      pulled += this.#copy.add(page.rows, this.#author);
      // Before the page counts as pulled, so that a sync which is killed in between does it next time.
      if (page.rows.some(({ log }) => log === 'deletions')) this.#home.purgeIndex();
      if (page.next !== this.#state.pulled || page.rows.length > 0) this.#save({ pulled: page.next });
      if (page.isComplete || this.#options.signal?.aborted) break;
    }
    const { now = Date.now } = this.#options;
    if (this.#copy.isChanged) this.#copy.archive(now());
    return pulled;
  }

  #save(change: Partial<SyncState>): void {
    this.#state = { ...this.#state, ...change };
    writeFileAtomic(this.#stateFile, JSON.stringify({ v: STATE_VERSION, ...this.#state }), { durable: false });
  }
}

/** How far a project is synced; undefined if it never was. */
export function readSyncState(directory: string): { readonly share: ShareLevel; readonly pulled: number } | undefined {
  return readState(join(teamFolder(directory), 'sync.json'));
}

function readState(file: string): SyncState | undefined {
  const value = parseObject(readIfExists(file) ?? '');
  if (value?.v !== STATE_VERSION || typeof value.team !== 'string' || typeof value.pulled !== 'number')
    return undefined;
  const { v: _, ...state } = value;
  return state as unknown as SyncState;
}

function parseDeletion(line: string): SharedDeletion | undefined {
  const value = parseObject(line);
  if (!isObject(value)) return undefined;
  const { sessions, ids, everything, until } = value;
  if (!Array.isArray(sessions) || !Array.isArray(ids) || typeof until !== 'string') return undefined;
  return { sessions: sessions.map(String), ids: ids.map(String), everything: everything === true, until };
}
