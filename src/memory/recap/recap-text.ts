import { oneLine } from '../../text/one-line.ts';
import type { Recap, RecapSession } from './recap.ts';

const MOST_FILES = 6;

/** A recap as plain text for an agent: whole lines, at most `maxSize` characters. */
export function recapText(recap: Recap, maxSize: number): string {
  if (recap.days.length === 0) return fit(['Nothing is recorded for that time.'], maxSize);
  const { sessions, requests, commits, failures } = recap.totals;
  const lines = [
    `${count(sessions, 'session')}, ${count(requests, 'request')}, ${count(commits, 'commit')}, ${count(failures, 'failure')} on ${count(recap.days.length, 'day')}.`,
  ];
  for (const { date, sessions: ofDay } of recap.days) {
    lines.push(`## ${date}`);
    for (const session of ofDay) lines.push(...sessionLines(session));
  }
  return fit(lines, maxSize);
}

function sessionLines(session: RecapSession): readonly string[] {
  const { sessionId, agent, branch, requests, files, commits, failures } = session;
  const where = [agent, branch].filter((part) => part !== undefined).map((part) => oneLine(part, 60));
  const more = files.length - MOST_FILES;
  return [
    `Session ${oneLine(sessionId, 80)}${where.length > 0 ? ` (${where.join(', ')})` : ''}`,
    ...requests.flatMap(({ text, outcome, decision }) => {
      if (text === '') return [];
      const said = outcome === undefined ? '' : ` (${outcome})`;
      return [
        `- ${oneLine(text, 160)}${said}${decision === undefined ? '' : ` → ${oneLine(decision, 160)}`}`,
      ];
    }),
    ...commits.map(({ message }) => `  commit: ${oneLine(message, 160)}`),
    ...(files.length === 0
      ? []
      : [
          `  files: ${files
            .slice(0, MOST_FILES)
            .map((file) => oneLine(file, 120))
            .join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
        ]),
    ...failures.map(
      ({ what, error, resolution, open }) =>
        `  failed: ${oneLine(what, 120)}${error === '' ? '' : `: ${oneLine(error, 120)}`} (${
          resolution === undefined
            ? open
              ? 'open'
              : 'worked later'
            : `solved by ${oneLine(resolution, 120)}`
        })`,
    ),
  ];
}

function fit(lines: readonly string[], maxSize: number): string {
  let text = '';
  for (const line of lines) {
    const next = text === '' ? line : `${text}\n${line}`;
    if (next.length > maxSize) break;
    text = next;
  }
  return text;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
