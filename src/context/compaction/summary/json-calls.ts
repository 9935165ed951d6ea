/** Something that a part of a turn says, in the order in which it was written. */
export type TurnPart =
  /** A command; `spoken` when it is only quoted or proposed, so that what is said after it is not what it printed. */
  | { readonly type: 'command'; readonly text: string; readonly spoken?: boolean }
  /** A file was changed. */
  | { readonly type: 'edit'; readonly path: string }
  /** A file was looked at or spoken of. */
  | { readonly type: 'seen'; readonly path: string }
  /** How the command before it ended. */
  | { readonly type: 'verdict'; readonly failed: boolean }
  /** A line that something printed. */
  | { readonly type: 'output'; readonly line: string }
  /** A line that somebody wrote, or that may be either. */
  | { readonly type: 'prose'; readonly line: string };

/** What a tool call that was written down says: the command it ran or the files it changed. */
interface ParsedCall {
  readonly tool: string;
  readonly command?: string;
  /** Files it changed. */
  readonly edited: readonly string[];
  /** Files it only looked at. */
  readonly seen: readonly string[];
}

const COMMAND_KEYS: ReadonlySet<string> = new Set([
  'command',
  'cmd',
  'shell_command',
  'bash',
  'script',
  'commandline',
]);
const PATH_KEYS: ReadonlySet<string> = new Set(
  'file_path filepath path file filename file_name notebook_path target_file absolute_path relative_path uri'.split(
    ' ',
  ),
);
const EDIT_TOOL = /edit|write|create|patch|replace|insert|update|modify|append|delete_file|remove_file/i;
const NOT_EDIT_TOOL = /todo|task|plan|issue|comment|memory|stdin|pull_request|message/i;
const PATCHED_FILE = /^\*\*\* (?:Add|Update|Delete) File: (.+)$|^\+\+\+ b\/(.+)$/;
const MAX_PATH_LENGTH = 500;

/** Is this the name under which a call holds its command? */
export function isCommandKey(key: string): boolean {
  return COMMAND_KEYS.has(key.toLowerCase());
}

/** Is this the name under which a call holds a path? */
export function isPathKey(key: string): boolean {
  return PATH_KEYS.has(key.toLowerCase());
}

/** Does a tool of that name change files? */
export function isEditTool(tool: string): boolean {
  return EDIT_TOOL.test(tool) && !NOT_EDIT_TOOL.test(tool);
}

/** The file that a line of a patch says it changes. */
export function parsePatchHeader(line: string): string | undefined {
  const match = PATCHED_FILE.exec(line);
  return (match?.[1] ?? match?.[2])?.trim();
}

/** Reads the arguments of a call, whatever the tool calls them. */
export function parseCall(tool: string, input: Readonly<Record<string, unknown>>): ParsedCall {
  const paths: string[] = [];
  const patched: string[] = [];
  let command: string | undefined;
  for (const [key, value] of Object.entries(input)) {
    if (isCommandKey(key)) command ??= commandOf(value);
    else if (isPathKey(key) && typeof value === 'string' && isOneLine(value)) paths.push(value.trim());
    else if (typeof value === 'string') patched.push(...findPatchedFiles(value));
  }
  const editing = isEditTool(tool);
  return {
    tool,
    ...(command === undefined ? {} : { command }),
    edited: [...patched, ...(editing ? paths : [])],
    seen: editing ? [] : paths,
  };
}

/** A command is a text, or its words: `["bash", "-lc", "npm test"]`. */
function commandOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() || undefined;
  if (!Array.isArray(value) || !value.every((word) => typeof word === 'string')) return undefined;
  const words: readonly string[] = value;
  return (/^-\w*c$/.test(words[1] ?? '') ? words.slice(2) : words).join(' ').trim() || undefined;
}

function findPatchedFiles(text: string): string[] {
  if (!text.includes('*** ') && !text.includes('+++ b/')) return [];
  return text.split('\n').flatMap((line) => parsePatchHeader(line) ?? []);
}

function isOneLine(text: string): boolean {
  return text.length > 0 && text.length <= MAX_PATH_LENGTH && !text.includes('\n');
}

const MAX_JSON_LENGTH = 1_000_000;
const MAX_JSON_LINE = 20_000;
const MAX_DEPTH = 8;
const MAX_OUTPUT_LINES = 400;
const QUOTED = '"((?:[^"\\\\]|\\\\.)*)"';
const NAME = new RegExp(`"(?:name|tool|tool_name)"\\s*:\\s*${QUOTED}`);
const COMMAND = new RegExp(`"(?:command|cmd)"\\s*:\\s*${QUOTED}`);
const PATH = new RegExp(`"(?:file_path|path|filename|notebook_path|target_file)"\\s*:\\s*${QUOTED}`);

const HEADING = /^\W*(?:tool(?:[ _]?(?:call|use|name))?|function|action)\W*[:=]\s*\W?([A-Za-z][\w.-]*)\W*$/i;

