import { compareText } from '../../text/compare-text.ts';
import { quote, quoteCode } from '../../text/recorded-text.ts';
import type { SessionDigest, SessionFailure } from '../digest/session-digest.ts';

/** A part of a briefing: a heading with lines below it, the most useful first. */
export interface Section {
  /** Empty for lines without a heading. */
  readonly heading: string;
  readonly lines: readonly string[];
  /** Number of lines that take precedence over the remaining lines of other sections. */
  readonly first: number;
}

/**
 * Formats sections below a title with at most `limit` characters, in whole lines. Every section gets its first lines,
 * then the remaining ones as far as there is room. Empty when no line fits.
 */
export function fitSections(title: string, sections: readonly Section[], limit: number): string {
  let room = limit - title.length;
  const taken = sections.map(() => 0);
  for (const round of ['first', 'rest'] as const) {
    for (const [index, { heading, lines, first }] of sections.entries()) {
      const end = round === 'first' ? Math.min(first, lines.length) : lines.length;
      for (let at = taken[index] ?? 0; at < end; at++) {
        const line = lines[at] ?? '';
        const cost = line.length + 1 + (at === 0 && heading !== '' ? heading.length + 1 : 0);
        if (cost > room) break;
        room -= cost;
        taken[index] = at + 1;
      }
    }
  }
  const text = sections.flatMap(({ heading, lines }, index) => {
    const kept = lines.slice(0, taken[index]);
    return kept.length === 0 || heading === '' ? kept : [heading, ...kept];
  });
  return text.length === 0 ? '' : [title, ...text].join('\n');
}

/** What a compaction loses of a session: requests, commands that worked, changed files, decisions, failures. */
export function sessionSections(digest: SessionDigest): readonly Section[] {
  const requests = digest.requests.filter(({ text }) => text !== '');
  const open = digest.failures.filter((failure) => failure.open);
  const resolved = digest.failures.filter((failure) => failure.resolution !== undefined);
  return [
    {
      heading: 'Requests (latest first):',
      lines: requests.map(({ text }) => `- ${quote(text, 160)}`).toReversed(),
      first: 3,
    },
    {
      heading: 'Open failures:',
      lines: open.map((failure) => `- ${formatFailure(failure)}`).toReversed(),
      first: 3,
    },
    {
      heading: 'Commands that worked:',
      lines: digest.commands
        .map(({ text, count }) => `- ${quoteCode(text)}${count > 1 ? ` (${count} times)` : ''}`)
        .toReversed(),
      first: 4,
    },
    { heading: 'Files changed (latest first):', lines: fileLines(digest.files), first: 4 },
    { heading: 'Decisions:', lines: decisionLines(digest), first: 3 },
    {
      heading: 'Resolved failures:',
      lines: resolved.map((failure) => `- ${formatFailure(failure)}`).toReversed(),
      first: 2,
    },
  ];
}

/** A failure in words, with its resolution. */
export function formatFailure({ what, error, resolution }: SessionFailure): string {
  const why = error === '' ? '' : ` failed with ${quote(error, 120)}`;
  const instead = resolution === undefined ? '' : `; ${quoteCode(resolution)} worked instead`;
  return `${quoteCode(what)}${why}${instead}`;
}

const FILES_PER_LINE = 4;

function fileLines(files: readonly string[]): readonly string[] {
  const lines: string[] = [];
  for (let at = 0; at < files.length; at += FILES_PER_LINE) {
    const names = files.slice(at, at + FILES_PER_LINE).map((file) => quoteCode(file));
    lines.push(`- ${names.join(', ')}`);
  }
  return lines;
}

/** Decisive lines of commits and replies, the latest first, without duplicates. */
function decisionLines(digest: SessionDigest): readonly string[] {
  const decided = digest.requests.flatMap(({ at, decision }) =>
    decision === undefined ? [] : [{ at, text: decision }],
  );
  const committed = digest.commits.map(({ at, message }) => ({ at, text: message }));
  const sorted = [...decided, ...committed].sort((a, b) => compareText(b.at, a.at));
  return [...new Set(sorted.map(({ text }) => `- ${quote(text, 160)}`))];
}
