import { once } from '../../record/once.ts';
import { parseShell, type ShellCommand } from '../shell/parse-shell.ts';
import { unwrapCommand } from '../shell/unwrap.ts';
import {
  COMMAND_FACTS,
  COMMANDS,
  type CommandFact,
  type Ecosystem,
  INSTALLS,
  scriptCommand,
  scriptPurpose,
  TOOL_RUNNERS,
} from './command-table.ts';

/** A command that tests, builds, lints, formats or installs. */
export interface CommandUse {
  readonly fact: CommandFact | 'packageManager';
  /** The command for the whole project (`go test ./...`), or the name of the package manager. */
  readonly value: string;
  readonly ecosystem: Ecosystem;
  /** Where it runs, relative to the project; `''` is the root. */
  readonly folder: string;
  /** It is not narrowed to some files, tests or packages. */
  readonly whole: boolean;
}

/** The known commands of a shell line that runs in the folder `from`, in order. */
export function recogniseCommands(line: string, from = ''): readonly CommandUse[] {
  // Most lines contain none of the programs and need not be parsed.
  if (!knownProgram().test(line)) return [];
  const uses: CommandUse[] = [];
  for (const { words, folder } of findPrograms(line, from)) {
    const use = recogniseInstall(words) ?? recogniseScript(words) ?? recogniseTool(words);
    if (use) uses.push({ ...use, folder: joinFolders(folder, use.folder) });
  }
  return uses;
}

/** Programs that mean nothing without the script that they run. */
const INTERPRETERS: ReadonlySet<string> = new Set(['python', 'python3', 'node', 'tsx', 'bash', 'sh', 'ruby', 'php']);

/** The command of a line that runs a single program, for unknown scripts: `./scripts/test.sh`. */
export function findSingleCommand(
  line: string,
  from = '',
): { readonly value: string; readonly folder: string } | undefined {
  const [only, another] = findPrograms(line, from);
  if (!only || another) return undefined;
  const value = only.words.slice(0, significantWords(only.words)).join(' ');
  return value.includes('$') ? undefined : { value, folder: only.folder };
}

/** The number of words that identify a command: `mise run test:ci`, `python scripts/test.py`, `./test.sh`. */
function significantWords(words: readonly string[]): number {
  const program = words[0] ?? '';
  if (INTERPRETERS.has(program)) return 2;
  const between = Object.hasOwn(SCRIPT_RUNNERS, program) ? SCRIPT_RUNNERS[program]?.[0] : undefined;
  if (between === undefined) return 1;
  return between.test(words[1] ?? '') ? 3 : 2;
}

function recogniseInstall(words: readonly string[]): CommandUse | undefined {
  if (words.some((word) => /^(-g|--global|--help|-h|--dry-run)$/.test(word))) return undefined;
  const start = /^(python3?|py)$/.test(words[0] ?? '') && words[1] === '-m' ? 2 : 0;
  const line = words.slice(start).join(' ');
  // `yarn` without arguments installs.
  const row =
    line === 'yarn'
      ? (['yarn', 'node'] as const)
      : INSTALLS.find((entry) => entry[2].some((head) => startsWithWords(line, head)));
  if (!row) return undefined;
  return { fact: 'packageManager', value: row[0], ecosystem: row[1], folder: '', whole: true };
}

/** Script runners: the word between the runner and the script, and the ecosystem of the manifest. */
const SCRIPT_RUNNERS: Readonly<Record<string, readonly [between: RegExp, Ecosystem]>> = {
  npm: [/^(run|run-script|rum)$/, 'node'],
  pnpm: [/^run$/, 'node'],
  yarn: [/^run$/, 'node'],
  bun: [/^run$/, 'node'],
  deno: [/^task$/, 'deno'],
  composer: [/^(run|run-script)$/, 'php'],
  rake: [/^$/, 'ruby'],
  poe: [/^$/, 'python'],
  hatch: [/^run$/, 'python'],
  pdm: [/^run$/, 'python'],
  make: [/^$/, 'any'],
  just: [/^$/, 'any'],
  task: [/^$/, 'any'],
  mise: [/^(run|r)$/, 'any'],
  turbo: [/^run$/, 'any'],
  invoke: [/^$/, 'any'],
  nox: [/^-s$/, 'python'],
};
/** Runners that do something else without that word. */
const NEEDS_WORD: ReadonlySet<string> = new Set(['bun', 'deno', 'hatch', 'pdm', 'nox', 'mise']);
const FOLDER_OPTION = /^(--prefix|--cwd|--dir|-C|--directory)(?:=(.*))?$/;
const NARROWING_OPTION = /^(--filter|-F|-w|--workspace|-p|--package)(?:=(.*))?$/;

