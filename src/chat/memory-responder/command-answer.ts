import type { ProjectStack, SessionDigest } from '../../memory/index.ts';
import { compareText } from '../../text/compare-text.ts';
import { formatCount } from '../../text/format-count.ts';
import { listRecentWork } from './history-facts.ts';
import { formatCode, formatDay, formatText, formatWhen, suggestCommand } from './memory-text.ts';
import { countMatches, type MemorySource, type Task, taskPattern } from './question.ts';

const MAX_COMMANDS = 3;
const MAX_PRACTICES = 3;

/** The commands of the tech stack, by task. */
const STACK_COMMANDS: Readonly<Partial<Record<Task, keyof ProjectStack['commands']>>> = {
  test: 'testCommand',
  build: 'buildCommand',
  lint: 'lintCommand',
  format: 'formatCommand',
};

/** A command that worked for a task. */
interface WorkedCommand {
  readonly command: string;
  readonly count: number;
  readonly at: string;
  readonly sessionId: string;
}

/**
 * Names the command for a task, from the project's files and from what worked. `words` are the words of the question, which
 * rank the commands. Undefined if nothing is known.
 */
export function answerCommand(task: Task, words: readonly string[], source: MemorySource): string | undefined {
  const { knowledge, stack, store } = source.project.memory.synthesise();
  const known = STACK_COMMANDS[task];
  const named = known === undefined ? undefined : stack?.commands[known];
  const worked = findWorkedCommands(task, words, listRecentWork(source), store.counts.commands.toJSON());
  const practices = knowledge.bestPractices
    .filter(({ pattern }) => taskPattern(task).test(pattern) && pattern !== named)
    .filter(({ pattern }) => worked.every(({ command }) => command !== pattern))
    .slice(0, MAX_PRACTICES);
  const others = worked.filter(({ command }) => command !== named).slice(0, MAX_COMMANDS);
  if (named === undefined && others.length + practices.length === 0) return undefined;
  const ran = worked.find(({ command }) => command === named);
  return [
    ...(named === undefined ? [] : [`- ${formatCode(named)}: ${formatEvidence(named, stack, ran)}`]),
    ...others.map((each) => `- ${formatCode(each.command)}: ${formatWorked(each)}`),
    ...practices.map(({ pattern, evidence }) => `- ${formatText(pattern)} (${evidence})`),
    ...suggestCommand(named ?? others.find(({ command }) => suggestCommand(command).length > 0)?.command),
  ].join('\n');
}

function formatEvidence(command: string, stack: ProjectStack | undefined, ran: WorkedCommand | undefined): string {
  const file = stack?.evidence.find((each) => each.value === command && 'file' in each);
  const declared = file !== undefined && 'file' in file ? [`in ${formatCode(file.file)}`] : [];
  const runs = stack?.evidence.find((each) => each.value === command && 'runs' in each);
  if (ran !== undefined) return [...declared, formatWorked(ran)].join(', ');
  if (runs !== undefined && 'runs' in runs) {
    return [...declared, `worked ${formatCount(runs.runs, 'time')}, last on ${formatDay(runs.lastRun)}`].join(', ');
  }
  return declared.join(', ') || "from the project's files";
}

function formatWorked({ count, at, sessionId }: WorkedCommand): string {
  const often = count > 1 ? `worked ${count} times, last` : 'worked';
  return `${often} ${formatWhen(at, sessionId)}`;
}

/**
 * Commands that worked for a task: best match first, then those that worked most often. `counts` are those of the best
 * practices, which know all sessions; only commands that they leave out are counted in `digests`.
 */
function findWorkedCommands(
  task: Task,
  words: readonly string[],
  digests: readonly SessionDigest[],
  counts: readonly { readonly key: string; readonly count: number }[],
): readonly WorkedCommand[] {
  const found = new Map<string, WorkedCommand>();
  const counted = new Map(counts.map(({ key, count }) => [key, count]));
  for (const { sessionId, requests, commands } of digests) {
    // The steps of a request are also among the commands of the session, which come first.
    const seen = new Set<string>();
    for (const { kind, text, at, count } of [...commands, ...requests.flatMap(({ steps }) => steps)]) {
      if (seen.has(text) || !isCommandFor(task, kind, text)) continue;
      seen.add(text);
      const known = found.get(text);
      const newer = known === undefined || at > known.at ? { at, sessionId } : known;
      const total = counted.get(text) ?? (known?.count ?? 0) + count;
      found.set(text, { command: text, count: total, at: newer.at, sessionId: newer.sessionId });
    }
  }
  return [...found.values()].sort(
    (a, b) =>
      countMatches(b.command, words) - countMatches(a.command, words) || b.count - a.count || compareText(b.at, a.at),
  );
}

/** Tests, builds and the like have a kind of their own; commands that start or deploy are recognised by their words. */
function isCommandFor(task: Task, kind: string, command: string): boolean {
  if (command.includes('…')) return false;
  return task === 'start' || task === 'deploy' ? kind === 'run' && taskPattern(task).test(command) : kind === task;
}
