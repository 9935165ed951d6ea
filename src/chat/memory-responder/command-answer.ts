import type { ProjectStack, SessionDigest } from '../../memory/index.ts';
import type { Asked, MemorySource } from './memory-source.ts';
import { code, countOf, day, said, suggestion, when } from './memory-text.ts';
import { type Task, taskWords } from './question.ts';
import { recentWork } from './recent-work.ts';
import { wordsIn } from './subject.ts';

const MOST_COMMANDS = 3;
const MOST_PRACTICES = 3;

/** What the project's own files and habits call a command for. */
const FACTS: Readonly<Partial<Record<Task, keyof ProjectStack['patterns']>>> = {
  test: 'testCommand',
  build: 'buildCommand',
  lint: 'lintCommand',
  format: 'formatCommand',
};

/** A command that worked for a task. */
interface Worked {
  readonly command: string;
  readonly count: number;
  readonly at: string;
  readonly sessionId: string;
}

/**
 * Which command does something here, as the project's files and what worked say; `words` is what else the question names.
 * Undefined when nothing is known.
 */
export function answerCommand(
  task: Task,
  words: readonly string[],
  asked: Asked,
  source: MemorySource,
): string | undefined {
  const { knowledge, stack } = source.project.memory.synthesise();
  const fact = FACTS[task];
  const named = fact === undefined ? undefined : stack?.patterns[fact];
  const worked = commandsFor(task, words, recentWork(asked, source));
  const practices = knowledge.bestPractices
    .filter(({ pattern }) => taskWords(task).test(pattern) && pattern !== named)
    .filter(({ pattern }) => worked.every(({ command }) => command !== pattern))
    .slice(0, MOST_PRACTICES);
  const others = worked.filter(({ command }) => command !== named).slice(0, MOST_COMMANDS);
  if (named === undefined && others.length + practices.length === 0) return undefined;
  const ran = worked.find(({ command }) => command === named);
  return [
    ...(named === undefined ? [] : [`- ${code(named)}: ${evidenceFor(named, stack, ran)}`]),
    ...others.map((each) => `- ${code(each.command)}: ${workedText(each)}`),
    ...practices.map(({ pattern, evidence }) => `- ${said(pattern)} (${evidence})`),
    ...suggestion(named ?? others.find(({ command }) => suggestion(command).length > 0)?.command),
  ].join('\n');
}

function evidenceFor(command: string, stack: ProjectStack | undefined, ran: Worked | undefined): string {
  const file = stack?.evidence.find((each) => each.value === command && 'file' in each);
  const declared = file !== undefined && 'file' in file ? [`in ${code(file.file)}`] : [];
  const runs = stack?.evidence.find((each) => each.value === command && 'runs' in each);
  if (ran !== undefined) return [...declared, workedText(ran)].join(', ');
  if (runs !== undefined && 'runs' in runs) {
    return [...declared, `worked ${countOf(runs.runs, 'time')}, last on ${day(runs.lastRun)}`].join(', ');
  }
  return declared.join(', ') || "by the project's files";
}

function workedText({ count, at, sessionId }: Worked): string {
  const often = count > 1 ? `worked ${count} times, last` : 'worked';
  return `${often} ${when(at, sessionId)}`;
}

/** Commands that worked for a task: those that fit the question best, then those that worked most often. */
function commandsFor(
  task: Task,
  words: readonly string[],
  digests: readonly SessionDigest[],
): readonly Worked[] {
  const found = new Map<string, Worked>();
  for (const { sessionId, requests, commands } of digests) {
    for (const { kind, text, at, count } of [...requests.flatMap(({ steps }) => steps), ...commands]) {
      if (!isFor(task, kind, text)) continue;
      const known = found.get(text);
      const newer = known === undefined || at > known.at ? { at, sessionId } : known;
      // A step of a request is among the commands of the session, too.
      const total =
        known === undefined ? count : known.sessionId === sessionId ? known.count : known.count + count;
      found.set(text, { command: text, count: total, at: newer.at, sessionId: newer.sessionId });
    }
  }
  return [...found.values()].sort(
    (a, b) =>
      wordsIn(b.command, words) - wordsIn(a.command, words) || b.count - a.count || (a.at < b.at ? 1 : -1),
  );
}

/** Tests and the like are recorded as what they are; what starts or deploys a project is known by its words. */
function isFor(task: Task, kind: string, command: string): boolean {
  if (command.includes('…')) return false;
  return task === 'start' || task === 'deploy'
    ? kind === 'run' && taskWords(task).test(command)
    : kind === task;
}
