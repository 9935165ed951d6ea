import { posix } from 'node:path';
import { isObject, omitUndefined } from '../../record/object.ts';
import type { Attempt } from '../../record/record.ts';
import { type Bounds, redact, redactBounded, redactValue } from '../../redact/redact.ts';
import { type ToolCall, type ToolFamily, toolFamily } from './tool-call.ts';

/** The recorded fields of a call: redacted, truncated, with relative paths. Lookups use nothing else. */
export type CallFields = Pick<
  Attempt,
  'agent' | 'parentSessionId' | 'tool' | 'command' | 'path' | 'args' | 'cwd' | 'circumstances' | 'branch'
> & { readonly tool: string };

/** Arguments that do not change what a call does. */
const IGNORED_ARGUMENTS: ReadonlySet<string> = new Set(
  'description timeout timeout_ms run_in_background justification yield_time_ms max_output_tokens prefix_rule login tty shell sandbox_permissions with_escalated_permissions dangerouslyDisableSandbox explanation summary'.split(
    ' ',
  ),
);
/** Arguments that name the file of a call. */
export const PATH_KEYS: readonly string[] =
  'file_path filePath absolute_path notebook_path path target_file filename'.split(' ');
const FOLDER_KEYS = ['workdir', 'cwd', 'dir_path', 'directory'];
const COMMAND_KEYS = ['command', 'cmd', 'script', 'CommandLine'];

/** Limits of one argument, in characters. */
const ARGUMENT = { head: 1000, tail: 500 };
const COMMAND = { head: 6000, tail: 2000 };
/** Of the texts by which a call changes files, so that most changes can be shown as a whole. */
const CHANGE = { head: 6000, tail: 2000 };
/** Of a list of changes. */
const MAX_CHANGES_LENGTH = 20_000;
const MAX_ARGUMENTS = 30;
const MAX_PATH_LENGTH = 2000;

/** Describes a call as it is recorded: the same before it runs and after. */
export function describeCall(call: ToolCall): CallFields {
  const family = toolFamily(call.tool);
  const root = call.root === undefined ? undefined : toForwardSlashes(redact(call.root));
  const command = family === 'shell' ? readCommand(call.input) : undefined;
  const path = family === 'shell' ? undefined : findPath(call, family);
  const folder = family === 'shell' ? (firstText(call.input, FOLDER_KEYS) ?? call.cwd) : call.cwd;
  const cwd = folder === undefined ? undefined : relativePath(redact(folder), root);
  const circumstances = readCircumstances(call.input, root);
  const args = readArguments(call.input, family);
  return omitUndefined({
    tool: call.tool,
    agent: call.agent,
    parentSessionId: call.parentSessionId,
    command: command === undefined ? undefined : redactBounded(command, COMMAND),
    path: path === undefined ? undefined : relativePath(redact(path), root).slice(0, MAX_PATH_LENGTH),
    args: Object.keys(args).length === 0 ? undefined : args,
    cwd: cwd === '.' ? undefined : cwd,
    circumstances: circumstances.length === 0 ? undefined : circumstances,
    branch: call.branch,
  });
}

/** Normalises a path: relative if it is inside the root, with forward slashes, without `.` and `..`. */
export function relativePath(path: string, root: string | undefined): string {
  const normal = posix.normalize(toForwardSlashes(path));
  const trimmed = normal.length > 1 && normal.endsWith('/') ? normal.slice(0, -1) : normal;
  if (root === undefined || root === '') return trimmed;
  if (trimmed === root) return '.';
  return trimmed.startsWith(`${root}/`) ? trimmed.slice(root.length + 1) : trimmed;
}

/** Whether a path starts with `/` or `C:/`. */
export function isAbsolute(path: string): boolean {
  return /^(?:[A-Za-z]:)?\//.test(path);
}

/** Whether a relative path leads out of the project, or is none: scratch files, notes of agents. */
export function isOutside(path: string): boolean {
  return /^(?:[/\\~]|[A-Za-z]:|\.\.(?:[/\\]|$))/.test(path);
}

