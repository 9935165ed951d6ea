import { textHash } from '../../record/index.ts';
import { type CanonicalCommand, canonicalCommands, hidesExit } from '../shell/index.ts';
import { type Action, actionOf } from './action.ts';
import { commandNeeds } from './command-needs.ts';
import { type CallFields, isAbsolute, rootOf } from './describe-call.ts';
import { maskVolatile } from './mask.ts';
import { type ToolFamily, toolFamily } from './tool-family.ts';

/** One command of a command line. */
export interface CommandPart {
  readonly command: CanonicalCommand;
  readonly action: Action;
  /** `call:` and the canonical command. */
  readonly key: string;
  readonly needs: readonly string[];
}

/**
 * What a call needs. A call fails because something it needs is not there; a call that goes well proves that all it
 * needs is there. Everything the guard knows follows from this.
 */
export interface CallAnalysis {
  readonly family: ToolFamily;
  /** The call without what cannot change its outcome. */
  readonly signature: string;
  /** What it does. Of a chain, the most telling part. */
  readonly action: Action;
  readonly parts: readonly CommandPart[];
  readonly needs: readonly string[];
  /** Paths that exist after it went well, and paths whose content is known after it. */
  readonly makes: readonly string[];
  /** Files whose content it shows or changes. */
  readonly files: readonly string[];
  /** A question whose failure is the answer. */
  readonly isProbe: boolean;
  /** Exit code 0 does not mean that it went well. */
  readonly hidesExit: boolean;
  /** An edit that replaces a text by itself. */
  readonly isIdle: boolean;
}

/** Analyses a call from what is kept of it. Never throws. */
export function analyseCall(fields: CallFields): CallAnalysis {
  const { tool, command, path, args, cwd, circumstances } = fields;
  const details = args === undefined ? '' : JSON.stringify(args);
  const key = [tool, command, path, cwd, circumstances?.join('\0'), details].join('\n\0');
  const known = recent.get(key);
  if (known !== undefined) return known;
  const family = toolFamily(tool);
  const analysis = family === 'shell' ? analyseCommand(fields) : analyseTool(fields, family);
  if (recent.size >= MOST_RECENT) recent = new Map();
  if (key.length <= LONGEST_RECENT) recent.set(key, analysis);
  return analysis;
}

/**
 * A call is looked at before it runs, when it ended and when its record is read, with those that run beside it; and
 * agents make the same calls again and again.
 */
let recent = new Map<string, CallAnalysis>();
const MOST_RECENT = 1000;
const LONGEST_RECENT = 10_000;

const RANK: readonly Action[] = [
  'test',
  'build',
  'lint',
  'install',
  'commit',
  'push',
  'checkout',
  'format',
  'edit',
  'create',
  'run',
];

function analyseCommand(fields: CallFields): CallAnalysis {
  const root = rootOf(fields);
  const text = fields.command ?? '';
  const folder = absolute(fields.cwd, root);
  const commands = canonicalCommands(text, folder);
  const escalated = fields.circumstances?.includes('escalated') === true ? '^' : '';
  const parts = commands.map((command) => partOf(command, root, escalated));
  const needed = commands.map((command) => commandNeeds(command, root));
  const signature = `sh${escalated} ${joined(commands, root)}`;
  // What a part needs counts only where its failure would fail the whole line.
  const counts = commands.map(({ piped, masked }) => !piped && !masked);
  const needs = [`call:${signature}`];
  if (parts.length > 1) needs.push(...parts.filter((_, at) => counts[at]).map((part) => part.key));
  for (const [at, { needs: more }] of needed.entries()) {
    if (counts[at]) needs.push(...more.map((key) => scoped(key, escalated)));
  }
  const made = needed.flatMap(({ makes }) => makes);
  const actions = parts.map((part) => part.action);
  return {
    family: 'shell',
    signature,
    action: RANK.find((action) => actions.includes(action)) ?? actions[0] ?? 'run',
    parts: parts.map((part, at) => ({
      ...part,
      needs: (needed[at]?.needs ?? []).map((key) => scoped(key, escalated)),
    })),
    needs: [...new Set(needs)],
    makes: made,
    files: [
      ...needed.flatMap((need) =>
        need.needs.filter((key) => key.startsWith('file:')).map((key) => key.slice(5)),
      ),
      ...made,
    ],
    isProbe: parts.length > 0 && parts.every((part) => part.action === 'probe' || isSilent(part.command)),
    hidesExit: hidesExit(text, folder),
    isIdle: false,
  };
}

