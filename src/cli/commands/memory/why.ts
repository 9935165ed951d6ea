import {
  findWarningEnding,
  type Home,
  type Project,
  type WarningEnding,
  type WarningHistory,
} from '../../../project/index.ts';
import { omitUndefined } from '../../../record/object.ts';
import { formatCount, formatNumber } from '../../../text/format-count.ts';
import { createProjectReport } from '../../choose-project.ts';
import type { CommandRun } from '../../command.ts';
import { countOption } from '../../options.ts';
import { relativeTime } from '../../output/format.ts';
import { formatConfidence } from '../../output/memory-lines.ts';
import type { Output } from '../../output/output.ts';
import { sanitise, sanitiseLine } from '../../output/sanitise.ts';

const DEFAULT_LIMIT = 10;

/** `yore why`. */
export const runWhy: CommandRun = createProjectReport(
  (project, context, options) => {
    const { output } = context;
    const limit = countOption(options, 'limit') ?? DEFAULT_LIMIT;
    const all = project?.memory.warnings(Number.POSITIVE_INFINITY) ?? [];
    const shown = all.slice(0, limit);
    const overrides = countOverrides(all);
    const warnings = shown.map((entry) => toJson(entry, context.now()));
    const lines = ({ info }: Project, home: Home): string[] => {
      if (shown.length === 0) {
        return [
          ...output.wrap(`No warnings have been given in ${sanitiseLine(info.displayName)} yet.`),
          ...output.wrap('What yore warns about: yore failures').map(output.style.dim),
        ];
      }
      const summary = output.join(formatCount(all.length, 'warning'), formatOverrides(overrides));
      return [
        ...shown.flatMap((warning) => [
          ...warningLines(warning, home.shortenSessionId(warning.warning.sessionId), output, context.now()),
          '',
        ]),
        ...output.wrap(summary).map(output.style.dim),
      ];
    };
    return { json: { total: all.length, overrides, warnings }, lines };
  },
  { readsSessions: false },
);

/** Calls made in spite of a warning. */
interface Overrides {
  readonly total: number;
  readonly succeeded: number;
  /** Share of those that succeeded; absent if there are none. */
  readonly successRate?: number;
}

function countOverrides(all: readonly WarningHistory[]): Overrides {
  const overridden = all.filter(({ override }) => override !== undefined);
  const total = overridden.length;
  const succeeded = overridden.filter(({ override }) => override?.succeeded).length;
  const successRate = total === 0 ? undefined : Math.round((succeeded / total) * 1000) / 1000;
  return { total, succeeded, ...omitUndefined({ successRate }) };
}

function formatOverrides({ total, succeeded }: Overrides): string {
  if (total === 0) return 'none overridden';
  const rate = Math.round((succeeded / total) * 100);
  return `${formatNumber(total)} overridden, ${formatNumber(succeeded)} of them successfully (${rate}%)`;
}

/** How a warning ended: its text, sign and colour. */
const ENDINGS: Readonly<
  Record<
    WarningEnding,
    readonly [text: string, sign: 'success' | 'failure' | 'neutral', colour: 'green' | 'red' | 'dim']
  >
> = {
  open: ['pending', 'neutral', 'dim'],
  heeded: ['heeded: not run', 'success', 'green'],
  'overridden-failed': ['overridden, and it failed again', 'failure', 'red'],
  'overridden-succeeded': ['overridden, and it succeeded: the warning was wrong', 'neutral', 'dim'],
};

function warningLines(entry: WarningHistory, sessionId: string, output: Output, now: number): string[] {
  const { style, symbols } = output;
  const { warning, failureId } = entry;
  const [ending, sign, colour] = ENDINGS[findWarningEnding(entry, now)];
  const facts = [
    relativeTime(warning.timestamp, now),
    ...(warning.agent === undefined ? [] : [sanitiseLine(warning.agent)]),
    formatConfidence(warning.confidence),
    style.yellow(sanitiseLine(failureId)),
    `session ${sanitiseLine(sessionId)}`,
  ];
  return [
    ...output.clip(sanitiseLine(warning.what), {
      indent: 2,
      marker: style.yellow(symbols.warning),
      paint: style.bold,
    }),
    ...sanitise(warning.text)
      .split('\n')
      .flatMap((line) => output.clip(line, { indent: 4, maxLines: 3 })),
    ...output.clip(ending, { indent: 6, marker: style[colour](symbols[sign]), paint: style[colour] }),
    ...output.wrapFacts(facts, 4).map(style.dim),
  ];
}

function toJson(entry: WarningHistory, now: number): unknown {
  const { id, timestamp, sessionId, agent, what, text, confidence, attemptId } = entry.warning;
  return {
    id,
    failure: entry.failureId,
    timestamp,
    sessionId,
    ...omitUndefined({ agent }),
    what,
    text,
    confidence,
    attemptId,
    ended: findWarningEnding(entry, now),
    ...omitUndefined({ endedAt: entry.override?.timestamp }),
  };
}
