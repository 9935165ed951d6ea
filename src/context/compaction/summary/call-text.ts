/** What a tool call that was written down says: the command it ran or the files it changed. */
export interface CallText {
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
const EDITING = /edit|write|create|patch|replace|insert|update|modify|append|delete_file|remove_file/i;
const NOT_EDITING = /todo|task|plan|issue|comment|memory|stdin|pull_request|message/i;
const PATCHED_FILE = /^\*\*\* (?:Add|Update|Delete) File: (.+)$|^\+\+\+ b\/(.+)$/;
const LONGEST_PATH = 500;

/** Is this the name under which a call holds its command? */
export function isCommandKey(key: string): boolean {
  return COMMAND_KEYS.has(key.toLowerCase());
}

/** Is this the name under which a call holds a path? */
export function isPathKey(key: string): boolean {
  return PATH_KEYS.has(key.toLowerCase());
}

/** Does a tool of that name change files? */
export function isEditing(tool: string): boolean {
  return EDITING.test(tool) && !NOT_EDITING.test(tool);
}

/** The file that a line of a patch says it changes. */
export function patchedFile(line: string): string | undefined {
  const match = PATCHED_FILE.exec(line);
  return (match?.[1] ?? match?.[2])?.trim();
}

/** Reads the arguments of a call, whatever the tool calls them. */
export function callText(tool: string, input: Readonly<Record<string, unknown>>): CallText {
  const paths: string[] = [];
  const patched: string[] = [];
  let command: string | undefined;
  for (const [key, value] of Object.entries(input)) {
    if (isCommandKey(key)) command ??= commandOf(value);
    else if (isPathKey(key) && typeof value === 'string' && isOneLine(value)) paths.push(value.trim());
    else if (typeof value === 'string') patched.push(...patchedFiles(value));
  }
  const editing = isEditing(tool);
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

function patchedFiles(text: string): string[] {
  if (!text.includes('*** ') && !text.includes('+++ b/')) return [];
  return text.split('\n').flatMap((line) => patchedFile(line) ?? []);
}

function isOneLine(text: string): boolean {
  return text.length > 0 && text.length <= LONGEST_PATH && !text.includes('\n');
}
