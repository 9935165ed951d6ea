import { getOrAdd } from '../record/once.ts';
import { type Action, CHECKS, classifyCommand, programOf, READ_ONLY, stripInterpreter } from './call/action.ts';
import { findNeeds, NEUTRAL_WRAPPERS } from './call/command-needs.ts';
import type { ToolFamily } from './call/tool-call.ts';
import type { FailureClass } from './failure/failure-kinds.ts';
import { type CanonicalCommand, canonicalCommands } from './shell/canonical.ts';

/** A call as far as it matters for what solved a failure. */
export interface TriedCall {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly what: string;
  readonly family: ToolFamily;
  readonly action: Action;
  /** Of a call without a command; empty for others. */
  readonly path: string;
  /** Identifies the call in canonical form. */
  readonly signature: number;
  /** Identifies the request that it served; empty if that is unknown. */
  readonly request: string;
}

/** A call that failed, with why. */
export interface FailedCall extends TriedCall {
  readonly class: FailureClass;
  readonly causes: readonly string[];
  /** The line of the output that explains the failure. */
  readonly line: string;
  /** What the error says is missing, if it is not a cause: `python:dotenv`. */
  readonly missing: string | undefined;
  /** Files that the error names. */
  readonly subjects: readonly string[];
  readonly suggestion: string | undefined;
}

/** A cause as its kind and what it names. */
export function splitCause(cause: string): readonly [kind: string, name: string] {
  const colon = cause.indexOf(':');
  return [cause.slice(0, colon), cause.slice(colon + 1)];
}

/** Names of the programs and modules that the error says are not there. */
export function missingNames({ causes, missing }: FailedCall): readonly string[] {
  const found = [...causes, ...(missing === undefined ? [] : [missing])].map(splitCause);
  return found.flatMap(([kind, name]) =>
    kind === 'program' || kind === 'python' || kind === 'node' ? [name.split(' ', 1)[0] ?? ''] : [],
  );
}

/**
 * Whether a command line that worked did the job of one that failed: it installs something instead, runs the checks with
 * another program, or is the same command in another environment, with other options, a corrected word, or another program
 * for the same files. What reads, searches or asks is never the fix of something else. Of a chain, the last command must
 * be replaced, or another one while the rest is kept; or another command prepares what failed.
 */
export function replaces(failed: FailedCall, worked: TriedCall): boolean {
  if (failed.what === worked.what) return false;
  const run = parseCommands(worked.what);
  const ways = run.filter(({ isMasked }) => !isMasked);
  const isServed = (command: Command): boolean => ways.some((way) => doesSameJob(failed, command, way, worked));
  const commands = parseCommands(failed.what);
  const work = commands.filter((command) => !isReadOnly(command) && !PREPARATION.has(command.action));
  const needed = work.length > 0 ? work : commands;
  const isKept = (command: Command): boolean => ways.some(({ text }) => text === command.text);
  const last = needed.at(-1);
  if (last === undefined) return false;
  if (isServed(last)) return true;
  const isPrepared = run.some((way) => !isReadOnly(way) && !commands.some(({ text }) => text === way.text));
  return needed.every((command) => isServed(command) || isKept(command)) && (needed.some(isServed) || isPrepared);
}

/** Whether the same command ran in another environment: other variables, another wrapper. */
export function runsDifferently(failed: TriedCall, worked: TriedCall): boolean {
  if (failed.family !== 'shell' || failed.what.endsWith('…')) return false;
  const environment = (call: TriedCall): string =>
    parseCommands(call.what)
      .map((each) => each.environment)
      .join('\n');
  return environment(failed) !== environment(worked);
}

/** A command of a line, as far as its purpose depends on it. */
export interface Command {
  readonly words: readonly string[];
  readonly text: string;
  /** Names of variables and wrappers that it runs with. */
  readonly environment: string;
  readonly action: Action;
  readonly program: string;
  /** Subcommands and arguments without options and their values, after the program. */
  readonly operands: readonly string[];
  readonly creates: readonly string[];
  /** It asks the program about itself. */
  readonly isQuestion: boolean;
  /** It corrects by itself what it would complain about. */
  readonly isFixer: boolean;
  /** Its success is not known. */
  readonly isMasked: boolean;
}

/** A failure is compared with many of the calls after it. */
const cache = new Map<string, readonly Command[]>();
const MAX_CACHED = 500;
const MAX_COMMANDS = 8;
const MAX_WORDS = 40;
const QUESTION = /^(?:--?help|-h|--version|help)$/;
/** Subcommands of package managers that install nothing. */
const LISTING = /^(?:list|ls|graph|why|tree|info|freeze|outdated|audit)$/;

/** The commands of a line, without those that only read the output of another. */
export function parseCommands(text: string): readonly Command[] {
  if (cache.size >= MAX_CACHED) cache.clear();
  return getOrAdd(cache, text, () =>
    canonicalCommands(text.replace(/ ?…$/, ''), undefined)
      .filter(({ operator }) => operator !== '|')
      .slice(0, MAX_COMMANDS)
      .map(parseCommand)
      .filter(({ program }) => program !== ''),
  );
}

