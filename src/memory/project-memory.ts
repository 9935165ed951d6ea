import type { Config } from '../config/config.ts';
import type { ToolCall } from '../facts/call/tool-call.ts';
import { parseWarningRecord, type RecordedWarning, type WarningOverride } from '../facts/warning-record.ts';
import type { Progress } from '../files/file-access.ts';
import { appendRecord } from '../log/append.ts';
import { readLines } from '../log/read.ts';
import { archiveOldSegments, listSegments, openSegmentPath, restoreRecentSegments } from '../log/segments.ts';
import { YoreError } from '../record/error.ts';
import { newMessageId } from '../record/id.ts';
import { omitUndefined, parseObject } from '../record/object.ts';
import type { ProjectInfo, TechStack } from '../record/project-info.ts';
import { type Attempt, NOTES_SESSION, RECORD_VERSION } from '../record/record.ts';
import { compareText } from '../text/compare-text.ts';
import { type BriefingOptions, briefProject, type ProjectBriefing } from './briefing/brief-project.ts';
import { createDigestReader } from './digest/digest-store.ts';
import { removeDigests } from './digest/store/snapshot.ts';
import { removeFailureSnapshot } from '../ask/guard/failure-snapshot.ts';
import type { Guard } from '../ask/guard/guard.ts';
import { type FailureChoice, isOngoing, type KnownFailure, latestOccurrence } from '../ask/guard/known-failure.ts';
import { type FailureWarning, failureId } from '../ask/guard/warning.ts';
import { listPastFailures, type PastFailureOptions, type PastFailures } from './knowledge/past-failures.ts';
import { type Synthesis, synthesise } from './knowledge/synthesise.ts';
import { type RecallPromptOptions, recallPrompt } from './recall/recall-prompt.ts';
import { updateRecallSnapshot } from './recall/recall-snapshot.ts';
import type { Recollection } from './recall/recollection.ts';
import { type Recap, type RecapOptions, recap } from './recap/recap.ts';
import { type TimelineDay, type TimeSpan, timeline } from './recap/timeline.ts';
import { detectStack } from './stack/detect-stack.ts';
import { projectFiles } from './stack/project-files.ts';

/** What a {@link ProjectMemory} needs from its project. */
export interface ProjectMemoryOptions {
  readonly info: ProjectInfo;
  /** The folder that holds the project's logs. */
  readonly directory: string;
  readonly config: Config;
  readonly now: () => number;
  readonly guard: Guard;
  /** Changes the project's `index.json`. */
  readonly updateInfo: (patch: Pick<ProjectInfo, 'sessionCount' | 'techStack' | 'patterns'>) => void;
}

/** What is known of a project, in numbers. */
export interface ProjectOverview {
  readonly previousSessions: number;
  readonly successfulPatterns: number;
  readonly failuresToAvoid: number;
  /** Empty when nothing is known. */
  readonly summary: string;
}

/** A failure as lists show it. */
export interface FailureSummary {
  /** For `dismiss` and `pin`. */
  readonly id: string;
  readonly at: string;
  readonly what: string;
  readonly error: string;
  readonly class: KnownFailure['class'];
  /** Failures with this cause since it last worked, without archived ones; `PastFailure` counts all of one call. */
  readonly count: number;
  readonly sessions: readonly string[];
  /** What worked instead. */
  readonly resolution?: string;
  /** When it worked again. */
  readonly endedAt?: string;
  readonly choice: FailureChoice;
  /** The colleague on whose machine it failed, if it was not this one. */
  readonly author?: string;
}

/** A warning that was given, and the call that was made in spite of it, if there was one. */
export interface WarningHistory {
  readonly warning: RecordedWarning;
  /** For `dismiss` and `pin`. */
  readonly failureId: string;
  readonly override?: WarningOverride;
}

/** How a warning ended: it is too recent to tell, the call was not made, or it was made and failed or succeeded. */
export type WarningEnding = 'open' | 'heeded' | 'overridden-failed' | 'overridden-succeeded';

/** A warning that was not overridden within this time counts as heeded. */
const OPEN_MS = 10 * 60_000;

/** Tells how a warning ended. `now`: epoch milliseconds. */
export function findWarningEnding({ warning, override }: WarningHistory, now: number): WarningEnding {
  if (override !== undefined) return override.succeeded ? 'overridden-succeeded' : 'overridden-failed';
  return now - Date.parse(warning.timestamp) < OPEN_MS ? 'open' : 'heeded';
}

/** Failures older than this are archived, where they are no longer retrieved. */
const ARCHIVE_AFTER_DAYS = 30;
const DAY_MS = 86_400_000;
/** How many warnings are searched for the id of a failure. */
const MAX_WARNINGS = 1000;

