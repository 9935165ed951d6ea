import type { SessionWork, WorkRequest } from '../../../ask/session-work.ts';
import { formatSteps } from '../../../ask/step-text.ts';
import type { Home, Project } from '../../../project/index.ts';
import { compareText } from '../../../text/compare-text.ts';
import { createListOptions, createProjectReport } from '../../choose-project.ts';
import type { CommandRun } from '../../command.ts';
import { countOption } from '../../options.ts';
import { relativeTime } from '../../output/format.ts';
import { practiceLines } from '../../output/memory-lines.ts';
import type { Output } from '../../output/output.ts';
import { sanitiseLine } from '../../output/sanitise.ts';

const DEFAULT_LIMIT = 20;
/** Sessions read per request shown, because not every session has a successful request. */
const SESSIONS_PER_REQUEST = 4;

/** `yore successes`. */
export const runSuccesses: CommandRun = createProjectReport((project, context, options) => {
  const { output } = context;
  const now = context.now();
  const limit = countOption(options, 'limit') ?? DEFAULT_LIMIT;
  const practices = project?.memory.knowledge().knowledge.bestPractices ?? [];
  const successes = findSuccesses(project?.memory.latestWork({ count: limit * SESSIONS_PER_REQUEST }) ?? []).slice(
    0,
    limit,
  );
  const requests = successes.map(({ sessionId, request: { text, ...rest } }) => ({
    sessionId,
    request: text,
    ...rest,
  }));
  const lines = ({ info }: Project, home: Home): string[] => {
    const { shortId } = createListOptions(home, context);
    const sections = [
      ['Best practices', ...practiceLines(practices, output)],
      ['Recent requests that worked', ...successes.flatMap((success) => successLines(success, shortId, output, now))],
    ].filter(({ length }) => length > 1);
    if (sections.length > 0) {
      return sections.flatMap(([title = '', ...rest]) => ['', output.style.bold(title), ...rest]).slice(1);
    }
    return [
      ...output.wrap(`No successes are recorded for ${sanitiseLine(info.displayName)} yet.`),
      ...output.wrap('To note one: yore remember TEXT').map(output.style.dim),
    ];
  };
  return { json: { practices, requests }, lines };
});

interface Success {
  readonly sessionId: string;
  readonly request: WorkRequest;
}

/** Requests with successful steps that the user did not call failed, the latest first. */
function findSuccesses(sessions: readonly SessionWork[]): readonly Success[] {
  return sessions
    .flatMap(({ sessionId, requests }) => requests.map((request) => ({ sessionId, request })))
    .filter(({ request }) => request.steps.length > 0 && request.outcome !== 'failed')
    .sort((a, b) => compareText(a.request.at, b.request.at))
    .reverse();
}

function successLines(
  { sessionId, request }: Success,
  shortId: (id: string) => string,
  output: Output,
  now: number,
): string[] {
  const { style, symbols } = output;
  const facts = [relativeTime(request.at, now), style.yellow(sanitiseLine(shortId(sessionId)))];
  const steps = formatSteps(request.steps).replaceAll('`', '').replaceAll(' → ', ` ${symbols.arrow} `);
  return [
    ...output.clip(sanitiseLine(request.text) || '(no request recorded)', {
      indent: 4,
      marker: style.green(symbols.success),
    }),
    ...output.clip(sanitiseLine(steps), { indent: 4, maxLines: 3 }),
    ...output.wrapFacts(facts, 4).map(style.dim),
  ];
}
