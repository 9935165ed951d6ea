import { maskVolatile } from '../call/command-needs.ts';

const MAX_LINES = 400;
const MAX_LENGTH = 300;

/** Words of lines that say what went wrong. */
const INFORMATIVE =
  /error|fail|not found|no such|cannot|can't|couldn't|could not|denied|undefined|unknown|unrecognized|invalid|missing|fatal|panic|exception|not been read|unable|expected|exceeds|unsupported|not exist|is a directory|illegal|refused|ambiguous|already exists|conflict|no matching|doesn't exist|found \d+ matches|nothing to commit|no changes added|timed out|issues found|\bERR!/i;
/** A complaint about a place in a file: `src/a.ts:3:5: message`, `a.ts(3,5): message`. Not a frame of a stack. */
const PLACE =
  /^(?:\[[\w:.-]+\] )?(?:[\w@./~-]*[\w-]\.\w+|\(\w+\))(?::\d+(?::\d+)?:|\(\d+(?:,\d+)?\):) (?=[^\s:#+]\S* )(?!in \S+$)/;
/** The same below the name of the file: `14:10  error  message`. */
const PLACE_BELOW = /^\d+:\d+ error\b/;
/** Words of a test that complains about a place. */
const WANTED = /\b(?:should|must|want(?:ed)?|got)\b/i;
/** What an assertion says, whatever else a test prints. */
const ASSERTION = /^(?:\w+: |E )?(?:(?:[\w.]*Assertion\w*Error|assert(?:ion)?)\b|expect\(received\))/i;
/** A sign that tools put before a complaint, and before the name of a test that failed. */
const MARK = /^[×✗✖❌]/;
/** Lines that name or count what failed, or say where, or how the process ended, but not why. */
const GENERIC =
  /task failed|^(?:\w+: )?[^:]*\bexit(?:ed)?(?: with)? (?:code|status)\b|did not complete successfully|\b(?:build|tests?) failed\b|failed to (?:run|compile)\W*$|^error during \w+:$|^\[?\w*\]? ?Tests run:|^\[FAILED\]|\bdirect cause of\b|^(?:-+ )?\(?FAIL\b|\bfailed:?$|^\[[\w:.-]+\] (?:Finished|\$)|^npm (?:error|ERR!) (?:code|errno|syscall|path|A complete log)|^Error Trace:|^make(?:\[\d+\])?: \*\*\*|(?<!:)\b\d+ (?:errors?|(?:tests? )?fail(?:ed|ures?)?)\b|errors were emitted|^(?:[^a-z]+ )?(?:errors?|fail\w+)(?: tests?)?:(?: \|-?)?$|^=== RUN/i;
/** The task or the step of an image that printed a line: `[lint:go] …`, `#7 1.204 …`. */
const TASK = /^(?:\[[\w:.-]+\] |#\d+ (?:\d+\.\d+ )?)/;
/** Commands, comments and numbered lines of code that an output quotes. */
const QUOTED = /^(?:[>$] |\/\/|\/\*|# |-- |<!--|(?:\d+ +){0,2}\d* ?[│|→] )/;
/** A line of a file that was searched or listed, with its number. A message has one blank after the place, or a column. */
const LISTED = /^\s*(?:[\w@./~-]*\.\w+[:-])?\d+(?:[\t→]|[:-](?:\t| {2})|:(?![\d ]|$))/;
/** Points at a place in the line of code above. */
const CARET = /^\s*[\^~]+\s*$/;
/** Lines of code: declarations, assignments, calls and literals that fill a line. */
const CODE =
  /^(?:(?:export|public|private|protected|static|async|pub) )*(?:func|function|fn|def|class|const|let|var|import|from|return|if|else|for|while|switch|case|type|interface|struct|impl|try|throw|raise|package)(?=[ ({:]).*(?:[{}(),;:]$|=>| :?= )|^(?:const|let|var) \w+(?: [\w.*[\]]+)?$|^[\w.[\]]+ (?::|\+)?= |^(?!\w*(?:Error|Exception)\(|expect\(received\))[a-z_][\w.]*\((?:.*\)[;,]?$|["'`])|^["'`][^"'`]*["'`][,;]?$|^\w+: (?:[\w.]+,|.*\{)$|^["']?(?!(?:error|message|reason)\b)[a-z]\w*["']?: ["'`][^"'`]*["'`],?$|[)\w] \{$|^[{}()[\];,]+$|^<\/?\w[^>]*>/;
/** Reports that nothing failed, log lines below the level of errors, headings, cuts, and frames of stacks. */
const HARMLESS =
  /\blevel=(?:info|debug|warn\w*)\b|^(?:[⚠ℹ✓✔√]|(?:npm )?warn(?:ing)?\b|hint:|info\b|note:|ok\b|\d+:\d+ warning\b|(?:\(|--- )?pass\b)|\b0 (?:failed|failures|errors|problems)\b|^={3,} .*={3,}$|^\[\d+ characters left out\]$|^at \S+ \(|^File ".*", line \d| \+0x[\da-f]+$|^[^a-z]*$/i;
const LEVEL = /\b(?:INFO|DEBUG|TRACE|WARN)\b/;
const FILE_NAME = /(?:[\w@.-]+\/)*[\w@-]+\.[a-z]{1,5}\b(?!:)/g;

/** The line of an output that best explains a failure, or an empty string. Takes the output or its lines. */
export function findErrorLine(output: string | readonly string[]): string {
  const lines = typeof output === 'string' ? splitOutput(output) : output;
  const loud = lines.filter((line) => !isNoise(line));
  const reasons = loud.filter((line) => !GENERIC.test(line));
  const line =
    loud.find((each) => ASSERTION.test(each)) ??
    loud.find(isComplaint) ??
    reasons.find(isInformative) ??
    reasons.find((reason) => PLACE.test(reason) || MARK.test(reason)) ??
    loud.find(isInformative) ??
    reasons[0] ??
    lines[0] ??
    '';
  return line.slice(0, MAX_LENGTH);
}

/** Whether a line says what is wrong at a place in a file. */
export function isComplaint(line: string): boolean {
  return PLACE_BELOW.test(line) || (PLACE.test(line) && (isInformative(line) || WANTED.test(line)));
}

/** Whether a line has words of an error, other than in the names of files. */
export function isInformative(line: string): boolean {
  return INFORMATIVE.test(line) && INFORMATIVE.test(line.replace(PLACE, '').replace(FILE_NAME, ''));
}

function isNoise(line: string): boolean {
  const text = line.replace(TASK, '');
  return QUOTED.test(text) || CODE.test(text) || HARMLESS.test(text.replace(PLACE, '')) || LEVEL.test(text);
}

/** Whether a line says that something failed, but not what. */
export function isGeneric(line: string): boolean {
  return GENERIC.test(line);
}

/** Splits an output into lines, also where a terminal would overwrite one, without colours, tags and the code that it shows. */
export function splitOutput(output: string): string[] {
  const lines: string[] = [];
  const hasMarks = output.includes('\x1b') || output.includes('tool_use_error>');
  const whole = (hasMarks ? output.replace(MARKS, '') : output).split(/\r?\n|\r/, MAX_LINES);
  let isQuoting = false;
  for (const [at, raw] of whole.entries()) {
    const text = raw.replace(TASK, '');
    // Compilers and linters indent the code that they complain about.
    if (/^\S/.test(text)) isQuoting = PLACE.test(text);
    else if (isQuoting) continue;
    if (LISTED.test(raw) || CARET.test((whole[at + 1] ?? '').replace(TASK, ''))) continue;
    const line = raw.replace(WIDE_SPACE, ' ').trim();
    if (line !== '') lines.push(line);
  }
  return lines;
}

const MARKS = /\x1b\[[0-9;?]*[A-Za-z]|<\/?tool_use_error>/g;
/** White space other than a single blank. */
const WIDE_SPACE = /\s{2,}|[^\S ]/g;

/**
 * An error line without names, paths and numbers, so that the same error in another place has the same signature. A line
 * that does not say why is its own signature: failures of which it is all that is known need not be the same.
 */
export function errorSignature(line: string): string {
  if (isGeneric(line)) return line.slice(0, 160);
  return maskVolatile(line)
    .replace(/(["'`])(?:(?!\1).)*\1/g, '<q>')
    .replace(/[\w.@*~-]*\/[\w./@*:-]+/g, '<path>')
    .replace(/\d+/g, '#')
    .slice(0, 160);
}
