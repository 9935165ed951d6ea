import { omitUndefined } from '../../record/object.ts';
import { type Action, CHECKS } from '../call/action.ts';
import type { CallAnalysis, CommandPart } from '../call/analyse-call.ts';
import { INTERPRETERS } from '../call/command-needs.ts';
import { CAUSES } from './causes.ts';
import { errorSignature, findErrorLine, isComplaint, isGeneric, splitOutput } from './error-line.ts';
import type { FailureClass, MissingKind, NeedKind } from './failure-kinds.ts';

/** Why a call failed, and which of its needs are to blame. */
export interface FailureAnalysis {
  readonly class: FailureClass;
  /** The line of the output that explains the failure. */
  readonly line: string;
  readonly signature: string;
  /** Keys of needs; the call itself if nothing more specific is known. */
  readonly blamed: readonly string[];
  /** What the output suggests instead: "did you mean …?". */
  readonly suggestion?: string;
  /** What is missing, where it is not the need itself: `python:dotenv`, `socket:/run/docker.sock`. */
  readonly missing?: string;
}

const TRANSIENT_EXITS: ReadonlySet<number> = new Set([124, 130, 137, 143]);

/** Explains a failure by the call and its output. Never throws. */
export function analyseFailure(call: CallAnalysis, output: string, exitCode?: number): FailureAnalysis {
  const lines = splitOutput(output);
  const line = findErrorLine(lines);
  const suggestion = findSuggestion(output);
  const found = findCause(call, lines);
  if (found !== undefined && found.keys.length > 0) {
    const best = isGeneric(found.line) ? line : found.line;
    const signature = errorSignature(best);
    const { missing } = found;
    return omitUndefined({ class: found.class, line: best, signature, blamed: found.keys, suggestion, missing });
  }
  const failureClass = classify(call, line, found, exitCode);
  const blamed = blameCall(call, failureClass, line);
  const missing = failureClass === found?.class && found.line === line ? found.missing : undefined;
  return omitUndefined({ class: failureClass, line, signature: errorSignature(line), blamed, suggestion, missing });
}

function classify(call: CallAnalysis, line: string, found: Cause | undefined, exitCode?: number): FailureClass {
  if (exitCode !== undefined && TRANSIENT_EXITS.has(exitCode)) return 'transient';
  // What complains about a place in a file, as compilers do, failed at the work.
  if (!CHECKS.has(call.action)) return found?.class ?? (isComplaint(line) ? 'state' : 'unknown');
  return found?.class === 'transient' && found.line === line ? 'transient' : 'state';
}

interface Cause {
  readonly class: FailureClass;
  readonly line: string;
  readonly keys: readonly string[];
  readonly missing?: string | undefined;
}

/** The rest of a longer line is mostly data, and slow to match. */
const MAX_LINE_LENGTH = 500;

/** What tests and builds themselves depend on. Of the rest, their output may speak for other reasons. */
const SEEN_IN_TESTS: ReadonlySet<MissingKind> = new Set(['python', 'node', 'program', 'version', 'library', 'code']);

/** The first cause that blames a need of the call; otherwise the first cause of all. */
function findCause(call: CallAnalysis, lines: readonly string[]): Cause | undefined {
  let general: Cause | undefined;
  const isStateAction = CHECKS.has(call.action);
  for (const [at, whole] of lines.entries()) {
    const line = whole.slice(0, MAX_LINE_LENGTH);
    for (const { pattern, cause, missing: missingKind } of CAUSES) {
      const match = pattern.exec(line);
      if (match === null) continue;
      const [failureClass, blames] = cause.split(' ') as [FailureClass, NeedKind | 'idle' | undefined];
      const subject = match.slice(1).find((group) => group !== undefined && group !== '');
      const missing = missingKind && `${missingKind}:${subject ?? ''}`;
      if (missingKind !== undefined && isStateAction && !SEEN_IN_TESTS.has(missingKind)) continue;
      if (blames === 'package' && call.action !== 'install') continue;
      const keys = blames === undefined ? [] : findBlamedNeeds(call, blames, subject, lines.slice(at, at + 6));
      if (keys.length > 0) return { class: failureClass, line, keys, missing };
      const inner = blames === undefined || subject === undefined ? undefined : findInnerCause(call, blames, subject);
      if (inner !== undefined) return { class: failureClass, line, ...inner };
      general ??= { class: failureClass, line, keys, missing };
    }
  }
  return general;
}

/** A program or file that no part of the call names: what the call runs depends on it. */
function findInnerCause(
  call: CallAnalysis,
  blames: NeedKind | 'idle',
  subject: string,
): Pick<Cause, 'keys' | 'missing'> | undefined {
  if (blames !== 'program' && (blames !== 'path' || CHECKS.has(call.action))) return undefined;
  const isNamed = call.parts.some(({ command }) => command.words.some((word) => word.includes(subject)));
  const keys = isNamed ? [] : findTargets(call);
  return keys.length === 0 ? undefined : { keys, missing: `${blames satisfies MissingKind}:${subject}` };
}

/** What the call runs, if that is one thing. Why an installation failed says nothing about other packages. */
function findTargets(call: CallAnalysis): readonly string[] {
  const part = onlyOne(call.parts.filter(({ action }) => !HARMLESS.has(action)));
  return part === undefined || part.action === 'install' ? [] : part.needs.filter((key) => key.startsWith('target:'));
}

