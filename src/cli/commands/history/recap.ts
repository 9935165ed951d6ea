import type { DigestRequest, Recap, RecapDay, RecapSession, SessionFailure } from '../../../memory/index.ts';
import type { Project } from '../../../project/index.ts';
import { formatCount } from '../../../text/format-count.ts';
import { createProjectReport } from '../../choose-project.ts';
import type { CommandRun } from '../../command.ts';
import { countOption, spanOption, textOption } from '../../options.ts';
import { localTime } from '../../output/format.ts';
import type { Output } from '../../output/output.ts';
import { sanitiseLine } from '../../output/sanitise.ts';

const DEFAULT_DAYS = 7;
const MAX_REQUESTS = 8;
const MAX_COMMITS = 6;
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
  const lines = ({ info }: Project): string[] => {
    if (recap.days.length > 0) {
      return [
        ...recap.days.flatMap((day) => [...recapDayLines(day, output), '']),
        ...output.wrap(formatTotals(recap, maxDays, output)).map(output.style.dim),
      ];
    }
    const name = sanitiseLine(info.displayName);
    const isFiltered = ['since', 'until'].some((option) => textOption(options, option) !== undefined);
    if (!isFiltered) return output.wrap(`Nothing is recorded for ${name} yet.`);
    const hint = output.style.dim('The latest days with activity: yore recap');
    return [...output.wrap(`No activity in ${name} in that time.`), hint];
  };
  return { json: recap, lines };
});

function formatTotals({ days, totals }: Recap, maxDays: number, output: Output): string {
  const counts = [
    formatCount(days.length, 'day'),
    formatCount(totals.sessions, 'session'),
    formatCount(totals.requests, 'request'),
    formatCount(totals.commits, 'commit'),
    formatCount(totals.files, 'file'),
    formatCount(totals.failures, 'failure'),
  ].join(', ');
  return days.length === maxDays ? output.join(counts, `more: --days ${maxDays * 4}`) : counts;
}

/** A day of a recap: its sessions with their requests, commits, failures and files. */
export function recapDayLines({ date, sessions }: RecapDay, output: Output): string[] {
  const { style, symbols } = output;
  const count = style.dim(`${symbols.separator} ${formatCount(sessions.length, 'session')}`);
  return [
    output.truncate(`${style.bold(date)} ${count}`),
    ...sessions.flatMap((session) => sessionLines(session, output)),
  ];
}

function sessionLines(session: RecapSession, output: Output): string[] {
  const { style, symbols } = output;
  const facts = [
    localTime(session.startedAt).slice(11),
    ...[session.agent, session.branch].filter((fact) => fact !== undefined).map(sanitiseLine),
    style.yellow(sanitiseLine(session.sessionId)),
  ];
  const requests = session.requests.filter(({ text }) => text !== '');
  return [
    ...output.wrap(output.join(...facts), 2).map(style.dim),
    ...(session.title === undefined ? [] : output.wrap(style.bold(sanitiseLine(session.title)), 2)),
    ...firstLines(requests, MAX_REQUESTS, 'request', output, requestLines),
    ...firstLines(session.commits, MAX_COMMITS, 'commit', output, ({ message }) =>
      output.clip(sanitiseLine(message), { indent: 6, marker: style.cyan(symbols.commit) }),
    ),
    ...firstLines(session.failures, MAX_FAILURES, 'failure', output, failureLines),
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

function requestLines({ text, outcome, decision }: DigestRequest, output: Output): string[] {
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
    ...(decision === undefined ? [] : output.clip(sanitiseLine(decision), decided)),
  ];
}

function failureLines({ what, error, resolution, open }: SessionFailure, output: Output): string[] {
  const { style, symbols } = output;
  const reason = sanitiseLine(error);
  const solved = open ? '' : ' (worked later)';
  const ending = resolution === undefined ? solved : ` ${symbols.arrow} ${sanitiseLine(resolution)}`;
  const text = `${sanitiseLine(what)}${reason === '' ? '' : `: ${reason}`}${ending}`;
  return output.clip(text, { indent: 6, marker: style.red(symbols.failure), paint: style.dim });
}

function fileLines(files: readonly string[], output: Output): string[] {
  if (files.length === 0) return [];
  const names = files.slice(0, MAX_FILES).map(sanitiseLine).join(', ');
  const more = files.length > MAX_FILES ? ` and ${files.length - MAX_FILES} more` : '';
  return output.clip(`files: ${names}${more}`, { indent: 4, paint: output.style.dim });
}
