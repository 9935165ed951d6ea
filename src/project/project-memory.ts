import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/index.ts';
import { writeFileAtomic } from '../files/index.ts';
import { appendRecord, archiveOldSegments, listSegments, openSegment, readLines } from '../log/index.ts';
import {
  type BriefingOptions,
  briefProject,
  type Choice,
  DigestBook,
  detectStack,
  encodeRecallIndex,
  type FailureWarning,
  type GivenWarning,
  type Guard,
  type Hazard,
  hazardId,
  latestEvidence,
  type OverrideOutcome,
  openRecallIndex,
  type ProjectBriefing,
  parseWarningEntry,
  projectFiles,
  type Recap,
  type RecapOptions,
  type Recollection,
  recall,
  recap,
  type Synthesis,
  synthesise,
  type TimelineDay,
  type TimeSpan,
  type ToolCall,
  timeline,
  updateRecallIndex,
} from '../memory/index.ts';
import { type Attempt, newMessageId, type ProjectInfo, RECORD_VERSION, YoreError } from '../record/index.ts';

/** What a {@link ProjectMemory} needs from its project. */
export interface MemorySurroundings {
  readonly info: ProjectInfo;
  /** The folder that holds the project's logs. */
  readonly directory: string;
  readonly config: Config;
  readonly now: () => number;
  readonly guard: Guard;
}

/** A failure that is remembered, and what became of it. */
export interface RememberedFailure {
  /** For `dismiss` and `pin`. */
  readonly id: string;
  readonly at: string;
  readonly what: string;
  readonly error: string;
  readonly class: Hazard['class'];
  readonly count: number;
  readonly sessions: readonly string[];
  /** What worked instead. */
  readonly resolution?: string;
  /** When it worked again. */
  readonly endedAt?: string;
  readonly choice: Choice;
}

/** A warning that was given, on what evidence, and how it ended. */
export interface WarningHistory {
  readonly warning: GivenWarning;
  /** For `dismiss` and `pin`. */
  readonly hazardId: string;
  /** The calls made in spite of it. */
  readonly outcome?: OverrideOutcome;
}

/** Failures older than this are kept, and no longer retrieved. */
const ARCHIVED_AFTER_DAYS = 30;
const DAY_MS = 86_400_000;

/** What a project's attempts and messages taught. */
export class ProjectMemory {
  readonly #surroundings: MemorySurroundings;

  constructor(surroundings: MemorySurroundings) {
    this.#surroundings = surroundings;
  }

  /** Would the guard warn about a call? Records nothing. */
  check(call: ToolCall): FailureWarning | undefined {
    return this.#surroundings.guard.check(call);
  }

  /** Failures that are remembered, newest first: those that may happen again, or with `ended` all of them. */
  failures(options: { readonly ended?: boolean } = {}): readonly RememberedFailure[] {
    const { guard, now } = this.#surroundings;
    return guard
      .hazards(now())
      .map((hazard) => remembered(hazard, guard.choice(hazard.key)))
      .filter((failure) => options.ended === true || failure.endedAt === undefined)
      .filter((failure, at, all) => all.findIndex((other) => isSame(other, failure)) === at);
  }

  /** The warnings given so far, newest first. */
  warnings(limit = 20): readonly WarningHistory[] {
    const given: GivenWarning[] = [];
    const outcomes = new Map<string, OverrideOutcome>();
    for (const { path } of listSegments(this.#surroundings.directory, 'warnings')) {
      for (const { text } of readLines(path)) {
        const entry = parseWarningEntry(parseJson(text));
        if (entry?.kind === 'warning') given.push(entry);
        else if (entry?.kind === 'override') outcomes.set(entry.warningId, entry);
      }
    }
    given.sort((a, b) => (a.timestamp < b.timestamp ? 1 : -1));
    return given.slice(0, limit).map((warning) => {
      const outcome = outcomes.get(warning.id);
      return { warning, hazardId: hazardId(warning.key), ...(outcome === undefined ? {} : { outcome }) };
    });
  }

  /** Never warns about it again (`dismiss`), warns past its time (`pin`), or takes either back (`reset`). NOT_FOUND. */
  choose(kind: 'dismiss' | 'pin' | 'reset', id: string): RememberedFailure {
    const { guard, now } = this.#surroundings;
    const found = guard.hazards(now()).find((hazard) => hazardId(hazard.key) === id);
    const warned =
      found === undefined ? this.warnings(1000).find((entry) => entry.hazardId === id) : undefined;
    const key = found?.key ?? warned?.warning.key;
    if (key === undefined) {
      throw new YoreError(
        'NOT_FOUND',
        `There is no failure ${id}. \`yore failures\` and \`yore why\` list them.`,
      );
    }
    guard.choose(kind, key, now());
    if (found !== undefined) return remembered(found, kind === 'reset' ? 'none' : kind);
    return fromWarning(warned as WarningHistory, kind === 'reset' ? 'none' : kind);
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
      sessionId: 'notes',
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
    this.#updateRecall(made);
    return made;
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
    const { directory, config, now } = this.#surroundings;
    const bytes = this.#recallBytes();
    const index = bytes === undefined ? undefined : openRecallIndex(bytes);
    if (index === undefined) return undefined;
    const book = DigestBook.open(directory);
    return recall(
      prompt,
      { index, digest: (id) => book.digest(id) },
      {
        minConfidence: config.get('retrieval.minConfidence'),
        now: new Date(now()),
        ...(options.sessionId === undefined ? {} : { currentSessionId: options.sessionId }),
        ...(options.alreadyShown === undefined ? {} : { alreadyShown: options.alreadyShown }),
      },
    );
  }

  get #recallFile(): string {
    return join(this.#surroundings.directory, 'recall.idx');
  }

  #recallBytes(): Uint8Array | undefined {
    try {
      return readFileSync(this.#recallFile);
    } catch {
      return undefined; // made again with the next digests
    }
  }

  #updateRecall({ book, update }: Synthesis): void {
    const before = this.#recallBytes();
    const isUsable = before !== undefined && openRecallIndex(before) !== undefined && !update.rebuilt;
    if (isUsable && update.changed.length === 0) return;
    if (book.sessionCount === 0 && before === undefined) return;
    const changed = update.changed.map((id) => book.digest(id)).filter((digest) => digest !== undefined);
    writeFileAtomic(
      this.#recallFile,
      isUsable ? updateRecallIndex(before, changed) : encodeRecallIndex(book.all()),
    );
  }
}

function remembered(hazard: Hazard, choice: Choice): RememberedFailure {
  const evidence = latestEvidence(hazard);
  const hasEnded = hazard.endedAt !== undefined && hazard.endedAt >= hazard.lastAt;
  const resolution = hazard.resolution?.what ?? hazard.suggestion;
  return {
    id: hazardId(hazard.key),
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

function fromWarning({ warning, hazardId: id }: WarningHistory, choice: Choice): RememberedFailure {
  const { timestamp, what, sessionId } = warning;
  return { id, at: timestamp, what, error: '', class: 'unknown', count: 1, sessions: [sessionId], choice };
}

/** One failure may blame several things; it is listed once. */
function isSame(a: RememberedFailure, b: RememberedFailure): boolean {
  return a.at === b.at && a.what === b.what;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