/** `docker compose` for `docker-compose`: plugins can often be called both ways. */
function splitPlugin(words: readonly string[]): readonly string[] {
  const plugin = /^(docker|git|kubectl|cargo)-(\w+)$/.exec(words[0] ?? '');
  return plugin === null ? words : [...plugin.slice(1), ...words.slice(1)];
}

function parseCommand(command: CanonicalCommand): Command {
  const whole = command.words.slice(0, MAX_WORDS);
  const line = stripInterpreter(whole);
  const words = splitPlugin(line);
  const operands = words.filter((word, at) => at > 0 && !word.startsWith('-') && !isOptionValue(word, words[at - 1]));
  const { creates } = findNeeds(command, undefined);
  const action = classifyCommand(line);
  const wrappers = command.circumstances.filter((item) => !NEUTRAL_WRAPPERS.has(item));
  return {
    words,
    text: line.join(' '),
    environment: [...wrappers, ...(line === whole ? [] : whole.slice(0, 2))].toSorted().join(' '),
    // `cat > a.txt` reads nothing.
    action: READ_ONLY.has(action) && creates.length > 0 ? 'create' : action,
    program: programOf(words),
    operands,
    creates,
    isQuestion: words.some((word) => QUESTION.test(word)) || operands.slice(0, 2).some((word) => LISTING.test(word)),
    isFixer:
      words.some((word) => FIXER.test(word)) || (action === 'format' && !words.some((word) => CHECKS_ONLY.test(word))),
    isMasked: command.masked,
  };
}

/** Options and tasks by which a tool corrects what it complains about, and by which it only complains. */
const FIXER = /^(?:--?(?:fix|write)|(?:\w+[:_-])+fix)$/;
const CHECKS_ONLY = /^(?:-[ldc]|--check|--list-different|--diff|.*[:_-]check|check)$/;

function isOptionValue(word: string, before = ''): boolean {
  return /^--[a-z]/i.test(before) && !before.includes('=') && !isTarget(word);
}

const PREPARATION: ReadonlySet<Action> = new Set(['create', 'edit']);

function doesSameJob(failed: FailedCall, command: Command, way: Command, worked: TriedCall): boolean {
  if (way.isQuestion) return false;
  if (command.text === way.text) return command.environment !== way.environment;
  const isSameProgram = isSimilarProgram(command.program, way.program);
  const isMissing = missingNames(failed).includes(command.program);
  if (isReadOnly(way) && !isSameProgram && !(isMissing && isReadOnly(command))) return false;
  if (command.action === 'install' || way.action === 'install') {
    return command.action === way.action && installsInstead(command, way);
  }
  if (isSameProgram && keepsPurpose(failed, command, way)) return true;
  if (isSameProgram && failed.class === 'state') return false;
  const isSameAction = command.action === way.action;
  if (!isSameAction && command.action !== 'run' && way.action !== 'run') return false;
  if (isSameAction && CHECKS.has(command.action)) return isOtherRunner(failed, command, worked, way);
  if (way.text.endsWith(` ${command.text}`)) return true;
  if (isSameProgram || !isSameAction || way.program === 'git') return false;
  if (isMissing) return command.operands.some((operand) => isSpecific(operand) && way.operands.includes(operand));
  return command.operands.some(isTarget) && keepsOperands(command.operands, way.operands);
}

/** Whether the same program was run for the same, with other options, corrected words, or without what was refused. */
function keepsPurpose(failed: FailedCall, command: Command, way: Command): boolean {
  if (failed.class === 'state' && way.isFixer && !command.isFixer) {
    return keepsOperands(command.operands.map(withoutTask), way.operands.map(withoutTask));
  }
  const isSameAction = command.action === way.action;
  if (!isSameAction && command.action !== 'run' && way.action !== 'run') return false;
  const isStill = (failed.class === 'state' || failed.class === 'transient') && command.environment === way.environment;
  if (!isStill && keepsOperands(command.operands, way.operands)) return true;
  return leavesOut(failed, command.operands, way.operands) || triesSubcommand(failed, command, way);
}

/** Words of an error about something that is not there. */
const NOT_THERE = /not found|no such|not exist|n't exist|unknown|ambiguous|not match/i;

/** Whether only those operands were left out that the error refuses. */
function leavesOut({ line }: FailedCall, wanted: readonly string[], got: readonly string[]): boolean {
  const kept = wanted.filter((operand) => got.some((other) => isSameOperand(operand, other)));
  const left = wanted.filter((operand) => !kept.includes(operand));
  if (kept.length < 2 || left.length === 0) return false;
  if (/\barg(?:ument)?(?:\(s\)|s)/i.test(line)) return got.every((operand) => wanted.includes(operand));
  return NOT_THERE.test(line) && left.every((operand) => isTarget(operand) && line.includes(normalise(operand)));
}