type Fields = Readonly<Record<string, unknown>>;

/** Reads tool calls and their results that were written down as JSON; undefined when the text is none. */
export function parseJsonCalls(text: string): TurnPart[] | undefined {
  const trimmed = text.trim();
  if (!/^[{[]/.test(trimmed) || trimmed.length > MAX_JSON_LENGTH) return undefined;
  try {
    const marks: TurnPart[] = [];
    walk(JSON.parse(trimmed), 0, marks);
    return marks;
  } catch {
    return undefined;
  }
}

/** The name of a tool on a line out of JSON, or under a heading: `"name": "Edit",`, `### Tool: Edit`. */
export function findToolName(line: string): string | undefined {
  return unescape(NAME.exec(line.slice(0, MAX_JSON_LINE))?.[1]) ?? HEADING.exec(line.slice(0, 200))?.[1];
}

/**
 * What a line out of JSON that is not complete on it says: `"command": "npm test",`. The tool's name may stand before it
 * (`Edit {"path": …}`) or have been on a line above.
 */
export function parseJsonLine(whole: string, above = ''): TurnPart[] {
  const line = whole.slice(0, MAX_JSON_LINE);
  const before = line.slice(0, Math.max(0, line.indexOf('{')));
  const tool = unescape(NAME.exec(line)?.[1]) ?? (/\w/.test(before) ? before : above);
  const command = unescape(COMMAND.exec(line)?.[1]);
  const path = unescape(PATH.exec(line)?.[1]);
  if (command === undefined && path === undefined) return [];
  return toParts(parseCall(tool, { ...(command ? { command } : {}), ...(path ? { path } : {}) }));
}

/** A call as marks. */
export function toParts({ command, edited, seen }: ParsedCall): TurnPart[] {
  return [
    ...(command === undefined ? [] : [{ type: 'command', text: command } as const]),
    ...edited.map((path) => ({ type: 'edit', path }) as const),
    ...seen.map((path) => ({ type: 'seen', path }) as const),
  ];
}

function walk(value: unknown, depth: number, marks: TurnPart[]): void {
  if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) walk(item, depth + 1, marks);
    return;
  }
  const fields = value as Fields;
  const nested = fields.function ?? fields.functionCall ?? fields.toolCall;
  if (isFields(nested)) walk(nested, depth + 1, marks);
  const call = readCall(fields);
  if (call) marks.push(...toParts(call));
  readResult(fields, depth, marks);
  for (const key of ['message', 'tool_calls', 'toolCalls', 'parts', 'item', 'payload'])
    walk(fields[key], depth + 1, marks);
}

function readCall(fields: Fields): ParsedCall | undefined {
  const tool =
    [fields.name, fields.tool, fields.tool_name, fields.toolName].find((name) => typeof name === 'string') ??
    '';
  const given =
    fields.input ??
    fields.arguments ??
    fields.args ??
    fields.parameters ??
    fields.params ??
    fields.tool_input;
  const input = typeof given === 'string' ? tryParse(given) : given;
  const type = typeof fields.type === 'string' ? fields.type : '';
  const call = isFields(input)
    ? parseCall(String(tool || type), input)
    : parseCall(String(tool || type), typeof given === 'string' ? { ...fields, patch: given } : fields);
  return call.command !== undefined || call.edited.length > 0 || call.seen.length > 0 ? call : undefined;
}

function readResult(fields: Fields, depth: number, marks: TurnPart[]): void {
  for (const key of ['content', 'output', 'stdout', 'stderr', 'result', 'error', 'text']) {
    const value = fields[key];
    if (typeof value === 'string') pushLines(value, fields.type === 'text' ? 'prose' : 'output', marks);
    else walk(value, depth + 1, marks);
  }
  const failed = readOutcome(fields);
  if (failed !== undefined) marks.push({ type: 'verdict', failed });
}

function readOutcome(fields: Fields): boolean | undefined {
  const code = fields.exit_code ?? fields.exitCode ?? fields.exit ?? fields.returncode;
  if (typeof code === 'number') return code !== 0;
  const bad = fields.is_error ?? fields.isError;
  if (typeof bad === 'boolean') return bad;
  const good = fields.success ?? fields.ok;
  if (typeof good === 'boolean') return !good;
  if (typeof fields.status !== 'string') return undefined;
  if (/^(?:error|failed|failure)$/i.test(fields.status)) return true;
  return /^(?:ok|success|succeeded)$/i.test(fields.status) ? false : undefined;
}

function pushLines(text: string, type: 'prose' | 'output', marks: TurnPart[]): void {
  for (const line of text.split('\n', MAX_OUTPUT_LINES)) marks.push({ type, line });
}

function tryParse(text: string): unknown {
  if (!/^\s*\{/.test(text) || text.length > MAX_JSON_LENGTH) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unescape(text: string | undefined): string | undefined {
  if (!text) return undefined;
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return undefined;
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