/** What was learned from a project's attempts and messages. */
export class ProjectMemory {
  readonly #options: ProjectMemoryOptions;
  /** As of the last synthesis by this process, which `info` does not have yet. */
  #techStack: TechStack | undefined;

  constructor(options: ProjectMemoryOptions) {
    this.#options = options;
  }

  /** The warning that the guard would give for a call. Records nothing. */
  check(call: ToolCall): FailureWarning | undefined {
    return this.#options.guard.check(call);
  }

  /**
   * What the guard would warn about now, newest first, then the same of colleagues. `all`: also failures that are solved,
   * dismissed or too old.
   */
  failures(options: { readonly all?: boolean } = {}): readonly FailureSummary[] {
    const { guard, now } = this.#options;
    // One call that failed for several reasons is listed once.
    const summaries = new Map<string, FailureSummary>();
    for (const failure of guard.store.failures(now())) {
      if (options.all !== true && !guard.wouldWarn(failure, now())) continue;
      const summary = summariseFailure(failure, guard.choice(failure.key), guard.findResolution(failure));
      const id = `${summary.at} ${summary.what}`;
      if (!summaries.has(id)) summaries.set(id, summary);
    }
    const team = guard.team();
    for (const failure of team === undefined ? [] : guard.teamFailures(now(), options)) {
      const summary = summariseFailure(failure, guard.choice(failure.key), (team ?? guard).findResolution(failure));
      const id = `${summary.author} ${summary.at} ${summary.what}`;
      if (!summaries.has(id)) summaries.set(id, summary);
    }
    return [...summaries.values()];
  }

  /** What failed on this machine, solved or not, newest first. */
  ownFailures(): readonly KnownFailure[] {
    const { guard, now } = this.#options;
    return guard.store.failures(now());
  }

  /** What has failed so far, by command and cause, however old; the most frequent first by default. */
  pastFailures(options: PastFailureOptions = {}): PastFailures {
    return listPastFailures(this.synthesise().store, options);
  }

  /** The warnings given so far, newest first. */
  warnings(limit = 20): readonly WarningHistory[] {
    const given: RecordedWarning[] = [];
    const overrides = new Map<string, WarningOverride>();
    for (const { path } of listSegments(this.#options.directory, 'warnings')) {
      for (const { text } of readLines(path)) {
        const record = parseWarningRecord(parseObject(text));
        if (record?.kind === 'warning') given.push(record);
        else if (record?.kind === 'override') overrides.set(record.warningId, record);
      }
    }
    given.sort((a, b) => compareText(a.timestamp, b.timestamp)).reverse();
    return given.slice(0, limit).map((warning) => ({
      warning,
      failureId: failureId(warning.key),
      ...omitUndefined({ override: overrides.get(warning.id) }),
    }));
  }

  /** The key of a failure, by its id. */
  findKey(id: string): string | undefined {
    const { guard, now } = this.#options;
    const all = [...guard.store.failures(now()), ...guard.teamFailures(now(), { all: true })];
    const known = all.find(({ key }) => failureId(key) === id)?.key;
    return known ?? this.#findWarning(id)?.warning.key;
  }

  /** Must be called when the logs were rewritten. */
  reset(): void {
    this.#options.guard.store.reset();
  }

  /**
   * Never warns of a failure again (`dismiss`), keeps warning however old it is (`pin`), or takes either back (`reset`).
   * NOT_FOUND.
   */
  choose(kind: 'dismiss' | 'pin' | 'reset', id: string): FailureSummary {
    const { guard, now } = this.#options;
    const failures = [...guard.store.failures(now()), ...guard.teamFailures(now(), { all: true })];
    const choice = kind === 'reset' ? 'none' : kind;
    const found = failures.find(({ key }) => failureId(key) === id);
    if (found !== undefined) {
      const summary = summariseFailure(found, choice, guard.findResolution(found));
      // One failed call may blame several things; to the user it is one failure.
      for (const other of failures) {
        const { at, what } = summariseFailure(other, choice, guard.findResolution(other));
        if (at === summary.at && what === summary.what) guard.choose(kind, other.key, now());
      }
      return summary;
    }
    const warned = this.#findWarning(id);
    if (warned === undefined) {
      throw new YoreError('NOT_FOUND', `There is no failure ${id}. \`yore failures\` and \`yore why\` list them.`);
    }
    guard.choose(kind, warned.warning.key, now());
    return summariseWarning(warned, choice);
  }

  #findWarning(id: string): WarningHistory | undefined {
    return this.warnings(MAX_WARNINGS).find((entry) => entry.failureId === id);
  }

