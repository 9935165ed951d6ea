import { textHash } from '../../record/index.ts';
import type { CallAnalysis } from './call-analysis.ts';
import { CommandAnalysis } from './command-analysis.ts';
import type { CallFields } from './describe-call.ts';
import { maskVolatile } from './mask.ts';
import { type ToolFamily, toolFamily } from './tool-family.ts';

export type { CallAnalysis, CommandPart } from './call-analysis.ts';

/** Analyses a call from what is kept of it. Never throws. */
export function analyseCall(fields: CallFields): CallAnalysis {
  const { tool, command, path, args, cwd, circumstances } = fields;
  const details = args === undefined ? '' : JSON.stringify(args);
  const key = [tool, command, path, cwd, circumstances?.join('\0'), details].join('\n\0');
  const known = recent.get(key);
  if (known !== undefined) return known;
  const family = toolFamily(tool);
  const analysis = family === 'shell' ? new CommandAnalysis(fields) : analyseTool(fields, family);
  if (recent.size >= MOST_RECENT) recent = new Map();
  if (key.length <= LONGEST_RECENT) recent.set(key, analysis);
  return analysis;
}

/**
 * A call is looked at before it runs, when it ended and when its record is read, with those that run beside it; and
 * agents make the same calls again and again.
 */
let recent = new Map<string, CallAnalysis>();
const MOST_RECENT = 250;
const LONGEST_RECENT = 10_000;

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

const LONGEST = 2000;

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
