import type { CallAnalysis, CommandPart } from '../../facts/call/analyse-call.ts';
import { changesRefs, isPreparation, isSelfPreparation } from '../../facts/call/command-needs.ts';
import { describeAttempt } from '../../facts/call/command-text.ts';
import { type CallFields, findRoot } from '../../facts/call/describe-call.ts';
import type { CheckoutEvent } from '../../facts/facts.ts';
import { isInformative } from '../../facts/failure/error-line.ts';
import type { FailureKind } from '../../facts/failure/failure-kinds.ts';
import type { AskedCall } from './asked-call.ts';
import type { FailureRows } from './failure-rows.ts';
import {
  type FailureChoice,
  type FailureOccurrence,
  isStanding,
  type KnownFailure,
  kindOf,
  latestOccurrence,
} from './known-failure.ts';

/** What can be seen of the machine when a call is checked. Undefined means unknown. */
export interface MachineState {
  /** Whether a path exists; absolute or relative to the checkout. */
  exists(path: string): boolean | undefined;
  /** Whether a program is on the PATH. */
  hasProgram(name: string): boolean | undefined;
  /** When a file was last modified, in epoch milliseconds. */
  changedAt(path: string): number | undefined;
  /** When the checkout last changed: another commit, another branch, something staged. */
  checkedOutAt(): number | undefined;
  /**
   * Whether what an error named is there now: `python:dotenv`, `socket:/run/docker.sock`, `variable:API_TOKEN`, …
   * (see `MissingKind`), or `access:read PATH`, `folder:git PATH` as in the keys of failures.
   */
  provides(missing: string): boolean | undefined;
}

/** Nothing is known of the machine: the guard decides from the records alone. */
export const UNKNOWN_MACHINE: MachineState = {
  exists: () => undefined,
  hasProgram: () => undefined,
  changedAt: () => undefined,
  checkedOutAt: () => undefined,
  provides: () => undefined,
};

/** An active failure that may apply to a call, together with what matters of the call. */
export interface FailureCandidate {
  readonly failure: KnownFailure;
  /** The occurrence that a warning would be based on. */
  readonly occurrence: FailureOccurrence;
  readonly choice: FailureChoice;
  /** The call does not need what failed; it only resembles a call that did. */
  readonly isSimilarCall: boolean;
  readonly sessionId: string;
  readonly worktree: string;
  readonly agent: string;
  readonly branch?: string;
  readonly circumstances: readonly string[];
  /** The call's signature. */
  readonly signature: string;
  /** The call as it is shown, which its signature is not: what is quoted may decide whether it works. */
  readonly what: string;
  readonly now: number;
}

/** What {@link findCandidates} needs to know besides the call. */
export interface CandidateOptions {
  readonly sessionId: string;
  readonly now: number;
  readonly lookbackDays: number;
  /** Default: nothing is known of it. */
  readonly machine?: MachineState;
  /** Only failures of these kinds. Default: all. */
  readonly kinds?: ReadonlySet<FailureKind>;
}

/** Right after a failure in the same session the agent is acting on the error and needs no warning. */
const JUST_FAILED_MS: number = 2 * 60_000;
/** Clocks differ by less than this; a failure further in the future was recorded with a wrong clock. */
const MAX_CLOCK_SKEW_MS = 60 * 60_000;
const DAY_MS = 86_400_000;

/**
 * All active failures that may apply to a call, usually none: failures of what the call needs first, then failed calls
 * of the same similarity group. `matchFailure` says how likely each is.
 */
export function findCandidates(
  rows: FailureRows,
  asked: AskedCall,
  options: CandidateOptions,
): readonly FailureCandidate[] {
  const { analysis: call } = asked;
  if (call.family === 'poll') return [];
  const { kinds } = options;
  const needed = [...call.needs, ...findBrokenRules(asked)].filter(
    (key) => (kinds === undefined || kinds.has(kindOf(key))) && !providesItself(call, key),
  );
  // Arguments of other tools are mostly ids, which look alike and mean different things.
  const similar = kinds === undefined && call.family === 'shell' ? rows.similarCalls(call) : [];
  const find = (isSimilarCall: boolean) => (key: string) =>
    findCandidate(rows, key, asked, options, isSimilarCall) ?? [];
  rows.load([...needed, ...similar]);
  const found = [...needed.flatMap(find(false)), ...similar.flatMap(find(true))];
  return found.length > 0 && call.isProbe ? [] : found;
}

