import type { Knowledge, ProjectStack, Synthesis } from '../memory/index.ts';
import { oneLine } from '../text/one-line.ts';
import { fitLines } from './quoted-text.ts';

/** What the sessions of a project taught, as Markdown of at most `limit` characters. Empty when nothing is known. */
export function knowledgeText(name: string, { knowledge, stack }: Synthesis, limit: number): string {
  const sections: readonly (readonly [string, readonly string[]])[] = [
    ['To avoid', knowledge.antiPatterns.map(avoidLine)],
    ['What works', knowledge.bestPractices.map(practiceLine)],
    ['Commands', stack === undefined ? [] : commandLines(stack)],
    ['Order of work', knowledge.workflow.map(workflowLine)],
    ['Comes up again', knowledge.recurringTasks.map(taskLine)],
    ['Stack', stack === undefined ? [] : stackLines(stack)],
  ];
  const known = sections.filter(([, lines]) => lines.length > 0);
  if (known.length === 0) return '';
  const summary = oneLine(knowledge.summary, 400);
  return fitLines(
    [
      `# ${name}`,
      ...(summary === '' ? [] : [summary]),
      ...known.flatMap(([title, lines]) => ['', `## ${title}`, ...lines]),
    ],
    limit,
  ).join('\n');
}

function avoidLine({
  pattern,
  reason,
  occurredAt,
  count,
  alternative,
}: Knowledge['antiPatterns'][number]): string {
  const what = oneLine(pattern, 160);
  const why = oneLine(reason, 160);
  const often = count > 1 ? `${count} times, last ` : '';
  const instead = alternative === undefined ? '' : `; worked instead: \`${oneLine(alternative, 160)}\``;
  return `- \`${what}\`${why === '' || why === what ? '' : `: ${why}`} (${often}${occurredAt.slice(0, 10)})${instead}`;
}

function practiceLine({ pattern, reason, evidence }: Knowledge['bestPractices'][number]): string {
  const what = oneLine(pattern, 160);
  const notes = [oneLine(reason, 160), oneLine(evidence, 80)].filter((note) => note !== '' && note !== what);
  return `- ${what}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}`;
}

function commandLines({ patterns, beforeCommit }: ProjectStack): readonly string[] {
  const pairs: readonly (readonly [string, string | undefined])[] = [
    ['packages', patterns.packageManager],
    ['test', patterns.testCommand],
    ['build', patterns.buildCommand],
    ['lint', patterns.lintCommand],
    ['format', patterns.formatCommand],
    ['before commits', beforeCommit.join(', ') || undefined],
  ];
  return pairs.flatMap(([what, command]) =>
    command === undefined ? [] : [`- ${what}: \`${oneLine(command, 160)}\``],
  );
}

function workflowLine({ check, command, before, count, total }: Knowledge['workflow'][number]): string {
  return `- ${oneLine(check, 40)} (\`${oneLine(command, 160)}\`) before ${oneLine(before, 40)}: ${count} of ${total} times`;
}

function taskLine({ name, sessions, lastAt, example }: Knowledge['recurringTasks'][number]): string {
  return `- ${oneLine(name, 80)}: ${sessions} sessions, last ${lastAt.slice(0, 10)}, "${oneLine(example, 120)}"`;
}

function stackLines({ techStack }: ProjectStack): readonly string[] {
  const { languages, frameworks, tools } = techStack;
  return [...languages, ...frameworks, ...tools].slice(0, 20).map((name) => `- ${oneLine(name, 60)}`);
}
