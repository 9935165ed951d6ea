import type { PastFailure } from '../../ask/past-failures.ts';
import type { RecapSession } from '../../ask/recap.ts';
import type { WorkFailure } from '../../ask/session-failures.ts';
import type { TimeSpan } from '../../ask/timeline.ts';
import { countTokens } from '../../project/index.ts';
import { CHAT_AGENT } from '../../record/index.ts';
import { omitUndefined } from '../../record/object.ts';
import { formatCount, formatNumber } from '../../text/format-count.ts';
import type { Purpose } from './intent.ts';
import {
  dayOf,
  formatCode,
  formatQuote,
  formatSection,
  formatSession,
  formatSource,
  formatText,
  type MemorySource,
  suggestCommand,
} from './memory-text.ts';

/** Lines of a list, and sessions of a recap. The command that is named below it lists all of them. */
const MAX_LINES = 8;
/** Requests, commits, failures and files of a session. */
const MAX_PARTS = 5;

/** Lists what was worked on in a time, as `yore recap` does. Undefined if nothing was. */
export function listRecap(span: TimeSpan, { home, project }: MemorySource): string | undefined {
  const { days } = project.memory.recap(span);
  const sessions = days.flatMap(({ date, sessions: ofDay }) =>
    ofDay.toReversed().map((session) => ({ date, session })),
  );
  const lines = sessions
    .slice(0, MAX_LINES)
    .flatMap(({ date, session }, index) => [
      ...(date === sessions[index - 1]?.date ? [] : ['', `**${date}**`, '']),
      ...describeSession(session, formatSession(session.sessionId, home)),
    ]);
  return lines.length === 0 ? undefined : [...lines.slice(1), '', 'More: `yore recap --all`.'].join('\n');
}

/** Describes the latest session of work: what was asked for, and what became of it. Undefined without any. */
export function describeLatest({ home, project }: MemorySource): string | undefined {
  const [latest] = project.memory.latestWork({ count: 1, isStarted: true });
  if (latest === undefined) return undefined;
  const { sessionId, title, agent, branch, endedAt, requests } = latest;
  const facts = [
    formatSource(endedAt, sessionId, home),
    ...[agent, branch].flatMap((fact) => fact ?? []).map(formatText),
  ];
  const unanswered = requests.at(-1)?.decision === undefined && latest.commits.length === 0;
  return [
    `The latest session${title === undefined ? '' : `, ${formatQuote(title)}`} (${facts.join(', ')}):`,
    '',
    ...[...describeRequests(requests), ...describeOutcome(latest)].map((part) => `- ${part}`),
    ...(unanswered ? ['', 'How it ended is not recorded.'] : []),
    '',
    `More: \`yore show ${formatText(home.shortenSessionId(sessionId))}\`.`,
  ].join('\n');
}

function describeSession(session: RecapSession, id: string): readonly string[] {
  const { agent, requests } = session;
  const who = agent === undefined || agent === CHAT_AGENT ? '' : `, ${formatText(agent)}`;
  const [first = 'work without a recorded request', ...others] = describeRequests(requests);
  return [`- ${first} (${id}${who})`, ...[...others, ...describeOutcome(session)].map((part) => `  - ${part}`)];
}

function describeRequests(requests: RecapSession['requests']): readonly string[] {
  return requests
    .filter(({ text }) => text !== '')
    .slice(-MAX_PARTS)
    .map(({ text, outcome, decision }) => {
      const judged = outcome === undefined ? '' : `, which ${outcome}`;
      return `${formatQuote(text)}${judged}${decision === undefined ? '' : `: ${formatText(decision)}`}`;
    });
}

/** What a session left behind: commits, changed files and failures. */
function describeOutcome({
  files,
  commits,
  failures,
}: Pick<RecapSession, 'files' | 'commits' | 'failures'>): readonly string[] {
  return [
    ...commits.slice(-MAX_PARTS).map(({ message }) => `committed: ${formatQuote(message)}`),
    ...(files.length === 0 ? [] : [`changed: ${files.slice(0, MAX_PARTS).map(formatCode).join(', ')}`]),
    ...failures.slice(-MAX_PARTS).map(({ what, error, fix }) => {
      const why = error === '' ? '' : ` (${formatText(error)})`;
      return `failed: ${formatCode(what)}${why}${fix === undefined ? '' : `; ${workedInstead(fix)}`}`;
    }),
  ];
}

