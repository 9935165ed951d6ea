import { textHash } from '../../record/id.ts';
import { type CanonicalCommand, canonicalCommands, hidesExitCode } from '../shell/canonical.ts';
import { type Action, classifyCommand } from './action.ts';
import { type CommandNeeds, findNeeds, maskVolatile } from './command-needs.ts';
import { type CallFields, findRoot, isAbsolute } from './describe-call.ts';
import { familyAction, type ToolFamily, toolFamily } from './tool-call.ts';

/** One command of a command line. */
export interface CommandPart {
  readonly command: CanonicalCommand;
  readonly action: Action;
  /** `call:` and the canonical command. */
  readonly key: string;
  readonly needs: readonly string[];
}

/**
 * What a call needs in order to work. A call fails because one of its needs is not met; a call that succeeds proves that
 * all of them are. The guard's reasoning is based on this.
 */
export interface CallAnalysis {
  readonly family: ToolFamily;
  /** The call in canonical form. */
  readonly signature: string;
  /** What the call does; for a chain, its most significant part. */
  readonly action: Action;
  readonly parts: readonly CommandPart[];
  /** Keys such as `path:src/a.ts`, `program:go`, `option:gh pr diff --stat`. */
  readonly needs: readonly string[];
  /** Paths that exist, or whose content is known, after the call succeeded. */
  readonly creates: readonly string[];
  /** A query whose failure is an answer: `test -f x`, `which node`. */
  readonly isProbe: boolean;
  /** It can exit with 0 although it failed. */
  readonly hidesExitCode: boolean;
  /** An edit that replaces a text by itself. */
  readonly isNoOp: boolean;
}

/** Analyses a call by its recorded fields. Never throws. */
export function analyseCall(fields: CallFields): CallAnalysis {
  const { tool, command, path, args, cwd, circumstances } = fields;
  const details = args === undefined ? '' : JSON.stringify(args);
  const key = [tool, command, path, cwd, circumstances?.join('\0'), details].join('\n\0');
  const known = cache.get(key);
  if (known !== undefined) return known;
  const family = toolFamily(tool);
  const analysis = family === 'shell' ? new CommandAnalysis(fields) : analyseTool(fields, family);
  if (cache.size >= MAX_CACHED) cache = new Map();
  if (key.length <= MAX_CACHED_KEY_LENGTH) cache.set(key, analysis);
  return analysis;
}

/** Calls are analysed several times (before, after, when their record is read), and agents repeat them. */
let cache = new Map<string, CallAnalysis>();
const MAX_CACHED = 250;
const MAX_CACHED_KEY_LENGTH = 10_000;

function analyseTool(fields: CallFields, family: ToolFamily): CallAnalysis {
  const { path, tool } = fields;
  const args = fields.args ?? {};
  const old = args.old_string ?? args.oldString ?? args.old_str ?? args.edits;
  const isPart = ['offset', 'limit', 'view_range', 'pages', 'start_line', 'startLine'].some(
    (key) => args[key] !== undefined,
  );
  const signature = toolSignature(fields, family, old, isPart);
  const needs = [`call:${signature}`, `tool:${tool}`];
  const changes = family === 'edit' || family === 'write' || family === 'patch';
  if (path !== undefined && (family === 'read' || family === 'edit' || family === 'search' || family === 'list')) {
    needs.push(`path:${path}`);
    if (family === 'read' || family === 'edit') needs.push(`file:${path}`);
    if (family === 'read' && !isPart) needs.push(`whole:${path}`);
    if (family === 'edit') needs.push(`text:${path}`);
  }
  if (path !== undefined && (changes || family === 'read')) needs.push(`access:${changes ? 'write' : 'read'} ${path}`);
  const changed = path !== undefined && changes ? [path] : [];
  const replacement = args.new_string ?? args.newString ?? args.new_str;
  return {
    family,
    signature,
    action: familyAction(family) ?? 'run',
    parts: [],
    needs,
    creates: family === 'patch' ? [...new Set([...changed, ...findPatchedFiles(args)])] : changed,
    isProbe: false,
    hidesExitCode: false,
    isNoOp: family === 'edit' && typeof old === 'string' && old === replacement && !TRUNCATED_OR_MASKED.test(old),
  };
}

const MAX_SIGNATURE_LENGTH = 2000;

