import { join } from 'node:path';
import { type Config, loadConfig, setSetting, unsetSetting } from '../config/index.ts';
import { type HistoryIndex, HistoryStore } from '../history/index.ts';
import { appendRecord, openSegmentPath } from '../log/index.ts';
import type { OtherProject } from '../memory/guard/check-call.ts';
import type { MachineState } from '../memory/index.ts';
import { ProjectMemory, type ProjectMemoryOptions } from '../memory/project-memory.ts';
import {
  type Attempt,
  type Message,
  newMessageId,
  type Problem,
  type ProjectInfo,
  RECORD_VERSION,
  type SessionSummary,
  summariseProblems,
  type Warning,
  YoreError,
} from '../record/index.ts';
import { drainSpool } from '../recording/drain-spool.ts';
import { isRecordingEnabled } from '../recording/project-handle.ts';
import { Recorder, type RecorderOptions } from '../recording/recorder.ts';

/** An attempt to record; the project adds what is missing. */
export type NewAttempt = Pick<Attempt, 'sessionId' | 'outcome'> &
  Partial<Omit<Attempt, 'v' | 'sessionId' | 'outcome'>>;

/** A session with everything in it. */
export interface SessionView {
  readonly summary: SessionSummary;
  /** Messages and attempts, in time order. */
  readonly entries: readonly (Message | Attempt)[];
  readonly warnings: readonly Warning[];
}

/** What a {@link Project} needs from its home. */
export interface ProjectOptions {
  /** `config.json` of yore's home. */
  readonly homeConfigFile: string;
  readonly now: () => number;
  readonly index: HistoryIndex;
  /** What can be seen of the machine from a checkout. */
  readonly machine: (root: string) => MachineState;
  /** Changes what `index.json` says of the project. */
  readonly updateInfo: ProjectMemoryOptions['updateInfo'];
  /** All other projects. */
  readonly otherProjects: () => readonly OtherProject[];
}

/** One project: its settings, its history and its attempts. */
export class Project {
  readonly info: ProjectInfo;
  /** The folder that holds the project's logs. */
  readonly directory: string;
  readonly history: HistoryStore;
  /** The project's own settings; they override those of the home. */
  readonly configFile: string;
  readonly #surroundings: ProjectOptions;
  #config: Config | undefined;
  #memory: ProjectMemory | undefined;
  /** Ids of the calls of sessions that were recorded to. */
  readonly #calls = new Map<string, Set<string | undefined>>();
  #problems: Problem[] = [];

  constructor(info: ProjectInfo, directory: string, surroundings: ProjectOptions) {
    this.info = info;
    this.directory = directory;
    this.configFile = join(directory, 'config.json');
    this.#surroundings = surroundings;
    this.history = new HistoryStore(directory, {
      project: info.projectHash,
      now: surroundings.now,
      isRecording: () => this.isRecording(),
      index: surroundings.index,
      onProblem: (problem) => this.#problems.push(problem),
    });
  }

  /** The settings that count here. Throws CONFIG when a file is wrong. */
  get config(): Config {
    this.#config ??= loadConfig({
      homeFile: this.#surroundings.homeConfigFile,
      projectFile: this.configFile,
    });
    return this.#config;
  }

  /** Whether what happens here is written down. */
  isRecording(): boolean {
    return isRecordingEnabled(this.config, this.info);
  }

  /** Stops or goes on recording in this project, whatever the home says. */
  setRecording(on: boolean): void {
    unsetSetting(this.configFile, 'recording.enabled');
    this.#config = undefined;
    if (this.config.get('recording.enabled') === on) return;
    setSetting(this.configFile, 'recording.enabled', String(on), 'project');
    this.#config = undefined;
  }

  /** Writes down what an agent does in a checkout of the project, and warns it. Default: the project's main folder. */
  recorder(root: string = this.info.projectPath): Recorder {
    this.drain();
    return new Recorder(this.#recorderOptions(root));
  }

  /**
   * Writes down what hooks have left to be analysed. Costs nothing when there is nothing. Never throws: what cannot be
   * taken in stays where it is. `waitMs`: how long another process that is at it is waited for, default not at all.
   */
  drain(waitMs = 0): void {
    try {
      drainSpool(this.#recorderOptions(this.info.projectPath), waitMs);
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
      now: this.#surroundings.now,
      machine: this.#surroundings.machine(root),
      otherProjects: this.#surroundings.otherProjects,
    };
  }

  /** What the project's attempts and messages taught. */
  get memory(): ProjectMemory {
    this.drain();
    const { info, directory, config } = this;
    this.#memory ??= new ProjectMemory({
      info,
      directory,
      config,
      now: this.#surroundings.now,
      guard: this.recorder().guard,
      updateInfo: this.#surroundings.updateInfo,
    });
    return this.#memory;
  }

  /**
   * Writes down an attempt, in the log of its outcome. Undefined when recording is off, or when the session has a call
   * of the same id already.
   */
  record(attempt: NewAttempt): Attempt | undefined {
    if (!this.isRecording() || !this.#isNewCall(attempt)) return undefined;
    const now = this.#surroundings.now();
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
    let calls = this.#calls.get(sessionId);
    if (calls === undefined) {
      const { attempts } = this.history.getSessionRecords(sessionId);
      calls = new Set(attempts.map((attempt) => attempt.callId));
      this.#calls.set(sessionId, calls);
    }
    if (calls.has(callId)) return false;
    calls.add(callId);
    return true;
  }

  /** A session with its messages and attempts. NOT_FOUND when there is none of that id. */
  session(sessionId: string): SessionView {
    this.#problems = [];
    const { messages, attempts } = this.history.getSessionRecords(sessionId);
    if (messages.length + attempts.length === 0) {
      throw new YoreError(
        'NOT_FOUND',
        `There is no session ${sessionId} in ${this.info.displayName}. \`yore sessions\` lists them.`,
      );
    }
    const entries = [...messages, ...attempts].sort((a, b) =>
      a.timestamp < b.timestamp ? -1 : a.timestamp > b.timestamp ? 1 : 0,
    );
    return {
      summary: this.history.summarise(sessionId, { messages, attempts }),
      entries,
      // Reading whole logs reports what could not be used; the index has done so before and remembers.
      warnings: summariseProblems(
        this.#problems.length > 0 ? this.#problems : this.#surroundings.index.problems(),
      ),
    };
  }
}
