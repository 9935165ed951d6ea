import { maskVolatile } from '../call/command-needs.ts';

const MAX_LINES = 400;
const MAX_LENGTH = 300;

const INFORMATIVE =
  /error|fail|not found|no such|cannot|can't|couldn't|could not|denied|undefined|unknown|unrecognized|invalid|missing|fatal|panic|exception|not been read|unable|expected|exceeds|unsupported|not exist|is a directory|illegal|refused|ambiguous|already exists|conflict|no matching|doesn't exist|found \d+ matches|nothing to commit|no changes added/i;
/** Lines that say that something failed, but not what. */
const GENERIC =
  /task failed|exited with (?:code|status)|^exit (?:status|code)|^FAIL\b|\bfailed:?$|^\[[\w:.-]+\] (?:Finished|\$|ERROR task failed)|^\(pass\)|^(?:ok|PASS)\b|^npm (?:error|ERR!) (?:code|errno|syscall|path|A complete log)|^Error: Process completed|^error: (?:recipe|script) |^make(?:\[\d+\])?: \*\*\*|ELIFECYCLE|^\s*at \S+ \(|^Command failed|\bfound \d+ errors?\b|errors were emitted|^=== RUN/i;
/** The task that printed a line: `[lint:go] …`. */
const TASK = /^\[[\w:.-]+\] /;
/** Commands, comments and numbered lines of code that an output quotes. */
const QUOTED =
  /^(?:[>$] |\/\/|\/\*|# |-- |<!--|(?:\d+ +){0,2}\d* ?[│|→] )|^(?:[\w./-]+:)?\d+[:-]\s*(?:\/\/|(?:func|def|class|import|package|type|const|return) )/;
/** Lines of code: declarations, assignments, calls and literals that fill a line. */
const CODE =
  /^(?:(?:export|public|private|protected|static|async|pub) )*(?:func|function|fn|def|class|const|let|var|import|from|return|if|else|for|while|switch|case|type|interface|struct|impl|try|throw|raise|package)(?=[ ({:]).*(?:[{}(),;:]$|=>| :?= )|^[\w.[\]]+ (?::|\+)?= |^(?!\w*(?:Error|Exception)\()[a-z_][\w.]*\((?:.*\)[;,]?$|["'`])|^["'`][^"'`]*["'`][,;]?$|^[{}()[\];,]+$|^<\/?\w[^>]*>/;
/** Reports that nothing failed, log lines below the level of errors, and headings. */
const HARMLESS =
  /\blevel=(?:info|debug|warn\w*)\b|^(?:[⚠ℹ✓✔√]|(?:npm )?warn(?:ing)?\b|hint:|info\b|note:|ok\b|(?:\(|--- )?pass\b)|\b0 (?:failed|failures|errors|problems)\b|^={3,} .*={3,}$|^[^a-z]*$/i;
const LEVEL = /\b(?:INFO|DEBUG|TRACE|WARN)\b/;
const FILE_NAME = /(?:[\w@.-]+\/)*[\w@-]+\.[a-z]{1,5}\b(?!:)/g;

/** The line of an output that best explains a failure, or an empty string. Takes the output or its lines. */
export function findErrorLine(output: string | readonly string[]): string {
  const lines = typeof output === 'string' ? splitOutput(output) : output;
  const line =
    lines.find((candidate) => isInformative(candidate) && !GENERIC.test(candidate)) ??
    lines.find(isInformative) ??
    lines.find((candidate) => !isNoise(candidate) && !GENERIC.test(candidate)) ??
    lines[0] ??
    '';
  return line.slice(0, MAX_LENGTH);
}

/** Whether a line seems to be an error, and not to be the name of a file that contains such a word. */
function isInformative(line: string): boolean {
  return INFORMATIVE.test(line) && !isNoise(line) && INFORMATIVE.test(line.replace(FILE_NAME, ''));
}

function isNoise(line: string): boolean {
  const text = line.replace(TASK, '');
  return QUOTED.test(text) || CODE.test(text) || HARMLESS.test(text) || LEVEL.test(text);
}

/** Whether a line says that something failed, but not what. */
export function isGeneric(line: string): boolean {
  return GENERIC.test(line);
}

/** Splits an output into lines, without colours, tags and blank lines. */
export function splitOutput(output: string): string[] {
  const lines: string[] = [];
  const hasMarks = output.includes('\x1b') || output.includes('tool_use_error>');
  for (const raw of output.split('\n', MAX_LINES)) {
    const line = (hasMarks ? raw.replace(MARKS, '') : raw).replace(WIDE_SPACE, ' ').trim();
    if (line !== '') lines.push(line);
  }
  return lines;
}

const MARKS = /\x1b\[[0-9;?]*[A-Za-z]|<\/?tool_use_error>/g;
/** White space other than a single blank. */
const WIDE_SPACE = /\s{2,}|[^\S ]/g;

/** An error line without names, paths and numbers, so that the same error in another place has the same signature. */
export function errorSignature(line: string): string {
  return maskVolatile(line)
    .replace(/(["'`])(?:(?!\1).)*\1/g, '<q>')
    .replace(/[\w.@*~-]*\/[\w./@*:-]+/g, '<path>')
    .replace(/\d+/g, '#')
    .slice(0, 160);
}
