import { oneLine } from '../../text/one-line.ts';
import type { SessionDigest } from '../digest/session-digest.ts';
import type { Section } from './fit-sections.ts';
import { failureText } from './last-session.ts';
import { coded, quoted } from './safe-text.ts';

const FILES_PER_LINE = 4;

/** What a compaction loses of a session: requests, commands that worked, paths touched, decisions, open failures. */
export function sessionSections(digest: SessionDigest): readonly Section[] {
  const requests = digest.requests.filter(({ text }) => text !== '');
  const open = digest.failures.filter((failure) => failure.open);
  const solved = digest.failures.filter((failure) => failure.resolution !== undefined);
  return [
    {
      heading: 'Asked for (latest first):',
      lines: requests.map(({ text }) => `- ${quoted(text, 160)}`).toReversed(),
      first: 3,
    },
    {
      heading: 'Open failures:',
      lines: open.map((failure) => `- ${failureText(failure)}`).toReversed(),
      first: 3,
    },
    {
      heading: 'Commands that worked:',
      lines: digest.commands
        .map(({ text, count }) => `- ${coded(text)}${count > 1 ? ` (${count} times)` : ''}`)
        .toReversed(),
      first: 4,
    },
    { heading: 'Files changed (latest first):', lines: fileLines(digest.files), first: 4 },
    { heading: 'Decisions:', lines: decisionLines(digest), first: 3 },
    {
      heading: 'Failures that were solved:',
      lines: solved.map((failure) => `- ${failureText(failure)}`).toReversed(),
      first: 2,
    },
  ];
}

function fileLines(files: readonly string[]): readonly string[] {
  const lines: string[] = [];
  for (let at = 0; at < files.length; at += FILES_PER_LINE) {
    lines.push(
      `- ${files
        .slice(at, at + FILES_PER_LINE)
        .map((file) => oneLine(file, 120))
        .join(', ')}`,
    );
  }
  return lines;
}

/** What commits and replies said, the latest first, each once. */
function decisionLines(digest: SessionDigest): readonly string[] {
  const decided = digest.requests.flatMap(({ at, decision }) =>
    decision === undefined ? [] : [{ at, text: decision }],
  );
  const committed = digest.commits.map(({ at, message }) => ({ at, text: message }));
  const sorted = [...decided, ...committed].sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
  return [...new Set(sorted.map(({ text }) => `- ${oneLine(text, 160)}`))];
}
