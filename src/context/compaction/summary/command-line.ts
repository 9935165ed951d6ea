import { beginsWithProgram, isReading } from './programs.ts';

const LONGEST = 2_000;
/** Lines that are searched for the end of a heredoc. */
const LONGEST_HEREDOC = 1_000;
const BULLET = '(?:[-*•>⏺●└├│]+\\s+)?';
/** `$ npm test`, `user@host:~/project$ npm test`, `❯ npm test`. */
const PROMPT = /^\s{0,8}(?:[\w.-]+@[\w.-]+[: ][^\s$#]{0,200}\s?[$#]|\$|❯|➜)\s+(\S.*)$/;
/** `CMD: npm test`, `- Ran: npm test`, `Command: npm test`. */
const LABEL = new RegExp(
  `^\\s*${BULLET}\\**(?:CMD|COMMAND|Command|command|cmd|Ran|Run|Running|Executed|Executing|Execute|Shell|shell|Bash|bash|Terminal|exec|exec_command|shell_command|run_shell_command|run_terminal_cmd|run_in_terminal|execute_command|local_shell|tool_call|Tool call)\\**\\s?:\\**\\s+(\\S.*)$`,
);
/** `Ran npm test`, `bash npm test`: only with a program that is known. */
const LOOSE = new RegExp(
  `^\\s*${BULLET}\\**(?:[Rr]an|[Rr]unning|[Ee]xecuted|[Bb]ash|[Ss]hell|exec|exec_command|run_shell_command|run_terminal_cmd|execute_command)\\**\\s+(?:the command\\s+)?(\\S.*)$`,
);
/** `Bash(npm test)`. */
const CALL = new RegExp(
  `^\\s*${BULLET}(?:Bash|bash|Shell|shell|exec|exec_command|Run|run|Terminal)\\((.+)\\)\\s*$`,
);
const TICKED = /`([^`\n]{3,300})`/g;

/** The command that a line says was run, by a prompt, a label or the name of a tool; undefined when it says none. */
export function commandOfLine(line: string): string | undefined {
  if (line.length > LONGEST) return undefined;
  const told = PROMPT.exec(line)?.[1] ?? LABEL.exec(line)?.[1];
  // `Tool call: {"command": …}` is read as what it is, JSON.
  if (told !== undefined) return told.startsWith('{') ? undefined : unquoted(told);
  const called = CALL.exec(line)?.[1];
  if (called !== undefined) return unquoted(called.replace(/^(?:command|cmd)\s*[:=]\s*/, ''));
  const loose = LOOSE.exec(line)?.[1];
  if (loose === undefined) return undefined;
  const text = /^`/.test(loose) ? loose.slice(1).split('`')[0]?.trim() : loose.trim();
  return text && beginsWithProgram(text) ? text : undefined;
}

/** Commands that a sentence quotes: `npm test` between back-ticks, with at least one argument, doing something. */
export function commandsInProse(line: string): string[] {
  if (!line.includes('`')) return [];
  return [...line.slice(0, LONGEST).matchAll(TICKED)]
    .map(([, text = '']) => text.trim())
    .filter((text) => text.includes(' ') && beginsWithProgram(text) && !isReading(text));
}

/**
 * The commands of a block of shell text: one per line, but lines that a backslash joins and the body of a heredoc belong
 * to the line before. With prompts (`$ `) in it, only what follows these.
 */
export function commandsOfBlock(lines: readonly string[]): {
  readonly commands: string[];
  readonly output: string[];
} {
  const prompted = lines.some((line) => PROMPT.test(line));
  const commands: string[] = [];
  const output: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const told = prompted ? commandOfLine(line) : line.trim();
    if (told === undefined) {
      output.push(line);
      continue;
    }
    if (told === '' || told.startsWith('#')) continue;
    const end = endOfCommand(lines, at, told);
    commands.push([told, ...lines.slice(at + 1, end + 1)].join('\n').slice(0, LONGEST));
    at = end;
  }
  return { commands, output };
}

/** The last line of a command that begins at `start`: after joined lines or a heredoc. */
export function endOfCommand(lines: readonly string[], start: number, first: string): number {
  const word = /<<-?\s*(["']?)([A-Za-z_]\w*)\1/.exec(first)?.[2];
  if (word !== undefined) {
    const last = Math.min(lines.length, start + LONGEST_HEREDOC);
    for (let at = start + 1; at < last; at++) if (lines[at]?.trim() === word) return at;
    return start;
  }
  let end = start;
  for (let line = first; line.endsWith('\\') && end + 1 < lines.length; line = lines[end] ?? '') end++;
  return end;
}

function unquoted(text: string): string | undefined {
  const trimmed = text.trim();
  const inner = /^(`{1,3}|")([^`"]+)\1[.:]?$/.exec(trimmed)?.[2]?.trim() ?? trimmed;
  return inner || undefined;
}
