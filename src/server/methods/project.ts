import type { SessionWork } from '../../ask/session-work.ts';
import type { TimelineDay } from '../../ask/timeline.ts';
import { type Home, labelProjects, type Project } from '../../project/index.ts';
import { omitUndefined, type ProjectInfo } from '../../record/index.ts';
import { listNotRecorded } from '../../recording/transcript/unknown-parts.ts';
import { compareText } from '../../text/compare-text.ts';
import { projectById } from '../find-project.ts';
import type {
  DayCount,
  Methods,
  OverviewResult,
  ProjectActivity,
  ProjectItem,
  ProjectMethods,
  ProjectTimeline,
  TimelineMark,
  TimelineSession,
} from '../rpc/api.ts';
import { indexStamp } from '../workers/log-cache.ts';
import type { WorkerContext } from '../workers/tasks.ts';
import { fromFailure } from './memory.ts';
import type { MethodTable } from './method.ts';
import { count, optional, projectId, time } from './parameters.ts';
import { READ_WAIT_MS } from './read-wait.ts';

const MAX_PROJECTS = 1000;
const ACTIVITY_DAYS = 30;
const DAY_MS = 86_400_000;
/** The list of projects is shown at once, even when the index lacks what was written a moment ago. */
const ACTIVITY_WAIT_MS = 40;
const DEFAULT_SESSIONS = 200;
/** Commands that the overview names as failing. */
const MAX_FAILING = 6;
/** Sessions and warnings that the overview begins with. */
const MAX_LATEST = 5;
const MAX_WARNINGS = 3;
/** Decisions, and as many corrections. */
const MAX_DECISIONS = 3;
/** The latest marks of a session that the timeline shows. */
const MAX_MARKS = 200;

/** The projects, and how each of them went. */
export const projectMethods: MethodTable<keyof ProjectMethods> = {
  'project.list': {
    parameters: {},
    runsIn: 'main',
    run: (_params, { home, cwd, isDemo, command }) => ({
      projects: listProjects(home),
      command,
      ...omitUndefined({ current: home.findProject(cwd)?.info.projectHash }),
      ...(isDemo ? { isDemo } : {}),
    }),
  },
  'project.activity': {
    parameters: {},
    runsIn: 'index',
    indexWaitMs: ACTIVITY_WAIT_MS,
    run: (_params, context) => ({ projects: readActivity(context) }),
  },
  'project.warnings': {
    parameters: {},
    runsIn: 'memory',
    indexWaitMs: READ_WAIT_MS,
    run: (_params, context) => ({ projects: countWarnings(context) }),
  },
  'project.overview': {
    parameters: { project: projectId },
    runsIn: 'memory',
    indexWaitMs: READ_WAIT_MS,
    run: ({ project }, context) => readOverview(projectById(context.home, project), context),
  },
  'project.timeline': {
    parameters: {
      project: projectId,
      since: optional(time),
      until: optional(time),
      limit: optional(count(1, 500)),
    },
    runsIn: 'memory',
    indexWaitMs: READ_WAIT_MS,
    run: (params, context) => readTimeline(params, context),
  },
};

function listProjects(home: Home): readonly ProjectItem[] {
  const all = home.projectsByActivity();
  const labels = labelProjects(all);
  return all.slice(0, MAX_PROJECTS).map((info) => toProjectItem(info, labels));
}

function toProjectItem(info: ProjectInfo, labels: ReadonlyMap<string, string>): ProjectItem {
  const { projectHash, displayName, projectPath, lastActiveAt } = info;
  return {
    id: projectHash,
    name: displayName,
    label: labels.get(projectHash) ?? displayName,
    path: projectPath,
    lastActiveAt,
  };
}

function readActivity({ home, now }: WorkerContext): readonly ProjectActivity[] {
  const today = Math.floor(now() / DAY_MS);
  const days = Array.from({ length: ACTIVITY_DAYS }, (_, index) => {
    return new Date((today - ACTIVITY_DAYS + 1 + index) * DAY_MS).toISOString().slice(0, 10);
  });
  const counts = home.indexed.countByProject((today - ACTIVITY_DAYS + 1) * DAY_MS);
  return counts.map(({ project, days: sessionsOn, ...count }) => ({
    id: project,
    ...count,
    days: days.map((day) => sessionsOn.get(day) ?? 0),
  }));
}

/** Failures also end as time passes and files appear, so a count is valid for a minute at most. */
function countWarnings({
  home,
  now,
  warnings: counts,
}: WorkerContext): readonly { readonly id: string; readonly warnings: number }[] {
  const minute = Math.floor(now() / 60_000);
  return home.projects().flatMap(({ projectHash: id }) => {
    const project = projectById(home, id);
    const stamp = `${indexStamp(home, project.directory, now())} ${minute}`;
    const warnings = counts.get(id, stamp, () => project.memory.failures().length);
    return warnings === 0 ? [] : [{ id, warnings }];
  });
}