/** What was used in a time or by the latest session, as `yore usage` counts it. Undefined if nothing was. */
export function listCost(of: TimeSpan | 'latest', { home, project }: MemorySource): string | undefined {
  const [latest] = of === 'latest' ? project.memory.latestWork({ count: 1, isStarted: true }) : [];
  if (of === 'latest' && latest === undefined) return undefined;
  const projects = [project.info.projectHash];
  const { pricesAsOf, total } = home.usage({
    projects,
    ...toDates(of),
    ...omitUndefined({ sessionId: latest?.sessionId }),
  });
  const tokens = countTokens(total);
  if (tokens === 0) return undefined;
  const what = latest === undefined ? formatCount(total.sessions, 'session') : formatSession(latest.sessionId, home);
  const unpriced =
    total.unpricedTokens === 0
      ? ''
      : `, without ${formatNumber(total.unpricedTokens)} tokens of models whose price is not known`;
  const cost =
    total.cost === undefined
      ? 'of models whose prices are not known'
      : `about $${total.cost.toFixed(2)} by list prices of ${pricesAsOf}${unpriced}`;
  return `${formatText(project.info.displayName)}, ${what}: ${formatNumber(tokens)} tokens, ${cost}. More: \`yore usage\`.`;
}

function toDates(span: TimeSpan | 'latest'): { readonly since?: string; readonly until?: string } {
  if (span === 'latest') return {};
  // The end of a span is exclusive, that of a filter is not.
  const { since, until } = span;
  return omitUndefined({
    since: since === undefined ? undefined : new Date(since).toISOString(),
    until: until === undefined ? undefined : new Date(until - 1).toISOString(),
  });
}

/** Lists active warnings and past failures, as `yore failures` does; of a time, what failed in its recap. */
export function listFailures(span: TimeSpan, source: MemorySource): string | undefined {
  const { memory } = source.project;
  if (span.since !== undefined) {
    const failed = memory
      .recap(span)
      .days.flatMap(({ sessions }) =>
        sessions.flatMap(({ sessionId, failures }) => failures.map((failure) => ({ ...failure, sessionId }))),
      );
    return finishList(
      formatSection('Failed in that time:', describeFailures(failed, source)),
      'More: `yore recap --all`.',
    );
  }
  const { calls, total, failures } = memory.pastFailures({ limit: MAX_LINES });
  const active = memory.failures().map((failure) => ({ ...failure, sessionId: failure.sessions.at(-1) ?? '' }));
  const others = failures.map(toListed).filter(({ what }) => active.every((failure) => failure.what !== what));
  const lines = [
    ...formatSection('Active warnings:', describeFailures(active, source)),
    ...formatSection('Past failures:', describeFailures(others, source)),
  ];
  const counted = `${formatCount(calls, 'failure')} of ${formatCount(total, 'different call')}`;
  return finishList(lines, `${counted} in all: \`yore failures\`.`);
}

/** Lists the past failures of the calls that begin with some words, the latest first. Undefined without any. */
export function listFailuresOf(call: string, source: MemorySource): string | undefined {
  const begins = (what: string): boolean => what === call || what.startsWith(`${call} `);
  const { failures } = source.project.memory.pastFailures({ order: 'recent' });
  const found = failures.filter(({ what }) => begins(what)).map(toListed);
  return finishList(formatSection('Past failures:', describeFailures(found, source)), 'More: `yore failures`.');
}

/** A past failure with its latest cause. */
function toListed({ causes, lastAt: at, ...failure }: PastFailure): ListedFailure {
  const latest = causes.find(({ lastAt }) => lastAt === at);
  return { ...failure, at, error: latest?.error ?? '', sessionId: latest?.sessionId ?? '' };
}

/** The lines of a list, with where there is more. Undefined if it is empty. */
function finishList(lines: readonly string[], more: string): string | undefined {
  return lines.length === 0 ? undefined : [...lines, more].join('\n');
}

type ListedFailure = Pick<WorkFailure, 'what' | 'error' | 'count' | 'at' | 'fix'> & {
  readonly sessionId: string;
  readonly hasWorkedSince?: boolean;
};

function describeFailures(failures: readonly ListedFailure[], { home }: MemorySource): readonly string[] {
  return failures.slice(0, MAX_LINES).map(({ what, error, count, at, fix, sessionId, hasWorkedSince }) => {
    const times = count > 1 ? `failed ${count} times, last` : 'failed';
    const where = sessionId === '' ? '' : ` (${formatSession(sessionId, home)})`;
    const since = hasWorkedSince === true ? 'It has worked since.' : '';
    const ending = fix === undefined ? since : `${workedInstead(fix)}.`;
    const why = error === '' ? '' : `: ${formatText(error)}`;
    return `${formatCode(what)} ${times} on ${dayOf(at)}${where}${why.replace(/[\s.:]+$/, '')}. ${ending}`.trim();
  });
}

