import { type SessionDigest, type TimelineDay, timeline } from '../../memory/index.ts';
import type { Home, Project } from '../../project/index.ts';
import type { ProjectInfo } from '../../record/index.ts';
import type { DayCount, ProjectItem, ProjectOverview, ProjectTimeline } from '../rpc/api.ts';
import { KeptViews } from './kept-views.ts';
import { logStamp } from './log-stamp.ts';
import { timelineSession } from './timeline-sessions.ts';

/** Which part of a project's history is wanted. */
export interface TimelinePart {
  /** ISO 8601. */
  readonly since?: string;
  /** ISO 8601. */
  readonly until?: string;
  readonly limit?: number;
}

const DEFAULT_SESSIONS = 200;
/** Projects of which what was counted is kept. */
const MOST_KEPT = 16;

/** How projects are and went: counted anew only when their logs have changed. */
export class ProjectViews {
  readonly #home: Home;
  readonly #now: () => number;
  readonly #days = new KeptViews<readonly DayCount[]>(MOST_KEPT);

  constructor(home: Home, now: () => number) {
    this.#home = home;
    this.#now = now;
  }

  overview(project: Project): ProjectOverview {
    const { book, knowledge, stack } = project.memory.synthesise();
    const { sessions, messages, failures, successes } = this.#home.status(project);
    const { languages, frameworks, tools } = stack?.techStack ?? NO_STACK;
    return {
      project: projectItem(project.info),
      summary: knowledge.summary,
      stack: { languages, frameworks, tools },
      commands: stack?.patterns ?? {},
      practices: knowledge.bestPractices.map(({ pattern, reason }) => ({ pattern, reason })),
      antiPatterns: knowledge.antiPatterns.map(({ pattern, reason, alternative }) => ({
        pattern,
        reason,
        ...(alternative === undefined ? {} : { alternative }),
      })),
      totals: { sessions, messages, failures, successes },
      days: this.#daysOf(project, () => book.all()),
    };
  }

  timeline(project: Project, { since, until, limit = DEFAULT_SESSIONS }: TimelinePart): ProjectTimeline {
    const { book } = project.memory.synthesise();
    const from = since === undefined ? '' : new Date(since).toISOString();
    const to = until === undefined ? '\u{10ffff}' : new Date(until).toISOString();
    const isWhole = since === undefined && until === undefined;
    const within = isWhole
      ? book.recent(limit, this.#now()).toReversed()
      : book.all().filter(({ startedAt, endedAt }) => endedAt >= from && startedAt < to);
    const days = this.#daysOf(project, () => book.all());
    return {
      days: days.filter(({ day }) => day >= from.slice(0, 10) && day <= to.slice(0, 10)),
      sessions: within.slice(-limit).toSorted(byStart).map(timelineSession),
      total: isWhole ? book.sessionCount : within.length,
    };
  }

  #daysOf(project: Project, digests: () => Iterable<SessionDigest>): readonly DayCount[] {
    return this.#days.get(project.info.projectHash, logStamp(project.directory), () =>
      timeline(digests()).map(dayCount),
    );
  }
}

/** A project as lists show it. */
export function projectItem(info: ProjectInfo): ProjectItem {
  const { projectHash, displayName, projectPath, lastActiveAt, sessionCount } = info;
  return {
    id: projectHash,
    name: displayName,
    path: projectPath,
    lastActiveAt,
    ...(sessionCount === undefined ? {} : { sessions: sessionCount }),
  };
}

const NO_STACK = { languages: [], frameworks: [], tools: [] } as const;

function dayCount({ date, sessions, failures, successes, commits }: TimelineDay): DayCount {
  return { day: date, sessions, failures, successes, commits };
}

function byStart(a: SessionDigest, b: SessionDigest): number {
  return a.startedAt < b.startedAt ? -1 : a.startedAt > b.startedAt ? 1 : 0;
}
