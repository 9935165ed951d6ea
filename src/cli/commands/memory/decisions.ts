import type { Conclusion } from '../../../ask/conclusions.ts';
import type { Home, Project } from '../../../project/index.ts';
import { YoreError } from '../../../record/index.ts';
import { omitUndefined } from '../../../record/object.ts';
import { formatCount, formatNumber } from '../../../text/format-count.ts';
import { createProjectReport, requireProject } from '../../choose-project.ts';
import type { CommandContext, CommandRun } from '../../command.ts';
import { choiceOption, countOption, flagOption } from '../../options.ts';
import { relativeTime } from '../../output/format.ts';
import { sanitiseLine } from '../../output/sanitise.ts';

const DEFAULT_LIMIT = 50;
const DAY_MS = 86_400_000;
const KINDS = ['decision', 'correction'] as const;

/** `yore decisions`. */
export const runDecisions: CommandRun = createProjectReport((project, context, options, args) => {
  const { output } = context;
  const limit = countOption(options, 'limit') ?? DEFAULT_LIMIT;
  const days = countOption(options, 'days');
  const words = args.join(' ');
  const filter = {
    all: flagOption(options, 'all'),
    ...omitUndefined({
      kind: choiceOption(options, 'kind', KINDS),
      words: words === '' ? undefined : words,
      since: days === undefined ? undefined : context.now() - days * DAY_MS,
    }),
  };
  const found = project?.memory.conclusions(filter) ?? [];
  const decisions = found.slice(0, limit);
  const lines = ({ info }: Project, home: Home): string[] => {
    const hints = (...texts: string[]): string[] => output.wrapFacts(texts).map(output.style.dim);
    const name = sanitiseLine(info.displayName);
    const isFiltered = days !== undefined || filter.kind !== undefined;
    if (found.length === 0 && words !== '') {
      return [
        ...output.wrap(`No decision or correction in ${name} has ${sanitiseLine(words)}.`),
        ...hints(`everything that was said: yore search ${sanitiseLine(words)}`),
      ];
    }
    if (found.length === 0) {
      return [
        ...output.wrap(`No ${isFiltered ? 'such ' : ''}decisions or corrections in ${name} yet.`),
        ...(isFiltered
          ? hints('without these filters: yore decisions')
          : hints('yore keeps what you decide in sessions', 'to note something yourself: yore remember TEXT')),
      ];
    }
    const more = found.length - decisions.length;
    return [
      ...decisions.flatMap((decision) => [...decisionLines(decision, home, context), '']),
      ...hints(
        ...(more > 0 ? [`${formatNumber(limit)} of ${formatNumber(found.length)}: --limit ${limit * 4}`] : []),
        'in other words: yore decisions edit ID TEXT',
        'never tell agents: yore decisions dismiss ID',
      ),
    ];
  };
  return { json: { total: found.length, decisions }, lines };
});

function decisionLines(decision: Conclusion, home: Home, { output, now }: CommandContext): string[] {
  const { style } = output;
  const facts = [
    style.yellow(decision.id),
    ...[
      decision.kind,
      relativeTime(decision.at, now()),
      ...(decision.count > 1 ? [`said ${formatCount(decision.count, 'time')}`] : []),
      `session ${sanitiseLine(home.shortenSessionId(decision.sessionId))}`,
      ...(decision.branch === undefined ? [] : [sanitiseLine(decision.branch)]),
    ].map(style.dim),
    ...stateWords(decision).map(style.yellow),
  ];
  const quote = sanitiseLine(decision.quote);
  const detail = { indent: 2, paint: style.dim };
  return [
    ...output.clip(sanitiseLine(decision.text), { maxLines: 4, paint: style.bold }),
    ...(sanitiseLine(decision.text).includes(quote) ? [] : output.clip(`"${quote}"`, detail)),
    ...(decision.corrects === undefined ? [] : output.clip(`refused: ${sanitiseLine(decision.corrects.what)}`, detail)),
    ...decision.replaced
      .slice(0, 1)
      .flatMap(({ text, at }) => output.clip(`was: ${sanitiseLine(text)} (${relativeTime(at, now())})`, detail)),
    ...output.wrapFacts(facts, 2),
  ];
}

function stateWords({ state, replacedBy, isPinned, isEdited, life }: Conclusion): string[] {
  return [
    ...(state === 'current' ? [] : [replacedBy === undefined ? state : `${state} by ${replacedBy}`]),
    ...(isPinned ? ['pinned'] : []),
    ...(isEdited ? ['edited'] : []),
    ...(life === 'durable' ? [] : [`for one ${life}`]),
  ];
}

/** What is said once a choice is made, by its command. */
const DONE = {
  edit: 'Edited. Agents are told:',
  dismiss: 'Dismissed. Agents are not told:',
  pin: 'Pinned. Agents are told first:',
  undo: 'Your last choice about it is undone:',
} as const;

/** `yore decisions edit`, `dismiss`, `pin` and `undo`. */
export function createDecisionCommand(choice: keyof typeof DONE): CommandRun {
  return async (context, [id = '', ...words], options) => {
    const { output, cwd } = context;
    const text = words.join(' ').trim();
    if (choice === 'edit' && text === '')
      throw new YoreError('USAGE', `Give the new text: yore decisions edit ${id} TEXT`);
    const home = await context.openHome();
    const project = requireProject(home, options, cwd);
    const decision = project.memory.chooseConclusion(choice, id, choice === 'edit' ? text : undefined);
    if (flagOption(options, 'json')) {
      output.json({ project: project.info.projectHash, decision });
      return;
    }
    const undo = choice === 'undo' ? [] : output.wrap(`To undo: yore decisions undo ${id}`);
    output.lines(
      ...output.wrap(DONE[choice]),
      ...output.clip(sanitiseLine(decision.text), { indent: 2, paint: output.style.bold }),
      ...undo.map(output.style.dim),
    );
  };
}
