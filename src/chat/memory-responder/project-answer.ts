import type { Knowledge, Recap, RecapDay, RecapSession, TimeSpan } from '../../memory/index.ts';
import { formatCount } from '../../text/format-count.ts';
import { oneLine } from '../../text/one-line.ts';
import { CHAT_AGENT } from '../chat-session.ts';
import { hasWork, listRecentWork } from './history-facts.ts';
import {
  explainNothingRecorded,
  formatCode,
  formatDay,
  formatQuote,
  formatSection,
  formatText,
  shortSessionId,
} from './memory-text.ts';
import type { MemoryQuestion, MemorySource } from './question.ts';

const MAX_PRACTICES = 5;
const MAX_ANTI_PATTERNS = 4;
const MAX_TASKS = 3;

/** Describes the project as a whole. */
export function answerProject(asked: MemoryQuestion, source: MemorySource): string {
  const { info, memory } = source.project;
  const { knowledge } = memory.synthesise();
  const work = listRecentWork(asked, source);
  const lines = [
    ...(knowledge.summary === '' ? [] : [formatText(knowledge.summary), '']),
    ...formatSection('What works:', practiceLines(knowledge)),
    ...formatSection('What to avoid:', avoidLines(knowledge)),
    ...formatSection('Recurring tasks:', taskLines(knowledge)),
  ];
  if (work.length === 0 && lines.length === 0) return explainNothingRecorded(info.displayName);
  const [last] = work;
  const request = last?.requests.findLast(({ text }) => text !== '');
  const ended = last === undefined ? '' : `, ${work.length === 1 ? 'on' : 'the last on'} ${formatDay(last.endedAt)}`;
  const about = request === undefined ? '' : ` about ${formatQuote(request.text, 100)}`;
  return [`${formatText(info.displayName)}: ${formatCount(work.length, 'session')}${ended}${about}.`, '', ...lines]
    .join('\n')
    .trim();
}

function practiceLines({ bestPractices }: Knowledge): readonly string[] {
  return bestPractices
    .slice(0, MAX_PRACTICES)
    .map(({ pattern, reason, evidence }) =>
      reason === pattern
        ? `- ${formatText(pattern)} (${evidence})`
        : `- ${formatText(pattern)}: ${formatText(reason)} (${evidence})`,
    );
}

function avoidLines({ antiPatterns }: Knowledge): readonly string[] {
  return antiPatterns.slice(0, MAX_ANTI_PATTERNS).map(({ pattern, reason, occurredAt, alternative }) => {
    if (reason === pattern) return `- ${formatText(pattern)} (noted on ${formatDay(occurredAt)})`;
    const instead = alternative === undefined ? '' : `; ${formatCode(alternative)} worked instead`;
    return `- ${formatCode(pattern)} (${formatDay(occurredAt)}): ${formatText(reason)}${instead}`;
  });
}

function taskLines({ recurringTasks }: Knowledge): readonly string[] {
  return recurringTasks
    .slice(0, MAX_TASKS)
    .map(
      ({ example, sessions, lastAt }) =>
        `- ${formatQuote(example)} (${formatCount(sessions, 'session')}, last on ${formatDay(lastAt)})`,
    );
}

/** The length of requests, outcomes and errors. */
const MAX_LINE_LENGTH = 120;
const MAX_SESSIONS = 8;
const MAX_REQUESTS = 5;
const MAX_FILES = 6;
const MAX_COMMITS = 4;
const MAX_RECAP_FAILURES = 3;

/** Lists what was worked on in a time span, latest first; if there was nothing, the most recent work. */
export function answerRecap(span: TimeSpan, asked: MemoryQuestion, { project }: MemorySource): string {
  const days = daysWithWork(project.memory.recap(span), asked);
  if (days.length > 0) return formatRecap(days);
  const [last] = daysWithWork(project.memory.recap({ timeZone: span.timeZone ?? 'UTC' }), asked);
  if (last === undefined) return explainNothingRecorded(project.info.displayName);
  return `Nothing is recorded for that time. The most recent work:\n\n${formatRecap([last])}`;
}

function formatRecap(days: readonly RecapDay[]): string {
  const lines: string[] = [];
  let left = MAX_SESSIONS;
  for (const { date, sessions } of days) {
    if (left === 0) break;
    lines.push(`**${date}**`, '');
    for (const session of sessions.toReversed().slice(0, left)) lines.push(...sessionLines(session));
    lines.push('');
    left -= Math.min(left, sessions.length);
  }
  const more = days.reduce((sum, { sessions }) => sum + sessions.length, 0) - MAX_SESSIONS;
  if (more > 0) lines.push(`${formatCount(more, 'more session')}: \`yore recap\`.`);
  return lines.join('\n').trim();
}

function daysWithWork({ days }: Recap, asked: MemoryQuestion): readonly RecapDay[] {
  return days
    .map(({ date, sessions }) => ({ date, sessions: sessions.filter((session) => hasWork(session, asked)) }))
    .filter(({ sessions }) => sessions.length > 0);
}

function sessionLines({ sessionId, agent, requests, files, commits, failures }: RecapSession): readonly string[] {
  const asked = requests.filter(({ text }) => text !== '');
  const who = agent === undefined || agent === CHAT_AGENT ? '' : `, ${formatText(agent)}`;
  const [first, ...others] = asked.slice(-MAX_REQUESTS).map(formatRequest);
  const earlier = asked.length - MAX_REQUESTS;
  const commitText = commits.slice(-MAX_COMMITS).map(({ message }) => formatQuote(message, MAX_LINE_LENGTH));
  return [
    `- ${first ?? 'work without a recorded request'} (session ${shortSessionId(sessionId)}${who})`,
    ...others.map((text) => `  - ${text}`),
    ...(earlier > 0 ? [`  - ${formatCount(earlier, 'earlier request')}`] : []),
    ...(commitText.length > 0 ? [`  - committed: ${commitText.join(', ')}`] : []),
    ...(files.length > 0 ? [`  - changed: ${joinLimited(files.map(formatCode), MAX_FILES)}`] : []),
    ...failureLines(failures),
  ];
}

function formatRequest({ text, outcome, decision }: RecapSession['requests'][number]): string {
  const judged = outcome === undefined ? '' : `, which ${outcome}`;
  return `${formatQuote(text, MAX_LINE_LENGTH)}${judged}${decision === undefined ? '' : `: ${oneLine(decision, MAX_LINE_LENGTH)}`}`;
}

/** Failures that stayed open or were solved in another way; others are only counted. */
function failureLines(failures: RecapSession['failures']): readonly string[] {
  const relevant = failures.filter(({ open, resolution }) => open || resolution !== undefined);
  const shown = relevant.slice(-MAX_RECAP_FAILURES).map(({ what, error, resolution }) => {
    const why = error === '' ? '' : ` (${oneLine(error, MAX_LINE_LENGTH)})`;
    const instead = resolution === undefined ? '' : `; ${formatCode(resolution)} worked instead`;
    return `  - failed: ${formatCode(what)}${why}${instead}`;
  });
  const more = failures.length - shown.length;
  return more > 0 ? [...shown, `  - ${formatCount(more, shown.length > 0 ? 'more failure' : 'failure')}`] : shown;
}

function joinLimited(items: readonly string[], limit: number): string {
  const more = items.length - limit;
  return `${items.slice(0, limit).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
