import { posix } from 'node:path';
import { getOrAdd } from '../record/once.ts';
import { editDistance } from '../text/nearest.ts';
import { type Action, classifyCommand, isInstall, programOf, stripInterpreter } from './call/action.ts';
import { findNeeds, isPreparation, NEUTRAL_WRAPPERS } from './call/command-needs.ts';
import type { ToolFamily } from './call/tool-call.ts';
import type { FailureClass, FailureKind } from './failure/failure-kinds.ts';
import { type CanonicalCommand, canonicalCommands } from './shell/canonical.ts';

/** A success that comes later than this after a failure is not what solved it. */
export const FIX_WINDOW_MS: number = 60 * 60_000;

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

/**
 * What solved a failure, of the calls that worked after it, given in order of time. That is the first call that does the
 * job of the failed one; or, when the cause is shown to be gone first, what was done about it in between. Empty if nothing
 * shows what helped. `provenAt`: when another call showed that a cause is gone.
 */
export function findFixingCalls<T extends TriedCall>(
  failed: FailedCall,
  later: readonly T[],
  provenAt: number = Number.POSITIVE_INFINITY,
): readonly T[] {
  // Without an error, the failure is an answer.
  if (failed.line === '') return [];
  for (const [index, call] of later.entries()) {
    const before = later.slice(0, index);
    if (call.signature === failed.signature) {
      return runsDifferently(failed, call) ? [call] : findRemedies(failed, before);
    }
    if (isFix(failed, call)) {
      // A check that passes after an edit was fixed by the edit.
      return failed.class === 'state' && before.some(isEdit) ? findRemedies(failed, before) : [call];
    }
    if (call.at >= provenAt) {
      const remedies = findRemedies(failed, later.slice(0, index + 1));
      if (remedies.length > 0) return remedies;
    }
  }
  return [];
}

/** Whether a later success is what solved a failure by itself. */
function isFix(failed: FailedCall, worked: TriedCall): boolean {
  if (worked.action === 'probe' && failed.action !== 'probe') return false;
  if (failed.family === 'shell' && worked.family === 'shell' && replaces(failed, worked)) return true;
  return failed.causes.some((cause) => isFixOfCause(cause, failed, worked)) || installsMissing(failed, worked);
}

function isFixOfCause(cause: string, failed: FailedCall, worked: TriedCall): boolean {
  const [kind, name] = splitCause(cause);
  const { path } = worked;
  switch (kind as FailureKind) {
    case 'path':
      if (worked.family === 'search' && failed.family === 'search') return name.startsWith(`${path}/`);
      return (
        (isSimilarPath(path, name) && (!WRITES.has(worked.family) || failed.family === 'edit')) ||
        (failed.suggestion !== undefined && worked.what.includes(failed.suggestion))
      );
    case 'file':
      return (
        worked.action === 'read' &&
        [path, ...parseCommands(worked.what).flatMap(({ operands }) => operands)].some((each) =>
          each.startsWith(`${name}/`),
        )
      );
    case 'whole':
      return path === name ? worked.family === 'read' : worked.family === 'shell' && worked.what.includes(name);
    default:
      return false;
  }
}

function splitCause(cause: string): readonly [kind: string, name: string] {
  const colon = cause.indexOf(':');
  return [cause.slice(0, colon), cause.slice(colon + 1)];
}

/** Programs and modules that the error says are not there. */
function missingNames({ causes, missing }: FailedCall): readonly string[] {
  const found = [...causes, ...(missing === undefined ? [] : [missing])].map(splitCause);
  return found.flatMap(([kind, name]) =>
    kind === 'program' || kind === 'python' || kind === 'node' ? [name.split(' ', 1)[0] ?? ''] : [],
  );
}

