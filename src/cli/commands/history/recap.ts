import type { Recap, RecapDay, RecapSession } from '../../../ask/recap.ts';
import type { WorkFailure } from '../../../ask/session-failures.ts';
import type { WorkRequest } from '../../../ask/session-work.ts';
import type { Home, Project } from '../../../project/index.ts';
import { formatCount } from '../../../text/format-count.ts';
import { createProjectReport } from '../../choose-project.ts';
import type { CommandRun } from '../../command.ts';
import { countOption, flagOption, spanOption, textOption } from '../../options.ts';
import { localTime } from '../../output/format.ts';
import type { Output } from '../../output/output.ts';
import { sanitiseLine } from '../../output/sanitise.ts';

const DEFAULT_DAYS = 7;
const MAX_REQUESTS = 8;
const MAX_COMMITS = 6;
const MAX_BRIEF_COMMITS = 2;
const MAX_BRIEF_FAILURES = 2;
const MAX_FAILURES = 4;
const MAX_FILES = 8;
const EMPTY_RECAP: Recap = {
  days: [],
  totals: { sessions: 0, requests: 0, commits: 0, failures: 0, files: 0 },
};

/** `yore recap`. */
export const runRecap: CommandRun = createProjectReport((project, context, options) => {
  const { output } = context;
  const span = spanOption(options, context.now());
  const maxDays = countOption(options, 'days') ?? DEFAULT_DAYS;
  const recap = project?.memory.recap({ ...span, days: maxDays }) ?? EMPTY_RECAP;
  const lines = ({ info }: Project, home: Home): string[] => {
    const name = sanitiseLine(info.displayName);
    if (recap.days.length > 0) {
      const look = { output, shortId: (id: string) => home.shortenSessionId(id) };
      const headline = output.wrap(formatHeadline(name, recap, output));
      const earlier = recap.days.length === maxDays ? [`earlier: yore recap --days ${maxDays * 4}`] : [];
      if (!flagOption(options, 'all')) return [...headline, ...screenLines(recap.days, earlier, look)];
      return [
        ...headline,
        ...recap.days.flatMap((day) => ['', ...recapDayLines(day, look)]),
        ...earlier.flatMap((hint) => ['', output.style.dim(hint)]),
      ];
    }
    const isFiltered = ['since', 'until'].some((option) => textOption(options, option) !== undefined);
    if (!isFiltered) return output.wrap(`Nothing is recorded for ${name} yet.`);
    const hint = output.style.dim('The latest days with activity: yore recap');
    return [...output.wrap(`No activity in ${name} in that time.`), hint];
  };
  return { json: recap, lines };
});

interface RecapLook {
  readonly output: Output;
  readonly shortId: (sessionId: string) => string;
}

/** `web-shop · 3 sessions on 2 days, 2026-06-01 to 2026-06-09: 12 requests, 4 commits, 9 files changed, 6 failures`. */
function formatHeadline(name: string, { days, totals }: Recap, { style, symbols }: Output): string {
  const counts = [
    formatCount(totals.requests, 'request'),
    formatCount(totals.commits, 'commit'),
    `${formatCount(totals.files, 'file')} changed`,
    formatCount(totals.failures, 'failure'),
  ].join(', ');
  const [last] = days;
  const first = days.at(-1);
  const dates = last === first ? last?.date : `${first?.date} to ${last?.date}`;
  const span = `${formatCount(totals.sessions, 'session')} on ${formatCount(days.length, 'day')}, ${dates}`;
  return `${style.bold(name)} ${style.dim(symbols.separator)} ${span}: ${counts}`;
}

/** Lines that a screen needs besides the sessions: the headline, the hint with a blank line, and the shell's prompt. */
const RESERVED_ROWS = 6;

/**
 * The latest days, as far as they fit on the screen: a row for each session, with its commits and what failed if there is
 * room for those of all sessions.
 */
function screenLines(days: readonly RecapDay[], earlier: readonly string[], look: RecapLook): string[] {
  const { output } = look;
  const room = output.out.terminal.rows - RESERVED_ROWS;
  const detailed = days.flatMap((day) => dayBlocks(day, look, true));
  const blocks = detailed.flat().length <= room ? detailed : days.flatMap((day) => dayBlocks(day, look, false));
  const shown: string[] = [];
  let count = 0;
  for (const block of blocks) {
    if (count > 0 && shown.length + block.length > room) break;
    shown.push(...block);
    count += 1;
  }
  const hidden = blocks.length - count;
  const more = hidden > 0 ? [`${formatCount(hidden, 'more session')}`] : [];
  return [...shown, '', ...output.wrapFacts([...more, 'details: yore recap --all', ...earlier]).map(output.style.dim)];
}