/**
 * Whether a failure that stands has a cause that a call may run into, so that it matters what has worked since.
 * Everything else that rules a warning out is left to {@link findCandidates}.
 */
export function mayFail(rows: FailureRows, { analysis }: AskedCall): boolean {
  const similar = analysis.family === 'shell' ? rows.similarCalls(analysis) : [];
  const causes = [...analysis.needs, ...similar];
  rows.load(causes);
  return causes.some((cause) => {
    const failure = rows.failure(cause);
    return failure !== undefined && isStanding(failure);
  });
}

/** The rule of the agent's own tools that the call breaks: change something. */
function findBrokenRules({ analysis, fields }: AskedCall): readonly string[] {
  return analysis.isNoOp ? [`rule:idle ${fields.agent ?? ''}`] : [];
}

const SETUP_KINDS: ReadonlySet<FailureKind> = new Set(['target', 'service', 'folder', 'access'] as const);

/** Whether a call provides what it needs: `pip install x && python app.py`, `gh auth login`, `mkdir a && cd a`. */
function providesItself(call: CallAnalysis, key: string): boolean {
  const kind = kindOf(key);
  const name = key.slice(kind.length + 1);
  if (kind === 'path') return createsPath(call, name);
  if (kind === 'ref') return call.parts.some(({ command }) => changesRefs(command.words));
  if (!SETUP_KINDS.has(kind)) return false;
  return call.parts.some(({ command: { words }, needs }) =>
    needs.includes(key) ? isSelfPreparation(words) : isPreparation(words),
  );
}

/** Whether a call creates a path, or names the folder that it enters later: `git clone …/shop.git && cd shop`. */
function createsPath({ creates, parts }: CallAnalysis, name: string): boolean {
  if (creates.some((path) => path === name || path.startsWith(`${name}/`))) return true;
  const isInside = ({ command }: CommandPart): boolean => command.folder?.endsWith(`/${name}`) === true;
  const base = name.slice(name.lastIndexOf('/') + 1);
  const isNamed = (part: CommandPart): boolean => part.command.words.slice(1).some((word) => word.includes(base));
  return parts.some(isInside) && parts.some((part) => !isInside(part) && isNamed(part));
}

function findCandidate(
  rows: FailureRows,
  key: string,
  { analysis: call, fields }: AskedCall,
  options: CandidateOptions,
  isSimilarCall: boolean,
): FailureCandidate | undefined {
  const failure = rows.failure(key);
  const choice = failure === undefined ? 'none' : rows.choice(key);
  if (failure === undefined || choice === 'dismiss') return undefined;
  const occurrence = latestOccurrence(failure, call.family);
  if (occurrence === undefined) return undefined;
  const candidate: FailureCandidate = {
    failure,
    occurrence,
    choice,
    isSimilarCall,
    sessionId: options.sessionId,
    worktree: findRoot(fields) ?? '',
    agent: fields.agent ?? '',
    ...(fields.branch === undefined ? {} : { branch: fields.branch }),
    circumstances: collectCircumstances(fields, call),
    signature: call.signature,
    what: describeAttempt(fields),
    now: options.now,
  };
  const lookbackMs = choice === 'pin' ? Number.POSITIVE_INFINITY : options.lookbackDays * DAY_MS;
  return mayRecur(candidate, rows, options.machine ?? UNKNOWN_MACHINE, lookbackMs) ? candidate : undefined;
}

function collectCircumstances(fields: CallFields, call: CallAnalysis): readonly string[] {
  const own = (fields.circumstances ?? []).filter((item) => !item.startsWith('worktree:'));
  return [...new Set([...own, ...call.parts.flatMap((part) => part.command.circumstances)])];
}

