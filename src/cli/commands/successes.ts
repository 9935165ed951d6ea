import type { DigestRequest, SessionDigest } from '../../memory/index.ts';
import { stepsText } from '../../memory/recall/steps-text.ts';
import { projectInQuestion } from '../choose-project.ts';
import type { CommandContext, OptionValues } from '../command.ts';
import { nothingRecorded } from '../nothing-recorded.ts';
import { countOption, flagOption } from '../option-values.ts';
import { clipped } from '../output/indented.ts';
import type { Output } from '../output/output.ts';
import { practiceLines } from '../output/practice-list.ts';
import { sanitiseLine } from '../output/sanitise.ts';
import { relativeTime } from '../output/time.ts';
import { wrap } from '../output/width.ts';

const DEFAULT_LIMIT = 20;

/** `yore successes`. */
export async function runSuccesses(
  context: CommandContext,
  _args: readonly string[],
  options: OptionValues,
): Promise<void> {
  const { output } = context;
  const limit = countOption(options, 'limit') ?? DEFAULT_LIMIT;
  const home = await context.openHome();
  const project = projectInQuestion(home, options, context.cwd);
  const made = project?.memory.synthesise();
  const practices = made?.knowledge.bestPractices ?? [];
  // A session may hold no request that went well, so that more of them are looked at than are shown.
  const solved = solvedRequests(made?.book.recent(limit * 4, context.now()) ?? []).slice(0, limit);
  if (flagOption(options, 'json')) {
    const requests = solved.map(({ sessionId, request: { text, ...rest } }) => ({
      sessionId,
      request: text,
      ...rest,
    }));
    output.json({ project: project?.info.projectHash ?? null, practices, requests });
    return;
  }
  if (project === undefined) output.lines(...nothingRecorded(home, context));
  else if (practices.length + solved.length === 0) {
    output.lines(
      ...wrap(`No success of ${sanitiseLine(project.info.displayName)} is recorded yet.`, output.columns),
      ...wrap('Note one by hand: yore remember TEXT', output.columns).map(output.style.dim),
    );
  } else {
    const { style } = output;
    const sections = [
      ...(practices.length === 0
        ? []
        : [[style.bold('What works here'), ...practiceLines(practices, output)]]),
      ...(solved.length === 0
        ? []
        : [
            [
              style.bold('What worked lately'),
              ...solved.flatMap((each) => solvedLines(each, output, context.now())),
            ],
          ]),
    ];
    output.lines(...sections.flatMap((lines, index) => [...(index > 0 ? [''] : []), ...lines]));
  }
}

interface Solved {
  readonly sessionId: string;
  readonly request: DigestRequest;
}

/** Requests that something served, and that nobody called failed; the latest first. */
function solvedRequests(digests: readonly SessionDigest[]): readonly Solved[] {
  return digests
    .flatMap(({ sessionId, requests }) => requests.map((request) => ({ sessionId, request })))
    .filter(({ request }) => request.steps.length > 0 && request.outcome !== 'failed')
    .sort((a, b) => (a.request.at < b.request.at ? 1 : -1));
}

function solvedLines({ sessionId, request }: Solved, output: Output, now: number): string[] {
  const { style, symbols, columns } = output;
  const room = { columns, ellipsis: symbols.ellipsis };
  const sign = style.green(symbols.success);
  const facts = [relativeTime(request.at, now), style.yellow(sanitiseLine(sessionId))];
  const steps = stepsText(request.steps).replaceAll('`', '').replaceAll(' → ', ` ${symbols.arrow} `);
  return [
    ...clipped(sanitiseLine(request.text) || '(no request recorded)', { ...room, by: 4, sign }),
    ...clipped(sanitiseLine(steps), { ...room, by: 4, lines: 3 }),
    ...wrap(facts.join(` ${symbols.separator} `), columns - 4).map((line) => `    ${style.dim(line)}`),
  ];
}