  /** Records a fact or a practice by hand. From now on it is part of knowledge and briefings. */
  remember(
    text: string,
    options: { readonly avoid?: boolean; readonly tags?: readonly string[]; readonly agent?: string } = {},
  ): Attempt {
    const { directory, now } = this.#options;
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
      ...omitUndefined({ agent: options.agent }),
      ...(options.tags === undefined || options.tags.length === 0 ? {} : { tags: options.tags }),
    };
    appendRecord(openSegmentPath(directory, options.avoid === true ? 'failures' : 'successes'), note);
    return note;
  }

  /** Brings digests and knowledge up to date with the logs. The first time, that may take some seconds. */
  synthesise(onProgress?: Progress): Synthesis {
    const { directory, info, now } = this.#options;
    this.#archive();
    const files = projectFiles(info.projectPath);
    const stack = detectStack(files);
    const exists = (path: string): boolean => path !== '' && files.modified?.(path) !== undefined;
    const options = { now: now(), generation: info.generation, stack, exists, ...omitUndefined({ onProgress }) };
    const synthesis = synthesise(directory, options);
    updateRecallSnapshot(directory, synthesis.store, synthesis.update);
    this.#techStack = synthesis.stack?.techStack;
    this.#updateInfo(synthesis);
    return synthesis;
  }

  /** Archives old failures, and takes back what was archived while the clock was ahead. */
  #archive(): void {
    const { directory, now, guard } = this.#options;
    const before = now() - ARCHIVE_AFTER_DAYS * DAY_MS;
    archiveOldSegments(directory, 'failures', before);
    const isRestored = restoreRecentSegments(directory, 'failures', before, () => {
      removeDigests(directory);
      removeFailureSnapshot(directory);
    });
    if (isRestored) guard.store.reset();
  }

  #updateInfo({ store, stack }: Synthesis): void {
    const { info, updateInfo } = this.#options;
    const { practices, warnings } = store.counts;
    if (store.sessionCount + practices.length + warnings.length === 0) return;
    const { testCommand, buildCommand, packageManager } = stack?.commands ?? {};
    const found = {
      sessionCount: store.sessionCount,
      ...omitUndefined({ techStack: stack?.techStack }),
      patterns: omitUndefined({ testCommand, buildCommand, packageManager }),
    };
    const { sessionCount, techStack, patterns } = info;
    const known = { sessionCount, ...omitUndefined({ techStack }), patterns };
    if (JSON.stringify(found) !== JSON.stringify(known)) updateInfo(found);
  }

  /** What is known, in numbers. */
  overview(): ProjectOverview {
    const { store, knowledge } = this.synthesise();
    return {
      previousSessions: store.userSessionCount,
      successfulPatterns: knowledge.bestPractices.length,
      failuresToAvoid: knowledge.antiPatterns.length,
      summary: knowledge.summary,
    };
  }

  /** What was worked on, by day and session. */
  recap(options: RecapOptions = {}): Recap {
    return recap(this.synthesise().store.all(), options);
  }

  /** What happened on each day. */
  timeline(span: TimeSpan = {}): readonly TimelineDay[] {
    return timeline(this.synthesise().store.all(), span);
  }

  /** The briefing for the start of a session or after a compaction, as it was last synthesised. */
  briefing(
    options: { readonly variant?: BriefingOptions['variant']; readonly sessionId?: string } = {},
  ): ProjectBriefing {
    const { directory, config, now, info } = this.#options;
    return briefProject(directory, {
      maxSize: config.get('retrieval.maxContextSize'),
      now: now(),
      variant: options.variant ?? 'start',
      techStack: this.#techStack ?? info.techStack,
      ...omitUndefined({ sessionId: options.sessionId }),
    });
  }

  /** What an agent should be told before it works on a prompt; usually nothing. */
  recall(prompt: string, options: RecallPromptOptions = {}): Recollection | undefined {
    return recallPrompt(prompt, { ...this.#options, digest: createDigestReader() }, options);
  }
}

/** A failure as lists show it. `resolution`: what worked instead. */
export function summariseFailure(
  failure: KnownFailure,
  choice: FailureChoice,
  resolution: string | undefined,
): FailureSummary {
  const occurrence = latestOccurrence(failure);
  const endedAt = isOngoing(failure) ? undefined : failure.endedAt;
  return {
    id: failureId(failure.key),
    at: new Date(failure.lastAt).toISOString(),
    what: occurrence?.what ?? failure.key,
    error: occurrence?.line ?? '',
    class: failure.class,
    count: failure.count,
    sessions: failure.sessions,
    ...omitUndefined({
      resolution,
      endedAt: endedAt === undefined ? undefined : new Date(endedAt).toISOString(),
    }),
    choice,
    ...omitUndefined({ author: occurrence?.author }),
  };
}

function summariseWarning({ warning, failureId: id }: WarningHistory, choice: FailureChoice): FailureSummary {
  const { timestamp, what, sessionId } = warning;
  return { id, at: timestamp, what, error: '', class: 'unknown', count: 1, sessions: [sessionId], choice };
}
