// When two calls count as the same attempt, and two failures as the same error. Independent of what yore takes for the
// same, since yore is measured by it. Removes only what cannot change the outcome.
import { createHash } from 'node:crypto';
import { posix } from 'node:path';

const SHELL_TOOL = /^(?:bash|(?:local_)?shell|exec_command|shell_command|run_shell_command|run_in_terminal)$/i;
/** Calls that wait for another call. */
const POLL_TOOL = /^(?:write_stdin|wait_agent)$/;
/** Arguments that say how a call is run or shown, not what it does. */
const MANNERS = new Set(
  `description timeout run_in_background justification yield_time_ms max_output_tokens prefix_rule login tty shell
  sandbox_permissions with_escalated_permissions`.split(/\s+/),
);

/** What differs from run to run, and what stands for it. */
const VOLATILE = [
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, '<uuid>'],
  [/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?/g, '<time>'],
  [/(?:\/private)?\/(?:tmp|var\/tmp|var\/folders)\/[^\s'"`;|&()<>]*/g, '<temp>'],
  [/\b(?=\d*[a-f])(?=[a-f]*\d)[0-9a-f]{7,64}\b/g, '<hash>'],
  [/\b(localhost|127\.0\.0\.1|0\.0\.0\.0):\d{2,5}/g, '$1:<port>'],
  [/\b\d{5,}\b/g, '<number>'],
];

const WORD = `(?:"[^"]*"|'[^']*'|[^\\s"']+)`;
const THEN = '\\s*(?:&&|;|\\n)\\s*';
const CHANGE_FOLDER = new RegExp(`^cd\\s+(${WORD})${THEN}`);
/** What may stand before a command without changing what it does. */
const PREFIXES = [
  /^#[^\n]*\n\s*/,
  /^(?:env\s+)?(?:[A-Za-z_]\w*=(?:"[^"]*"|'[^']*'|[^\s"'$]*)\s+)+(?=\S)/,
  new RegExp(`^export\\s+[A-Za-z_]\\w*=${WORD}?${THEN}`),
  /^g?timeout\s+(?:-\S+\s+)*[\d.]+[smh]?\s+/,
  /^(?:time|nohup|env)\s+/,
];
/** What may follow it: where the output goes, and how much of it is shown. */
const SUFFIXES = [
  /\s*\d?>&\d/g,
  /\s*(?:&|\d)?>>?\s*\/dev\/null/g,
  /\s*<\s*\/dev\/null/g,
  /\s*\|\s*(?:head|tail|cat|tee|less|more)\b[^|&;]*$/,
  /\s*\d?>>?\s*[^\s|&;<>'"]+$/,
  /\s*[;&]+\s*$/,
];

/** @param {{tool?: string | null}} call */
export function isShellCall({ tool }) {
  return SHELL_TOOL.test(tool ?? '');
}

/** The command of a shell call. */
export function commandOf({ input }) {
  const command = input?.command ?? input?.cmd ?? '';
  if (!Array.isArray(command)) return String(command);
  return (/^-l?c$/.test(command[1] ?? '') ? command.slice(2) : command).join(' ');
}

/** Masks what differs from run to run. @param {string} text */
function mask(text) {
  return VOLATILE.reduce((masked, [pattern, name]) => masked.replace(pattern, name), text);
}

/**
 * What identifies an attempt; undefined for calls that only wait for another.
 * @param {object} call
 * @param {readonly string[]} roots the folders in which sessions started, longest first
 */
export function callKey(call, roots) {
  const tool = call.tool ?? '';
  const input = call.input ?? {};
  if (POLL_TOOL.test(tool)) return undefined;
  if (isShellCall(call)) {
    const isEscalated = input.sandbox_permissions === 'require_escalated' || input.with_escalated_permissions === true;
    const command = bareCommand(commandOf(call), input.workdir ?? input.cwd ?? call.cwd ?? '', roots);
    return mask(`shell${isEscalated ? ' escalated' : ''}: ${command}`);
  }
  if (/patch/i.test(tool)) return `patch: ${digest(relativeTo(JSON.stringify(input), roots))}`;
  const named = input.file_path ?? input.filePath ?? input.absolute_path ?? input.notebook_path ?? input.path;
  const file = typeof named === 'string' ? mask(relativeTo(posix.normalize(named), roots)) : undefined;
  const replaced = input.old_string ?? input.oldString ?? input.old_str ?? input.edits;
  if (file !== undefined && replaced !== undefined) {
    const isEverywhere = Boolean(input.replace_all ?? input.replaceAll);
    return `edit: ${file} ${digest(JSON.stringify(replaced))}${isEverywhere ? ' everywhere' : ''}`;
  }
  const isPart = ['offset', 'limit', 'view_range', 'pages'].some((name) => input[name]);
  if (file !== undefined && /read|view/i.test(tool)) return `read: ${file}${isPart ? ' in part' : ''}`;
  if (file !== undefined && /write|create/i.test(tool)) return `write: ${file}`;
  const names = Object.keys(input).filter((name) => !MANNERS.has(name));
  const pairs = names.sort().map((name) => `${name}=${JSON.stringify(input[name])}`);
  return mask(relativeTo(`${tool}: ${pairs.join(' ')}`, roots)).slice(0, 2_000);
}

/** The command without what surrounds it, with the folder that it runs in unless a session started there. */
function bareCommand(command, folder, roots) {
  let bare = command.trim();
  let where = folder;
  const untilStable = (step) => {
    for (let before; before !== bare; ) {
      before = bare;
      step();
    }
  };
  untilStable(() => {
    const [whole, target] = CHANGE_FOLDER.exec(bare) ?? [];
    if (whole !== undefined) {
      where = posix.resolve(where || '/', target.replace(/^(["'])(.*)\1$/, '$2'));
      bare = bare.slice(whole.length);
    }
    for (const prefix of PREFIXES) bare = bare.replace(prefix, '').trimStart();
  });
  untilStable(() => {
    for (const suffix of SUFFIXES) bare = bare.replace(suffix, '').trimEnd();
  });
  const place = relativeTo(where, roots);
  const text = relativeTo(bare, roots)
    .replace(/(^|\s)\.\/(?=\S)/g, '$1')
    .replace(/\s+/g, ' ');
  return place === '' || place === '.' ? text : `[${place}] ${text}`;
}

/** Makes paths in a text relative to the folders in which sessions started. */
function relativeTo(text, roots) {
  let result = text;
  for (const root of roots) {
    const parts = result.split(root);
    result = parts.reduce((left, right) => {
      if (/^[\w.-]/.test(right)) return `${left}${root}${right}`;
      return right.startsWith('/') ? left + right.slice(1) : `${left}.${right}`;
    });
  }
  return result;
}

function digest(text) {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

const PROBE =
  /^shell(?: escalated)?: (?:\[[^\]]*\] )?(?:ls|test|\[|which|type|stat|command -v|git (?:rev-parse|show-ref|merge-base|ls-files|diff --exit-code))(?!\w)/;

/** Whether a call asks a question, so that its failure is the answer. @param {string | undefined} key */
export function isProbe(key) {
  return PROBE.test(key ?? '');
}

// Terminal colours.
const ESCAPES = new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[A-Za-z]`, 'g');
const FAILURE_WORDS = [
  ...['error', 'fail', 'fatal', 'panic', 'exception', 'traceback', 'denied', 'refused', 'rejected', 'conflict'],
  ...[
    'cannot',
    "can't",
    'could not',
    'unable',
    'not found',
    'no such',
    'not exist',
    'not been',
    'not a ',
    'no matching',
  ],
  ...['invalid', 'illegal', 'unknown', 'undefined', 'undeclared', 'unexpected', 'unrecognized', 'unsupported'],
  ...['missing', 'mismatch', 'expected', 'exceed', 'timed out', 'timeout'],
];
const NAMES_FAILURE = new RegExp(FAILURE_WORDS.join('|'), 'i');
/** Lines that say that something failed, not what: the summary of a test runner, a package script or a task runner. */
const SAYS_ONLY_THAT = [
  /^(?:ok|pass|fail)\b/i,
  /^\((?:pass|fail)\)/i,
  /\bexit(?:ed)?\b.*\b(?:code|status)\b/i,
  /\b(?:task|command|script|build) failed\b/i,
  /\bfailed:?$/i,
  /^\[[\w:]+\] (?:finished|\$)/i,
];

/** The line of an output that says what went wrong. @param {string | null | undefined} output */
function errorLine(output) {
  const text = String(output ?? '')
    .replace(ESCAPES, '')
    .replace(/<\/?tool_use_error>/g, '');
  const lines = text.split('\n').flatMap((line) => line.trim() || []);
  const failures = lines.filter((line) => NAMES_FAILURE.test(line));
  const isVague = (line) => SAYS_ONLY_THAT.some((pattern) => pattern.test(line));
  const line = failures.find((each) => !isVague(each)) ?? failures[0] ?? lines[0] ?? '';
  return mask(line).replace(/\s+/g, ' ').slice(0, 300);
}

/** The error line without names, paths and numbers. */
export function errorSignature(output) {
  return errorLine(output)
    .replace(/(["'`])(?:(?!\1).)*\1/g, '<name>')
    .replace(/[\w.@*-]*\/[\w./@*-]+/g, '<path>')
    .replace(/\d+/g, '#')
    .replace(/\s+/g, ' ')
    .slice(0, 160);
}

/** The error line with paths relative to the folders in which sessions started. */
export function errorCause(output, roots) {
  return relativeTo(errorLine(output), roots);
}
