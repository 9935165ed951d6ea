import { posix } from 'node:path';
import type { Action } from './call/action.ts';
import { isPreparation } from './call/command-needs.ts';
import type { ToolFamily } from './call/tool-call.ts';
import type { FailureClass, FailureKind } from './failure/failure-kinds.ts';
import { resolves } from './failure/resolves.ts';
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
  return resolves(failed.what, worked.what, { isState, isSameRequest });
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