function workedInstead(fix: string): string {
  return `${formatCode(fix)} worked instead`;
}

/** Names the project's command for a purpose, as `yore knowledge` does, with its evidence. Undefined if none is known. */
export function listCommand(purpose: Purpose, { project }: MemorySource): string | undefined {
  const fact = `${purpose}Command` as const;
  const { stack } = project.memory.knowledge();
  const command = stack.commands[fact];
  if (command === undefined) return undefined;
  const evidence = stack.evidence
    .filter((each) => each.fact === fact && each.value === command)
    .map((each) =>
      'file' in each
        ? `in ${formatCode(each.file)}`
        : `worked ${formatCount(each.runs, 'time')}, last on ${dayOf(each.lastRun)}`,
    );
  return [`- ${formatCode(command)}: ${evidence.join(', ')}`, ...suggestCommand(command)].join('\n');
}

/** Lists what was decided, about something or at all, as `yore decisions` does. Undefined if nothing was. */
export function listDecisions(about: string | undefined, { home, project }: MemorySource): string | undefined {
  const found = about === undefined ? project.memory.conclusions() : project.memory.conclusionsAbout(about);
  const lines = found.slice(0, MAX_LINES).map(({ text, quote, at, sessionId, replaced }) => {
    const [before] = replaced;
    const said = quote === text ? '' : `: ${formatQuote(quote)}`;
    const was = before === undefined ? '' : `; was ${formatQuote(before.text)}, until ${dayOf(at)}`;
    return `${formatText(text)}${said} (${formatSource(at, sessionId, home)}${was})`;
  });
  return finishList(formatSection('Decided and corrected:', lines), 'More: `yore decisions`.');
}

/** Lists what is known about the project, as `yore knowledge` does. Undefined if nothing is. */
export function listKnowledge({ project }: MemorySource): string | undefined {
  const { summary, bestPractices, antiPatterns, recurringTasks } = project.memory.knowledge().knowledge;
  const works = bestPractices.map(({ pattern, reason, evidence }) => {
    const why = reason === pattern ? '' : `: ${formatText(reason)}`;
    return `${formatText(pattern)}${why} (${formatText(evidence)})`;
  });
  const avoid = antiPatterns.map(({ pattern, reason, occurredAt, fix }) => {
    if (reason === pattern) return `${formatText(pattern)} (noted on ${dayOf(occurredAt)})`;
    const instead = fix === undefined ? '' : `; ${workedInstead(fix)}`;
    return `${formatCode(pattern)} (${dayOf(occurredAt)}): ${formatText(reason)}${instead}`;
  });
  const tasks = recurringTasks.map(
    ({ name, sessions, lastAt }) =>
      `${formatQuote(name)} (${formatCount(sessions, 'session')}, last on ${dayOf(lastAt)})`,
  );
  const lines = [
    ...(summary === '' ? [] : [formatText(summary), '']),
    ...formatSection('Best practices:', works.slice(0, MAX_LINES)),
    ...formatSection('Avoid:', avoid.slice(0, MAX_LINES)),
    ...formatSection('Recurring tasks:', tasks.slice(0, MAX_LINES)),
  ];
  return finishList(lines, 'More: `yore knowledge`.');
}

/** Lists the sessions that changed a file, the latest first, as the app does. Undefined if none did. */
export function listFileChanges(path: string, { home, project }: MemorySource): string | undefined {
  const { changes } = home.files.changes(project.info.projectHash, path);
  const lines = changes
    .filter(({ foreign }) => !foreign)
    .map(({ author, agent, request, title, at, sessionId }) => {
      const who = formatText(author ?? agent ?? 'someone');
      return `${who} for ${formatQuote(request ?? title)} (${formatSource(at, sessionId, home)})`;
    });
  const sessions = [...new Set(lines)].slice(0, MAX_LINES);
  return finishList(
    formatSection(`${formatCode(path)} was changed by:`, sessions),
    `Line by line: \`yore blame ${path}\`.`,
  );
}

/** The guard's warning for a message that is a command, as `yore check` gives it, and what worked instead. */
export function checkCommand(command: string, { home, project, now }: MemorySource): string | undefined {
  const timestamp = new Date(now()).toISOString();
  const warning = project.memory.check({ sessionId: 'chat', tool: 'Bash', input: { command }, timestamp });
  if (warning === undefined) return undefined;
  const { text, sessionId, fix } = warning;
  const evidence = sessionId === '' ? [] : [`Evidence: ${formatSession(sessionId, home)}`];
  return [...[...text.split('\n'), ...evidence].map((line) => `- ${line}`), ...suggestCommand(fix)].join('\n');
}
