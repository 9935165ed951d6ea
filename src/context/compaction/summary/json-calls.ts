import { isObject, omitUndefined, parseObject } from '../../../record/object.ts';

/** A piece of information in a turn, in the order in which it was written. */
export type TurnPart =
  /** A command. `isQuoted`: it is only mentioned or proposed, so that the prose after it is not its output. */
  | { readonly type: 'command'; readonly text: string; readonly isQuoted?: boolean }
  /** A file was edited. */
  | { readonly type: 'edit'; readonly path: string }
  /** A file was read or mentioned. */
  | { readonly type: 'mention'; readonly path: string }
  /** How the command before it ended. */
  | { readonly type: 'outcome'; readonly failed: boolean }
  /** A line that a program printed. */
  | { readonly type: 'output'; readonly line: string }
  /** A line of prose, or one that may be either. */
  | { readonly type: 'prose'; readonly line: string };

/** The command or the files of a tool call that is written out in a turn. */
interface ParsedCall {
  readonly command?: string;
  readonly edited: readonly string[];
  /** Files that were read but not edited. */
  readonly mentioned: readonly string[];
}

const COMMAND_KEYS: ReadonlySet<string> = new Set('command cmd shell_command bash script commandline'.split(' '));
const PATH_KEYS: ReadonlySet<string> = new Set(
  'file_path filepath path file filename file_name notebook_path target_file absolute_path relative_path uri'.split(
    ' ',
  ),
);
const EDIT_TOOL = /edit|write|create|patch|replace|insert|update|modify|append|delete_file|remove_file/i;
const NOT_EDIT_TOOL = /todo|task|plan|issue|comment|memory|stdin|pull_request|message/i;
const PATCH_HEADER = /^\*\*\* (?:Add|Update|Delete) File: (.+)$|^\+\+\+ b\/(.+)$/;
const MAX_PATH_LENGTH = 500;

/** Whether a call holds its command under this name. */
export function isCommandKey(key: string): boolean {
  return COMMAND_KEYS.has(key.toLowerCase());
}

/** Whether a call holds a path under this name. */
export function isPathKey(key: string): boolean {
  return PATH_KEYS.has(key.toLowerCase());
}

/** Whether a tool of this name edits files. */
export function isEditTool(tool: string): boolean {
  return EDIT_TOOL.test(tool) && !NOT_EDIT_TOOL.test(tool);
}

/** The file that a line of a patch names as changed. */
export function parsePatchHeader(line: string): string | undefined {
  const match = PATCH_HEADER.exec(line);
  return (match?.[1] ?? match?.[2])?.trim();
}

/** Reads the arguments of a call, whatever the tool names them. */
export function parseJsonCall(tool: string, input: Readonly<Record<string, unknown>>): ParsedCall {
  const paths: string[] = [];
  const patched: string[] = [];
  let command: string | undefined;
  for (const [key, value] of Object.entries(input)) {
    if (isCommandKey(key)) command ??= toCommand(value);
    else if (isPathKey(key) && typeof value === 'string' && isPathLike(value)) paths.push(value.trim());
    else if (typeof value === 'string') patched.push(...findPatchedFiles(value));
  }
  const isEdit = isEditTool(tool);
  return {
    ...omitUndefined({ command }),
    edited: [...patched, ...(isEdit ? paths : [])],
    mentioned: isEdit ? [] : paths,
  };
}

/** A command is a text, or a list of words: `["bash", "-lc", "npm test"]`. */
function toCommand(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() || undefined;
  if (!Array.isArray(value) || !value.every((word) => typeof word === 'string')) return undefined;
  const words: readonly string[] = value;
  return (/^-\w*c$/.test(words[1] ?? '') ? words.slice(2) : words).join(' ').trim() || undefined;
}

function findPatchedFiles(text: string): string[] {
  if (!text.includes('*** ') && !text.includes('+++ b/')) return [];
  return text.split('\n').flatMap((line) => parsePatchHeader(line) ?? []);
}

function isPathLike(text: string): boolean {
  return text.length > 0 && text.length <= MAX_PATH_LENGTH && !text.includes('\n');
}

/** A call as parts of a turn. */
export function toParts({ command, edited, mentioned }: ParsedCall): TurnPart[] {
  return [
    ...(command === undefined ? [] : [{ type: 'command', text: command } as const]),
    ...edited.map((path) => ({ type: 'edit', path }) as const),
    ...mentioned.map((path) => ({ type: 'mention', path }) as const),
  ];
}