/** Outside the sandbox other things work: network, permissions. Whether a file exists or an option is known is the same. */
function scoped(key: string, escalated: string): string {
  return escalated !== '' && /^(?:shape|program|head|setting):/.test(key) ? `${key} ${escalated}` : key;
}

function isSilent(command: CanonicalCommand): boolean {
  return ['echo', 'printf', 'true', ':', 'pwd', 'cd', 'set', 'export'].includes(command.words[0] ?? '');
}

function partOf(
  command: CanonicalCommand,
  root: string | undefined,
  escalated: string,
): Omit<CommandPart, 'needs'> {
  return {
    command,
    action: actionOf(command.words),
    key: `call:sh${escalated} ${commandText(command, root)}`,
  };
}

function joined(commands: readonly CanonicalCommand[], root: string | undefined): string {
  let text = '';
  for (const command of commands) {
    text += text === '' ? '' : ` ${command.operator || ';'} `;
    text += commandText(command, root);
  }
  return text;
}

const LONGEST = 2000;

function commandText(command: CanonicalCommand, root: string | undefined): string {
  const folder =
    command.folder === undefined || command.folder === root ? '' : `@${inside(command.folder, root)} `;
  const words = command.words.map((word) => inside(word, root).replace(/^\.\//, ''));
  return maskVolatile(`${folder}${words.join(' ')}`).slice(0, LONGEST);
}

function inside(word: string, root: string | undefined): string {
  if (root === undefined || !word.includes(root)) return word;
  return word === root ? '.' : word.replaceAll(`${root}/`, '');
}

function absolute(folder: string | undefined, root: string | undefined): string | undefined {
  if (folder === undefined || folder === '.') return root;
  if (isAbsolute(folder) || root === undefined) return folder;
  return `${root}/${folder}`;
}

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
  if (
    path !== undefined &&
    (family === 'read' || family === 'edit' || family === 'search' || family === 'list')
  ) {
    needs.push(`path:${path}`);
    if (family === 'read' || family === 'edit') needs.push(`file:${path}`);
    if (family === 'read' && !isPart) needs.push(`whole:${path}`);
    if (family === 'edit') needs.push(`text:${path}`);
  }
  const files = path !== undefined && (changes || family === 'read') ? [path] : [];
  const patched = family === 'patch' ? patchedFiles(args) : [];
  const replacement = args.new_string ?? args.newString ?? args.new_str;
  return {
    family,
    signature,
    action:
      family === 'write'
        ? 'create'
        : changes
          ? 'edit'
          : family === 'read'
            ? 'read'
            : family === 'search' || family === 'list'
              ? 'search'
              : 'run',
    parts: [],
    needs,
    makes: changes ? [...files, ...patched] : [],
    files: [...files, ...patched],
    isProbe: false,
    hidesExit: false,
    isIdle: family === 'edit' && typeof old === 'string' && old === replacement && !IS_SHORTENED.test(old),
  };
}

/** What was cut away or masked may be what differs. */
const IS_SHORTENED = /^\[\d+ characters left out\]$|\[redacted:|\/\*\//m;

function toolSignature(fields: CallFields, family: ToolFamily, old: unknown, isPart: boolean): string {
  const { path, tool, args } = fields;
  if (path !== undefined && family === 'read') return maskVolatile(`read ${path}${isPart ? '#part' : ''}`);
  if (path !== undefined && family === 'edit' && old !== undefined) {
    const all = args?.replace_all === true || args?.replaceAll === true ? ' all' : '';
    return `${maskVolatile(`edit ${path}`)} ${textHash(JSON.stringify(old)).toString(36)}${all}`;
  }
  if (path !== undefined && family === 'write') return maskVolatile(`write ${path}`);
  if (family === 'patch') return `patch ${textHash(JSON.stringify(args ?? {})).toString(36)}`;
  const rest = Object.entries(args ?? {})
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  if (path !== undefined) rest.unshift(path);
  return maskVolatile([tool, ...rest].join(' ')).slice(0, LONGEST);
}

/** Files named in a patch: `*** Update File: x`, `+++ b/x`. */
function patchedFiles(args: Readonly<Record<string, unknown>>): string[] {
  const found: string[] = [];
  for (const value of Object.values(args)) {
    if (typeof value !== 'string') continue;
    for (const match of value.matchAll(/^(?:\*\*\* (?:Update|Add|Delete) File: |\+\+\+ b\/)(.+)$/gm)) {
      if (match[1] !== undefined) found.push(match[1].trim());
    }
  }
  return found;
}
