import { readFileSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { toolFamily } from '../memory/call/tool-call.ts';
import type { ToolCall } from '../memory/index.ts';
import { YoreError } from '../record/index.ts';
import type { OptionValues } from './command.ts';
import { textOption } from './options.ts';

/** What `yore check` is asked about. */
export type CheckedCall =
  | { readonly kind: 'command'; readonly tool: string; readonly command: string }
  | { readonly kind: 'path'; readonly tool: string; readonly path: string };

/** Words that any shell reads as they are. */
const PLAIN_WORD = /^[\w@%+=:,./-]+$/;

/**
 * Reads what is to be checked: a command or the path of a file tool. One argument is a whole line, several are the
 * words of a command, `-` is standard input. USAGE when it is neither or both.
 */
export function readCheckedCall(
  args: readonly string[],
  options: OptionValues,
  readInput: () => string = () => readFileSync(0, 'utf8'),
): CheckedCall {
  const path = textOption(options, 'path');
  const named = textOption(options, 'tool');
  if (path !== undefined && args.length > 0) {
    throw new YoreError('USAGE', 'Check a command or --path, not both.');
  }
  const tool = named ?? (path === undefined ? 'Bash' : 'Read');
  const isShell = toolFamily(tool) === 'shell';
  if (path !== undefined) {
    if (path.trim() === '') throw new YoreError('USAGE', '--path is empty. Name a file.');
    if (isShell) throw new YoreError('USAGE', `The tool ${tool} runs commands: write the command after --.`);
    return { kind: 'path', tool, path };
  }
  const command = args.length === 1 && args[0] === '-' ? readInput() : commandLine(args);
  if (command.trim() === '') {
    throw new YoreError(
      'USAGE',
      'There is nothing to check: write the command after --, such as yore check -- npm test.',
    );
  }
  if (!isShell) throw new YoreError('USAGE', `The tool ${tool} runs no commands: name a file with --path.`);
  return { kind: 'command', tool, command };
}

/** The call as an agent would make it in `folder`. */
export function toolCallOf(call: CheckedCall, { folder, root, now, agent }: CallPlace): ToolCall {
  return {
    // No session of an agent: nothing that happened a moment ago in one counts as just seen.
    sessionId: 'check',
    tool: call.tool,
    input: call.kind === 'command' ? { command: call.command } : { file_path: absolute(call.path, folder) },
    timestamp: new Date(now).toISOString(),
    cwd: folder,
    root,
    ...(agent === undefined ? {} : { agent }),
  };
}

/** Where and when a call would run, and who would run it. */
export interface CallPlace {
  readonly folder: string;
  /** Top folder of the checkout. */
  readonly root: string;
  readonly now: number;
  readonly agent?: string | undefined;
}

function absolute(path: string, folder: string): string {
  return isAbsolute(path) ? path : resolve(folder, path);
}

function commandLine(words: readonly string[]): string {
  if (words.length <= 1) return words[0] ?? '';
  return words.map((word) => (PLAIN_WORD.test(word) ? word : quote(word))).join(' ');
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
