import type { KnowledgeFile, ProjectStack, Synthesis } from '../../memory/index.ts';
import { projectInQuestion } from '../choose-project.ts';
import type { CommandContext, OptionValues } from '../command.ts';
import { nothingRecorded } from '../nothing-recorded.ts';
import { flagOption } from '../option-values.ts';
import { clipped } from '../output/indented.ts';
import type { Output } from '../output/output.ts';
import { avoidLines, practiceLines } from '../output/practice-list.ts';
import { countOf } from '../output/quantity.ts';
import { sanitise, sanitiseLine } from '../output/sanitise.ts';
import { relativeTime } from '../output/time.ts';
import { displayWidth, pad, wrap } from '../output/width.ts';

/** `yore knowledge`. */
export async function runKnowledge(
  context: CommandContext,
  _args: readonly string[],
  options: OptionValues,
): Promise<void> {
  const { output } = context;
  const home = await context.openHome();
  const project = projectInQuestion(home, options, context.cwd);
  const made = project?.memory.synthesise();
  if (flagOption(options, 'json')) {
    output.json({ project: project?.info.projectHash ?? null, ...(made === undefined ? {} : toJson(made)) });
    return;
  }
  if (project === undefined || made === undefined) {
    output.lines(...nothingRecorded(home, context));
    return;
  }
  const sections = sectionsOf(made, output, context.now());
  if (sections.length === 0) {
    output.lines(
      ...wrap(`Nothing is known of ${sanitiseLine(project.info.displayName)} yet.`, output.columns),
      ...wrap('It is learned from sessions. Note something by hand: yore remember TEXT', output.columns).map(
        output.style.dim,
      ),
    );
    return;
  }
  const head = [
    output.style.bold(sanitiseLine(project.info.displayName)),
    ...wrap(sanitise(made.knowledge.summary), output.columns).filter((line) => line !== ''),
  ];
  output.lines(...head, ...sections.flatMap(([title, lines]) => ['', output.style.bold(title), ...lines]));
}

type Section = readonly [title: string, lines: readonly string[]];

function sectionsOf({ knowledge, stack }: Synthesis, output: Output, now: number): readonly Section[] {
  const sections: readonly Section[] = [
    ['Stack', stack === undefined ? [] : pairLines(stackPairs(stack), output)],
    ['Commands', stack === undefined ? [] : pairLines(commandPairs(stack), output)],
    ['To avoid', avoidLines(knowledge.antiPatterns, output, now)],
    ['What works', practiceLines(knowledge.bestPractices, output)],
    ['Order of work', workflowLines(knowledge.workflow, output)],
    ['Comes up again', taskLines(knowledge.recurringTasks, output, now)],
    ['Conventions', pairLines(conventionPairs(knowledge.conventions), output)],
  ];
  return sections.filter(([, lines]) => lines.length > 0);
}

type Pair = readonly [name: string, value: string | undefined];

function stackPairs({ techStack }: ProjectStack): readonly Pair[] {
  return [
    ['languages', techStack.languages.join(', ')],
    ['frameworks', techStack.frameworks.join(', ')],
    ['tools', techStack.tools.join(', ')],
  ];
}

function commandPairs({ patterns, beforeCommit }: ProjectStack): readonly Pair[] {
  return [
    ['packages', patterns.packageManager],
    ['test', patterns.testCommand],
    ['build', patterns.buildCommand],
    ['lint', patterns.lintCommand],
    ['format', patterns.formatCommand],
    ['before commits', beforeCommit.join(', ')],
  ];
}

function conventionPairs({
  testPattern,
  importStyle,
  formatter,
}: KnowledgeFile['conventions']): readonly Pair[] {
  return [
    ['test files', testPattern],
    ['imports', importStyle],
    ['formatter', formatter],
  ];
}

function pairLines(pairs: readonly Pair[], output: Output): string[] {
  const { style, symbols, columns } = output;
  const known = pairs.flatMap(([name, value]) => (value ? [{ name, value: sanitiseLine(value) }] : []));
  const width = Math.max(0, ...known.map(({ name }) => displayWidth(name)));
  return known.flatMap(({ name, value }) =>
    clipped(value, {
      by: width + 4,
      columns,
      ellipsis: symbols.ellipsis,
      sign: `  ${style.dim(pad(name, width))} `,
      lines: 4,
    }),
  );
}

function workflowLines(workflow: KnowledgeFile['workflow'], output: Output): string[] {
  const { symbols, style, columns } = output;
  return workflow.flatMap(({ before, check, command, count, total }) => {
    const text = `${check} (${sanitiseLine(command)}) before ${before} ${symbols.separator} ${count} of ${total}`;
    return clipped(text, {
      by: 4,
      columns,
      ellipsis: symbols.ellipsis,
      sign: style.cyan(symbols.arrow.at(-1) ?? ''),
    });
  });
}

function taskLines(tasks: KnowledgeFile['recurringTasks'], output: Output, now: number): string[] {
  const { style, symbols, columns } = output;
  const room = { columns, ellipsis: symbols.ellipsis };
  return tasks.flatMap(({ name, sessions, lastAt, example }) => {
    const facts = `${countOf(sessions, 'session')}, last ${relativeTime(lastAt, now)}: ${sanitiseLine(example)}`;
    return [
      ...clipped(sanitiseLine(name), { ...room, by: 4, sign: style.cyan(symbols.pointer) }),
      ...clipped(facts, { ...room, by: 6, paint: style.dim }),
    ];
  });
}

function toJson({ knowledge, stack }: Synthesis): object {
  const { v: _version, ...known } = knowledge;
  if (stack === undefined) return known;
  const { techStack, patterns, beforeCommit } = stack;
  return { ...known, techStack, patterns, beforeCommit };
}
