import type { Config } from '../config/index.ts';
import { appendRecord, archiveOldSegments, listSegments, openSegment, readLines } from '../log/index.ts';
import {
  type Attempt,
  NOTES_SESSION,
  newMessageId,
  type ProjectInfo,
  RECORD_VERSION,
  YoreError,
} from '../record/index.ts';
import {
  type BriefingOptions,
  briefProject,
  DigestStore,
  detectStack,
  type FailureChoice,
  type FailureWarning,
  failureId,
  type Guard,
  type KnownFailure,
  latestOccurrence,
  type ProjectBriefing,
  parseWarningRecord,
  projectFiles,
  type Recap,
  type RecapOptions,
  type Recollection,
  type RecordedWarning,
  readKnowledge,
  recap,
  type SessionDigest,
  type Synthesis,
  synthesise,
  type TimelineDay,
  type TimeSpan,
  type ToolCall,
  timeline,
  updateRecallFile,
  type WarningOverride,
} from './index.ts';
import { isLive, isRecent, recallPrompt } from './recall/recall-prompt.ts';

/** What a {@link ProjectMemory} needs from its project. */
export interface ProjectMemoryOptions {
  readonly info: ProjectInfo;
  /** The folder that holds the project's logs. */
  readonly directory: string;
  readonly config: Config;
  readonly now: () => number;
  readonly guard: Guard;
  /** Changes what `index.json` says of the project. */
  readonly updateInfo: (patch: Pick<ProjectInfo, 'sessionCount' | 'techStack' | 'patterns'>) => void;
}

/** What a person is told at the start of a session. */
export interface ProjectOverview {
  readonly previousSessions: number;
  readonly successfulPatterns: number;
  readonly failuresToAvoid: number;
  /** Empty when nothing is known. */
  readonly summary: string;
}

/** A failure that is remembered, and what became of it. */
export interface FailureSummary {
  /** For `dismiss` and `pin`. */
  readonly id: string;
  readonly at: string;
  readonly what: string;
  readonly error: string;
  readonly class: KnownFailure['class'];
  readonly count: number;
  readonly sessions: readonly string[];
  /** What worked instead. */
  readonly resolution?: string;
  /** When it worked again. */
  readonly endedAt?: string;
  readonly choice: FailureChoice;
}

/** A warning that was given, on what evidence, and how it ended. */
export interface WarningHistory {
  readonly warning: RecordedWarning;
  /** For `dismiss` and `pin`. */
  readonly hazardId: string;
  /** The calls made in spite of it. */
  readonly outcome?: WarningOverride;
}

/** Failures older than this are kept, and no longer retrieved. */
const ARCHIVED_AFTER_DAYS = 30;
const DAY_MS = 86_400_000;
/** So far back a warning can be named. */
const MOST_WARNINGS = 1000;

/** What a project's attempts and messages taught. */
export class ProjectMemory {
  readonly #surroundings: ProjectMemoryOptions;

  constructor(surroundings: ProjectMemoryOptions) {
    this.#surroundings = surroundings;
  }

  /** Would the guard warn about a call? Records nothing. */
  check(call: ToolCall): FailureWarning | undefined {
    const { guard, info } = this.#surroundings;
    return guard.check(call.root === undefined ? { ...call, root: info.projectPath } : call);
  }

