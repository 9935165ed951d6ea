import { posix } from 'node:path';
import { once } from '../../record/once.ts';
import { isAbsolute, relativePath } from '../call/describe-call.ts';
import { parseShell, type ShellCommand } from '../shell/parse-shell.ts';
import { unwrapCommand } from '../shell/unwrap.ts';
import {
  COMMAND_FACTS,
  COMMANDS,
  type CommandFact,
  type Ecosystem,
  INSTALLS,
  SHORT_SCRIPTS,
  scriptCommand,
  scriptPurpose,
  TOOL_RUNNERS,
} from './command-table.ts';

/** A command that tests, builds, lints, formats, checks types, runs the program or installs. */
export interface CommandUse {
  readonly fact: CommandFact | 'packageManager';
  /** The command for the whole project (`go test ./...`), or the name of the package manager. */
  readonly value: string;
  readonly ecosystem: Ecosystem;
  /** Where it runs, relative to the project; `''` is the root. */
  readonly folder: string;
  /** It is not narrowed to some files, tests or packages. */
  readonly whole: boolean;
  /** It runs a script of a manifest or a target of a task runner, which shows that there is one. */
  readonly isScript: boolean;
}

/** Where a shell line runs. */
export interface ShellPlace {
  /** Relative to the project. Default: its root. */
  readonly folder?: string;
  /** The folder of the checkout. Without it, an absolute folder counts as the root, which is what agents type. */
  readonly root?: string | undefined;
}

/** The known commands of a shell line, in order; not those outside the checkout. */
export function recogniseCommands(line: string, place: ShellPlace = {}): readonly CommandUse[] {
  // Most lines contain none of the programs and need not be parsed.
  if (!knownProgram().test(line)) return [];
  const uses: CommandUse[] = [];
  for (const { words, folder } of findPrograms(line, place)) {
    const use = recogniseInstall(words) ?? recogniseScript(words) ?? recogniseTool(words);
    const inner = use && enterFolder(folder, use.folder, place.root);
    if (use && inner !== undefined) uses.push({ ...use, folder: inner });
  }
  return uses;
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
  return { fact: 'packageManager', value: row[0], ecosystem: row[1], folder: '', whole: true, isScript: false };
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
      // `npm build` is not a script: npm requires `run` for all but a few.
      const isShort = SHORT_SCRIPTS.has(script);
      // `yarn tsc` and `bun run eslint` run a tool unless there is such a script.
      if (runsTools(runner) && heads().has(script) && !PYTHON_MODULE.test(script)) return undefined;
      if (!fact || (runner === 'npm' && !isShort && !words.slice(1, at).some((w) => row[0].test(w)))) return undefined;
      const value = scriptCommand(recursive ? 'pnpm -r' : runner, script);
      const more = words.slice(at + 1);
      const isAll = whole && isWhole(more) && !more.some((each) => NARROWING_OPTION.test(each));
      return { fact, value, ecosystem: row[1], folder, whole: isAll, isScript: true };
    }
  }
  return undefined;
}

function runsTools(runner: string): boolean {
  return TOOL_RUNNERS.includes(runner) || TOOL_RUNNERS.includes(`${runner} run`);
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
    yield written.replaceAll('.', '\\.').replaceAll(' ', '[\\s"\'\\\\]+(?:-\\S+\\s+)*');
  }
}

/** Options with which a tool does nothing else. */
const QUERY_OPTION = /^(--help|-h|--version|-V|--collect-only|--list|--noEmit|--no-emit|--dry-run)$/;
/** Options with which a formatter changes nothing. */
const CHECK_OPTION = /^(--check|--diff|-l|-d|--verify-no-changes|--check-formatted|--dry-run|--list-different)$/;

const LEADING_OPTIONS = /^(\S+)(?: -\S+)+(?= \w)/;

