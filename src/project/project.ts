import type { MachineState } from '../ask/guard/candidates.ts';
import { Guard } from '../ask/guard/guard.ts';
import { type OtherProject, readGuardOptions } from '../ask/guard/guard-options.ts';
import { callsOfSession, type KnownCall } from '../ask/session-calls.ts';
import { type Config, loadConfig, setSetting, unsetSetting } from '../config/index.ts';
import { readStamp } from '../files/file-access.ts';
import { type HistoryIndex, HistoryStore } from '../history/index.ts';
import { appendRecord, openSegmentPath } from '../log/index.ts';
import {
  type Attempt,
  type Diagnostic,
  type Message,
  newMessageId,
  omitUndefined,
  type Problem,
  type ProjectInfo,
  RECORD_VERSION,
  type SessionSummary,
  summariseProblems,
  YoreError,
} from '../record/index.ts';
import { getOrAdd } from '../record/once.ts';
import type { Checkouts } from '../recording/checkout.ts';
import { drainSpool } from '../recording/drain-spool.ts';
import { type FoundInfo, maintainProject } from '../recording/maintain.ts';
import { isRecordingEnabled } from '../recording/project-handle.ts';
import { Recorder, type RecorderOptions } from '../recording/recorder.ts';
import { SessionRequests } from '../recording/session-requests.ts';
import { WarningLog } from '../recording/warning-log.ts';
import type { RowSource } from '../store/project-rows.ts';
import { compareText } from '../text/compare-text.ts';
import { oneLine } from '../text/one-line.ts';
import { ProjectMemory } from './project-memory.ts';

/** An attempt to record; the project adds missing fields. */
export type NewAttempt = Pick<Attempt, 'sessionId' | 'outcome'> & Partial<Omit<Attempt, 'v' | 'sessionId' | 'outcome'>>;

/** A session with all its records. */
export interface SessionView {
  readonly summary: SessionSummary;
  /** Messages and attempts, in time order. */
  readonly records: readonly (Message | Attempt)[];
  /** What is known of its tool calls, by the ids of their records; of none without a usable index. */
  readonly calls: ReadonlyMap<string, KnownCall>;
  readonly warnings: readonly Diagnostic[];
}

/** What the user calls a session, and how it is labelled. What is left out stays as it is. */
export interface SessionLabels {
  readonly title?: string;
  readonly starred?: boolean;
  readonly tags?: readonly string[];
}

const MAX_TITLE_LENGTH = 200;
const MAX_TAGS = 20;
const MAX_TAG_LENGTH = 40;

function checkTitle(title: string): string {
  const text = oneLine(title, Number.POSITIVE_INFINITY);
  if (text.length <= MAX_TITLE_LENGTH) return text;
  throw new YoreError('USAGE', `The title has ${text.length} characters; at most ${MAX_TITLE_LENGTH} are allowed.`);
}