/** The folder of the checkout of a recorded call. */
export function findRoot(fields: Pick<Attempt, 'circumstances'>): string | undefined {
  const found = fields.circumstances?.find((item) => item.startsWith(WORKTREE));
  return found?.slice(WORKTREE.length);
}

const WORKTREE = 'worktree:';

function readCircumstances(input: ToolCall['input'], root: string | undefined): string[] {
  const escalated =
    input.sandbox_permissions === 'require_escalated' ||
    input.with_escalated_permissions === true ||
    input.dangerouslyDisableSandbox === true;
  return [...(root === undefined ? [] : [`${WORKTREE}${root}`]), ...(escalated ? ['escalated'] : [])];
}

/** The command line of a shell call; empty without one. */
export function readCommand(input: ToolCall['input']): string {
  for (const key of COMMAND_KEYS) {
    const value = input[key];
    if (typeof value === 'string') return value;
    if (!Array.isArray(value)) continue;
    const words = value.map(String);
    return /^-l?i?c$/.test(words[1] ?? '') ? words.slice(2).join(' ') : words.join(' ');
  }
  return '';
}

const PATCHED_FILE = /^\*\*\* (?:Update|Add|Delete) File: (.+)$/m;

/** The file that a call is about; the first of several. */
function findPath(call: ToolCall, family: ToolFamily): string | undefined {
  const path = firstText(call.input, PATH_KEYS);
  if (path !== undefined) return path;
  if (family === 'patch') return findPatchedFile(call);
  const [file] = family === 'read' && Array.isArray(call.input.files) ? call.input.files : [];
  return isObject(file) ? firstText(file, PATH_KEYS) : undefined;
}

/** The first file of a patch, from its text or from a list of changes by path. */
function findPatchedFile({ input, cwd }: ToolCall): string | undefined {
  const texts = Object.values(input).filter((value) => typeof value === 'string');
  const named = texts.flatMap((text) => PATCHED_FILE.exec(text)?.[1] ?? [])[0];
  const path = (named ?? (isObject(input.changes) ? Object.keys(input.changes)[0] : undefined))?.trim();
  if (path === undefined || path === '' || cwd === undefined) return path || undefined;
  return isAbsolute(toForwardSlashes(path)) ? path : posix.join(cwd, path);
}

function readArguments(input: ToolCall['input'], family: ToolFamily): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(input).slice(0, MAX_ARGUMENTS)) {
    if (IGNORED_ARGUMENTS.has(key) || (family === 'shell' && [...COMMAND_KEYS, ...FOLDER_KEYS].includes(key))) continue;
    if (family !== 'shell' && PATH_KEYS.includes(key)) continue;
    kept[key] = CHANGING.has(family) ? boundChange(value) : boundValue(value, ARGUMENT);
  }
  // Redacted by argument names too, as on writing, so that signatures do not leak what records mask.
  return redactValue(kept, NO_KEYS);
}

const NO_KEYS: ReadonlySet<string> = new Set();

const CHANGING: ReadonlySet<ToolFamily> = new Set(['edit', 'write', 'patch']);

/** A text or a list of texts by which files are changed. */
function boundChange(value: unknown): unknown {
  const isLong = typeof value === 'object' && (JSON.stringify(value) ?? '').length > MAX_CHANGES_LENGTH;
  return isLong || typeof value !== 'object' ? boundValue(value, CHANGE) : value;
}

function boundValue(value: unknown, bounds: Bounds): unknown {
  if (typeof value === 'string') return redactBounded(value, bounds);
  if (typeof value !== 'object' || value === null) return value;
  const text = JSON.stringify(value) ?? '';
  return text.length <= bounds.head ? value : redactBounded(text, bounds);
}

/** The first argument of these names that is a non-empty text. */
export function firstText(input: ToolCall['input'], keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = input[key];
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

function toForwardSlashes(path: string): string {
  const forward = /^[A-Za-z]:\\|\\\\/.test(path) ? path.replaceAll('\\', '/') : path;
  return forward.replace(/^[a-z](?=:\/)/, (drive) => drive.toUpperCase());
}