const MAX_JSON_LENGTH = 1_000_000;
const MAX_JSON_LINE = 20_000;
const MAX_DEPTH = 8;
const MAX_OUTPUT_LINES = 400;
const QUOTED = '"((?:[^"\\\\]|\\\\.)*)"';
const NAME = new RegExp(`"(?:name|tool|tool_name)"\\s*:\\s*${QUOTED}`);
const COMMAND = new RegExp(`"(?:command|cmd)"\\s*:\\s*${QUOTED}`);
const PATH = new RegExp(`"(?:file_path|path|filename|notebook_path|target_file)"\\s*:\\s*${QUOTED}`);
const TOOL_HEADING = /^\W*(?:tool(?:[ _]?(?:call|use|name))?|function|action)\W*[:=]\s*\W?([A-Za-z][\w.-]*)\W*$/i;

type Fields = Readonly<Record<string, unknown>>;

/** Parses tool calls and results in JSON; undefined if the text is not JSON. */
export function parseJsonCalls(text: string): TurnPart[] | undefined {
  const trimmed = text.trim();
  if (!/^[{[]/.test(trimmed) || trimmed.length > MAX_JSON_LENGTH) return undefined;
  try {
    const parts: TurnPart[] = [];
    walk(JSON.parse(trimmed), 0, parts);
    return parts;
  } catch {
    return undefined;
  }
}

/** The tool named on a line of JSON or in a heading: `"name": "Edit",`, `### Tool: Edit`. */
export function findToolName(line: string): string | undefined {
  return unescapeString(NAME.exec(line.slice(0, MAX_JSON_LINE))?.[1]) ?? TOOL_HEADING.exec(line.slice(0, 200))?.[1];
}

/**
 * Parses a line of JSON that spans several lines: `"command": "npm test",`. The tool's name may precede it on the line
 * (`Edit {"path": …}`) or come from a line above (`toolAbove`).
 */
export function parseJsonLine(whole: string, toolAbove = ''): TurnPart[] {
  const line = whole.slice(0, MAX_JSON_LINE);
  const before = line.slice(0, Math.max(0, line.indexOf('{')));
  const tool = unescapeString(NAME.exec(line)?.[1]) ?? (/\w/.test(before) ? before : toolAbove);
  const command = unescapeString(COMMAND.exec(line)?.[1]) || undefined;
  const path = unescapeString(PATH.exec(line)?.[1]) || undefined;
  if (command === undefined && path === undefined) return [];
  return toParts(parseJsonCall(tool, omitUndefined({ command, path })));
}

function walk(value: unknown, depth: number, parts: TurnPart[]): void {
  if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) walk(item, depth + 1, parts);
    return;
  }
  const fields = value as Fields;
  const nested = fields.function ?? fields.functionCall ?? fields.toolCall;
  if (isObject(nested)) walk(nested, depth + 1, parts);
  parts.push(...toParts(readCall(fields)));
  readResult(fields, depth, parts);
  for (const key of ['message', 'tool_calls', 'toolCalls', 'parts', 'item', 'payload'])
    walk(fields[key], depth + 1, parts);
}

function readCall(fields: Fields): ParsedCall {
  const names = [fields.name, fields.tool, fields.tool_name, fields.toolName];
  const name = names.find((candidate) => typeof candidate === 'string');
  const type = typeof fields.type === 'string' ? fields.type : '';
  const tool = String(name || type);
  const given =
    fields.input ?? fields.arguments ?? fields.args ?? fields.parameters ?? fields.params ?? fields.tool_input;
  const input = typeof given === 'string' && given.length <= MAX_JSON_LENGTH ? parseObject(given) : given;
  if (isObject(input)) return parseJsonCall(tool, input);
  return parseJsonCall(tool, typeof given === 'string' ? { ...fields, patch: given } : fields);
}

function readResult(fields: Fields, depth: number, parts: TurnPart[]): void {
  for (const key of ['content', 'output', 'stdout', 'stderr', 'result', 'error', 'text']) {
    const value = fields[key];
    if (typeof value !== 'string') {
      walk(value, depth + 1, parts);
      continue;
    }
    const type = fields.type === 'text' ? 'prose' : 'output';
    for (const line of value.split('\n', MAX_OUTPUT_LINES)) parts.push({ type, line });
  }
  const failed = readOutcome(fields);
  if (failed !== undefined) parts.push({ type: 'outcome', failed });
}

function readOutcome(fields: Fields): boolean | undefined {
  const code = fields.exit_code ?? fields.exitCode ?? fields.exit ?? fields.returncode;
  if (typeof code === 'number') return code !== 0;
  const isError = fields.is_error ?? fields.isError;
  if (typeof isError === 'boolean') return isError;
  const isSuccess = fields.success ?? fields.ok;
  if (typeof isSuccess === 'boolean') return !isSuccess;
  if (typeof fields.status !== 'string') return undefined;
  if (/^(?:error|failed|failure)$/i.test(fields.status)) return true;
  return /^(?:ok|success|succeeded)$/i.test(fields.status) ? false : undefined;
}

function unescapeString(text: string | undefined): string | undefined {
  if (!text) return undefined;
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return undefined;
  }
}