/** Whether a failure is to be expected again: it is neither too old nor too recent, and nothing rules it out. */
export function mayRecur(
  candidate: FailureCandidate,
  rows: FailureRows,
  machine: MachineState,
  lookbackMs: number,
): boolean {
  const { failure, sessionId, now } = candidate;
  const { lastAt } = failure;
  if (failure.class === 'transient' || now - lastAt > lookbackMs) return false;
  if (!(lastAt - now < MAX_CLOCK_SKEW_MS)) return false;
  if (failure.sessions.at(-1) === sessionId && now - lastAt < JUST_FAILED_MS) return false;
  return !isRuledOut(candidate, rows, machine);
}

/** The path in the signature of an edit. */
const EDITED_PATH = /^edit (.+?) [a-z0-9]+(?: all)?$/;

/** Whether something has worked since, or may have been provided since, or fails only for another call. */
function isRuledOut(candidate: FailureCandidate, rows: FailureRows, machine: MachineState): boolean {
  const { failure, worktree } = candidate;
  const kind = kindOf(failure.key);
  if (kind !== 'rule' && !isStanding(failure)) return true;
  const name = failure.key.slice(kind.length + 1);
  const program = name.split(' ', 1)[0] ?? '';
  const hasHappened = (event: CheckoutEvent): boolean => rows.lastEvent(event, worktree) > failure.lastAt;
  const hasChanged = (path: string): boolean => (machine.changedAt(path) ?? 0) > failure.lastAt;
  switch (kind) {
    case 'path':
      return looksProvided(failure, machine) === true;
    case 'file':
      return machine.exists(name) === false;
    case 'text':
      return failure.editSignature !== candidate.signature || hasChanged(name);
    case 'program':
      return looksProvided(failure, machine) ?? hasHappened('install');
    case 'subcommand': {
      const files = TASK_FILES.get(program);
      return files !== undefined && (hasHappened('edit') || hasHappened('checkout') || files.some(hasChanged));
    }
    case 'stage':
      return hasHappened('gitignore') || hasChanged('.gitignore');
    case 'merge':
      return hasHappened('merged');
    case 'folder':
    case 'access':
      return looksProvided(failure, machine) ?? hasHappened('prepare');
    case 'ref':
      if ((['checkout', 'refs', 'push', 'prepare'] as const).some(hasHappened)) return true;
      // Git says the same of a file that is not there.
      return machine.exists(name) ?? hasHappened('edit');
    case 'target':
    case 'service':
      return isProvided(candidate, rows, machine);
    case 'head':
    case 'call': {
      if (failure.missing !== undefined) return isProvided(candidate, rows, machine);
      const edited = failure.class === 'stale' ? EDITED_PATH.exec(name)?.[1] : undefined;
      // Any edit in the checkout counts if the file cannot be seen.
      if (edited !== undefined) return (machine.changedAt(edited) ?? rows.lastEvent('edit', worktree)) > failure.lastAt;
      return failure.class === 'missing' && hasHappened('install');
    }
    case 'whole':
    case 'option':
    case 'setting':
    case 'package':
    case 'version':
    case 'tool':
    case 'field':
    case 'regex':
    case 'arity':
    case 'shape':
    case 'rule':
      return false;
  }
}

/** Whether what a failure is about can be seen on the machine now; undefined if that cannot be told. */
function looksProvided({ key, missing }: KnownFailure, machine: MachineState): boolean | undefined {
  if (missing !== undefined) return machine.provides(missing);
  const kind = kindOf(key);
  const name = key.slice(kind.length + 1);
  if (kind === 'path') return machine.exists(name);
  if (kind === 'program') return machine.hasProgram(name.split(' ', 1)[0] ?? '');
  return kind === 'access' || kind === 'folder' ? machine.provides(key) : undefined;
}

/** Files that set environment variables. */
const VARIABLE_FILES = ['.env', '.env.local', '.envrc'];

/** Events after which something that cannot be seen may be there. */
const PROVIDING_EVENTS: readonly CheckoutEvent[] = ['install', 'prepare', 'checkout', 'build'];

