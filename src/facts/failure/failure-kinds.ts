/**
 * Why a call failed:
 * `missing` a command, module, package, file or name does not exist; `usage` wrong options or arguments; `environment`
 * version, permission, sandbox, service; `state` the project itself: tests, types, lint, build, merge; `stale` an edit
 * of outdated content; `transient` network, rate limit, lock, time-out; `unknown` none of these for certain.
 */
export type FailureClass = 'missing' | 'usage' | 'environment' | 'state' | 'stale' | 'transient' | 'unknown';

/** What failed, by the part of a failure's key before the colon; `head` is a program with its subcommand. */
export type FailureKind = NeedKind | 'head' | 'call' | 'rule';

/** Kinds of needs that an error can blame. */
export type NeedKind =
  | 'path'
  | 'file'
  | 'whole'
  | 'text'
  | 'program'
  | 'option'
  | 'subcommand'
  | 'setting'
  | 'package'
  | 'version'
  | 'stage'
  | 'tool'
  | 'merge'
  | 'field'
  | 'regex'
  | 'shape'
  | 'target'
  | 'service'
  | 'access'
  | 'folder'
  | 'arity'
  | 'ref';

/**
 * What an error can name as missing although no call mentions it, and what can be looked for on the machine: modules of
 * Python and Node, programs, files, environment variables, sockets, local ports that are closed or taken; and what
 * cannot be seen: accounts, versions, libraries, rules of the environment, code that imports what is not exported.
 */
export type MissingKind =
  | 'python'
  | 'node'
  | 'program'
  | 'path'
  | 'variable'
  | 'socket'
  | 'port'
  | 'free-port'
  | 'account'
  | 'version'
  | 'library'
  | 'environment'
  | 'code';

/**
 * How long what a failure teaches holds. `lasting`: programs, packages, versions, accounts, settings, how a tool is used.
 * `unconfirmed`: a path, a port, a check or an error that is not recognised, which may be a slip or the work of one session, and
 * lasts if it is met again in another. `passing`: what going on clears: rules of the agent's own tools, conflicts, locks, the network.
 */
type Durability = 'lasting' | 'unconfirmed' | 'passing';

const DURABILITY_OF_CLASS: Readonly<Record<FailureClass, Durability>> = {
  missing: 'lasting',
  usage: 'lasting',
  environment: 'lasting',
  unknown: 'unconfirmed',
  state: 'unconfirmed',
  stale: 'passing',
  transient: 'passing',
};

/** Kinds of failures that are less durable than their class. */
const DURABILITY_OF_KIND: Readonly<Partial<Record<FailureKind, Durability>>> = {
  rule: 'passing',
  text: 'passing',
  merge: 'passing',
  path: 'unconfirmed',
  file: 'unconfirmed',
  whole: 'unconfirmed',
  ref: 'unconfirmed',
  stage: 'unconfirmed',
  tool: 'unconfirmed',
};

/** What an error says is missing, and that starts and stops or is made on the way. */
const STARTS_AND_STOPS = /^(?:path|port|free-port):/;

/** What is known of a failure by which it is decided whether it is worth telling. */
export interface FailureTraits {
  readonly class: FailureClass;
  /** The cause: `option:gh pr diff --stat`. */
  readonly key: string;
  /** The call that failed. */
  readonly what: string;
  readonly missing?: string | null | undefined;
  /** Number of sessions in which it happened with the same error. */
  readonly sessions: number;
}

/**
 * Whether a failure is memory, which new sessions are told: what it teaches lasts, or was met in several sessions. The others
 * are kept in the history, and held against the very call that would run into them.
 */
export function isWorthTelling(failure: FailureTraits): boolean {
  const durability = durabilityOf(failure);
  return durability === 'lasting' || (durability === 'unconfirmed' && failure.sessions > 1);
}

function durabilityOf({ class: failureClass, key, what, missing }: FailureTraits): Durability {
  const ofClass = DURABILITY_OF_CLASS[failureClass];
  const kind = key.slice(0, key.indexOf(':')) as FailureKind;
  // What was to be deleted and is gone is as it was wanted.
  if (failureClass === 'missing' && what.startsWith('rm ')) return 'passing';
  if (ofClass !== 'lasting') return DURABILITY_OF_KIND[kind] === 'passing' ? 'passing' : ofClass;
  // A script that is not where it was called is how the project's tools are used; a file that is not there may be any file.
  if (kind === 'path' && what.split(' ', 1)[0]?.endsWith(key.slice('path:'.length))) return 'lasting';
  const ofKind = DURABILITY_OF_KIND[kind];
  if (ofKind !== undefined) return ofKind;
  const isUnnamed = failureClass === 'missing' && (kind === 'call' || kind === 'head');
  return isUnnamed || STARTS_AND_STOPS.test(missing ?? '') ? 'unconfirmed' : 'lasting';
}