/** Whether a call installs just what is missing. */
function installsMissing(failed: FailedCall, worked: TriedCall): boolean {
  if (worked.family !== 'shell' || worked.action !== 'install') return false;
  const names = missingNames(failed);
  return parseCommands(worked.what).some(
    (command) =>
      command.action === 'install' &&
      command.operands.slice(1).some((operand) => names.some((name) => isSimilarPackage(name, operand))),
  );
}

function isEdit({ action, family }: TriedCall): boolean {
  return family !== 'shell' && (action === 'edit' || action === 'create');
}

/** More steps than this are work, and no remedy to tell. */
const MAX_STEPS = 3;

/**
 * What was done about a failure before the same call worked: what changed a file or installed a package that the error
 * names; otherwise the only setup, installation or automatic correction, unless files were edited.
 */
function findRemedies<T extends TriedCall>(failed: FailedCall, steps: readonly T[]): readonly T[] {
  if (failed.class === 'transient' || (failed.family !== 'shell' && failed.family !== 'other')) return [];
  const named = unique(steps.filter(isAboutFiles(failed)));
  if (named.length > 0) return named.length > MAX_STEPS ? [] : named;
  if (steps.some(isEdit)) return [];
  const setups = unique(steps.filter((step) => isSetup(failed, step)));
  return setups.length === 1 ? setups : [];
}

/** The last of the same steps. */
function unique<T extends TriedCall>(steps: readonly T[]): readonly T[] {
  return [...new Map(steps.map((step) => [step.what, step])).values()];
}

/** Files that an error names. */
const FILE = /(?:[\w@.~*-]*\/)*[\w@-]*\.[a-zA-Z]\w*/g;
const FILE_KINDS = /^(?:path|file|access|text)$/;

function namedFiles({ causes, missing = '', line, subjects }: FailedCall): readonly string[] {
  const found = [...causes, missing].map(splitCause);
  return [
    ...found.flatMap(([kind, name]) => (FILE_KINDS.test(kind) ? [name.replace(/^(?:read|write|run) /, '')] : [])),
    ...(line.match(FILE) ?? []),
    ...subjects,
  ].map(normalise);
}

function isSamePath(path: string, other: string): boolean {
  const [a, b] = [normalise(path), normalise(other)];
  return a !== '' && b !== '' && (a === b || a.endsWith(`/${b}`) || b.endsWith(`/${a}`));
}

/** Whether a call has changed a file that the error names, or ran something for one that is missing. */
function isAboutFiles(failed: FailedCall): (step: TriedCall) => boolean {
  const named = namedFiles(failed);
  const absent = [...failed.causes, failed.missing ?? ''].flatMap((cause) => {
    const [kind, name] = splitCause(cause);
    return kind === 'path' ? [name] : [];
  });
  return (step) => {
    if (step.family !== 'shell') return isEdit(step) && named.some((file) => isSamePath(file, step.path));
    return parseCommands(step.what).some(({ creates, isFixer, action, operands, program }) => {
      const isCorrected = isFixer && CORRECTED.has(failed.action);
      const changed = isCorrected || program === 'chmod' || program === 'chown' ? operands : creates;
      return (
        changed.some((path) => named.some((file) => isSamePath(file, path))) ||
        (action === 'run' && operands.some((operand) => absent.some((path) => isSamePath(path, operand))))
      );
    });
  };
}

/** Whether a call sets up what others depend on, or lets a tool correct what it complains about. */
function isSetup(failed: FailedCall, step: TriedCall): boolean {
  if (step.family !== 'shell') return false;
  const isCheck = CHECKS.has(failed.action);
  return parseCommands(step.what).some(({ words, operands, action, isFixer }) => {
    if (isInstall(words)) return operands.slice(1).every((operand) => MANIFEST.test(operand));
    if (isFixer) return CORRECTED.has(failed.action);
    return isPreparation(words) || (action === 'build' && !isCheck);
  });
}