function recogniseScript(words: readonly string[]): CommandUse | undefined {
  const runner = words[0] ?? '';
  const row = Object.hasOwn(SCRIPT_RUNNERS, runner) ? SCRIPT_RUNNERS[runner] : undefined;
  if (!row) return undefined;
  let folder = '';
  let whole = true;
  let recursive = false;
  let hasWord = !NEEDS_WORD.has(runner);
  for (let at = 1; at < words.length; at++) {
    const word = words[at] ?? '';
    const option = FOLDER_OPTION.exec(word) ?? NARROWING_OPTION.exec(word);
    if (row[0].test(word)) hasWord = true;
    else if (option) {
      const value = option[2] ?? words[++at] ?? '';
      if (FOLDER_OPTION.test(word)) folder = value;
      else whole = false;
    } else if (word === '-r' || word === '--recursive') recursive = runner === 'pnpm';
    else if (!word.startsWith('-')) {
      const script = runner === 'npm' && word === 't' ? 'test' : word;
      const fact = hasWord ? scriptPurpose(script) : undefined;
      // `npm build` is not a script: npm requires `run` for all but `npm test`.
      if (!fact || (runner === 'npm' && script !== 'test' && !words.slice(1, at).some((w) => row[0].test(w))))
        return undefined;
      const value = scriptCommand(recursive ? 'pnpm -r' : runner, script);
      return { fact, value, ecosystem: row[1], folder, whole: whole && isWhole(words.slice(at + 1)) };
    }
  }
  return undefined;
}

interface Head {
  readonly fact: CommandFact;
  readonly ecosystem: Ecosystem;
  readonly head: string;
  readonly wholeForm: string;
}

/** Heads of commands by their first word, the longest first. */
const heads: () => ReadonlyMap<string, readonly Head[]> = once(headsByProgram);

function headsByProgram(): ReadonlyMap<string, readonly Head[]> {
  const byProgram = new Map<string, Head[]>();
  for (const [ecosystem, commands] of Object.entries(COMMANDS) as [Ecosystem, (typeof COMMANDS)[Ecosystem]][]) {
    for (const fact of COMMAND_FACTS) {
      for (const row of commands[fact]?.split(', ') ?? []) {
        const [head = '', wholeForm = head] = row.split(' => ');
        const known = byProgram.get(firstWord(head)) ?? [];
        byProgram.set(firstWord(head), [...known, { fact, ecosystem, head, wholeForm }]);
      }
    }
  }
  for (const rows of byProgram.values()) rows.sort((a, b) => b.head.length - a.head.length);
  return byProgram;
}

function firstWord(line: string): string {
  const space = line.indexOf(' ');
  return space < 0 ? line : line.slice(0, space);
}

/** Heads that count only as Python modules, because they are ordinary words. */
const PYTHON_MODULE = /^(build|unittest)$/;

/** Matches every line with a known command and few others, so that most lines need not be parsed. */
const knownProgram: () => RegExp = once(
  () => new RegExp(`(?:^|[^\\w-])(?:${[...new Set(programPatterns())].join('|')})(?![\\w-])`),
);

/** Patterns of whole heads; of script runners only the name, because options may follow. */
function* programPatterns(): Generator<string> {
  for (const runner of Object.keys(SCRIPT_RUNNERS)) yield runner;
  const known = [...heads().values()].flatMap((rows) => rows.map(({ head }) => head));
  for (const head of [...known, ...INSTALLS.flatMap((row) => row[2])]) {
    if (Object.hasOwn(SCRIPT_RUNNERS, firstWord(head))) continue;
    const written = PYTHON_MODULE.test(head) ? `-m ${head}` : head.replace(/^(gradle|mvn)\b/, '$1\\w*');
    yield written.replaceAll('.', '\\.').replaceAll(' ', '[\\s"\'\\\\]+');
  }
}

/** Options with which a tool does nothing else. */
const QUERY_OPTION = /^(--help|-h|--version|-V|--collect-only|--list|--noEmit|--dry-run)$/;
/** Options with which a formatter changes nothing. */
const CHECK_OPTION = /^(--check|--diff|-l|-d|--verify-no-changes|--check-formatted|--dry-run|--list-different)$/;

function recogniseTool(words: readonly string[]): CommandUse | undefined {
  let runner = '';
  let rest = words.join(' ');
  for (let depth = 0; depth < 3; depth++) {
    const found = findHead(rest, runner);
    if (found) return toCommandUse(found, runner, rest);
    const next = TOOL_RUNNERS.find((candidate) => startsWithWords(rest, candidate));
    if (next === undefined) return undefined;
    runner += `${next} `;
    rest = rest.slice(next.length + 1);
    const script = recogniseScript(rest.split(' '));
    if (script) return { ...script, value: runner + script.value };
  }
  return undefined;
}

