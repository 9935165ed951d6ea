import type { Recap, RecapDay, RecapSession, TimeSpan } from '../../memory/index.ts';
import { oneLine } from '../../text/one-line.ts';
import { CHAT_AGENT } from '../session-log.ts';
import type { Asked, MemorySource } from './memory-source.ts';
import { code, countOf, nothingRecorded, quoted, said, sessionName } from './memory-text.ts';
import { isWork } from './recent-work.ts';

/** Of a request, of what came of it, and of an error. */
const LONGEST = 120;
const MOST_SESSIONS = 8;
const MOST_REQUESTS = 5;
const MOST_FILES = 6;
const MOST_COMMITS = 4;
const MOST_FAILURES = 3;

/** What was worked on in a time, the latest first; when that is nothing, when there was something last. */
export function answerRecap(span: TimeSpan, asked: Asked, { project }: MemorySource): string {
  const days = worthTelling(project.memory.recap(span), asked);
  if (days.length > 0) return recapText(days);
  const [last] = worthTelling(project.memory.recap({ timeZone: span.timeZone ?? 'UTC' }), asked);
  if (last === undefined) return nothingRecorded(project.info.displayName);
  return `Nothing is recorded for that time. The last day with work:\n\n${recapText([last])}`;
}

function recapText(days: readonly RecapDay[]): string {
  const lines: string[] = [];
  let left = MOST_SESSIONS;
  for (const { date, sessions } of days) {
    if (left === 0) break;
    lines.push(`**${date}**`, '');
    for (const session of sessions.toReversed().slice(0, left)) lines.push(...sessionLines(session));
    lines.push('');
    left -= Math.min(left, sessions.length);
  }
  const more = days.reduce((sum, { sessions }) => sum + sessions.length, 0) - MOST_SESSIONS;
  if (more > 0) lines.push(`${countOf(more, 'more session')}: \`yore recap\`.`);
  return lines.join('\n').trim();
}

function worthTelling({ days }: Recap, asked: Asked): readonly RecapDay[] {
  return days
    .map(({ date, sessions }) => ({ date, sessions: sessions.filter((session) => isWork(session, asked)) }))
    .filter(({ sessions }) => sessions.length > 0);
}

function sessionLines({
  sessionId,
  agent,
  requests,
  files,
  commits,
  failures,
}: RecapSession): readonly string[] {
  const asked = requests.filter(({ text }) => text !== '');
  const who = agent === undefined || agent === CHAT_AGENT ? '' : `, ${said(agent)}`;
  const [first, ...others] = asked.slice(-MOST_REQUESTS).map(requestText);
  const earlier = asked.length - MOST_REQUESTS;
  const commitText = commits.slice(-MOST_COMMITS).map(({ message }) => quoted(message, LONGEST));
  return [
    `- ${first ?? 'work without a recorded request'} (session ${sessionName(sessionId)}${who})`,
    ...others.map((text) => `  - ${text}`),
    ...(earlier > 0 ? [`  - ${countOf(earlier, 'earlier request')}`] : []),
    ...(commitText.length > 0 ? [`  - committed: ${commitText.join(', ')}`] : []),
    ...(files.length > 0 ? [`  - changed: ${listed(files.map(code), MOST_FILES)}`] : []),
    ...failureLines(failures),
  ];
}

function requestText({ text, outcome, decision }: RecapSession['requests'][number]): string {
  const judged = outcome === undefined ? '' : `, which ${outcome}`;
  return `${quoted(text, LONGEST)}${judged}${decision === undefined ? '' : `: ${oneLine(decision, LONGEST)}`}`;
}

/** Those that stayed open or were solved in another way; the others were matters of a moment. */
function failureLines(failures: RecapSession['failures']): readonly string[] {
  const telling = failures.filter(({ open, resolution }) => open || resolution !== undefined);
  const shown = telling.slice(-MOST_FAILURES).map(({ what, error, resolution }) => {
    const why = error === '' ? '' : ` (${oneLine(error, LONGEST)})`;
    const instead = resolution === undefined ? '' : `; ${code(resolution)} worked instead`;
    return `  - failed: ${code(what)}${why}${instead}`;
  });
  const more = failures.length - shown.length;
  return more > 0 ? [...shown, `  - ${countOf(more, shown.length > 0 ? 'more failure' : 'failure')}`] : shown;
}

function listed(items: readonly string[], most: number): string {
  const more = items.length - most;
  return `${items.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