function recogniseTool(words: readonly string[]): CommandUse | undefined {
  let runner = '';
  let rest = words.join(' ');
  for (let depth = 0; depth < 3; depth++) {
    // Options may precede the subcommand: `mvn -q test`.
    for (const line of new Set([rest, rest.replace(LEADING_OPTIONS, '$1')])) {
      const found = findHead(line, runner);
      if (found) return toCommandUse(found, runner, line);
    }
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
  const isRun = found.fact === 'runCommand';
  const main = isRun ? more.find((word) => MAIN_PROGRAM.test(word)) : undefined;
  if (found.wholeForm.endsWith('*') && main === undefined) return undefined;
  const folders = isWhole(more) ? more.flatMap((word) => SOURCE_FOLDER.exec(word)?.[1] ?? []) : [];
  const wholeForm = folders.length > 0 ? [found.head, ...folders].join(' ') : found.wholeForm.replace('*', main ?? '');
  const isPath = written.includes('/');
  const value = isPath ? `${written}${wholeForm.slice(wholeForm.split(' ')[0]?.length)}` : wholeForm;
  return {
    fact: found.fact,
    value: runner + value,
    ecosystem: found.ecosystem,
    folder: '',
    // What follows the main program or `--` are its own arguments.
    whole: isRun ? main !== undefined || isWhole(more.slice(0, more.indexOf('--'))) : isWhole(more),
    isScript: false,
  };
}

/** The package of a Go program by convention, which `go run` needs. */
const MAIN_PROGRAM = /^(\.|(\.\/)?(cmd\/[\w-]+\/?)?(main\.go)?)$/;
/** Folders that together are the whole project by convention. */
const SOURCE_FOLDER = /^(?:\.\/)?(src|lib|app|tests?|spec)\/?$/;
const NARROWING =
  /^--?(filter|grep|run|tests|package|project|bin|example|testNamePattern|test-name-pattern|Dtest|pl|p|k|t|g|m)(=|$)/;
/** Options that take a value, as far as can be told. */
const WITH_VALUE = /^--\w[^=]+$|^-[A-Zcjno]$/;
/** A value of an option that does not look like a file or a test. */
const OPTION_VALUE = /^[\w,=%-]+$/;

function isWhole(more: readonly string[]): boolean {
  return more.every((word, at) => {
    if (/^(\.|\.\/|\.\/\.\.\.|--)$/.test(word) || SOURCE_FOLDER.test(word)) return true;
    if (word.startsWith('-')) return !NARROWING.test(word);
    return WITH_VALUE.test(more[at - 1] ?? '') && OPTION_VALUE.test(word);
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
 * The programs of a line, in order, without later stages of pipelines, background commands, both sides of `||`, where a
 * failure is expected, and what runs outside the checkout.
 */
function findPrograms(line: string, { folder: from = '', root }: ShellPlace): readonly ProgramRun[] {
  const runs: ProgramRun[] = [];
  const { pipelines } = parseShell(line);
  let folder: string | undefined = from;
  let outer: string | undefined = from;
  for (const [index, { commands, operator, background }] of pipelines.entries()) {
    const [command] = commands;
    if (!command || background || operator === '||' || pipelines[index + 1]?.operator === '||') continue;
    // A folder change in a subshell ends with it.
    if (!command.nested) folder = outer;
    const words = commandWords(command);
    if (words[0] === 'cd' || words[0] === 'pushd') folder = enterFolder(folder ?? '', words[1] ?? '~', root);
    else if (words.length > 0 && folder !== undefined) runs.push({ words, folder });
    if (!command.nested) outer = folder;
  }
  return runs;
}

/** The folder after `cd next`; undefined outside the checkout. */
function enterFolder(folder: string, next: string, root: string | undefined): string | undefined {
  if (/^[~$]/.test(next)) return undefined;
  if (isAbsolute(next) && root === undefined) return '';
  const path = isAbsolute(next) ? relativePath(next, root) : posix.join(folder, next);
  return isAbsolute(path) || path.startsWith('..') ? undefined : joinFolders('', path);
}

/** Joins two relative folders. */
export function joinFolders(folder: string, next: string): string {
  const path = posix.join(folder, next).replace(/\/$/, '');
  return path === '.' ? '' : path;
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
