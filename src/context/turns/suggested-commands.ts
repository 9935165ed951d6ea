const PREFIX = 'CMD: ';
const LINE_END = /\r\n|\n|\r/;
/** Opens a code block, also as the first thing of a list item. What follows backticks on the line holds none. */
const OPENING_FENCE = /^([ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(?:(`{3,})[^`]*|(~{3,}).*)$/;
const CLOSING_FENCE = /^([ \t]*)(`{3,}|~{3,})[ \t]*$/;
/** A closing fence may stand this much deeper than the opening one; deeper it is content. */
const DEEPER = 3;

interface Fence {
  readonly indent: number;
  readonly marks: string;
}

/**
 * The shell commands that a reply suggests, in order: lines that begin with exactly `CMD: `, one space, then the command.
 * Lines inside code fences are quotations and no suggestions; a fence that is never closed reaches to the end.
 */
export function suggestedCommands(reply: string): string[] {
  const commands: string[] = [];
  let open: Fence | undefined;
  for (const line of reply.split(LINE_END)) {
    if (open !== undefined) {
      if (isClosedBy(open, line)) open = undefined;
      continue;
    }
    open = fenceOpenedBy(line);
    const command = open === undefined ? commandOf(line) : '';
    if (command !== '') commands.push(command);
  }
  return commands;
}

function commandOf(line: string): string {
  if (!line.startsWith(PREFIX)) return '';
  const command = line.slice(PREFIX.length);
  return /^\s/.test(command) ? '' : command.trimEnd();
}

function fenceOpenedBy(line: string): Fence | undefined {
  const found = OPENING_FENCE.exec(line);
  const marks = found?.[2] ?? found?.[3];
  return marks === undefined ? undefined : { indent: found?.[1]?.length ?? 0, marks };
}

function isClosedBy(fence: Fence, line: string): boolean {
  const found = CLOSING_FENCE.exec(line);
  const [, indent = '', marks = ''] = found ?? [];
  return marks.startsWith(fence.marks) && indent.length <= fence.indent + DEEPER;
}