/** What a manifest lists is installed, or the whole of it is set up. */
const MANIFEST = /^(?:\.|tidy|download|sync|trust|\S+\.(?:txt|toml|lock))$/;
/** Calls that fail of what a tool can correct by itself; commits and pushes because of their hooks. */
const CORRECTED: ReadonlySet<Action> = new Set(['lint', 'format', 'commit', 'push']);

const WRITES: ReadonlySet<ToolFamily> = new Set(['edit', 'write', 'patch']);

/** Names that many folders have a file of. */
const COMMON_NAME = /^(?:index|main|mod|lib|__init__|types|utils?|package|README|config)\.\w+$/i;

/** `config.yml` and `config.yaml`; `src/parse.ts` and `lib/parse.ts`. */
function isSimilarPath(path: string, other: string): boolean {
  if (path === '' || path === other) return false;
  if (COMMON_NAME.test(posix.basename(other)) && posix.dirname(path) !== posix.dirname(other)) return false;
  const [a, b] = [posix.basename(path), posix.basename(other)];
  return a === b || (stem(a) === stem(b) && stem(a) !== '');
}

function stem(name: string): string {
  return name.replace(/\.[^.]*$/, '');
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
function runsDifferently(failed: TriedCall, worked: TriedCall): boolean {
  if (failed.family !== 'shell' || failed.what.endsWith('…')) return false;
  const environment = (call: TriedCall): string =>
    parseCommands(call.what)
      .map((each) => each.environment)
      .join('\n');
  return environment(failed) !== environment(worked);
}

/** A command of a line, as far as its purpose depends on it. */
interface Command {
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

function parseCommands(text: string): readonly Command[] {
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
    program: programOf(words).replace(/(?<=.)@[\w.^~-]+$/, ''),
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

const READ_ONLY: ReadonlySet<Action> = new Set(['probe', 'read', 'search']);
const PREPARATION: ReadonlySet<Action> = new Set(['create', 'edit']);
/** What fails of something else each time. */
export const CHECKS: ReadonlySet<Action> = new Set(['test', 'build', 'lint', 'format']);

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
function leavesOut({ line, causes }: FailedCall, wanted: readonly string[], got: readonly string[]): boolean {
  const kept = wanted.filter((operand) => got.some((other) => isSameOperand(operand, other)));
  const left = wanted.filter((operand) => !kept.includes(operand));
  if (kept.length < 2 || left.length === 0) return false;
  if (causes.some((cause) => cause.startsWith('arity:'))) return got.every((operand) => wanted.includes(operand));
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
function isSimilarPackage(name: string, other: string): boolean {
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

/** The same word, the same file in another folder or with another extension, or a corrected typing error. */
function isSameOperand(operand: string, other: string): boolean {
  const [a, b] = [normalise(operand), normalise(other)];
  if (a === b) return true;
  if (digits(a) !== digits(b)) return false;
  if (isTarget(a) || isTarget(b)) return /\w\.\w/.test(a) && fileName(a) === fileName(b);
  const shorter = Math.min(a.length, b.length);
  const allowed = shorter >= 6 ? 2 : shorter >= 4 || a.length !== b.length ? 1 : 0;
  const difference = Math.abs(a.length - b.length);
  return shorter >= 3 && difference <= allowed && editDistance(a, b) <= allowed;
}

/** The name of a file; extensions that stand for the same kind of file are not told apart. */
function fileName(path: string): string {
  return programOf([path]).replace(/\.(?:ya?ml|[cm]?[jt]sx?|mdx?|html?)$/, (extension) => `.${extension.at(-1)}`);
}

function normalise(operand: string): string {
  return operand.replace(/^\.\/|\/(?:\.\.\.)?$/g, '');
}

function digits(text: string): string {
  return text.replace(/\D+/g, ' ');
}

/** `python` and `python3`. */
function isSimilarProgram(a: string, b: string): boolean {
  return a === b || (a.replace(/[\d.]+$/, '') === b.replace(/[\d.]+$/, '') && /[a-z]/i.test(a));
}
