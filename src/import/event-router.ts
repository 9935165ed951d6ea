import { AGENTS } from '../agents/registry.ts';
import type { SessionEvent, TranscriptEvent } from '../agents/transcript/transcript-event.ts';
import type { TranscriptSource } from '../agents/transcript/transcript-source.ts';
import type { ImportCounter } from '../recording/transcript/import-counts.ts';
import type { SessionState } from '../recording/transcript/session-state.ts';
import { TranscriptRecorder } from '../recording/transcript/transcript-recorder.ts';
import type { ProjectPlace, ProjectPlaces } from './project-places.ts';

/** What is shared by all sources of an import. */
export interface RouterSurroundings {
  readonly places: ProjectPlaces;
  /** Where sessions work, as far as they were met: a sub-agent's transcript may not say so itself. */
  readonly folders: Map<string, string>;
  readonly dryRun: boolean;
  readonly clock: () => number;
  /** Told of what a person typed, and where. */
  readonly onPrompt: (text: string, timestamp: string, place: ProjectPlace | undefined) => void;
}

const NO_FOLDER = 'session without a folder';
const NOT_RECORDED = 'recording is off there';

/** Hands each event of a source to the project that its session belongs to. */
export class EventRouter {
  /** Projects that something was handed to, with what became of it. */
  readonly intakes: Map<ProjectPlace, TranscriptRecorder> = new Map();
  readonly #source: TranscriptSource;
  readonly #surroundings: RouterSurroundings;
  readonly #tally: ImportCounter;
  readonly #targets = new Map<string, TranscriptRecorder | string>();
  readonly #kept = new Map<ProjectPlace, SessionState[]>();

  /** `sessions` is what was kept at the end of the reading before. */
  constructor(
    source: TranscriptSource,
    surroundings: RouterSurroundings,
    tally: ImportCounter,
    sessions: readonly SessionState[],
  ) {
    this.#source = source;
    this.#surroundings = surroundings;
    this.#tally = tally;
    const placed = sessions.map((state) => ({
      state,
      place: this.#placeOf(state.sessionId, state.firstCwd),
    }));
    for (const { state, place } of placed) {
      if (place !== undefined) this.#kept.set(place, [...(this.#kept.get(place) ?? []), state]);
    }
    for (const { state, place } of placed) this.#targets.set(state.sessionId, this.#target(place));
  }

  /** Whether there were sessions, and none was taken in: recording is off there, or nobody knows where they belong. */
  get isLeftOut(): boolean {
    return this.intakes.size === 0 && this.#targets.size > 0 && !AGENTS[this.#source.agent].hasPromptsOnly;
  }

  /** What has to be kept to go on later. */
  get sessions(): readonly SessionState[] {
    return [...this.intakes.values()].flatMap((intake) => intake.sessions);
  }

  take(event: TranscriptEvent): void {
    if (event.type === 'skip') {
      this.#tally.skip(event.reason, event.isProblem);
      return;
    }
    const target = this.#targets.get(event.sessionId);
    if (target instanceof TranscriptRecorder) target.add(event);
    else if (event.type === 'session' && target !== NOT_RECORDED) this.#begin(event);
    else this.#leaveOut(event, target ?? NO_FOLDER);
  }

  /** Calls without a result are over in sessions where nothing has happened since a time. */
  end(quietSince: string): void {
    for (const intake of this.intakes.values()) intake.endOpenCalls(quietSince);
  }

  flush(): void {
    for (const intake of this.intakes.values()) intake.flush();
  }

  #begin(event: SessionEvent): void {
    const { sessionId, parentSessionId = '' } = event;
    const { folders } = this.#surroundings;
    const cwd = event.cwd ?? folders.get(sessionId) ?? folders.get(parentSessionId) ?? this.#source.cwd;
    const target = this.#target(this.#placeOf(sessionId, cwd));
    this.#targets.set(sessionId, target);
    if (target instanceof TranscriptRecorder) target.add(cwd === undefined ? event : { ...event, cwd });
  }

  #placeOf(sessionId: string, cwd: string | undefined): ProjectPlace | undefined {
    if (cwd === undefined) return undefined;
    const { places, folders } = this.#surroundings;
    folders.set(sessionId, cwd);
    return places.placeOf(cwd);
  }

  #target(place: ProjectPlace | undefined): TranscriptRecorder | string {
    if (place === undefined) return NO_FOLDER;
    if (!place.isRecording) return NOT_RECORDED;
    const known = this.intakes.get(place);
    if (known !== undefined) return known;
    const { places, dryRun, clock, onPrompt } = this.#surroundings;
    const intake = new TranscriptRecorder({
      directory: place.directory,
      agent: this.#source.agent,
      findRoot: (cwd) => (cwd === undefined ? undefined : places.rootOf(cwd)),
      known: place.known,
      extraTags: place.extraTags,
      defaultTime: clock,
      sessions: this.#kept.get(place) ?? [],
      dryRun,
      onPrompt: (text, timestamp) => onPrompt(text, timestamp, place),
    });
    this.intakes.set(place, intake);
    return intake;
  }

  #leaveOut(event: Exclude<TranscriptEvent, { readonly type: 'skip' }>, reason: string): void {
    if (event.type === 'session') return;
    if (!this.#targets.has(event.sessionId)) this.#targets.set(event.sessionId, reason);
    this.#tally.skip(reason);
    if (!AGENTS[this.#source.agent].hasPromptsOnly || event.type !== 'message' || event.role !== 'user')
      return;
    if (event.isSystem === true || event.kind !== undefined || event.timestamp === undefined) return;
    this.#surroundings.onPrompt(event.text, event.timestamp, undefined);
  }
}
