const PREFIX = 'CMD: ';
const LINE_END = /\r\n|\n|\r/;
/** Opens a code block, possibly at the start of a list item. The info string after backticks has no backticks. */
const OPENING_FENCE = /^([ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(?:(`{3,})[^`]*|(~{3,}).*)$/;
const CLOSING_FENCE = /^([ \t]*)(`{3,}|~{3,})[ \t]*$/;
/** A closing fence may be indented by this much more than the opening one. */
const MAX_EXTRA_INDENT = 3;

interface Fence {
  readonly indent: number;
  readonly marks: string;
}

/** A command that a reply suggests. */
export interface SuggestedCommand {
  readonly command: string;
  /** Index of its line in the reply. */
  readonly line: number;
}

/** The shell commands that a reply suggests, in order. See {@link findSuggestedCommands}. */
export function suggestedCommands(reply: string): string[] {
  return findSuggestedCommands(reply).map(({ command }) => command);
}

/**
 * Finds the shell commands that a reply suggests: lines that begin with exactly `CMD: ` and then the command. Lines
 * inside code fences are quotations; a fence that is never closed extends to the end.
 */
export function findSuggestedCommands(reply: string): SuggestedCommand[] {
  const commands: SuggestedCommand[] = [];
  let open: Fence | undefined;
  for (const [index, line] of reply.split(LINE_END).entries()) {
    if (open !== undefined) {
      if (closes(open, line)) open = undefined;
      continue;
    }
    open = parseOpeningFence(line);
    const command = open === undefined ? parseCommand(line) : '';
    if (command !== '') commands.push({ command, line: index });
  }
  return commands;
}

function parseCommand(line: string): string {
  if (!line.startsWith(PREFIX)) return '';
  const command = line.slice(PREFIX.length);
  return /^\s/.test(command) ? '' : command.trimEnd();
}

function parseOpeningFence(line: string): Fence | undefined {
  const found = OPENING_FENCE.exec(line);
  const marks = found?.[2] ?? found?.[3];
  return marks === undefined ? undefined : { indent: found?.[1]?.length ?? 0, marks };
}

function closes(fence: Fence, line: string): boolean {
  const found = CLOSING_FENCE.exec(line);
  const [, indent = '', marks = ''] = found ?? [];
  return marks.startsWith(fence.marks) && indent.length <= fence.indent + MAX_EXTRA_INDENT;
}