/** Whether another subcommand took what the first one refused. */
function triesSubcommand({ causes }: FailedCall, command: Command, way: Command): boolean {
  const options = causes.flatMap((cause) =>
    cause.startsWith('option:') ? [cause.slice(cause.lastIndexOf(' ') + 1)] : [],
  );
  const [, ...wanted] = command.operands;
  if (options.length === 0 || wanted.length === 0) return false;
  return options.every((option) => way.words.includes(option)) && keepsOperands(wanted, way.operands);
}

/** `lint` for `lint:fix`, `format` for `format:check`. */
function withoutTask(operand: string): string {
  return operand.replace(/[:_-](?:fix|check|write)$/, '');
}

/** Whether an operand says what exactly is meant: a file, a host, a number. */
function isSpecific(operand: string): boolean {
  return isTarget(operand) || /\d\d|^localhost$/.test(operand);
}

function isReadOnly({ action, program, operands }: Command): boolean {
  return READ_ONLY.has(action) || (program === 'git' && /^(?:diff|log|show|status|blame)$/.test(operands[0] ?? ''));
}

/** Another test runner, linter or build tool for the same request. A part of the tests is no substitute for all of them. */
function isOtherRunner(failed: FailedCall, command: Command, worked: TriedCall, way: Command): boolean {
  if (failed.request !== '' && worked.request !== failed.request) return false;
  const isNamed = (operand: string): boolean => isTarget(operand) || /[A-Z]/.test(operand);
  const [before, after] = [command.operands.filter(isNamed), way.operands.filter(isNamed)];
  return keepsOperands(before, after) && after.length <= before.length;
}

/** Package managers of one ecosystem by line. What a system's package manager installs may replace any package. */
const ECOSYSTEMS: readonly ReadonlySet<string>[] = [
  'npm pnpm yarn bun deno',
  'pip pip3 pipx pipenv uv poetry pdm conda',
  'dotnet nuget',
  'gem bundle',
].map((names) => new Set(names.split(' ')));
const SYSTEM: ReadonlySet<string> = new Set('brew apt apt-get apk dnf yum pacman mise asdf'.split(' '));
/** Subcommands that add no package. */
const ADDS_NOTHING = /^(?:uninstall|remove|rm|mod|fetch)$/;

/** Whether the same packages are installed in another way, or others with a similar name. */
function installsInstead(failed: Command, worked: Command): boolean {
  if (ADDS_NOTHING.test(worked.operands[0] ?? '')) return false;
  const isKin =
    failed.program === worked.program ||
    SYSTEM.has(worked.program) ||
    ECOSYSTEMS.some((names) => names.has(failed.program) && names.has(worked.program));
  if (!isKin) return false;
  const [wanted, got] = [failed.operands.slice(1), worked.operands.slice(1)];
  if (wanted.length === 0 || got.length === 0) return wanted.length === got.length;
  return wanted.every((name) => got.some((other) => isSimilarPackage(name, other)));
}

/** Parts of the names of packages that say nothing about what they do. */
const COMMON_PART = /^(?:node|python|types|plugin|core)$/;

/** `redis-node` and `ioredis`; `dotenv` and `python-dotenv`. Of a module of Go, the host does not count. */
export function isSimilarPackage(name: string, other: string): boolean {
  const [a, b] = [packageName(name), packageName(other)];
  return a === b || hasPartOf(a, b) || hasPartOf(b, a);
}

function packageName(operand: string): string {
  return operand.toLowerCase().replace(/^[\w-]+\.\w+\/|(?<=.)(?:@|[=<>~!^]=?).*$/g, '');
}

function hasPartOf(name: string, other: string): boolean {
  const parts = other.match(/[a-z]{4,}/g) ?? [];
  return name.split(/\W/).includes(other) || parts.some((part) => !COMMON_PART.test(part) && name.includes(part));
}

/** Whether each operand is kept, or corrected: nothing that the failed command was for is left out. */
function keepsOperands(wanted: readonly string[], got: readonly string[]): boolean {
  return wanted.every((operand) => got.some((other) => isSameOperand(operand, other)));
}

/** Whether an operand names a file, a folder, an address or a package with a scope. */
function isTarget(operand: string): boolean {
  return /^[^\s'"()[\]{}|]*[./][^\s'"()[\]{}|]*$/.test(operand);
}

/** The same word, or the same file in another folder. */
function isSameOperand(operand: string, other: string): boolean {
  const [a, b] = [normalise(operand), normalise(other)];
  if (a === b) return true;
  return isTarget(a) && digits(a) === digits(b) && /\w\.\w/.test(a) && programOf([a]) === programOf([b]);
}

/** An operand without the folder that it is in, and without a slash at its end. */
export function normalise(operand: string): string {
  return operand.replace(/^\.\/|\/(?:\.\.\.)?$/g, '');
}

function digits(text: string): string {
  return text.replace(/\D+/g, ' ');
}

/** `python` and `python3`. */
function isSimilarProgram(a: string, b: string): boolean {
  return a === b || (a.replace(/[\d.]+$/, '') === b.replace(/[\d.]+$/, '') && /[a-z]/i.test(a));
}