/** Whether what an error said was missing is there now, or may have been provided since. */
function isProvided(candidate: FailureCandidate, rows: FailureRows, machine: MachineState): boolean {
  const { failure, worktree, circumstances } = candidate;
  const { key, lastAt, missing = '' } = failure;
  const [kind, name = ''] = missing.split(':', 2);
  const hasHappened = (event: CheckoutEvent): boolean => rows.lastEvent(event, worktree) > lastAt;
  const changedAt = (path: string): number => machine.changedAt(path) ?? 0;
  if (kind === 'variable' && circumstances.includes(`env:${name}`)) return true;
  const found = machine.provides(missing);
  // Not every virtual environment and every way to set a variable can be seen.
  const isSettled = found === false && kind !== 'variable' && kind !== 'python';
  if (found === true || (!isSettled && PROVIDING_EVENTS.some(hasHappened))) return true;
  if (key.startsWith('service:')) return false;
  if (found === false && kind === 'variable') return VARIABLE_FILES.some((file) => changedAt(file) > lastAt);
  // The code may no longer need it. Any edit counts if the script cannot be seen.
  const editedAt = machine.changedAt(key.slice(key.indexOf(':') + 1));
  return editedAt === undefined ? hasHappened('edit') : editedAt > lastAt;
}

/** Programs whose subcommands are tasks of the project, and the files that define them. */
const TASK_FILES: ReadonlyMap<string, readonly string[]> = new Map(
  [
    'npm pnpm yarn bun: package.json',
    'make: Makefile makefile GNUmakefile',
    'just: justfile Justfile',
    'task: Taskfile.yml Taskfile.yaml',
    'mise: mise.toml .mise.toml',
    'rake: Rakefile',
    'gradle gradlew: build.gradle build.gradle.kts',
    'composer: composer.json',
    'deno: deno.json deno.jsonc',
    'nx: project.json nx.json',
    'turbo: turbo.json',
  ].flatMap((row) => {
    const [programs = '', files = ''] = row.split(': ');
    return programs.split(' ').map((program) => [program, files.split(' ')]);
  }),
);

/**
 * Whether nothing has happened in the checkout since a failure that could change its outcome, or what was missing can be
 * seen to be missing still; undefined if unknown.
 */
export function isUntouched(
  { failure, worktree }: FailureCandidate,
  rows: FailureRows,
  machine: MachineState = UNKNOWN_MACHINE,
): boolean | undefined {
  const isThere = looksProvided(failure, machine);
  if (isThere !== undefined) return !isThere;
  if (!failure.worktrees.includes(worktree)) return undefined;
  const events: readonly CheckoutEvent[] = ['edit', 'install', 'checkout', 'commit'];
  if (events.some((event) => rows.lastEvent(event, worktree) > failure.lastAt)) return false;
  const times = seenChanges(failure, machine);
  if (times.some((time) => time !== undefined && time > failure.lastAt)) return false;
  // The user may have edited any file, so without a file to look at nothing is known.
  return times.length > 1 && times.every((time) => time !== undefined) ? true : undefined;
}

/** When the checkout and the files that decide whether a failure happens again were changed, as far as that can be seen. */
function seenChanges({ subjects }: KnownFailure, machine: MachineState): readonly (number | undefined)[] {
  return [machine.checkedOutAt(), ...subjects.map((path) => machine.changedAt(path))];
}

/** Whether the very call that failed with an error is made again, and nothing has been done or seen to change since. */
export function isSameCallAgain(
  { failure, occurrence, isSimilarCall, what, worktree }: FailureCandidate,
  rows: FailureRows,
  machine: MachineState = UNKNOWN_MACHINE,
): boolean {
  if (kindOf(failure.key) !== 'call' || isSimilarCall || occurrence.what !== what) return false;
  if (!isInformative(occurrence.line)) return false;
  if (!failure.worktrees.includes(worktree) || rows.lastStepAt() > failure.lastAt) return false;
  return seenChanges(failure, machine).every((time) => time === undefined || time <= failure.lastAt);
}
