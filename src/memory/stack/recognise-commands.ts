import { once } from '../../record/once.ts';
import { COMMAND_FACTS, COMMANDS, type Ecosystem, INSTALLS, TOOL_RUNNERS } from './command-table.ts';
import { joinFolders, programsRun } from './programs-run.ts';
import type { CommandFact } from './project-stack.ts';
import { scriptCommand, scriptPurpose } from './script-command.ts';

/** A command that is known to test, build, lint, format or install. */
export interface CommandUse {
  readonly fact: CommandFact | 'packageManager';
  /** The command for the whole project (`go test ./...`), or the package manager's name. */
  readonly value: string;
  readonly ecosystem: Ecosystem;
  /** Where it ran, relative to the project; `''` is its root. */
  readonly folder: string;
  /** Nothing narrowed it to some files, names or packages. */
  readonly whole: boolean;
}

/**
 * Says what a shell line, typed in `from`, tests, builds, lints, formats or installs, in order; empty when
 * nothing is known.
 */
export function recogniseCommands(line: string, from = ''): readonly CommandUse[] {
  // Most lines run none of the programs; they need not be taken apart.
  if (!knownProgram().test(line)) return [];
  const uses: CommandUse[] = [];
  for (const { words, folder } of programsRun(line, from)) {
    const use = recogniseInstall(words) ?? recogniseScript(words) ?? recogniseTool(words);
    if (use) uses.push({ ...use, folder: joinFolders(folder, use.folder) });
  }
  return uses;
}

/** Programs that say nothing without the script they run. */
const INTERPRETERS: ReadonlySet<string> = new Set([
  'python',
  'python3',
  'node',
  'tsx',
  'bash',
  'sh',
  'ruby',
  'php',
]);

/** The program of a line that runs only one, for scripts that no table knows: `./scripts/test.sh`. */
export function plainCommand(
  line: string,
  from = '',
): { readonly value: string; readonly folder: string } | undefined {
  const [only, another] = programsRun(line, from);
  if (!only || another) return undefined;
  const value = only.words.slice(0, tellingWords(only.words)).join(' ');
  return value.includes('$') ? undefined : { value, folder: only.folder };
}

/** How many words it takes to say what runs: `mise run test:ci`, `python scripts/test.py`, `./test.sh`. */
function tellingWords(words: readonly string[]): number {
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
  // `yarn` alone installs.
  const row =
    line === 'yarn'
      ? (['yarn', 'node'] as const)
      : INSTALLS.find((entry) => entry[2].some((head) => beginsWith(line, head)));
  if (!row) return undefined;
  return { fact: 'packageManager', value: row[0], ecosystem: row[1], folder: '', whole: true };
}

/** Runners of scripts: the words between the runner and the name, and the ecosystem whose manifest holds them. */
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
/** Without the word between, these run something of their own. */
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
      // `npm build` is no script: only `npm test` goes without the word.
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

/** By their first word, longer ones first. */
const heads: () => ReadonlyMap<string, readonly Head[]> = once(headsByProgram);

function headsByProgram(): ReadonlyMap<string, readonly Head[]> {
  const byProgram = new Map<string, Head[]>();
  for (const [ecosystem, commands] of Object.entries(COMMANDS) as [
    Ecosystem,
    (typeof COMMANDS)[Ecosystem],
  ][]) {
    for (const fact of COMMAND_FACTS) {
      for (const row of commands[fact] ?? []) {
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

/** Heads that are modules of Python, and words of nobody's own. */
const PYTHON_MODULE = /^(build|unittest)$/;

/** Matches every line that can be recognised and few others: it spares most lines the parser. */
const knownProgram: () => RegExp = once(
  () => new RegExp(`(?:^|[^\\w-])(?:${[...new Set(telltales())].join('|')})(?![\\w-])`),
);

/** Whole heads, as they are matched word by word; of runners of scripts only the name, since options may follow. */
function* telltales(): Generator<string> {
  for (const runner of Object.keys(SCRIPT_RUNNERS)) yield runner;
  const known = [...heads().values()].flatMap((rows) => rows.map(({ head }) => head));
  for (const head of [...known, ...INSTALLS.flatMap((row) => row[2])]) {
    if (Object.hasOwn(SCRIPT_RUNNERS, firstWord(head))) continue;
    const written = PYTHON_MODULE.test(head) ? `-m ${head}` : head.replace(/^(gradle|mvn)\b/, '$1\\w*');
    yield written.replaceAll('.', '\\.').replaceAll(' ', '[\\s"\'\\\\]+');
  }
}

/** Options that only look. */
const LOOKING = /^(--help|-h|--version|-V|--collect-only|--list|--noEmit|--dry-run)$/;
/** A formatter with one of these changes nothing. */
const CHECKING = /^(--check|--diff|-l|-d|--verify-no-changes|--check-formatted|--dry-run|--list-different)$/;

function recogniseTool(words: readonly string[]): CommandUse | undefined {
  let runner = '';
  let rest = words.join(' ');
  for (let depth = 0; depth < 3; depth++) {
    const found = headOf(rest, runner);
    if (found) return toolUse(found, runner, rest);
    const next = TOOL_RUNNERS.find((candidate) => beginsWith(rest, candidate));
    if (next === undefined) return undefined;
    runner += `${next} `;
    rest = rest.slice(next.length + 1);
    const script = recogniseScript(rest.split(' '));
    if (script) return { ...script, value: runner + script.value };
  }
  return undefined;
}

function headOf(rest: string, runner: string): Head | undefined {
  const line = programName(rest);
  const found = heads()
    .get(firstWord(line))
    ?.find((candidate) => beginsWith(line, candidate.head));
  if (found && PYTHON_MODULE.test(found.head) && !/-m $/.test(runner)) return undefined;
  return found;
}

/** `./gradlew test` → `gradle test`, `vendor/bin/phpunit` → `phpunit`. */
function programName(rest: string): string {
  const space = rest.indexOf(' ');
  const program = space < 0 ? rest : rest.slice(0, space);
  const name = program.slice(program.lastIndexOf('/') + 1).replace(/\.(exe|bat|cmd)$/, '');
  const known = name === 'gradlew' ? 'gradle' : name === 'mvnw' ? 'mvn' : name;
  return known + (space < 0 ? '' : rest.slice(space));
}

function toolUse(found: Head, runner: string, rest: string): CommandUse | undefined {
  const written = rest.split(' ')[0] ?? '';
  const more = programName(rest)
    .slice(found.head.length)
    .split(' ')
    .filter((word) => word !== '');
  if (more.some((word) => LOOKING.test(word))) return undefined;
  if (found.fact === 'formatCommand' && more.some((word) => CHECKING.test(word))) return undefined;
  const isPath = written.includes('/');
  const value = isPath
    ? `${written}${found.wholeForm.slice(found.wholeForm.split(' ')[0]?.length)}`
    : found.wholeForm;
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

function beginsWith(line: string, head: string): boolean {
  return line.startsWith(head) && (line.length === head.length || line[head.length] === ' ');
}