/** The part of a text that was truncated or redacted may be what differs. */
const TRUNCATED_OR_MASKED = /^\[\d+ characters left out\]$|\[redacted:|\/\*\//m;

function toolSignature(fields: CallFields, family: ToolFamily, old: unknown, isPart: boolean): string {
  const { path, tool, args } = fields;
  if (path !== undefined && family === 'read') return maskVolatile(`read ${path}${isPart ? '#part' : ''}`);
  if (path !== undefined && family === 'edit' && old !== undefined) {
    const all = args?.replace_all === true || args?.replaceAll === true ? ' all' : '';
    return `${maskVolatile(`edit ${path}`)} ${textHash(JSON.stringify(old)).toString(36)}${all}`;
  }
  if (path !== undefined && family === 'write') return maskVolatile(`write ${path}`);
  if (family === 'patch') return `patch ${textHash(JSON.stringify(args ?? {})).toString(36)}`;
  const rest = Object.keys(args ?? {})
    .sort()
    .map((key) => `${key}=${typeof args?.[key] === 'string' ? args[key] : JSON.stringify(args?.[key])}`);
  if (path !== undefined) rest.unshift(path);
  return maskVolatile([tool, ...rest].join(' ')).slice(0, MAX_SIGNATURE_LENGTH);
}

/** The files of a patch: `*** Update File: x`, `+++ b/x`. */
function findPatchedFiles(args: Readonly<Record<string, unknown>>): string[] {
  const found: string[] = [];
  for (const value of Object.values(args)) {
    if (typeof value !== 'string') continue;
    for (const match of value.matchAll(/^(?:\*\*\* (?:Update|Add|Delete) File: |\+\+\+ b\/)(.+)$/gm)) {
      if (match[1] !== undefined) found.push(match[1].trim());
    }
  }
  return found;
}

/** Whether a call makes a commit, alone or in a chain. */
export function makesCommit({ parts }: Pick<CallAnalysis, 'parts'>): boolean {
  return parts.some(({ action }) => action === 'commit');
}

/** The action of a chain is the first of these that it contains. */
const ACTION_PRECEDENCE: readonly Action[] = [
  ...(['test', 'build', 'lint', 'install', 'commit', 'push'] as const),
  ...(['checkout', 'format', 'edit', 'create', 'run'] as const),
];
const MAX_COMMAND_LENGTH = 2000;

/** The analysis of a command line. Its needs are found lazily, because most callers ask for the signature only. */
class CommandAnalysis implements CallAnalysis {
  readonly family = 'shell';
  readonly signature: string;
  readonly parts: readonly Part[];
  readonly isNoOp = false;
  readonly #text: string;
  readonly #folder: string | undefined;
  #needs: readonly string[] | undefined;

  constructor(fields: CallFields) {
    const root = findRoot(fields);
    const escalated = fields.circumstances?.includes('escalated') === true ? '^' : '';
    this.#text = fields.command ?? '';
    this.#folder = toAbsolute(fields.cwd, root);
    this.parts = canonicalCommands(this.#text, this.#folder).map((command) => new Part(command, root, escalated));
    this.signature = `sh${escalated} ${joinParts(this.parts)}`;
  }

  get action(): Action {
    const actions = this.parts.map((part) => part.action);
    return ACTION_PRECEDENCE.find((action) => actions.includes(action)) ?? actions[0] ?? 'run';
  }

  get hidesExitCode(): boolean {
    return hidesExitCode(this.#text, this.#folder);
  }

  get needs(): readonly string[] {
    this.#needs ??= this.#findNeeds();
    return this.#needs;
  }

  get creates(): readonly string[] {
    return this.parts.flatMap((part) => part.creates);
  }

  get isProbe(): boolean {
    return this.parts.length > 0 && this.parts.every((part) => part.action === 'probe' || isNeutral(part.command));
  }

  #findNeeds(): readonly string[] {
    // A part counts only if its failure would fail the whole line.
    const counting = this.parts.filter(({ command }) => !command.piped && !command.masked);
    const keys = this.parts.length > 1 ? counting.map((part) => part.key) : [];
    return [...new Set([`call:${this.signature}`, ...keys, ...counting.flatMap((part) => [...part.needs])])];
  }
}

class Part implements CommandPart {
  readonly command: CanonicalCommand;
  /** The command as part of a signature. */
  readonly text: string;
  readonly #root: string | undefined;
  readonly #escalated: string;
  #action: Action | undefined;
  #found: CommandNeeds | undefined;

  constructor(command: CanonicalCommand, root: string | undefined, escalated: string) {
    this.command = command;
    this.text = formatCommand(command, root);
    this.#root = root;
    this.#escalated = escalated;
  }

  get action(): Action {
    this.#action ??= classifyCommand(this.command.words);
    return this.#action;
  }

  get key(): string {
    return `call:sh${this.#escalated} ${this.text}`;
  }

  get needs(): readonly string[] {
    return this.#find().needs;
  }

  get creates(): readonly string[] {
    return this.#find().creates;
  }

  #find(): CommandNeeds {
    if (this.#found === undefined) {
      const { needs, creates } = findNeeds(this.command, this.#root);
      this.#found = { needs: needs.map((key) => scopeToSandbox(key, this.#escalated)), creates };
    }
    return this.#found;
  }
}

/** Outside the sandbox, network and permissions differ; whether a file exists or an option is known does not. */
function scopeToSandbox(key: string, escalated: string): string {
  return escalated !== '' && /^(?:shape|program|head|setting|target|service|access):/.test(key)
    ? `${key} ${escalated}`
    : key;
}

function isNeutral(command: CanonicalCommand): boolean {
  return ['echo', 'printf', 'true', ':', 'pwd', 'cd', 'set', 'export'].includes(command.words[0] ?? '');
}

function joinParts(parts: readonly Part[]): string {
  let text = '';
  for (const part of parts) {
    text += text === '' ? '' : ` ${part.command.operator || ';'} `;
    text += part.text;
  }
  return text;
}

function formatCommand(command: CanonicalCommand, root: string | undefined): string {
  const folder = command.folder === undefined || command.folder === root ? '' : `@${stripRoot(command.folder, root)} `;
  const words = command.words.map((word) => stripRoot(word, root).replace(/^\.\//, ''));
  return maskVolatile(`${folder}${words.join(' ')}`).slice(0, MAX_COMMAND_LENGTH);
}

function stripRoot(word: string, root: string | undefined): string {
  if (root === undefined || !word.includes(root)) return word;
  return word === root ? '.' : word.replaceAll(`${root}/`, '');
}

function toAbsolute(folder: string | undefined, root: string | undefined): string | undefined {
  if (folder === undefined || folder === '.') return root;
  if (isAbsolute(folder) || root === undefined) return folder;
  return `${root}/${folder}`;
}
