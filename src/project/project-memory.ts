import { type BriefingOptions, briefProject, type ProjectBriefing } from '../ask/briefing.ts';
import { type Conclusion, type ConclusionFilter, conclusionKey, listConclusions } from '../ask/conclusions.ts';
import type { Guard } from '../ask/guard/guard.ts';
import { type FailureChoice, isStanding, type KnownFailure, latestOccurrence } from '../ask/guard/known-failure.ts';
import { explainNoWarnings } from '../ask/guard/silence.ts';
import { type FailureWarning, failureId } from '../ask/guard/warning.ts';
import { describeProject, type Knowledge, readKnowledge } from '../ask/knowledge.ts';
import { listPastFailures, type PastFailureOptions, type PastFailures } from '../ask/past-failures.ts';
import { type Recap, type RecapOptions, recap } from '../ask/recap.ts';
import { countWork, type LatestWork, readLatestWork, type SessionWork, type WorkFilter } from '../ask/session-work.ts';
import { type TimelineDay, type TimeSpan, timeline } from '../ask/timeline.ts';
import { listWarnings, type WarningHistory } from '../ask/warnings.ts';
import type { Config } from '../config/config.ts';
import type { ToolCall } from '../facts/call/tool-call.ts';
import type { ChoiceKind } from '../facts/warning-record.ts';
import { appendRecord } from '../log/append.ts';
import { openSegmentPath } from '../log/segments.ts';
import { YoreError } from '../record/error.ts';
import { newMessageId } from '../record/id.ts';
import { omitUndefined } from '../record/object.ts';
import type { ProjectInfo } from '../record/project-info.ts';
import { type Attempt, NOTES_SESSION, RECORD_VERSION } from '../record/record.ts';
import { findAskedConclusions } from '../search/recall/named-conclusions.ts';
import { type RecallPromptOptions, recallPrompt } from '../search/recall/recall-prompt.ts';
import type { Recollection } from '../search/recall/recollection.ts';
import { detectStack } from '../stack/detect-stack.ts';
import { projectFiles } from '../stack/project-files.ts';
import type { ProjectStack } from '../stack/project-stack.ts';
import type { RowSource } from '../store/project-rows.ts';

/** What a {@link ProjectMemory} needs from its project. */
export interface ProjectMemoryOptions {
  readonly info: ProjectInfo;
  /** The folder that holds the project's logs. */
  readonly directory: string;
  readonly config: Config;
  readonly now: () => number;
  readonly rows: RowSource;
  readonly guard: Guard;
  /** Records the user's choice about a failure, by its cause, or about a conclusion. */
  readonly choose: (
    kind: ChoiceKind,
    cause: string,
    details?: { readonly sessionId: string; readonly text?: string },
  ) => void;
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
  readonly fix?: string;
  /** When it worked again. */
  readonly endedAt?: string;
  readonly choice: FailureChoice;
  /** The colleague on whose machine it failed, if it was not this one. */
  readonly author?: string;
}

/** What is known about a project, and its tech stack. */
export interface ProjectKnowledge {
  readonly knowledge: Knowledge;
  readonly stack: ProjectStack;
}

const NOTHING_KNOWN: Knowledge = {
  summary: '',
  antiPatterns: [],
  bestPractices: [],
  successfulPatterns: 0,
  techStack: { languages: [], frameworks: [], tools: [] },
  conventions: {},
  workflow: [],
  recurringTasks: [],
};
const EMPTY_RECAP: Recap = { days: [], totals: { sessions: 0, requests: 0, commits: 0, failures: 0, files: 0 } };

/** What was learned from a project's attempts and messages. */
export class ProjectMemory {
  readonly #options: ProjectMemoryOptions;

  constructor(options: ProjectMemoryOptions) {
    this.#options = options;
  }

  /** The warning that the guard would give for a call. Records nothing. */
  check(call: ToolCall): FailureWarning | undefined {
    return this.#options.guard.check(call);
  }

