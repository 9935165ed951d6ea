import { type CallText, callText } from './call-text.ts';
import type { Mark } from './mark.ts';

const LONGEST = 1_000_000;
const LONGEST_LINE = 20_000;
const DEEPEST = 8;
const MOST_OUTPUT_LINES = 400;
const QUOTED = '"((?:[^"\\\\]|\\\\.)*)"';
const NAME = new RegExp(`"(?:name|tool|tool_name)"\\s*:\\s*${QUOTED}`);
const COMMAND = new RegExp(`"(?:command|cmd)"\\s*:\\s*${QUOTED}`);
const PATH = new RegExp(`"(?:file_path|path|filename|notebook_path|target_file)"\\s*:\\s*${QUOTED}`);

const HEADING = /^\W*(?:tool(?:[ _]?(?:call|use|name))?|function|action)\W*[:=]\s*\W?([A-Za-z][\w.-]*)\W*$/i;

type Fields = Readonly<Record<string, unknown>>;

/** Reads tool calls and their results that were written down as JSON; undefined when the text is none. */
export function readJson(text: string): Mark[] | undefined {
  const trimmed = text.trim();
  if (!/^[{[]/.test(trimmed) || trimmed.length > LONGEST) return undefined;
  try {
    const marks: Mark[] = [];
    walk(JSON.parse(trimmed), 0, marks);
    return marks;
  } catch {
    return undefined;
  }
}

/** The name of a tool on a line out of JSON, or under a heading: `"name": "Edit",`, `### Tool: Edit`. */
export function toolNamed(line: string): string | undefined {
  return unescaped(NAME.exec(line.slice(0, LONGEST_LINE))?.[1]) ?? HEADING.exec(line.slice(0, 200))?.[1];
}

/**
 * What a line out of JSON that is not complete on it says: `"command": "npm test",`. The tool's name may stand before it
 * (`Edit {"path": …}`) or have been on a line above.
 */
export function readJsonPart(whole: string, above = ''): Mark[] {
  const line = whole.slice(0, LONGEST_LINE);
  const before = line.slice(0, Math.max(0, line.indexOf('{')));
  const tool = unescaped(NAME.exec(line)?.[1]) ?? (/\w/.test(before) ? before : above);
  const command = unescaped(COMMAND.exec(line)?.[1]);
  const path = unescaped(PATH.exec(line)?.[1]);
  if (command === undefined && path === undefined) return [];
  return marksOf(callText(tool, { ...(command ? { command } : {}), ...(path ? { path } : {}) }));
}

/** A call as marks. */
export function marksOf({ command, edited, seen }: CallText): Mark[] {
  return [
    ...(command === undefined ? [] : [{ type: 'command', text: command } as const]),
    ...edited.map((path) => ({ type: 'edit', path }) as const),
    ...seen.map((path) => ({ type: 'seen', path }) as const),
  ];
}

function walk(value: unknown, depth: number, marks: Mark[]): void {
  if (depth > DEEPEST || typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) walk(item, depth + 1, marks);
    return;
  }
  const fields = value as Fields;
  const nested = fields.function ?? fields.functionCall ?? fields.toolCall;
  if (isFields(nested)) walk(nested, depth + 1, marks);
  const call = callOf(fields);
  if (call) marks.push(...marksOf(call));
  readResult(fields, depth, marks);
  for (const key of ['message', 'tool_calls', 'toolCalls', 'parts', 'item', 'payload'])
    walk(fields[key], depth + 1, marks);
}

function callOf(fields: Fields): CallText | undefined {
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
  const input = typeof given === 'string' ? parsed(given) : given;
  const type = typeof fields.type === 'string' ? fields.type : '';
  const call = isFields(input)
    ? callText(String(tool || type), input)
    : callText(String(tool || type), typeof given === 'string' ? { ...fields, patch: given } : fields);
  return call.command !== undefined || call.edited.length > 0 || call.seen.length > 0 ? call : undefined;
}

function readResult(fields: Fields, depth: number, marks: Mark[]): void {
  for (const key of ['content', 'output', 'stdout', 'stderr', 'result', 'error', 'text']) {
    const value = fields[key];
    if (typeof value === 'string') pushLines(value, fields.type === 'text' ? 'prose' : 'output', marks);
    else walk(value, depth + 1, marks);
  }
  const failed = verdict(fields);
  if (failed !== undefined) marks.push({ type: 'verdict', failed });
}

function verdict(fields: Fields): boolean | undefined {
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

function pushLines(text: string, type: 'prose' | 'output', marks: Mark[]): void {
  for (const line of text.split('\n', MOST_OUTPUT_LINES)) marks.push({ type, line });
}

function parsed(text: string): unknown {
  if (!/^\s*\{/.test(text) || text.length > LONGEST) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unescaped(text: string | undefined): string | undefined {
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
