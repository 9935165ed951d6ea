import { posix } from 'node:path';
import type { Attempt } from '../../record/index.ts';
import { redact, redactBounded, redactValue } from '../../redact/index.ts';
import type { ToolCall } from './tool-call.ts';
import { type ToolFamily, toolFamily } from './tool-family.ts';

/** What is kept of a call, and all that is known when it is looked up: redacted, bounded, paths relative. */
export type CallFields = Pick<
  Attempt,
  'agent' | 'tool' | 'command' | 'path' | 'args' | 'cwd' | 'circumstances' | 'branch' | 'commit'
> & { readonly tool: string };

/** Arguments that don't change what a call does. */
const NOISE: ReadonlySet<string> = new Set([
  'description',
  'timeout',
  'timeout_ms',
  'run_in_background',
  'justification',
  'yield_time_ms',
  'max_output_tokens',
  'prefix_rule',
  'login',
  'tty',
  'shell',
  'sandbox_permissions',
  'with_escalated_permissions',
  'dangerouslyDisableSandbox',
  'explanation',
  'summary',
]);
const PATH_KEYS = [
  'file_path',
  'filePath',
  'absolute_path',
  'notebook_path',
  'path',
  'target_file',
  'filename',
];
const FOLDER_KEYS = ['workdir', 'cwd', 'dir_path', 'directory'];
const COMMAND_KEYS = ['command', 'cmd', 'script', 'CommandLine'];

/** Of one argument, in characters. */
const ARGUMENT = { head: 1000, tail: 500 };
const COMMAND = { head: 6000, tail: 2000 };
const MOST_ARGUMENTS = 30;
const LONGEST_PATH = 2000;

/** What to keep of a call. The same for the same call, before it runs and after. */
export function describeCall(call: ToolCall): CallFields {
  const family = toolFamily(call.tool);
  const root = call.root === undefined ? undefined : slashes(redact(call.root));
  const command = family === 'shell' ? commandOf(call.input) : undefined;
  const path = family === 'shell' ? undefined : firstText(call.input, PATH_KEYS);
  const folder = family === 'shell' ? (firstText(call.input, FOLDER_KEYS) ?? call.cwd) : call.cwd;
  const cwd = folder === undefined ? undefined : relativePath(redact(folder), root);
  const circumstances = circumstancesOf(call.input, root);
  const args = argumentsOf(call.input, family);
  return {
    tool: call.tool,
    ...(call.agent === undefined ? {} : { agent: call.agent }),
    ...(command === undefined ? {} : { command: redactBounded(command, COMMAND) }),
    ...(path === undefined ? {} : { path: relativePath(redact(path), root).slice(0, LONGEST_PATH) }),
    ...(Object.keys(args).length === 0 ? {} : { args }),
    ...(cwd === undefined || cwd === '.' ? {} : { cwd }),
    ...(circumstances.length === 0 ? {} : { circumstances }),
    ...(call.branch === undefined ? {} : { branch: call.branch }),
    ...(call.commit === undefined ? {} : { commit: call.commit }),
  };
}

/** A path as seen from the project: relative when it is inside, with forward slashes, without `.` and `..`. */
export function relativePath(path: string, root: string | undefined): string {
  const normal = posix.normalize(slashes(path));
  const trimmed = normal.length > 1 && normal.endsWith('/') ? normal.slice(0, -1) : normal;
  if (root === undefined || root === '') return trimmed;
  if (trimmed === root) return '.';
  return trimmed.startsWith(`${root}/`) ? trimmed.slice(root.length + 1) : trimmed;
}

/** `/x`, `C:/x`. */
export function isAbsolute(path: string): boolean {
  return /^(?:[A-Za-z]:)?\//.test(path);
}

/** The folder of the checkout that a recorded call worked on. */
export function rootOf(fields: Pick<Attempt, 'circumstances'>): string | undefined {
  const found = fields.circumstances?.find((item) => item.startsWith(WORKTREE));
  return found?.slice(WORKTREE.length);
}

const WORKTREE = 'worktree:';

function circumstancesOf(input: ToolCall['input'], root: string | undefined): string[] {
  const escalated =
    input.sandbox_permissions === 'require_escalated' ||
    input.with_escalated_permissions === true ||
    input.dangerouslyDisableSandbox === true;
  return [...(root === undefined ? [] : [`${WORKTREE}${root}`]), ...(escalated ? ['escalated'] : [])];
}

function commandOf(input: ToolCall['input']): string {
  for (const key of COMMAND_KEYS) {
    const value = input[key];
    if (typeof value === 'string') return value;
    if (!Array.isArray(value)) continue;
    const words = value.map(String);
    return /^-l?i?c$/.test(words[1] ?? '') ? words.slice(2).join(' ') : words.join(' ');
  }
  return '';
}

function argumentsOf(input: ToolCall['input'], family: ToolFamily): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(input).slice(0, MOST_ARGUMENTS)) {
    if (NOISE.has(key) || (family === 'shell' && [...COMMAND_KEYS, ...FOLDER_KEYS].includes(key))) continue;
    if (family !== 'shell' && PATH_KEYS.includes(key)) continue;
    kept[key] = bounded(value);
  }
  // As it will be written, names of arguments considered: a signature must not hold what the record hides.
  return redactValue(kept, NO_KEYS);
}

const NO_KEYS: ReadonlySet<string> = new Set();

function bounded(value: unknown): unknown {
  if (typeof value === 'string') return redactBounded(value, ARGUMENT);
  if (typeof value !== 'object' || value === null) return value;
  const text = JSON.stringify(value) ?? '';
  return text.length <= ARGUMENT.head ? value : redactBounded(text, ARGUMENT);
}

function firstText(input: ToolCall['input'], keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = input[key];
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

function slashes(path: string): string {
  const forward = /^[A-Za-z]:\\|\\\\/.test(path) ? path.replaceAll('\\', '/') : path;
  return forward.replace(/^[a-z](?=:\/)/, (drive) => drive.toUpperCase());
}
