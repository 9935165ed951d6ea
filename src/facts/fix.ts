import { posix } from 'node:path';
import { type Action, CHECKS, isInstall } from './call/action.ts';
import { isPreparation } from './call/command-needs.ts';
import type { ToolFamily } from './call/tool-call.ts';
import type { FailureKind } from './failure/failure-kinds.ts';
import {
  type FailedCall,
  isSimilarPackage,
  missingNames,
  normalise,
  parseCommands,
  replaces,
  runsDifferently,
  splitCause,
  type TriedCall,
} from './same-job.ts';

/** A success that comes later than this after a failure is not what solved it. */
export const FIX_WINDOW_MS: number = 60 * 60_000;

/**
 * What solved a failure, of the calls that worked after it, given in order of time. That is the first call that does the
 * job of the failed one; or, when the cause is shown to be gone first, what was done about it in between. Empty if nothing
 * shows what helped. `provenAt`: when another call showed that a cause is gone. `hasMet`: the session met the failure, so that
 * it may have turned to another way of doing the job because of it.
 */
export function findFixingCalls<T extends TriedCall>(
  failed: FailedCall,
  later: readonly T[],
  {
    provenAt = Number.POSITIVE_INFINITY,
    hasMet = true,
  }: { readonly provenAt?: number; readonly hasMet?: boolean } = {},
): readonly T[] {
  // Without an error, the failure is an answer.
  if (failed.line === '') return [];
  for (const [index, call] of later.entries()) {
    const before = later.slice(0, index);
    if (call.signature === failed.signature) {
      return runsDifferently(failed, call) ? [call] : findRemedies(failed, before);
    }
    if (hasMet && isFix(failed, call)) {
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
/** Calls that fail for what a tool can correct by itself; commits and pushes because of their hooks. */
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
