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

/** Rules of editing tools: read a file before editing it, and change something. */
export type EditingRule = 'read' | 'idle';