/** The lines of each session of a day; the first block begins with the date. */
function dayBlocks({ date, sessions }: RecapDay, { output, shortId }: RecapLook, isDetailed: boolean): string[][] {
  const { style, symbols } = output;
  const rows = output.table(
    [
      { cells: sessions.map(({ sessionId }) => style.yellow(sanitiseLine(shortId(sessionId)))) },
      { cells: sessions.map(({ startedAt }) => style.dim(localTime(startedAt).slice(11))) },
      {
        cells: sessions.map(({ title, requests }) => sanitiseLine(title ?? requests[0]?.text ?? '') || '(no request)'),
      },
    ],
    2,
  );
  return sessions.map(({ commits, failures }, index) => [
    ...(index === 0 ? ['', style.bold(date)] : []),
    rows[index] ?? '',
    ...(isDetailed
      ? [
          ...firstLines(commits, MAX_BRIEF_COMMITS, 'commit', output, ({ message }) =>
            output.clip(sanitiseLine(message), { indent: 6, marker: style.cyan(symbols.commit), maxLines: 1 }),
          ),
          ...[...failures.filter(({ open }) => open), ...failures.filter(({ fix }) => fix !== undefined)]
            .slice(0, MAX_BRIEF_FAILURES)
            .flatMap((failure) => failureLines(failure, output, 1)),
        ]
      : []),
  ]);
}

/** A day of a recap: its sessions with their requests, commits, failures and files. */
export function recapDayLines({ date, sessions }: RecapDay, look: RecapLook): string[] {
  const { style, symbols } = look.output;
  const count = style.dim(`${symbols.separator} ${formatCount(sessions.length, 'session')}`);
  return [
    look.output.truncate(`${style.bold(date)} ${count}`),
    ...sessions.flatMap((session) => sessionLines(session, look)),
  ];
}

function sessionLines(session: RecapSession, { output, shortId }: RecapLook): string[] {
  const { style, symbols } = output;
  const facts = [
    localTime(session.startedAt).slice(11),
    ...[session.agent, session.branch].filter((fact) => fact !== undefined).map(sanitiseLine),
    style.yellow(sanitiseLine(shortId(session.sessionId))),
  ];
  const messages = new Set(session.commits.slice(0, MAX_COMMITS).map(({ message }) => message));
  const requests = session.requests.filter(({ text }) => text !== '');
  return [
    ...output.wrapFacts(facts, 2).map(style.dim),
    ...(session.title === undefined ? [] : output.wrap(style.bold(sanitiseLine(session.title)), 2)),
    ...firstLines(requests, MAX_REQUESTS, 'request', output, (request) => requestLines(request, messages, output)),
    ...firstLines(session.commits, MAX_COMMITS, 'commit', output, ({ message, branch = session.branch }) => {
      const elsewhere = branch === session.branch ? [] : [sanitiseLine(branch ?? '')];
      return output.clip(output.join(sanitiseLine(message), ...elsewhere), {
        indent: 6,
        marker: style.cyan(symbols.commit),
      });
    }),
    ...firstLines(session.failures, MAX_FAILURES, 'failure', output, (failure) => failureLines(failure, output)),
    ...fileLines(session.files, output),
  ];
}

function firstLines<T>(
  items: readonly T[],
  max: number,
  noun: string,
  output: Output,
  render: (item: T, output: Output) => string[],
): string[] {
  const lines = items.slice(0, max).flatMap((item) => render(item, output));
  if (items.length <= max) return lines;
  const more = `    ${output.symbols.ellipsis} ${formatCount(items.length - max, `more ${noun}`)}`;
  return [...lines, output.truncate(output.style.dim(more))];
}

/** A request, and what was decided unless it is one of the commit messages that are shown below it. */
function requestLines(
  { text, outcome, decision }: WorkRequest,
  messages: ReadonlySet<string>,
  output: Output,
): string[] {
  const { style, symbols } = output;
  const marker =
    outcome === 'worked'
      ? style.green(symbols.success)
      : outcome === 'failed'
        ? style.red(symbols.failure)
        : style.cyan(symbols.pointer);
  const decided = { indent: 7, marker: style.dim(symbols.arrow), paint: style.dim };
  return [
    ...output.clip(sanitiseLine(text), { indent: 4, marker }),
    ...(decision === undefined || messages.has(decision) ? [] : output.clip(sanitiseLine(decision), decided)),
  ];
}

function failureLines({ what, error, fix, open }: WorkFailure, output: Output, maxLines = 2): string[] {
  const { style, symbols } = output;
  const reason = sanitiseLine(error);
  const solved = open ? '' : ' (worked later)';
  const ending = fix === undefined ? solved : ` ${symbols.arrow} ${sanitiseLine(fix)}`;
  const text = `${sanitiseLine(what)}${reason === '' ? '' : `: ${reason}`}${ending}`;
  return output.clip(text, { indent: 6, marker: style.red(symbols.failure), paint: style.dim, maxLines });
}

function fileLines(files: readonly string[], output: Output): string[] {
  if (files.length === 0) return [];
  const names = files.slice(0, MAX_FILES).map(sanitiseLine).join(', ');
  const more = files.length > MAX_FILES ? ` and ${files.length - MAX_FILES} more` : '';
  return output.clip(`files: ${names}${more}`, { indent: 4, paint: output.style.dim });
}
