import { AGENTS } from '../agents/registry.ts';
import type { SessionEvent, TranscriptEvent, TranscriptSource } from '../agents/transcript/transcript.ts';
import type { ImportCounter } from '../recording/transcript/import-counts.ts';
import type { SessionState } from '../recording/transcript/session-state.ts';
import { TranscriptRecorder } from '../recording/transcript/transcript-recorder.ts';
import type { TargetProject, TargetProjects } from './target-projects.ts';

/** What all transcripts of an import share. */
export interface RouterOptions {
  readonly targets: TargetProjects;
  /** Working directories of known sessions, since the transcript of a sub-agent may not contain it. */
  readonly folders: Map<string, string>;
  readonly dryRun: boolean;
  readonly defaultTime: () => number;
  /** Called for each new prompt of the user. */
  readonly onPrompt: (text: string, timestamp: string, target: TargetProject | undefined) => void;
}

const NO_FOLDER = 'session without a folder';
const NOT_RECORDED = 'recording is off';

/** Passes each event of a transcript to the recorder of its session's project. */
export class EventRouter {
  /** The recorders of all projects that had events. */
  readonly recorders: Map<TargetProject, TranscriptRecorder> = new Map();
  readonly #source: TranscriptSource;
  readonly #options: RouterOptions;
  readonly #counter: ImportCounter;
  /** By session id: its recorder, or why it is not recorded. */
  readonly #sessions = new Map<string, TranscriptRecorder | string>();
  readonly #storedStates = new Map<TargetProject, SessionState[]>();

  /** `states` are the states of the sessions at the end of the previous reading. */
  constructor(
    source: TranscriptSource,
    options: RouterOptions,
    counter: ImportCounter,
    states: readonly SessionState[],
  ) {
    this.#source = source;
    this.#options = options;
    this.#counter = counter;
    const resumed = states.map((state) => ({
      state,
      target: this.#findTarget(state.sessionId, state.firstCwd),
    }));
    for (const { state, target } of resumed) {
      if (target !== undefined) this.#storedStates.set(target, [...(this.#storedStates.get(target) ?? []), state]);
    }
    for (const { state, target } of resumed) this.#sessions.set(state.sessionId, this.#getRecorder(target));
  }

  /** Whether no session was recorded, because recording is off or their project is unknown. */
  get isUnrecorded(): boolean {
    return this.recorders.size === 0 && this.#sessions.size > 0 && !AGENTS[this.#source.agent].hasPromptsOnly;
  }

  /** The states of the sessions, to be stored. */
  get sessions(): readonly SessionState[] {
    return [...this.recorders.values()].flatMap((recorder) => recorder.sessions);
  }

  add(event: TranscriptEvent): void {
    if (event.type === 'skip') {
      this.#counter.skip(event.reason, event.isProblem);
      return;
    }
    const target = this.#sessions.get(event.sessionId);
    if (target instanceof TranscriptRecorder) target.add(event);
    else if (event.type === 'session' && target !== NOT_RECORDED) this.#startSession(event);
    else this.#skip(event, target ?? NO_FOLDER);
  }

  /** Records calls without a result as unclear, in sessions without events since a time. */
  endOpenCalls(quietSince: string): void {
    for (const recorder of this.recorders.values()) recorder.endOpenCalls(quietSince);
  }

  flush(): void {
    for (const recorder of this.recorders.values()) recorder.flush();
  }

  #startSession(event: SessionEvent): void {
    const { sessionId, parentSessionId = '' } = event;
    const { folders } = this.#options;
    const cwd = event.cwd ?? folders.get(sessionId) ?? folders.get(parentSessionId) ?? this.#source.cwd;
    const target = this.#getRecorder(this.#findTarget(sessionId, cwd));
    this.#sessions.set(sessionId, target);
    if (target instanceof TranscriptRecorder) target.add(cwd === undefined ? event : { ...event, cwd });
  }

  #findTarget(sessionId: string, cwd: string | undefined): TargetProject | undefined {
    if (cwd === undefined) return undefined;
    const { targets, folders } = this.#options;
    folders.set(sessionId, cwd);
    return targets.find(cwd);
  }

  #getRecorder(target: TargetProject | undefined): TranscriptRecorder | string {
    if (target === undefined) return NO_FOLDER;
    if (!target.isRecording) return NOT_RECORDED;
    const known = this.recorders.get(target);
    if (known !== undefined) return known;
    const { targets, dryRun, defaultTime, onPrompt } = this.#options;
    const recorder = new TranscriptRecorder({
      directory: target.directory,
      agent: this.#source.agent,
      findRoot: (cwd) => (cwd === undefined ? undefined : targets.findRoot(cwd)),
      known: target.known,
      extraTags: target.extraTags,
      defaultTime,
      sessions: this.#storedStates.get(target) ?? [],
      dryRun,
      onPrompt: (text, timestamp) => onPrompt(text, timestamp, target),
    });
    this.recorders.set(target, recorder);
    return recorder;
  }

  #skip(event: Exclude<TranscriptEvent, { readonly type: 'skip' }>, reason: string): void {
    if (event.type === 'session') return;
    if (!this.#sessions.has(event.sessionId)) this.#sessions.set(event.sessionId, reason);
    this.#counter.skip(reason);
    if (!AGENTS[this.#source.agent].hasPromptsOnly || event.type !== 'message' || event.role !== 'user') return;
    if (event.isSystem === true || event.kind !== undefined || event.timestamp === undefined) return;
    this.#options.onPrompt(event.text, event.timestamp, undefined);
  }
}