  /** What is known of a call that there is no warning of; undefined if it never failed. */
  explainSilence(call: ToolCall): string | undefined {
    return this.#options.guard.explainSilence(call);
  }

  /**
   * What the guard would warn about now, newest first, then the same of colleagues. `all`: also failures that are solved,
   * dismissed or too old.
   */
  failures(options: { readonly all?: boolean } = {}): readonly FailureSummary[] {
    const now = this.#options.now();
    return (
      this.#options.guard.ask((guard) => {
        // One call that failed for several reasons is listed once.
        const summaries = new Map<string, FailureSummary>();
        for (const failure of [...guard.failures(now, options), ...guard.teamFailures(now, options)]) {
          const summary = summariseFailure(failure, guard.own.choice(failure.key));
          const id = `${summary.author} ${summary.at} ${summary.what}`;
          if (!summaries.has(id)) summaries.set(id, summary);
        }
        return [...summaries.values()];
      }) ?? []
    );
  }

  /** Why there are no active warnings, as what follows a colon. */
  explainNoWarnings(): string {
    const { guard, now } = this.#options;
    return guard.ask((each) => explainNoWarnings(each, now())) ?? 'no failure is recorded';
  }

  /** What failed on this machine, solved or not, newest first. */
  ownFailures(): readonly KnownFailure[] {
    const { guard, now } = this.#options;
    return guard.ask((each) => each.failures(now(), { all: true })) ?? [];
  }

  /** What has failed so far, by command and cause, however old; the most frequent first by default. */
  pastFailures(options: PastFailureOptions = {}): PastFailures {
    const past = this.#options.rows.ask((rows) => listPastFailures(rows, options));
    return past ?? { total: 0, calls: 0, failures: [] };
  }

  /** The warnings given so far, newest first. */
  warnings(limit = 20): readonly WarningHistory[] {
    return this.#options.rows.ask((rows) => listWarnings(rows, { limit })) ?? [];
  }

  /** The cause of a failure, by its id. */
  findKey(id: string): string | undefined {
    return this.#findFailure(id)?.key ?? this.#findWarning(id)?.warning.key;
  }

  /**
   * Never warns of a failure again (`dismiss`), keeps warning however old it is (`pin`), or takes either back (`reset`).
   * NOT_FOUND.
   */
  choose(kind: 'dismiss' | 'pin' | 'reset', id: string): FailureSummary {
    const { choose } = this.#options;
    const choice = kind === 'reset' ? 'none' : kind;
    const found = this.#findFailure(id);
    if (found !== undefined) {
      const summary = summariseFailure(found, choice);
      // One failed call may blame several things; to the user it is one failure.
      for (const other of this.#allFailures()) {
        const { at, what } = summariseFailure(other, choice);
        if (at === summary.at && what === summary.what) choose(kind, other.key);
      }
      return summary;
    }
    const warned = this.#findWarning(id);
    if (warned === undefined) {
      throw new YoreError('NOT_FOUND', `There is no failure ${id}. \`yore failures\` and \`yore why\` list them.`);
    }
    choose(kind, warned.warning.key);
    return summariseWarning(warned, choice);
  }

  #allFailures(): readonly KnownFailure[] {
    const { guard, now } = this.#options;
    const all = { all: true };
    return guard.ask((each) => [...each.failures(now(), all), ...each.teamFailures(now(), all)]) ?? [];
  }

  #findFailure(id: string): KnownFailure | undefined {
    return this.#allFailures().find(({ key }) => failureId(key) === id);
  }

  #findWarning(id: string): WarningHistory | undefined {
    return this.#options.rows.ask((rows) => listWarnings(rows, { ofFailure: id, limit: 1 }))?.[0];
  }

  /** The decisions and corrections that hold, the latest first. */
  conclusions(filter: ConclusionFilter = {}): readonly Conclusion[] {
    return this.#options.rows.ask((rows) => listConclusions(rows, filter)) ?? [];
  }

  /** The decisions and corrections that hold and are about a question in any words, the best first. */
  conclusionsAbout(question: string): readonly Conclusion[] {
    return this.#options.rows.ask((rows) => findAskedConclusions(rows, question)) ?? [];
  }

  /**
   * Never tells of a decision or correction again (`dismiss`), tells it first (`pin`), or in other words (`edit`); `undo`
   * takes the latest of these back. Returns it as it is then. NOT_FOUND.
   */
  chooseConclusion(kind: 'dismiss' | 'pin' | 'edit' | 'undo', id: string, text?: string): Conclusion {
    const find = (): Conclusion | undefined => this.conclusions({ all: true }).find((each) => each.id === id);
    const found = find();
    if (found === undefined)
      throw new YoreError('NOT_FOUND', `There is no decision or correction ${id}. \`yore decisions\` lists them.`);
    const { sessionId } = found;
    this.#options.choose(kind, conclusionKey(id), { sessionId, ...omitUndefined({ text }) });
    return find() ?? found;
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

  /** What is known about the project, and its tech stack, confirmed by commands that ran. */
  knowledge(): ProjectKnowledge {
    const { rows, info, now } = this.#options;
    const known = rows.ask((each) => {
      const options = describeProject(each, info, now());
      return { knowledge: readKnowledge(each, options), stack: options.stack };
    });
    return known ?? { knowledge: NOTHING_KNOWN, stack: detectStack(projectFiles(info.projectPath)) };
  }

  /** What is known, in numbers. */
  overview(): ProjectOverview {
    const { knowledge } = this.knowledge();
    return {
      previousSessions: this.countWork({ isStarted: true }),
      successfulPatterns: knowledge.successfulPatterns,
      failuresToAvoid: knowledge.antiPatterns.length,
      summary: knowledge.summary,
    };
  }

  /** Counts the user's sessions of work. */
  countWork(filter: WorkFilter = {}): number {
    return this.#options.rows.ask((rows) => countWork(rows, filter)) ?? 0;
  }

  /** What was done in the latest sessions, the latest first. */
  latestWork(filter: LatestWork): readonly SessionWork[] {
    const { rows, now } = this.#options;
    return rows.ask((each) => readLatestWork(each, { ...filter, now: now() })) ?? [];
  }

  /** What was worked on, by day and session. */
  recap(options: RecapOptions = {}): Recap {
    return this.#options.rows.ask((rows) => recap(rows, options)) ?? EMPTY_RECAP;
  }

  /** What happened on each day. */
  timeline(span: TimeSpan = {}): readonly TimelineDay[] {
    return this.#options.rows.ask((rows) => timeline(rows, span)) ?? [];
  }

  /** The briefing for the start of a session or after a compaction. */
  briefing(
    options: { readonly variant?: BriefingOptions['variant']; readonly sessionId?: string } = {},
  ): ProjectBriefing {
    const { config, rows, info, now } = this.#options;
    const maxSize = config.get('retrieval.maxContextSize');
    const briefing = rows.ask((each) => {
      const known = describeProject(each, info, now());
      return briefProject(each, { ...known, maxSize, variant: 'start', ...omitUndefined(options) });
    });
    return briefing ?? { text: '', line: '' };
  }

  /** What an agent should be told before it works on a prompt; usually nothing. */
  recall(prompt: string, options: RecallPromptOptions = {}): Recollection | undefined {
    return this.#options.guard.ask((guard) => recallPrompt(prompt, { ...this.#options, guard }, options));
  }
}

/** A failure as lists show it. */
export function summariseFailure(failure: KnownFailure, choice: FailureChoice): FailureSummary {
  const occurrence = latestOccurrence(failure);
  const endedAt = isStanding(failure) ? undefined : failure.endedAt;
  return {
    id: failureId(failure.key),
    at: new Date(failure.lastAt).toISOString(),
    what: occurrence?.what ?? failure.key,
    error: occurrence?.line ?? '',
    class: failure.class,
    count: failure.count,
    sessions: failure.sessions,
    ...omitUndefined({
      fix: failure.fix,
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
