import { dirname, sep } from 'node:path';
import { AGENTS } from '../agents/registry.ts';
import type { SessionEvent, SkipEvent, TranscriptEvent, TranscriptSource } from '../agents/transcript/transcript.ts';
import { getOrAdd } from '../record/once.ts';
import type { Checkouts } from '../recording/checkout.ts';
import type { ImportCounter } from '../recording/transcript/import-counts.ts';
import type { ReadingState } from '../recording/transcript/session-state.ts';
import { TranscriptRecorder, type TypedMessage } from '../recording/transcript/transcript-recorder.ts';
import type { TargetProject, TargetProjects } from './target-projects.ts';

/** What all transcripts of an import share. */
export interface RouterOptions {
  readonly targets: TargetProjects;
  readonly checkouts: Checkouts;
  /** Working directories of known sessions, since the transcript of a sub-agent may not contain it. */
  readonly folders: Map<string, string>;
  readonly dryRun: boolean;
  readonly defaultTime: () => number;
  /** Called for each new prompt of the user. */
  readonly onPrompt: (prompt: TypedMessage, target: TargetProject | undefined) => void;
}

/** Why the events of a session are skipped. */
type SkipReason = 'session without a folder' | 'recording is off';

/** Passes each event of a transcript to the recorder of its session's project. */
export class EventRouter {
  /** The recorders of all projects that had events. */
  readonly recorders: Map<TargetProject, TranscriptRecorder> = new Map();
  readonly #source: TranscriptSource;
  readonly #options: RouterOptions;
  readonly #counter: ImportCounter;
  /** Where the events of each session go. */
  readonly #routes = new Map<string, TranscriptRecorder | SkipReason>();
  readonly #storedStates = new Map<TargetProject, ReadingState[]>();

  /** `states` are the states of the sessions at the end of the previous reading. */
  constructor(
    source: TranscriptSource,
    options: RouterOptions,
    counter: ImportCounter,
    states: readonly ReadingState[],
  ) {
    this.#source = source;
    this.#options = options;
    this.#counter = counter;
    const resumed = states.map((state) => ({ state, project: this.#findProject(state.sessionId, state.firstCwd) }));
    for (const { state, project } of resumed) {
      if (project !== undefined) getOrAdd(this.#storedStates, project, () => []).push(state);
    }
    for (const { state, project } of resumed) this.#routes.set(state.sessionId, this.#chooseRoute(project));
  }

  /** Whether no session was recorded, because recording is off or their project is unknown. */
  get isUnrecorded(): boolean {
    return this.recorders.size === 0 && this.#routes.size > 0 && !this.#hasPromptsOnly;
  }

  /** Whether what was read last belongs to a deleted session. */
  get isDeleted(): boolean {
    return [...this.recorders.values()].some((recorder) => recorder.isDeleted);
  }

  /** The states of the sessions, to be stored. */
  get sessions(): readonly ReadingState[] {
    return [...this.recorders.values()].flatMap((recorder) => recorder.sessions);
  }

  add(read: TranscriptEvent): void {
    if (read.type === 'skip') {
      this.#counter.skip(read.reason, read.isProblem);
      return;
    }
    const event = this.#source.isForeign ? isolate(read, this.#source.path) : read;
    const route = this.#routes.get(event.sessionId);
    if (route instanceof TranscriptRecorder) route.add(event);
    else if (event.type !== 'session') this.#skip(event, route ?? 'session without a folder');
    else if (route !== 'recording is off') this.#startSession(event);
  }

  /** Records calls without a result as unclear, in sessions without events since a time. */
  endOpenCalls(quietSince: string): void {
    for (const recorder of this.recorders.values()) recorder.endOpenCalls(quietSince);
  }

  flush(): void {
    for (const recorder of this.recorders.values()) recorder.flush();
  }

  get #hasPromptsOnly(): boolean {
    return AGENTS[this.#source.agent].hasPromptsOnly === true;
  }

  #startSession(event: SessionEvent): void {
    const { sessionId, parentSessionId = '' } = event;
    const { folders } = this.#options;
    const cwd = event.cwd ?? folders.get(sessionId) ?? folders.get(parentSessionId) ?? this.#source.cwd;
    const route = this.#chooseRoute(this.#findProject(sessionId, cwd, event.remote));
    this.#routes.set(sessionId, route);
    if (route instanceof TranscriptRecorder) route.add(cwd === undefined ? event : { ...event, cwd });
  }

  #findProject(sessionId: string, cwd: string | undefined, remote?: string): TargetProject | undefined {
    if (cwd === undefined) return undefined;
    const { targets, folders } = this.#options;
    folders.set(sessionId, cwd);
    return targets.find(cwd, remote);
  }

  #chooseRoute(project: TargetProject | undefined): TranscriptRecorder | SkipReason {
    if (project === undefined) return 'session without a folder';
    if (!project.isRecording) return 'recording is off';
    return getOrAdd(this.recorders, project, () => this.#createRecorder(project));
  }

  #createRecorder(project: TargetProject): TranscriptRecorder {
    const { targets, checkouts, dryRun, defaultTime, onPrompt } = this.#options;
    return new TranscriptRecorder({
      directory: project.directory,
      agent: this.#source.agent,
      checkouts,
      findRoot: (cwd) => (cwd === undefined ? undefined : targets.findRoot(cwd)),
      known: project.known,
      extraTags: project.extraTags,
      defaultTime,
      sessions: this.#storedStates.get(project) ?? [],
      dryRun,
      ...(this.#source.isForeign ? { isForeign: true } : { onPrompt: (prompt) => onPrompt(prompt, project) }),
    });
  }

  #skip(event: Exclude<TranscriptEvent, SessionEvent | SkipEvent>, reason: SkipReason): void {
    getOrAdd(this.#routes, event.sessionId, () => reason);
    this.#counter.skip(reason);
    if (!this.#hasPromptsOnly || event.type !== 'message' || event.role !== 'user') return;
    if (event.isSystem === true || event.kind !== undefined || event.timestamp === undefined) return;
    this.#options.onPrompt({ ...event, timestamp: event.timestamp }, undefined);
  }
}

/**
 * Keeps the events of a foreign transcript apart from the user's own: it can neither add to their sessions, nor replace
 * one of their records, nor choose another project than the one it is in.
 */
function isolate(event: Exclude<TranscriptEvent, SkipEvent>, path: string): Exclude<TranscriptEvent, SkipEvent> {
  const sessionId = `foreign-${event.sessionId}`;
  if (event.type === 'message') {
    const { keepsId: _, ...rest } = event;
    return { ...rest, sessionId };
  }
  if (event.type !== 'session') return { ...event, sessionId };
  const { parentSessionId, cwd = '', ...rest } = event;
  return {
    ...rest,
    sessionId,
    cwd: cwd !== '' && path.startsWith(`${cwd}${sep}`) ? cwd : dirname(path),
    ...(parentSessionId === undefined ? {} : { parentSessionId: `foreign-${parentSessionId}` }),
  };
}
