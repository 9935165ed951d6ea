import { posix } from 'node:path';
import { getOrAdd } from '../record/once.ts';
import { editDistance } from '../text/nearest.ts';
import { type Action, classifyCommand, programOf, stripInterpreter } from './call/action.ts';
import { isPreparation } from './call/command-needs.ts';
import type { ToolFamily } from './call/tool-call.ts';
import type { FailureClass, FailureKind } from './failure/failure-kinds.ts';
import { canonicalCommands } from './shell/canonical.ts';

/** A success that comes later than this after a failure is not what solved it. */
export const FIX_WINDOW_MS: number = 60 * 60_000;

/** A call as far as it matters for what solved a failure. */
export interface TriedCall {
  readonly what: string;
  readonly family: ToolFamily;
  readonly action: Action;
  /** Of a call without a command. */
  readonly path: string | undefined;
  /** Identifies the call in canonical form. */
  readonly signature: number;
  /** Identifies the request that it served. */
  readonly request: string | undefined;
}

/** A call that failed, with why. */
export interface FailedCall extends TriedCall {
  readonly class: FailureClass;
  readonly causes: readonly string[];
  readonly suggestion: string | undefined;
}

/**
 * Whether a later success of the same session is what solved a failure. Of two commands, the second must do the job of
 * the first. For the rest it depends on what the error blames. That the same call works later solves nothing.
 * `isEdited`: files were changed in between, and what works after that may work because of it.
 */
export function isFix(failed: FailedCall, worked: TriedCall, isEdited: boolean): boolean {
  if (worked.signature === failed.signature || worked.action === 'probe') return false;
  if (doesItsJob(failed, worked, isEdited)) return true;
  return failed.causes.some((cause) => isFixOfCause(cause, failed, worked));
}

/** Whether a command does the job of a failed one. */
function doesItsJob(failed: FailedCall, worked: TriedCall, isEdited: boolean): boolean {
  if (failed.family !== 'shell' || worked.family !== 'shell') return false;
  const isState = failed.class === 'state';
  if (isState && isEdited) return false;
  const isSameRequest = failed.request === undefined || worked.request === failed.request;
  return replaces(failed.what, worked.what, { isState, isSameRequest });
}

function isFixOfCause(cause: string, failed: FailedCall, worked: TriedCall): boolean {
  const colon = cause.indexOf(':');
  const name = cause.slice(colon + 1);
  switch (cause.slice(0, colon) as FailureKind) {
    case 'path':
    case 'file':
      return (
        (isSimilarPath(worked.path ?? '', name) && (!WRITES.has(worked.family) || failed.family === 'edit')) ||
        (failed.suggestion !== undefined && worked.what.includes(failed.suggestion))
      );
    case 'whole':
      return worked.path === name ? worked.family === 'read' : worked.family === 'shell' && worked.what.includes(name);
    case 'program':
      return worked.action === 'install' && worked.what.includes(name.split(' ', 1)[0] ?? '');
    case 'target':
    case 'service':
    case 'folder':
      return (
        worked.family === 'shell' && canonicalCommands(worked.what, undefined).some(({ words }) => isPreparation(words))
      );
    default:
      return false;
  }
}

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

/** What is known about a failed command and a later success besides their texts. */
interface CommandPair {
  /** The project itself failed: its tests, types or build. */
  readonly isState: boolean;
  /** Both served the same request of the user. */
  readonly isSameRequest: boolean;
}

/**
 * Whether a command line that worked did the job of one that failed: it installs something instead, runs the checks with
 * another program, or is the same command with other options, a corrected word, or another program for the same files.
 * What reads, searches or asks is never the fix of something else. Of a chain, the last command must be replaced, or
 * another one while the rest is kept; or another command prepares what failed.
 */
export function replaces(failed: string, worked: string, context: CommandPair): boolean {
  if (failed === worked) return false;
  const ways = parseCommands(worked);
  const isServed = (command: Command): boolean => ways.some((way) => doesSameJob(command, way, context));
  const commands = parseCommands(failed);
  const work = commands.filter((command) => !isReadOnly(command) && !PREPARATION.has(command.action));
  const needed = work.length > 0 ? work : commands;
  const isKept = (command: Command): boolean => ways.some(({ text }) => text === command.text);
  const last = needed.at(-1);
  if (last === undefined) return false;
  if (isServed(last)) return true;
  const isPrepared =
    !context.isState && ways.some((way) => !isReadOnly(way) && !commands.some(({ text }) => text === way.text));
  return needed.every((command) => isServed(command) || isKept(command)) && (needed.some(isServed) || isPrepared);
}

