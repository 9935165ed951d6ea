import type { Knowledge, RecapDay, RecapSession, TimeSpan } from '../../memory/index.ts';
import { CHAT_AGENT } from '../../record/index.ts';
import { formatCount } from '../../text/format-count.ts';
import { oneLine } from '../../text/one-line.ts';
import {
  explainNothingRecorded,
  formatCode,
  formatDay,
  formatQuote,
  formatSection,
  formatText,
  shortSessionId,
} from './memory-text.ts';
import type { MemorySource } from './question.ts';

const MAX_PRACTICES = 5;
const MAX_ANTI_PATTERNS = 4;
const MAX_TASKS = 3;

/** Describes the project as a whole. */
export function answerProject(source: MemorySource): string {
  const { info, memory } = source.project;
  const { knowledge, store } = memory.synthesise();
  const [last] = store.recent(1, source.now());
  const lines = [
    ...(knowledge.summary === '' ? [] : [formatText(knowledge.summary), '']),
    ...formatSection('What works:', practiceLines(knowledge)),
    ...formatSection('What to avoid:', avoidLines(knowledge)),
    ...formatSection('Recurring tasks:', taskLines(knowledge)),
  ];
  if (last === undefined && lines.length === 0) return explainNothingRecorded(info.displayName);
  const request = last?.requests.findLast(({ text }) => text !== '');
  const ended =
    last === undefined ? '' : `, ${store.sessionCount === 1 ? 'on' : 'the last on'} ${formatDay(last.endedAt)}`;
  const about = request === undefined ? '' : ` about ${formatQuote(request.text, 100)}`;
  return [
    `${formatText(info.displayName)}: ${formatCount(store.sessionCount, 'session')}${ended}${about}.`,
    '',
    ...lines,
  ]
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
export function answerRecap(span: TimeSpan, { project }: MemorySource): string {
  const { days } = project.memory.recap(span);
  if (days.length > 0) return formatRecap(days);
  const [last] = project.memory.recap({ timeZone: span.timeZone ?? 'UTC' }).days;
  if (last === undefined) return explainNothingRecorded(project.info.displayName);
  return `Nothing is recorded for that time. The most recent work:\n\n${formatRecap([last])}`;
}

function formatRecap(days: readonly RecapDay[]): string {
  const lines: string[] = [];
  let left = MAX_SESSIONS;
  // A session of several days is listed on each of them.
  const hidden = new Set(days.flatMap(({ sessions }) => sessions.map(({ sessionId }) => sessionId)));
  for (const { date, sessions } of days) {
    if (left === 0) break;
    lines.push(`**${date}**`, '');
    for (const session of sessions.toReversed().slice(0, left)) {
      lines.push(...sessionLines(session));
      hidden.delete(session.sessionId);
    }
    lines.push('');
    left -= Math.min(left, sessions.length);
  }
  if (hidden.size > 0) lines.push(`${formatCount(hidden.size, 'more session')}: \`yore recap\`.`);
  return lines.join('\n').trim();
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
