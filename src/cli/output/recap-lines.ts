import type { DigestRequest, RecapDay, RecapSession, SessionFailure } from '../../memory/index.ts';
import { clipped } from './indented.ts';
import type { Output } from './output.ts';
import { countOf } from './quantity.ts';
import { sanitiseLine } from './sanitise.ts';
import { localTime } from './time.ts';
import { truncate, wrap } from './width.ts';

const MOST_REQUESTS = 8;
const MOST_COMMITS = 6;
const MOST_FAILURES = 4;
const MOST_FILES = 8;

/** A day of a recap: its sessions with what was asked, what came of it, commits, files and failures. */
export function recapDayLines({ date, sessions }: RecapDay, output: Output): string[] {
  const { style, symbols } = output;
  const head = `${style.bold(date)} ${style.dim(`${symbols.separator} ${countOf(sessions.length, 'session')}`)}`;
  return [
    truncate(head, output.columns, symbols.ellipsis),
    ...sessions.flatMap((session) => sessionLines(session, output)),
  ];
}

function sessionLines(session: RecapSession, output: Output): string[] {
  const { style, symbols, columns } = output;
  const facts = [
    localTime(session.startedAt).slice(11),
    ...[session.agent, session.branch].filter((fact) => fact !== undefined).map(sanitiseLine),
    style.yellow(sanitiseLine(session.sessionId)),
  ].join(` ${symbols.separator} `);
  return [
    ...wrap(facts, columns - 2).map((line) => `  ${style.dim(line)}`),
    ...listed(
      session.requests.filter(({ text }) => text !== ''),
      MOST_REQUESTS,
      'request',
      output,
      requestLines,
    ),
    ...listed(session.commits, MOST_COMMITS, 'commit', output, ({ message }) =>
      clipped(sanitiseLine(message), { ...roomOf(output), by: 6, sign: style.cyan(symbols.commit) }),
    ),
    ...listed(session.failures, MOST_FAILURES, 'failure', output, failureLines),
    ...fileLines(session.files, output),
  ];
}

function roomOf({ columns, symbols }: Output): { readonly columns: number; readonly ellipsis: string } {
  return { columns, ellipsis: symbols.ellipsis };
}

function listed<T>(
  items: readonly T[],
  most: number,
  noun: string,
  output: Output,
  render: (item: T, output: Output) => string[],
): string[] {
  const shown = items.slice(0, most).flatMap((item) => render(item, output));
  const left = items.length - most;
  if (left <= 0) return shown;
  const { style, symbols, columns } = output;
  const more = style.dim(`    ${symbols.ellipsis} ${countOf(left, `more ${noun}`)}`);
  return [...shown, truncate(more, columns, symbols.ellipsis)];
}

function requestLines({ text, outcome, decision }: DigestRequest, output: Output): string[] {
  const { style, symbols } = output;
  const sign =
    outcome === 'worked'
      ? style.green(symbols.success)
      : outcome === 'failed'
        ? style.red(symbols.failure)
        : style.cyan(symbols.pointer);
  return [
    ...clipped(sanitiseLine(text), { ...roomOf(output), by: 4, sign }),
    ...(decision === undefined
      ? []
      : clipped(sanitiseLine(decision), {
          ...roomOf(output),
          by: 7,
          sign: style.dim(symbols.arrow),
          paint: style.dim,
        })),
  ];
}

function failureLines({ what, error, resolution, open }: SessionFailure, output: Output): string[] {
  const { style, symbols } = output;
  const ending =
    resolution === undefined
      ? open
        ? ''
        : ' (worked later)'
      : ` ${symbols.arrow} ${sanitiseLine(resolution)}`;
  const reason = sanitiseLine(error);
  const text = `${sanitiseLine(what)}${reason === '' ? '' : `: ${reason}`}${ending}`;
  return clipped(text, { ...roomOf(output), by: 6, sign: style.red(symbols.failure), paint: style.dim });
}

function fileLines(files: readonly string[], output: Output): string[] {
  if (files.length === 0) return [];
  const names = files.slice(0, MOST_FILES).map(sanitiseLine).join(', ');
  const more = files.length > MOST_FILES ? ` and ${files.length - MOST_FILES} more` : '';
  return clipped(`files: ${names}${more}`, { ...roomOf(output), by: 4, paint: output.style.dim });
}