function checkTags(tags: readonly string[]): readonly string[] {
  const names = [...new Set(tags.map((tag) => oneLine(tag, Number.POSITIVE_INFINITY).replace(/^#/, '')))];
  const invalid = names.find((name) => name === '' || name.length > MAX_TAG_LENGTH || name.includes(','));
  if (invalid !== undefined || names.length > MAX_TAGS) {
    throw new YoreError('USAGE', `Give at most ${MAX_TAGS} tags of 1 to ${MAX_TAG_LENGTH} characters, without commas.`);
  }
  return names;
}

/** Options of a {@link Project}, which its home provides. */
export interface ProjectOptions {
  /** `config.json` of yore's home, and of the project in it. */
  readonly homeConfigFile: string;
  readonly configFile: string;
  readonly now: () => number;
  readonly index: HistoryIndex;
  /** What the store has of the project, brought up to date. */
  readonly rows: RowSource;
  /** The state of the machine as seen from a checkout. */
  readonly machine: (root: string) => MachineState;
  readonly checkouts: Checkouts;
  /** Updates the project's `index.json`. */
  readonly updateInfo: (found: FoundInfo) => void;
  /** All other projects. */
  readonly otherProjects: () => readonly OtherProject[];
}

/** A project: its settings, history, attempts and memory. */
export class Project {
  readonly info: ProjectInfo;
  /** The project's data folder. */
  readonly directory: string;
  readonly history: HistoryStore;
  /** File of the project's settings, which override those of the home. */
  readonly configFile: string;
  readonly #options: ProjectOptions;
  #config: { readonly stamp: string; readonly config: Config } | undefined;
  #memory: ProjectMemory | undefined;
  /** Call ids by session, for sessions that were recorded to. */
  readonly #calls = new Map<string, Set<string | undefined>>();
  #problems: Problem[] = [];

  constructor(info: ProjectInfo, directory: string, options: ProjectOptions) {
    this.info = info;
    this.directory = directory;
    this.configFile = options.configFile;
    this.#options = options;
    this.history = new HistoryStore(directory, {
      project: info.projectHash,
      now: options.now,
      isRecording: () => this.isRecording(),
      index: options.index,
      onProblem: (problem) => this.#problems.push(problem),
    });
  }

  /** The effective settings, read again when a file has changed. Throws CONFIG when one is invalid. */
  get config(): Config {
    const { homeConfigFile: homeFile } = this.#options;
    const { configFile: projectFile } = this;
    const stamp = `${readStamp(homeFile)} ${readStamp(projectFile)}`;
    if (this.#config?.stamp !== stamp) this.#config = { stamp, config: loadConfig({ homeFile, projectFile }) };
    return this.#config.config;
  }

  /** Whether recording is on for this project. */
  isRecording(): boolean {
    return isRecordingEnabled(this.config, this.info);
  }

  /** Pauses or resumes recording in this project, whatever the setting of the home. */
  setRecording(on: boolean): void {
    unsetSetting(this.configFile, 'recording.enabled');
    if (this.config.get('recording.enabled') === on) return;
    setSetting(this.configFile, 'recording.enabled', String(on), 'project');
  }

  /** A recorder for an agent that works in a checkout of the project. Default: the project root. */
  recorder(root: string = this.info.projectPath): Recorder {
    this.drain();
    return new Recorder({ ...this.#recorderOptions(root), guard: this.#guard(root) });
  }

  #guard(root: string): Guard {
    const { now, machine, otherProjects } = this.#options;
    const requests = new SessionRequests(this.directory);
    const context = { root, now, otherProjects, machine: machine(root), isRecording: () => this.isRecording() };
    const request = (sessionId: string): string | undefined => requests.get(sessionId);
    return new Guard(this.rows, readGuardOptions(this.config, { ...context, request }));
  }

  /**
   * Drains the project's spool. Cheap when it is empty. Never throws: calls that cannot be recorded stay in the spool.
   * `waitMs`: how long to wait for another process that is draining it, by default not at all.
   */
  drain(waitMs = 0): void {
    try {
      drainSpool(this.#recorderOptions(this.info.projectPath), { waitMs });
    } catch (error) {
      if (!(error instanceof YoreError)) throw error;
    }
  }

  #recorderOptions(root: string): RecorderOptions {
    return {
      directory: this.directory,
      config: this.config,
      root,
      isRecording: () => this.isRecording(),
      now: this.#options.now,
      checkouts: this.#options.checkouts,
    };
  }

  /** What was learned from the project's attempts and messages. */
  get memory(): ProjectMemory {
    this.drain();
    const { info, directory, config, rows } = this;
    const { now } = this.#options;
    this.#memory ??= new ProjectMemory({
      ...{ info, directory, config, rows, now, guard: this.#guard(info.projectPath) },
      choose: (kind, cause, details) => new WarningLog(directory).choose(kind, cause, now(), details),
    });
    return this.#memory;
  }

  /** Archives old failures and writes what is known of the project to its files. */
  maintain(): void {
    this.drain();
    const { info, directory, rows } = this;
    const { now, updateInfo } = this.#options;
    maintainProject({ info, directory, rows, now, updateInfo });
  }

  /** Asks what the store has of the project, after bringing it up to date. Undefined when it cannot be used. */
  get rows(): RowSource {
    return this.#options.rows;
  }

  /** Records an attempt. Undefined when recording is off, or when the session already has a call with the same id. */
  record(attempt: NewAttempt): Attempt | undefined {
    if (!this.isRecording() || !this.#isNewCall(attempt)) return undefined;
    const now = this.#options.now();
    const record: Attempt = {
      v: RECORD_VERSION,
      id: newMessageId(now),
      timestamp: new Date(now).toISOString(),
      ...attempt,
    };
    const log = record.outcome === 'success' ? 'successes' : 'failures';
    appendRecord(openSegmentPath(this.directory, log), record);
    return record;
  }

  #isNewCall({ sessionId, callId }: NewAttempt): boolean {
    if (callId === undefined) return true;
    const calls = getOrAdd(this.#calls, sessionId, () => {
      const { attempts } = this.history.getSessionRecords(sessionId);
      return new Set(attempts.map((attempt) => attempt.callId));
    });
    if (calls.has(callId)) return false;
    calls.add(callId);
    return true;
  }

  /**
   * Renames a session, stars it, or gives it other tags. Recorded even when recording is off, because the user asks for it,
   * and as of the session's last activity, because it is none. Throws NOT_FOUND or USAGE.
   */
  labelSession(sessionId: string, { title = '', starred, tags }: SessionLabels): void {
    const { summary } = this.session(sessionId);
    const isLabelled = starred !== undefined || tags !== undefined;
    appendRecord(openSegmentPath(this.directory, 'history'), {
      v: RECORD_VERSION,
      id: newMessageId(this.#options.now()),
      sessionId,
      timestamp: summary.lastActivity,
      role: 'user',
      kind: 'title',
      content: checkTitle(title),
      ...omitUndefined({
        agent: summary.agent,
        branch: summary.branch,
        foreign: summary.foreign,
        author: summary.author,
      }),
      ...(isLabelled
        ? { starred: starred ?? summary.starred === true, tags: checkTags(tags ?? summary.tags ?? []) }
        : {}),
      systemEvent: true,
    });
  }

  /** A session with its messages and attempts. Throws NOT_FOUND. */
  session(sessionId: string): SessionView {
    this.#problems = [];
    const found = this.history.getSessionRecords(sessionId);
    const { messages, attempts } = found;
    if (messages.length + attempts.length === 0) {
      throw new YoreError(
        'NOT_FOUND',
        `There is no session ${sessionId} in ${this.info.displayName}. \`yore sessions\` lists them.`,
      );
    }
    // Reading the logs reports problems itself; the index stores those it met before.
    const problems = this.#problems.length > 0 ? this.#problems : this.#options.index.problems();
    return {
      summary: this.history.summarise(sessionId, found),
      records: [...messages, ...attempts].sort((a, b) => compareText(a.timestamp, b.timestamp)),
      calls: this.rows.ask((rows) => callsOfSession(rows, sessionId)) ?? new Map(),
      warnings: summariseProblems(problems),
    };
  }
}