/** A command of a line, as far as its purpose depends on it. */
interface Command {
  readonly text: string;
  readonly action: Action;
  readonly program: string;
  /** Subcommands and arguments without options and their values, after the program. */
  readonly operands: readonly string[];
  /** It asks the program about itself. */
  readonly isQuestion: boolean;
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
      .map(({ words }) => parseCommand(stripInterpreter(words.slice(0, MAX_WORDS))))
      .filter(({ program }) => program !== ''),
  );
}

/** `docker compose` for `docker-compose`: plugins can often be called both ways. */
function splitPlugin(words: readonly string[]): readonly string[] {
  const plugin = /^(docker|git|kubectl|cargo)-(\w+)$/.exec(words[0] ?? '');
  return plugin === null ? words : [...plugin.slice(1), ...words.slice(1)];
}

function parseCommand(line: readonly string[]): Command {
  const words = splitPlugin(line);
  const operands = words.filter((word, at) => at > 0 && !word.startsWith('-') && !isOptionValue(word, words[at - 1]));
  return {
    text: line.join(' '),
    action: classifyCommand(line),
    program: programOf(words).replace(/(?<=.)@[\w.^~-]+$/, ''),
    operands,
    isQuestion: words.some((word) => QUESTION.test(word)) || operands.slice(0, 2).some((word) => LISTING.test(word)),
  };
}

function isOptionValue(word: string, before = ''): boolean {
  return /^--[a-z]/i.test(before) && !before.includes('=') && !isTarget(word);
}

const READ_ONLY: ReadonlySet<Action> = new Set(['probe', 'read', 'search']);
const PREPARATION: ReadonlySet<Action> = new Set(['create', 'edit']);
const CHECKS: ReadonlySet<Action> = new Set(['test', 'build', 'lint', 'format']);

function doesSameJob(failed: Command, worked: Command, context: CommandPair): boolean {
  if (failed.text === worked.text || worked.isQuestion) return false;
  const isSameProgram = isSimilarProgram(failed.program, worked.program);
  if (isReadOnly(worked) && !isSameProgram) return false;
  if (failed.action === 'install' || worked.action === 'install') {
    return failed.action === worked.action && installsInstead(failed, worked, context);
  }
  const isSameAction = failed.action === worked.action;
  if (!isSameAction && failed.action !== 'run' && worked.action !== 'run') return false;
  if (isSameProgram && context.isState) return false;
  if (isSameProgram && keepsOperands(failed.operands, worked.operands)) return true;
  if (isSameAction && CHECKS.has(failed.action)) return isOtherRunner(failed, worked, context);
  if (worked.text.endsWith(` ${failed.text}`)) return true;
  return (
    !isSameProgram && isSameAction && failed.operands.some(isTarget) && keepsOperands(failed.operands, worked.operands)
  );
}

function isReadOnly({ action, program, operands }: Command): boolean {
  return READ_ONLY.has(action) || (program === 'git' && /^(?:diff|log|show|status|blame)$/.test(operands[0] ?? ''));
}

/** Another test runner, linter or build tool. A part of the tests is no substitute for all of them. */
function isOtherRunner(failed: Command, worked: Command, { isSameRequest }: CommandPair): boolean {
  const isSpecific = (operand: string): boolean => isTarget(operand) || /[A-Z]/.test(operand);
  const [before, after] = [failed.operands.filter(isSpecific), worked.operands.filter(isSpecific)];
  return isSameRequest && keepsOperands(before, after) && after.length <= before.length;
}

/** Package managers of one ecosystem by line. What a system's package manager installs may replace any package. */
const ECOSYSTEMS: readonly ReadonlySet<string>[] = [
  'npm pnpm yarn bun deno',
  'pip pip3 pipx pipenv uv poetry pdm conda',
  'dotnet nuget',
  'gem bundle',
].map((names) => new Set(names.split(' ')));
const SYSTEM: ReadonlySet<string> = new Set('brew apt apt-get apk dnf yum pacman mise asdf'.split(' '));
const REMOVAL = /^(?:uninstall|remove|rm)$/;

function installsInstead(failed: Command, worked: Command, { isSameRequest }: CommandPair): boolean {
  if (REMOVAL.test(worked.operands[0] ?? '')) return false;
  const isKin =
    failed.program === worked.program ||
    SYSTEM.has(worked.program) ||
    ECOSYSTEMS.some((names) => names.has(failed.program) && names.has(worked.program));
  if (!isKin) return false;
  const [wanted, got] = [failed.operands.slice(1), worked.operands.slice(1)];
  if (wanted.length === 0 || got.length === 0) return wanted.length === got.length;
  return isSameRequest || got.some((name) => wanted.some((other) => haveCommonPart(name, other)));
}

/** `redis-node` and `ioredis`. */
function haveCommonPart(name: string, other: string): boolean {
  const parts = other.toLowerCase().match(/[a-z]{4,}/g) ?? [];
  return parts.some((part) => part !== 'node' && name.toLowerCase().includes(part));
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