function readOverview(project: Project, context: WorkerContext): OverviewResult {
  const { knowledge, stack } = project.memory.knowledge();
  const { sessions, messages, failures, successes } = context.home.status(project);
  const { languages, frameworks, tools } = stack.techStack;
  const { projectHash } = project.info;
  const warnings = project.memory
    .failures()
    .toSorted((a, b) => Number(b.choice === 'pin') - Number(a.choice === 'pin'));
  return {
    project: listProjects(context.home).find(({ id }) => id === projectHash) ?? toProjectItem(project.info, new Map()),
    summary: knowledge.summary,
    stack: { languages, frameworks, tools },
    commands: stack.commands,
    practices: knowledge.bestPractices.map(({ pattern, reason }) => ({ pattern, reason })),
    antiPatterns: knowledge.antiPatterns.map(({ pattern, reason, fix }) => ({
      pattern,
      reason,
      ...omitUndefined({ fix }),
    })),
    totals: { sessions, messages, failures, successes },
    days: project.memory.timeline().map(toDayCount),
    latest: context.home.listSessions({ projects: [projectHash], isWork: true, limit: MAX_LATEST }).sessions,
    decisions: summariseDecisions(project),
    warnings: {
      total: warnings.length,
      first: warnings.slice(0, MAX_WARNINGS).map(fromFailure),
      ...(warnings.length === 0 ? { whyNone: project.memory.explainNoWarnings() } : {}),
    },
    failing: project.memory.pastFailures({ limit: MAX_FAILING }),
    notRecorded: listNotRecorded(context.home.path, context.now()).map(({ agent, reason, path }) => ({
      agent,
      reason,
      path,
    })),
  };
}

function summariseDecisions({ memory }: Project): OverviewResult['decisions'] {
  const all = memory.conclusions();
  const first = (['decision', 'correction'] as const).flatMap((kind) =>
    all.filter((each) => each.kind === kind).slice(0, MAX_DECISIONS),
  );
  return { total: all.length, first };
}

function readTimeline(params: Parameters<Methods['project.timeline']>[0], context: WorkerContext): ProjectTimeline {
  const { since, until, limit = DEFAULT_SESSIONS } = params;
  const project = projectById(context.home, params.project);
  const span = { since: toTime(since), until: toTime(until) };
  const latest = project.memory.latestWork({ ...span, count: limit });
  const shown = latest.toSorted((a, b) => compareText(a.startedAt, b.startedAt));
  const id = project.info.projectHash;
  const titles = new Map(
    context.home.indexed
      .findSessionsById(shown.map(({ sessionId }) => ({ project: id, sessionId })))
      .map(({ sessionId, title }) => [sessionId, title]),
  );
  return {
    days: project.memory.timeline(omitUndefined(span)).map(toDayCount),
    sessions: shown.map((work) => toTimelineSession(work, titles.get(work.sessionId))),
    total: project.memory.countWork(span),
  };
}

function toTime(date: string | undefined): number | undefined {
  return date === undefined ? undefined : Date.parse(date);
}

function toDayCount({ date, sessions, failures, successes, commits }: TimelineDay): DayCount {
  return { day: date, sessions, failures, successes, commits };
}

/** `title`: what lists call the session; undefined while it is not indexed. */
function toTimelineSession(work: SessionWork, title: string | undefined): TimelineSession {
  const { sessionId, startedAt, endedAt, agent, branch, requests, counts } = work;
  return {
    sessionId,
    from: startedAt,
    to: endedAt,
    ...omitUndefined({ agent, branch }),
    preview: title ?? work.title ?? requests.find(({ text }) => text !== '')?.text ?? '',
    failures: counts.failures,
    marks: toMarks(work),
  };
}

function toMarks(work: SessionWork): readonly TimelineMark[] {
  const { requests, commits, failures } = work;
  const marks: TimelineMark[] = [
    ...requests
      .filter(({ text }) => text !== '')
      .map(({ at, text }, index) => ({ type: 'request' as const, id: `request-${index}`, at, text })),
    ...commits.map(({ at, message }, index) => ({
      type: 'commit' as const,
      id: `commit-${index}`,
      at,
      text: message,
    })),
  ];
  for (const [index, { at, what, error, fix, solvedAt }] of failures.entries()) {
    const id = `failure-${index}`;
    marks.push({ type: 'failure', id, at, text: error === '' ? what : `${what}: ${error}` });
    if (solvedAt === undefined) continue;
    marks.push({ type: 'resolution', id: `resolution-${index}`, at: solvedAt, text: fix ?? what, resolves: id });
  }
  return marks.sort((a, b) => compareText(a.at, b.at)).slice(-MAX_MARKS);
}
