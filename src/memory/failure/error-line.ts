import { maskVolatile } from '../call/mask.ts';

const MOST_LINES = 400;
const LONGEST = 300;

const TELLING =
  /error|fail|not found|no such|cannot|can't|couldn't|could not|denied|undefined|unknown|unrecognized|invalid|missing|fatal|panic|exception|not been read|unable|expected|exceeds|unsupported|not exist|is a directory|illegal|refused|ambiguous|already exists|conflict|no matching|doesn't exist/i;
/** Says that something failed, not what. */
const HOLLOW =
  /task failed|exited with (?:code|status)|^exit (?:status|code)|^FAIL\b|\bfailed:?$|^\[[\w:.-]+\] (?:Finished|\$|ERROR task failed)|^\(pass\)|^(?:ok|PASS)\b|^npm (?:error|ERR!) (?:code|errno|syscall|path|A complete log)|^Error: Process completed|^error: (?:recipe|script) |^make(?:\[\d+\])?: \*\*\*|ELIFECYCLE|^\s*at \S+ \(|^Command failed/i;

/** The line of an output that says what went wrong; empty when there is none. Takes the output or its lines. */
export function errorLine(output: string | readonly string[]): string {
  const lines = typeof output === 'string' ? linesOf(output) : output;
  const line =
    lines.find((candidate) => TELLING.test(candidate) && !HOLLOW.test(candidate)) ??
    lines.find((candidate) => TELLING.test(candidate)) ??
    lines[0] ??
    '';
  return line.slice(0, LONGEST);
}

/** Whether a line only says that something failed. */
export function isHollow(line: string): boolean {
  return HOLLOW.test(line);
}

/** The lines of an output without colours, tags and blank ones. */
export function linesOf(output: string): string[] {
  const lines: string[] = [];
  const hasMarks = output.includes('\x1b') || output.includes('tool_use_error>');
  for (const raw of output.split('\n', MOST_LINES)) {
    const line = (hasMarks ? raw.replace(MARKS, '') : raw).replace(WIDE_SPACE, ' ').trim();
    if (line !== '') lines.push(line);
  }
  return lines;
}

const MARKS = /\x1b\[[0-9;?]*[A-Za-z]|<\/?tool_use_error>/g;
/** What is not a single space already. */
const WIDE_SPACE = /\s{2,}|[^\S ]/g;

/** The kind of an error: its line without names, paths and numbers, so that it is the same wherever it happens. */
export function errorSignature(line: string): string {
  return maskVolatile(line)
    .replace(/(["'`])(?:(?!\1).)*\1/g, '<q>')
    .replace(/[\w.@*~-]*\/[\w./@*:-]+/g, '<path>')
    .replace(/\d+/g, '#')
    .slice(0, 160);
}