function findHead(rest: string, runner: string): Head | undefined {
  const line = normaliseProgram(rest);
  const found = heads()
    .get(firstWord(line))
    ?.find((candidate) => startsWithWords(line, candidate.head));
  if (found && PYTHON_MODULE.test(found.head) && !/-m $/.test(runner)) return undefined;
  return found;
}

/** Normalises the program of a command: `./gradlew test` → `gradle test`, `vendor/bin/phpunit` → `phpunit`. */
function normaliseProgram(rest: string): string {
  const space = rest.indexOf(' ');
  const program = space < 0 ? rest : rest.slice(0, space);
  const name = program.slice(program.lastIndexOf('/') + 1).replace(/\.(exe|bat|cmd)$/, '');
  const known = name === 'gradlew' ? 'gradle' : name === 'mvnw' ? 'mvn' : name;
  return known + (space < 0 ? '' : rest.slice(space));
}

function toCommandUse(found: Head, runner: string, rest: string): CommandUse | undefined {
  const written = rest.split(' ')[0] ?? '';
  const more = normaliseProgram(rest)
    .slice(found.head.length)
    .split(' ')
    .filter((word) => word !== '');
  if (more.some((word) => QUERY_OPTION.test(word))) return undefined;
  if (found.fact === 'formatCommand' && more.some((word) => CHECK_OPTION.test(word))) return undefined;
  const isPath = written.includes('/');
  const value = isPath ? `${written}${found.wholeForm.slice(found.wholeForm.split(' ')[0]?.length)}` : found.wholeForm;
  return {
    fact: found.fact,
    value: runner + value,
    ecosystem: found.ecosystem,
    folder: '',
    whole: isWhole(more),
  };
}

const NARROWING = /^--?(filter|grep|run|tests|package|testNamePattern|test-name-pattern|p|k|t|g|m)(=|$)/;

function isWhole(more: readonly string[]): boolean {
  return more.every((word) => {
    if (/^(\.|\.\/|\.\/\.\.\.|--)$/.test(word)) return true;
    return word.startsWith('-') && !NARROWING.test(word);
  });
}

function startsWithWords(line: string, head: string): boolean {
  return line.startsWith(head) && (line.length === head.length || line[head.length] === ' ');
}

/** A program that a shell line runs. */
interface ProgramRun {
  /** Without assignments, redirections and wrappers, but with tool runners (`npx`, `uv run`). */
  readonly words: readonly string[];
  /** Where it runs, relative to the project; `''` is the root. */
  readonly folder: string;
}

/**
 * The programs of a line that runs in the folder `from`, in order, without later stages of pipelines, background
 * commands and both sides of `||`, where a failure is expected.
 */
function findPrograms(line: string, from: string): readonly ProgramRun[] {
  const runs: ProgramRun[] = [];
  const { pipelines } = parseShell(line);
  let folder = from;
  let outer = from;
  for (const [index, { commands, operator, background }] of pipelines.entries()) {
    const [command] = commands;
    if (!command || background || operator === '||' || pipelines[index + 1]?.operator === '||') continue;
    // A folder change in a subshell ends with it.
    if (!command.nested) folder = outer;
    const words = commandWords(command);
    if (words[0] === 'cd') folder = joinFolders(folder, words[1] ?? '');
    else if (words.length > 0) runs.push({ words, folder });
    if (!command.nested) outer = folder;
  }
  return runs;
}

/** Joins two relative folders. An absolute one counts as the root of the project, which is what agents type. */
export function joinFolders(folder: string, next: string): string {
  if (/^([/~$]|[A-Za-z]:)/.test(next)) return '';
  const parts = folder === '' ? [] : folder.split('/');
  for (const part of next.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/** Wrappers that are part of the command, as they are typed. */
const KEPT_WRAPPERS: ReadonlyMap<string, string> = new Map([
  ...TOOL_RUNNERS.map((runner) => [runner, runner] as const),
  ['npm exec', 'npm exec --'],
  ['mise exec', 'mise exec --'],
  ['mise x', 'mise x --'],
]);

function commandWords(command: ShellCommand): readonly string[] {
  const unwrapped = unwrapCommand(command);
  const runners = unwrapped.circumstances.flatMap((circumstance) => KEPT_WRAPPERS.get(circumstance)?.split(' ') ?? []);
  const [program = '', ...rest] = unwrapped.words.map((word) => word.text);
  // The absolute path of a program differs between machines; its name does not.
  const name = program.startsWith('/') ? program.slice(program.lastIndexOf('/') + 1) : program;
  return name === '' ? [] : [...runners, name, ...rest];
}
