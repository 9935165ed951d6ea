import type { Knowledge } from '../../memory/index.ts';
import type { Asked, MemorySource } from './memory-source.ts';
import { code, countOf, day, nothingRecorded, quoted, said } from './memory-text.ts';
import { recentWork } from './recent-work.ts';

const MOST_PRACTICES = 5;
const MOST_TO_AVOID = 4;
const MOST_TASKS = 3;

/** What is known of the project as a whole. */
export function answerProject(asked: Asked, source: MemorySource): string {
  const { info, memory } = source.project;
  const { knowledge } = memory.synthesise();
  const work = recentWork(asked, source);
  const lines = [
    ...(knowledge.summary === '' ? [] : [said(knowledge.summary), '']),
    ...listed('What works:', practiceLines(knowledge)),
    ...listed('What to avoid:', avoidLines(knowledge)),
    ...listed('Comes up again and again:', taskLines(knowledge)),
  ];
  if (work.length === 0 && lines.length === 0) return nothingRecorded(info.displayName);
  const [last] = work;
  const request = last?.requests.findLast(({ text }) => text !== '');
  const ended =
    last === undefined ? '' : `, ${work.length === 1 ? 'on' : 'the last on'} ${day(last.endedAt)}`;
  const about = request === undefined ? '' : ` about ${quoted(request.text, 100)}`;
  return [`${said(info.displayName)}: ${countOf(work.length, 'session')}${ended}${about}.`, '', ...lines]
    .join('\n')
    .trim();
}

function practiceLines({ bestPractices }: Knowledge): readonly string[] {
  return bestPractices
    .slice(0, MOST_PRACTICES)
    .map(({ pattern, reason, evidence }) =>
      reason === pattern
        ? `- ${said(pattern)} (${evidence})`
        : `- ${said(pattern)}: ${said(reason)} (${evidence})`,
    );
}

function avoidLines({ antiPatterns }: Knowledge): readonly string[] {
  return antiPatterns.slice(0, MOST_TO_AVOID).map(({ pattern, reason, occurredAt, alternative }) => {
    if (reason === pattern) return `- ${said(pattern)} (noted on ${day(occurredAt)})`;
    const instead = alternative === undefined ? '' : `; ${code(alternative)} worked instead`;
    return `- ${code(pattern)} (${day(occurredAt)}): ${said(reason)}${instead}`;
  });
}

function taskLines({ recurringTasks }: Knowledge): readonly string[] {
  return recurringTasks
    .slice(0, MOST_TASKS)
    .map(
      ({ example, sessions, lastAt }) =>
        `- ${quoted(example)} (${countOf(sessions, 'session')}, last on ${day(lastAt)})`,
    );
}

function listed(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, '', ...lines, ''];
}