  /** Failures that are remembered, newest first: those that the guard may warn of, or with `all` the others too. */
  failures(options: { readonly all?: boolean } = {}): readonly FailureSummary[] {
    const { guard, now } = this.#surroundings;
    const listed = new Set<string>();
    return guard
      .hazards(now())
      .filter(
        (hazard) =>
          options.all === true ||
          (isLive(hazard, guard.choice(hazard.key)) && isRecent(hazard, this.#surroundings)),
      )
      .map((hazard) => remembered(hazard, guard.choice(hazard.key)))
      .filter(({ at, what }) => listed.size < listed.add(`${at} ${what}`).size);
  }

  /** The warnings given so far, newest first. */
  warnings(limit = 20): readonly WarningHistory[] {
    const given: RecordedWarning[] = [];
    const outcomes = new Map<string, WarningOverride>();
    for (const { path } of listSegments(this.#surroundings.directory, 'warnings')) {
      for (const { text } of readLines(path)) {
        const entry = parseWarningRecord(parseJson(text));
        if (entry?.kind === 'warning') given.push(entry);
        else if (entry?.kind === 'override') outcomes.set(entry.warningId, entry);
      }
    }
    given.sort((a, b) => (a.timestamp < b.timestamp ? 1 : -1));
    return given.slice(0, limit).map((warning) => {
      const outcome = outcomes.get(warning.id);
      return { warning, hazardId: failureId(warning.key), ...(outcome === undefined ? {} : { outcome }) };
    });
  }

  /** What the guard knows a failure by, from its id. */
  keyOf(id: string): string | undefined {
    const { guard, now } = this.#surroundings;
    const known = guard.hazards(now()).find((hazard) => failureId(hazard.key) === id)?.key;
    return known ?? this.warnings(MOST_WARNINGS).find((entry) => entry.hazardId === id)?.warning.key;
  }

  /** Forgets what was read: the logs were rewritten. */
  reset(): void {
    this.#surroundings.guard.reset();
  }

  /** Never warns about it again (`dismiss`), warns past its time (`pin`), or takes either back (`reset`). NOT_FOUND. */
  choose(kind: 'dismiss' | 'pin' | 'reset', id: string): FailureSummary {
    const { guard, now } = this.#surroundings;
    const hazards = guard.hazards(now());
    const choice = kind === 'reset' ? 'none' : kind;
    const found = hazards.find((hazard) => failureId(hazard.key) === id);
    if (found !== undefined) {
      const failure = remembered(found, choice);
      // A failure that blames several things is one to the user.
      for (const { key } of hazards.filter((other) => isSame(remembered(other, choice), failure))) {
        guard.choose(kind, key, now());
      }
      return failure;
    }
    const warned = this.warnings(MOST_WARNINGS).find((entry) => entry.hazardId === id);
    if (warned === undefined) {
      throw new YoreError(
        'NOT_FOUND',
        `There is no failure ${id}. \`yore failures\` and \`yore why\` list them.`,
      );
    }
    guard.choose(kind, warned.warning.key, now());
    return fromWarning(warned, choice);
  }

  /** Notes a fact or a practice by hand. It counts from now on, in knowledge and briefings. */
  remember(
    text: string,
    options: { readonly avoid?: boolean; readonly tags?: readonly string[] } = {},
  ): Attempt {
    const { directory, now } = this.#surroundings;
    const at = now();
    const note: Attempt = {
      v: RECORD_VERSION,
      id: newMessageId(at),
      timestamp: new Date(at).toISOString(),
      sessionId: NOTES_SESSION,
      outcome: options.avoid === true ? 'failure' : 'success',
      kind: 'note',
      pattern: text,
      description: text,
      ...(options.tags === undefined || options.tags.length === 0 ? {} : { tags: options.tags }),
    };
    appendRecord(openSegment(directory, options.avoid === true ? 'failures' : 'successes'), note);
    return note;
  }

  /** Takes what is new into digests and knowledge, and returns it. */
  synthesise(): Synthesis {
    const { directory, info, now } = this.#surroundings;
    archiveOldSegments(directory, 'failures', now() - ARCHIVED_AFTER_DAYS * DAY_MS);
    const stack = detectStack(projectFiles(info.projectPath));
    const made = synthesise(directory, { now: now(), generation: info.generation, stack });
    updateRecallFile(directory, made.book, made.update);
    this.#describe(made);
    return made;
  }

  /** Keeps in `index.json` what was found out about the project. */
  #describe({ book, stack }: Synthesis): void {
    const { info, updateInfo } = this.#surroundings;
    if (book.sessionCount === 0) return;
    const { testCommand, buildCommand, packageManager } = stack?.patterns ?? {};
    const found = {
      sessionCount: book.sessionCount,
      ...(stack === undefined ? {} : { techStack: stack.techStack }),
      patterns: {
        ...(testCommand === undefined ? {} : { testCommand }),
        ...(buildCommand === undefined ? {} : { buildCommand }),
        ...(packageManager === undefined ? {} : { packageManager }),
      },
    };
    const { sessionCount, techStack, patterns } = info;
    const known = { sessionCount, ...(techStack === undefined ? {} : { techStack }), patterns };
    if (JSON.stringify(found) !== JSON.stringify(known)) updateInfo(found);
  }

  /** What is known, in numbers and a sentence or two; as it was last synthesised. */
  overview(): ProjectOverview {
    const { directory } = this.#surroundings;
    const knowledge = readKnowledge(directory);
    return {
      previousSessions: DigestStore.open(directory).sessionCount,
      successfulPatterns: knowledge?.bestPractices.length ?? 0,
      failuresToAvoid: knowledge?.antiPatterns.length ?? 0,
      summary: knowledge?.summary ?? '',
    };
  }

  /** What was worked on, by day and session. */
  recap(options: RecapOptions = {}): Recap {
    return recap(this.synthesise().book.all(), options);
  }

  /** What happened on each day. */
  timeline(span: TimeSpan = {}): readonly TimelineDay[] {
    return timeline(this.synthesise().book.all(), span);
  }

  /** What an agent should know at the start of a session, or after a compaction; as it was last synthesised. */
  briefing(
    options: { readonly variant?: BriefingOptions['variant']; readonly sessionId?: string } = {},
  ): ProjectBriefing {
    const { directory, config, now } = this.#surroundings;
    return briefProject(directory, {
      maxSize: config.get('retrieval.maxContextSize'),
      now: now(),
      variant: options.variant ?? 'start',
      ...(options.sessionId === undefined ? {} : { sessionId: options.sessionId }),
    });
  }

  /** What is worth saying before work starts on a prompt; mostly nothing. */
  recall(
    prompt: string,
    options: { readonly sessionId?: string; readonly alreadyShown?: ReadonlySet<string> } = {},
  ): Recollection | undefined {
    // Opened when something fits, which is rarely.
    const digest = (id: string): SessionDigest | undefined =>
      DigestStore.open(this.#surroundings.directory).digest(id);
    return recallPrompt(prompt, { ...this.#surroundings, digest }, options);
  }
}

function remembered(hazard: KnownFailure, choice: FailureChoice): FailureSummary {
  const evidence = latestOccurrence(hazard);
  const hasEnded = hazard.endedAt !== undefined && hazard.endedAt >= hazard.lastAt;
  const resolution = hazard.resolution?.what ?? hazard.suggestion;
  return {
    id: failureId(hazard.key),
    at: new Date(hazard.lastAt).toISOString(),
    what: evidence?.what ?? hazard.key,
    error: evidence?.line ?? '',
    class: hazard.class,
    count: hazard.count,
    sessions: hazard.sessions,
    ...(resolution === undefined ? {} : { resolution }),
    ...(hasEnded && hazard.endedAt !== undefined ? { endedAt: new Date(hazard.endedAt).toISOString() } : {}),
    choice,
  };
}

function fromWarning({ warning, hazardId: id }: WarningHistory, choice: FailureChoice): FailureSummary {
  const { timestamp, what, sessionId } = warning;
  return { id, at: timestamp, what, error: '', class: 'unknown', count: 1, sessions: [sessionId], choice };
}

/** One failure may blame several things; it is listed once. */
function isSame(a: FailureSummary, b: FailureSummary): boolean {
  return a.at === b.at && a.what === b.what;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
