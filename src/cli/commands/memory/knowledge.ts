import type { Knowledge } from '../../../ask/knowledge.ts';
import type { Project } from '../../../project/index.ts';
import type { ProjectKnowledge } from '../../../project/project-memory.ts';
import type { ProjectStack } from '../../../stack/project-stack.ts';
import { formatCount } from '../../../text/format-count.ts';
import { createProjectReport } from '../../choose-project.ts';
import type { CommandRun } from '../../command.ts';
import { relativeTime } from '../../output/format.ts';
import { avoidLines, practiceLines } from '../../output/memory-lines.ts';
import type { Output } from '../../output/output.ts';
import { sanitise, sanitiseLine } from '../../output/sanitise.ts';
import { displayWidth, pad } from '../../output/width.ts';

/** `yore knowledge`. */
export const runKnowledge: CommandRun = createProjectReport((project, context) => {
  const { output } = context;
  const known = project?.memory.knowledge();
  const lines = ({ info }: Project): string[] => {
    const name = sanitiseLine(info.displayName);
    const sections = known ? toSections(known, output, context.now()) : [];
    if (sections.length === 0) {
      const hint = 'yore learns from sessions. To note something yourself: yore remember TEXT';
      return [...output.wrap(`Nothing is known about ${name} yet.`), ...output.wrap(hint).map(output.style.dim)];
    }
    return [
      output.style.bold(name),
      ...output.wrap(sanitise(known?.knowledge.summary ?? '')).filter((line) => line !== ''),
      ...sections.flatMap(([title, rest]) => ['', output.style.bold(title), ...rest]),
    ];
  };
  return { json: known ? toJson(known) : {}, lines };
});

type Section = readonly [title: string, lines: readonly string[]];

function toSections({ knowledge, stack }: ProjectKnowledge, output: Output, now: number): readonly Section[] {
  const { testPattern, importStyle, formatter } = knowledge.conventions;
  const conventions = { 'test files': testPattern, imports: importStyle, formatter };
  const sections: readonly Section[] = [
    ['Tech stack', fieldLines(toStackFields(stack), output)],
    ['Commands', fieldLines(toCommandFields(stack), output)],
    ['Avoid', avoidLines(knowledge.antiPatterns, output, now)],
    ['Best practices', practiceLines(knowledge.bestPractices, output)],
    ['Usual workflow', workflowLines(knowledge.workflow, output)],
    ['Recurring tasks', taskLines(knowledge.recurringTasks, output, now)],
    ['Conventions', fieldLines(conventions, output)],
  ];
  return sections.filter(([, lines]) => lines.length > 0);
}

type Fields = Readonly<Record<string, string | undefined>>;

function toStackFields({ techStack: { languages, frameworks, tools } }: ProjectStack): Fields {
  return { languages: languages.join(', '), frameworks: frameworks.join(', '), tools: tools.join(', ') };
}

function toCommandFields({ commands, beforeCommit }: ProjectStack): Fields {
  return {
    packages: commands.packageManager,
    test: commands.testCommand,
    build: commands.buildCommand,
    lint: commands.lintCommand,
    format: commands.formatCommand,
    'type check': commands.typecheckCommand,
    run: commands.runCommand,
    'before commits': beforeCommit.join(', '),
  };
}

function fieldLines(fields: Fields, output: Output): string[] {
  const known = Object.entries(fields).flatMap(([name, value]) =>
    value ? [{ name, value: sanitiseLine(value) }] : [],
  );
  const width = Math.max(0, ...known.map(({ name }) => displayWidth(name)));
  return known.flatMap(({ name, value }) => {
    const marker = `  ${output.style.dim(pad(name, width))} `;
    return output.clip(value, { indent: width + 4, marker, maxLines: 4 });
  });
}

function workflowLines(workflow: Knowledge['workflow'], output: Output): string[] {
  const marker = output.style.cyan(output.symbols.arrow.at(-1) ?? '');
  return workflow.flatMap(({ before, check, command, count, total }) => {
    const step = `${check} (${sanitiseLine(command)}) before ${before}`;
    return output.clip(output.join(step, `${count} of ${total} times`), { indent: 4, marker });
  });
}

function taskLines(tasks: Knowledge['recurringTasks'], output: Output, now: number): string[] {
  const { style, symbols } = output;
  return tasks.flatMap(({ name, sessions, lastAt }) => {
    const when = `${formatCount(sessions, 'session')}, last ${relativeTime(lastAt, now)}`;
    return [
      ...output.clip(sanitiseLine(name), { indent: 4, marker: style.cyan(symbols.pointer) }),
      ...output.clip(when, { indent: 6, paint: style.dim }),
    ];
  });
}

function toJson({ knowledge, stack: { commands, beforeCommit } }: ProjectKnowledge): object {
  return { ...knowledge, patterns: commands, beforeCommit };
}
