import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { attemptsBlaming } from '../ask/blamed.ts';
import { removeAbandonedFiles } from '../files/abandoned-files.ts';
import { readIfExists } from '../files/file-access.ts';
import { tryWithLock, withLock, writeFileAtomic } from '../files/index.ts';
import type { PromptHistory } from '../prompts/index.ts';
import {
  type Attempt,
  omitUndefined,
  type ProjectInfo,
  parseObject,
  randomHex,
  reasonOf,
  YoreError,
} from '../record/index.ts';
import { Spool } from '../recording/spool.ts';
import { PositionStore } from '../recording/transcript/position-store.ts';
import type { Registry } from '../registry/registry.ts';
import type { CatchUpReport, ProjectSource, SearchIndex } from '../search/index.ts';
import {
  type Deletion,
  type DeletionScope,
  deleteFromOtherProject,
  deleteRecords,
  describeDeletion,
  type ForgetReport,
  hideSessions,
  planAttemptDeletion,
  planSessionDeletion,
  readDeletedPrompts,
  removeSnapshots,
} from './forget.ts';
import type { Project } from './project.ts';

const VERSION = 1;

/** Says what became of a deletion that was interrupted. */
export function describeInterruptedDeletion({ deletion, problem }: InterruptedDeletion): string {
  const what = describeDeletion(deletion);
  if (problem === undefined) return `Finished deleting ${what}, which had been interrupted.`;
  return `Deleting ${what} is not finished: ${problem}`;
}

/** A deletion that was interrupted. */
export interface InterruptedDeletion {
  readonly deletion: Deletion;
  /** Why it is not finished yet; undefined if it is. */
  readonly problem?: string;
}

/** How long deleting waits for another process that is draining the spool. */
const MAX_DRAIN_WAIT_MS = 2_000;
const FINISHED_LATER = 'It is finished when yore opens its home again.';

/** What {@link Deletions} needs of a home. */
interface DeletionContext {
  readonly registry: Registry;
  readonly index: SearchIndex;
  readonly prompts: PromptHistory;
  readonly now: () => number;
  readonly sources: () => readonly ProjectSource[];
  readonly openProject: (info: ProjectInfo) => Project;
  readonly catchUp: () => CatchUpReport;
}

type DeletedFiles = Pick<ForgetReport, 'images' | 'prompts' | 'bytes'>;

/** What is deleted with a session. */
export interface SessionDeletion {
  /** Of the session itself. */
  readonly messages: number;
  /** Of the session and its sub-agents. */
  readonly attempts: number;
  readonly subAgents: number;
  /** Replies in yore's own chat that quote it. */
  readonly replies: number;
}

/** Deletes permanently from everything in a home, and finishes what was interrupted. */
export class Deletions {
  readonly #home: string;
  readonly #context: DeletionContext;
  readonly #pending: PendingDeletions;
  #interrupted: readonly InterruptedDeletion[] = [];

  /** `home` is yore's home folder. */
  constructor(home: string, context: DeletionContext) {
    this.#home = home;
    this.#context = context;
    this.#pending = new PendingDeletions(home);
  }

  /** The deletions that {@link finish} found, and what became of them. */
  get interrupted(): readonly InterruptedDeletion[] {
    return this.#interrupted;
  }

  /** What has begun and is not finished. */
  pending(): readonly Deletion[] {
    return this.#pending.list();
  }

  /** Finishes deletions that were interrupted. Cheap when there is none. Never throws. */
  finish(): void {
    this.#interrupted = [...this.#interrupted, ...this.#pending.finish((deletion) => this.#run(deletion))];
  }

