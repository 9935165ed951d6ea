import { oneLine } from '../../text/one-line.ts';
import type { SessionDigest } from '../digest/session-digest.ts';
import type { AntiPattern, BestPractice, KnowledgeFile } from '../knowledge/knowledge-file.ts';
import type { ProjectStack } from '../stack/project-stack.ts';
import type { Section } from './fit-sections.ts';
import { lastSessionLines } from './last-session.ts';
import { coded, quoted } from './safe-text.ts';

const SUMMARY_CHARACTERS = 400;
const MOST_NAMES = 8;

/** What the history of a project teaches, the most useful first. */
export function projectSections(
  input: {
    readonly knowledge?: KnowledgeFile | undefined;
    readonly stack?: ProjectStack | undefined;
    readonly recent: readonly SessionDigest[];
  },
  now: number,
): readonly Section[] {
  const { knowledge, stack, recent } = input;
  return [
    { heading: '', lines: summaryLines(knowledge), first: 1 },
    { heading: 'Known failures:', lines: (knowledge?.antiPatterns ?? []).map(failureLine), first: 4 },
    { heading: 'What works:', lines: (knowledge?.bestPractices ?? []).map(practiceLine), first: 4 },
    { heading: '', lines: stackLines(stack), first: 1 },
    { heading: 'Last time:', lines: recent.flatMap((digest) => lastSessionLines(digest, now)), first: 3 },
    { heading: '', lines: taskLines(knowledge), first: 0 },
  ];
}

function summaryLines(knowledge: KnowledgeFile | undefined): readonly string[] {
  const summary = oneLine(knowledge?.summary ?? '', SUMMARY_CHARACTERS);
  return summary === '' ? [] : [`Summary: ${summary}`];
}

function failureLine({ pattern, reason, occurredAt, count, alternative }: AntiPattern): string {
  if (reason === pattern) return `- ${oneLine(pattern, 140)} (noted on ${day(occurredAt)})`;
  const why = reason === '' ? '' : ` failed: ${quoted(reason, 140)}`;
  const often = count > 1 ? `${count} times, last on ` : '';
  const instead = alternative === undefined ? '' : `; ${coded(alternative)} worked instead`;
  return `- ${coded(pattern)}${why} (${often}${day(occurredAt)})${instead}`;
}

function practiceLine({ pattern, reason, evidence }: BestPractice): string {
  const why = reason === '' || reason === pattern ? '' : `: ${oneLine(reason, 140)}`;
  return `- ${oneLine(pattern, 140)}${why} (${oneLine(evidence, 80)})`;
}

function stackLines(stack: ProjectStack | undefined): readonly string[] {
  if (!stack) return [];
  const { languages, frameworks, tools } = stack.techStack;
  const parts = [languages, frameworks, tools]
    .map((names) =>
      names
        .slice(0, MOST_NAMES)
        .map((name) => oneLine(name, 40))
        .join(', '),
    )
    .filter((names) => names !== '');
  return parts.length === 0 ? [] : [`Tech stack: ${parts.join(' | ')}`];
}

function taskLines(knowledge: KnowledgeFile | undefined): readonly string[] {
  const tasks = (knowledge?.recurringTasks ?? []).slice(0, 5);
  if (tasks.length === 0) return [];
  return [
    `Recurring tasks: ${tasks.map(({ name, sessions }) => `${oneLine(name, 60)} (${sessions} sessions)`).join(', ')}`,
  ];
}

function day(timestamp: string): string {
  return oneLine(timestamp, 40).slice(0, 10);
}