function findBlamedNeeds(
  call: CallAnalysis,
  need: NeedKind | 'idle',
  subject: string | undefined,
  [line = '', ...following]: readonly string[],
): readonly string[] {
  if (need === 'idle') return [`rule:${need}`];
  const keys = call.needs.filter((key) => key.startsWith(`${need}:`));
  switch (need) {
    case 'setting':
      return keys;
    case 'stage': {
      const ignored = /['"`](.+?)['"`]/.exec(line)?.slice(1) ?? following;
      return keys.filter((key) => ignored.some((name) => isWithin(needName(key), name)));
    }
    case 'option':
      return first(keys, (key) => names(line, lastWord(key)) || names(line, lastWord(key).replace(/^-+/, '')));
    case 'subcommand':
    case 'field':
      return first(keys, (key) => names(line, lastWord(key)));
    case 'program':
      return first(keys, (key) => key.split(' ', 1)[0] === `program:${subject}`);
    case 'version':
      return first(keys, (key) => names(line, needName(key)));
    case 'package': {
      const named = first(keys, (key) => names(line.replace(/%2f/i, '/'), needName(key)));
      return named.length === 0 && keys.length === 1 && NO_PACKAGE.test(line) ? keys : named;
    }
    case 'ref':
      return first(keys, (key) => names(line, needName(key)));
    case 'arity':
      return keys.length === 1 && (subject === undefined || lastWord(keys[0] ?? '') === subject) ? keys : [];
    case 'shape':
    case 'regex':
    case 'merge':
      return keys.slice(-1);
    case 'target':
      return subject === undefined && call.action === 'install' ? keys.slice(-1) : findTargets(call);
    case 'service': {
      // An address that the call gives is not that of other calls.
      const isAddressed =
        subject !== undefined && call.parts.some(({ command }) => command.words.join(' ').includes(subject));
      return isAddressed ? [] : keys.length === 1 ? keys : findTargets(call);
    }
    case 'folder':
      return keys.length === 1 ? keys : [];
    case 'access':
    case 'path':
    case 'file':
    case 'whole':
    case 'text':
    case 'tool':
      return findBlamedPaths(call, keys, line);
  }
}

/** Says that a package does not exist, without its name. */
const NO_PACKAGE = /E404|404 not found|no such package|PackagesNotFound|package not found|repository not found/i;

/** The paths that a line names; of a call of another tool than a shell, its only one. */
function findBlamedPaths(call: CallAnalysis, keys: readonly string[], line: string): readonly string[] {
  if (call.family !== 'shell') return keys.slice(0, 1);
  const paths = keys.map((key) => [key, needName(key).replace(/^(?:read|write|run) /, '')] as const);
  const whole = paths.find(([, path]) => names(line, path));
  const named = whole ?? paths.find(([, path]) => names(line, path.slice(path.lastIndexOf('/') + 1)));
  return named?.slice(0, 1) ?? [];
}

/** Whether a line has a name as a word, a path, or the end of a path. */
function names(line: string, name: string): boolean {
  for (let at = line.indexOf(name); at >= 0; at = line.indexOf(name, at + 1)) {
    const after = line.slice(at + name.length, at + name.length + 2);
    if (!/[\w.-]/.test(line[at - 1] ?? '') && !/^(?:[\w/-]|\.\w)/.test(after)) return name !== '';
  }
  return false;
}

function first(keys: readonly string[], fits: (key: string) => boolean): readonly string[] {
  const found = keys.find(fits);
  return found === undefined ? [] : [found];
}

function lastWord(key: string): string {
  return key.slice(key.lastIndexOf(' ') + 1);
}

function needName(key: string): string {
  return key.slice(key.indexOf(':') + 1);
}

/** Whether a path is in a folder: git names the ignored folder, not the file. */
function isWithin(path: string, folder: string): boolean {
  const name = folder.replace(/\/$/, '');
  return path === name || path.startsWith(`${name}/`);
}

/** Blames the call; of a chain also the part that the error names; and its head, unless the project itself failed. */
function blameCall(call: CallAnalysis, failureClass: FailureClass, line: string): readonly string[] {
  const blamed = [`call:${call.signature}`];
  const part =
    onlyOne(call.parts.filter((each) => isNamed(each, line))) ??
    onlyOne(call.parts.filter(({ action }) => !HARMLESS.has(action)));
  if (part === undefined) return blamed;
  if (call.parts.length > 1) blamed.push(part.key);
  if (failureClass !== 'state' && failureClass !== 'transient')
    blamed.push(...part.needs.filter((key) => key.startsWith('head:') && !INTERPRETERS.has(key.slice(5))));
  return blamed;
}

function onlyOne<T>(items: readonly T[]): T | undefined {
  return items.length === 1 ? items[0] : undefined;
}

const HARMLESS: ReadonlySet<Action> = new Set(['read', 'search', 'probe', 'create']);

function isNamed({ command }: CommandPart, line: string): boolean {
  const program = command.words[0] ?? '';
  const sub = command.words.slice(1).find((word) => !word.startsWith('-')) ?? '';
  return line.startsWith(`${program}:`) || line.startsWith(`${program} ${sub}`);
}

function findSuggestion(output: string): string | undefined {
  if (!output.toLowerCase().includes('did you mean ')) return undefined;
  const found = /did you mean (?:one of these[:?]?\s*|to use |the )?['"`]?([^\s'"`?]+)/i.exec(output)?.[1];
  return found === undefined || /^(?:this|that|one|it|npm)$/i.test(found) ? undefined : found;
}
