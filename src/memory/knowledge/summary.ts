import type { ProjectStack } from '../stack/project-stack.ts';
import type { WorkflowStep } from './knowledge-file.ts';

const MOST_NAMES = 4;

/** One or two sentences about a project, from its stack and habits; empty when nothing is known. */
export function summaryOf(stack: ProjectStack | undefined, workflow: readonly WorkflowStep[]): string {
  return [stackSentence(stack), commandSentence(stack), habitSentence(workflow)]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

function stackSentence(stack: ProjectStack | undefined): string {
  if (!stack) return '';
  const { languages, frameworks } = stack.techStack;
  const made = languages.slice(0, MOST_NAMES);
  if (made.length === 0) return '';
  const used = frameworks.slice(0, MOST_NAMES);
  return `${list(made)} project${used.length > 0 ? ` with ${list(used)}` : ''}.`;
}

function commandSentence(stack: ProjectStack | undefined): string {
  if (!stack) return '';
  const { packageManager, testCommand, buildCommand } = stack.patterns;
  const parts = [
    ...(packageManager === undefined ? [] : [`packages with ${packageManager}`]),
    ...(testCommand === undefined ? [] : [`tests with \`${testCommand}\``]),
    ...(buildCommand === undefined ? [] : [`build with \`${buildCommand}\``]),
  ];
  const text = list(parts);
  return text === '' ? '' : `${text[0]?.toUpperCase()}${text.slice(1)}.`;
}

const CHECKED: Readonly<Record<string, string>> = {
  test: 'tests are run',
  lint: 'the code is checked',
  build: 'the project is built',
  format: 'the code is formatted',
};

function habitSentence(workflow: readonly WorkflowStep[]): string {
  const checks = workflow
    .filter(({ before }) => before === 'commit')
    .map(({ check }) => CHECKED[check] ?? check);
  return checks.length === 0 ? '' : `Before commits ${list(checks)}.`;
}

function list(items: readonly string[]): string {
  if (items.length <= 1) return items[0] ?? '';
  return `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}
