import { parseShell, type ShellCommand } from '../shell/parse-shell.ts';
import { unwrapCommand } from '../shell/unwrap.ts';
import { TOOL_RUNNERS } from './command-table.ts';

/** A program that a shell line runs for its own sake. */
export interface ProgramRun {
  /** Without assignments, redirections and wrappers; runners of tools (`npx`, `uv run`) are kept. */
  readonly words: readonly string[];
  /** Where it runs, relative to the project; `''` is its root. */
  readonly folder: string;
}

/**
 * The programs of a line typed in `from`, in order. Left out is what only reads another one's output, what runs
 * in the background, and what stands on either side of `||`: there a failure is expected or was the reason.
 */
export function programsRun(line: string, from: string): readonly ProgramRun[] {
  const runs: ProgramRun[] = [];
  const { pipelines } = parseShell(line);
  let folder = from;
  let outer = from;
  for (const [index, { commands, operator, background }] of pipelines.entries()) {
    const [command] = commands;
    if (!command || background || operator === '||' || pipelines[index + 1]?.operator === '||') continue;
    // What a subshell changes ends with it.
    if (!command.nested) folder = outer;
    const words = wordsOf(command);
    if (words[0] === 'cd') folder = joinFolders(folder, words[1] ?? '');
    else if (words.length > 0) runs.push({ words, folder });
    if (!command.nested) outer = folder;
  }
  return runs;
}

/** Joins two relative folders; an absolute one is taken for the project's root, which is what agents type. */
export function joinFolders(folder: string, next: string): string {
  if (/^([/~$]|[A-Za-z]:)/.test(next)) return '';
  const parts = folder === '' ? [] : folder.split('/');
  for (const part of next.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/** Circumstances that belong to the command, as they are typed. */
const KEPT: ReadonlyMap<string, string> = new Map([
  ...TOOL_RUNNERS.map((runner) => [runner, runner] as const),
  ['npm exec', 'npm exec --'],
  ['mise exec', 'mise exec --'],
  ['mise x', 'mise x --'],
]);

function wordsOf(command: ShellCommand): readonly string[] {
  const unwrapped = unwrapCommand(command);
  const runners = unwrapped.circumstances.flatMap((circumstance) => KEPT.get(circumstance)?.split(' ') ?? []);
  const [program = '', ...rest] = unwrapped.words.map((word) => word.text);
  // A program named by an absolute path is the same program elsewhere under its name.
  const name = program.startsWith('/') ? program.slice(program.lastIndexOf('/') + 1) : program;
  return name === '' ? [] : [...runners, name, ...rest];
}