  /** Deletes a session of a project with its sub-agents, or all sessions. Throws NOT_FOUND, or USAGE if it is a colleague's. */
  forgetSessions(project: Project, sessionId?: string): ForgetReport {
    project.drain(MAX_DRAIN_WAIT_MS);
    if (sessionId !== undefined) this.#checkOwner(project, sessionId);
    const { deletion, counts } = planSessionDeletion(this.#scope(project), sessionId, this.#context.now());
    if (counts.sessions === 0) {
      throw new YoreError(
        'NOT_FOUND',
        sessionId === undefined
          ? `There are no records of ${project.info.displayName}.`
          : `There is no session ${sessionId} in ${project.info.displayName}. \`yore sessions\` lists them.`,
      );
    }
    return { ...counts, ...this.#begin(deletion) };
  }

  /** What {@link forgetSessions} would delete. */
  planSession(project: Project, sessionId: string): SessionDeletion {
    project.drain(MAX_DRAIN_WAIT_MS);
    this.#checkOwner(project, sessionId);
    const { deletion, counts } = planSessionDeletion(this.#scope(project), sessionId, this.#context.now());
    const { messageCount } = project.session(sessionId).summary;
    return {
      messages: messageCount,
      attempts: counts.attempts,
      subAgents: Math.max(counts.sessions - 1, 0),
      replies: deletion.replyIds.length,
    };
  }

  #checkOwner({ info }: Project, sessionId: string): void {
    const [session] = this.#context.index.findSessionsById([{ project: info.projectHash, sessionId }]);
    if (session?.author === undefined) return;
    throw new YoreError('USAGE', "This session is a colleague's. Only its author can delete it.");
  }

  /** Deletes the attempts behind a failure or a note. Throws NOT_FOUND. */
  forgetPattern(project: Project, id: string): ForgetReport {
    const key = project.memory.findKey(id);
    const blaming = key === undefined ? [] : (project.rows.ask((rows) => attemptsBlaming(rows, key)) ?? []);
    const ids = new Set([id, ...blaming.map((attempt) => attempt.id)]);
    const matches = (attempt: Attempt): boolean => ids.has(attempt.id);
    const deletion = planAttemptDeletion(this.#scope(project), matches, key, this.#context.now());
    const attempts = deletion.attemptIds.length;
    if (attempts === 0) {
      throw new YoreError('NOT_FOUND', `There is no failure or note ${id}. \`yore failures\` lists them.`);
    }
    return { sessions: 0, messages: 0, attempts, ...this.#begin(deletion) };
  }

  #scope({ info, directory, rows }: Project): DeletionScope {
    return {
      project: info.projectHash,
      rows,
      directory,
      directories: this.#context.sources().map((each) => each.directory),
    };
  }

  #begin(deletion: Deletion): DeletedFiles {
    return this.#pending.run(deletion, (begun) => this.#run(begun));
  }

  /** All steps of a deletion. Each can be repeated, and none needs what an earlier one has deleted. */
  #run(deletion: Deletion): DeletedFiles {
    const { project: id, sessionIds, isWholeProject } = deletion;
    const { registry, prompts: history, openProject, sources } = this.#context;
    const info = registry.info(id);
    const directory = registry.directory(id);
    hideSessions(directory, deletion);
    if (info !== undefined) openProject(info).drain(MAX_DRAIN_WAIT_MS);
    if (new Spool(directory).hasCallsOf(new Set(sessionIds))) {
      throw new YoreError('BUSY', `Another process is recording calls of what is to be deleted. ${FINISHED_LATER}`);
    }
    const texts = isWholeProject ? undefined : readDeletedPrompts(directory, deletion);
    const prompts = texts?.length === 0 ? 0 : history.forget({ project: id, ...omitUndefined({ texts }) });
    const deleted = deleteRecords(directory, deletion);
    for (const source of sources()) if (source.id !== id) deleteFromOtherProject(source.directory, deletion);
    new PositionStore(this.#home).forget(new Set(sessionIds));
    if (info !== undefined) {
      const counted = isWholeProject ? { sessionCount: 0 } : {};
      registry.updateInfo(id, { generation: info.generation + 1, patterns: {}, ...counted });
    }
    this.#purgeIndex();
    // Again, because a process that had read the logs before may have written some since.
    removeSnapshots(directory);
    for (const folder of [this.#home, directory]) removeAbandonedFiles(folder);
    return { ...deleted, prompts };
  }

  #purgeIndex(): void {
    const { complete } = this.#context.catchUp();
    if (complete && this.#context.index.purge()) return;
    throw new YoreError('BUSY', `The search index is in use, so deleted records may still be in it. ${FINISHED_LATER}`);
  }
}

/**
 * Deletions that have begun, one file each in `deletions/` of yore's home. A deletion is written there before anything
 * is deleted and removed when nothing is left, so that whoever opens the home next finishes one that was interrupted.
 */
class PendingDeletions {
  readonly #folder: string;

  /** `home` is yore's home folder. */
  constructor(home: string) {
    this.#folder = join(home, 'deletions');
  }

  /** Runs a deletion, which stays pending if it fails. Waits for one of another process, or throws BUSY. */
  run<T>(deletion: Deletion, work: (deletion: Deletion) => T): T {
    return withLock(this.#lock, () => {
      const file = join(this.#folder, `${randomHex(12)}.json`);
      writeFileAtomic(file, JSON.stringify({ v: VERSION, ...deletion }));
      const result = work(deletion);
      rmSync(file, { force: true });
      return result;
    });
  }

  /** Finishes deletions that were interrupted, unless another process is doing so. Never throws. */
  finish(work: (deletion: Deletion) => void): readonly InterruptedDeletion[] {
    if (this.#files().length === 0) return [];
    try {
      return tryWithLock(this.#lock, () => this.#files().flatMap((file) => finishOne(file, work))) ?? [];
    } catch (error) {
      return this.list().map((deletion) => ({ deletion, problem: reasonOf(error) }));
    }
  }

  /** What has begun and is not finished. */
  list(): readonly Deletion[] {
    return this.#files().flatMap((file) => readDeletion(file) ?? []);
  }

  get #lock(): string {
    return `${this.#folder}.lock`;
  }

  #files(): readonly string[] {
    if (!existsSync(this.#folder)) return [];
    return readdirSync(this.#folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => join(this.#folder, name));
  }
}

function finishOne(file: string, work: (deletion: Deletion) => void): readonly InterruptedDeletion[] {
  const deletion = readDeletion(file);
  if (deletion === undefined) return [];
  try {
    work(deletion);
    rmSync(file, { force: true });
    return [{ deletion }];
  } catch (error) {
    if (!(error instanceof YoreError)) throw error;
    return [{ deletion, problem: error.message }];
  }
}

/** Undefined for a file of a newer version, which is left to that version. */
function readDeletion(file: string): Deletion | undefined {
  const { v, ...deletion } = parseObject(readIfExists(file) ?? '') ?? {};
  return v === VERSION ? (deletion as unknown as Deletion) : undefined;
}
