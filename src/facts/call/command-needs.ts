import { posix } from 'node:path';
import type { CanonicalCommand } from '../shell/canonical.ts';
import { gitSubcommand, isInstall, programOf, stripInterpreter } from './action.ts';
import { isAbsolute, relativePath } from './describe-call.ts';

/** What a command needs in order to work, and what it creates. */
export interface CommandNeeds {
  /** Keys such as `path:src/a.ts`, `program:go`, `option:gh pr diff --stat`. */
  readonly needs: readonly string[];
  /** Paths that exist after it succeeded. */
  readonly creates: readonly string[];
}

/** Programs that read files, with the number of arguments before the first file. */
const READERS: ReadonlyMap<string, number> = new Map([
  ...'cat head tail less more nl wc bat tac od xxd strings source .'.split(' ').map((name) => [name, 0] as const),
  ...'sed awk jq yq grep egrep fgrep rg ag'.split(' ').map((name) => [name, 1] as const),
]);
/** Those of them that cannot read a folder. */
const FILE_READERS: ReadonlySet<string> = new Set('cat head tail nl wc sed awk jq source'.split(' '));
/** Programs that run a script. A failure of one script says nothing about another. */
export const INTERPRETERS: ReadonlySet<string> = new Set(
  'bash sh zsh fish python python3 node bun ruby perl php tsx ts-node'.split(' '),
);
/** Options of those programs that take a value. */
const OPTIONS_WITH_VALUE: ReadonlySet<string> = new Set('-n -c -m -A -B -C -g -t -T --glob --type'.split(' '));
const SCRIPT_OPTIONS: ReadonlySet<string> = new Set(['-e', '-f', '--expression', '--regexp', '--file']);
const MAX_WORDS = 60;
/** Wrappers that do not change where a program is looked for. */
export const NEUTRAL_WRAPPERS: ReadonlySet<string> = new Set(
  'timeout gtimeout time gtime nohup nice ionice stdbuf setsid caffeinate'.split(' '),
);

/** Finds the needs of one command of a command line. `root` is the folder of the checkout. */
export function findNeeds(command: CanonicalCommand, root: string | undefined): CommandNeeds {
  const words = command.words.slice(0, MAX_WORDS);
  const first = words[0];
  if (first === undefined) return { needs: [], creates: [] };
  const program = programOf(words);
  const resolve = (path: string): string => resolvePath(path, command.folder, root);
  const needs: string[] = [];
  const wrappers = command.circumstances.filter((item) => !item.startsWith('env:') && !NEUTRAL_WRAPPERS.has(item));
  for (const item of command.circumstances) if (NEUTRAL_WRAPPERS.has(item)) needs.push(`program:${item}`);
  if (command.folder !== undefined && command.folder !== root) needs.push(`path:${resolve('.')}`);
  if (first.includes('/')) needs.push(`path:${resolve(first)}`, `access:run ${resolve(first)}`);
  else needs.push(`program:${[first, ...wrappers].join(' via ')}`);
  const head = commandHead(words);
  const operands = words.slice(head.split(' ').length).filter((word) => !word.startsWith('-'));
  needs.push(`head:${head}`);
  if (!INTERPRETERS.has(program)) needs.push(`arity:${head} ${operands.length}`);
  const options = words.filter((word) => /^--?[A-Za-z]/.test(word)).map((word) => word.split('=', 1)[0] ?? '');
  for (const item of command.circumstances) {
    if (item.startsWith('env:')) needs.push(`setting:${item.slice(4)} ${[head, ...options.toSorted()].join(' ')}`);
  }
  needs.push(...options.map((option) => `option:${head} ${option}`));
  needs.push(...jsonFields(words).map((field) => `field:${head} ${field}`));
  if (program === 'rg' || program === 'grep')
    needs.push(...findRegexTraps(words).map((trap) => `regex:${program} ${trap}`));
  const sub = words[1];
  if (sub !== undefined && /^[a-z][\w:-]*$/.test(sub)) needs.push(`subcommand:${program} ${sub}`);
  if ((sub === 'run' || sub === 'run-script') && /^[a-z][\w:.-]*$/.test(words[2] ?? ''))
    needs.push(`subcommand:${program} run ${words[2]}`);
  for (const path of readPaths(program, words)) {
    needs.push(`path:${resolve(path)}`);
    if (FILE_READERS.has(program)) needs.push(`file:${resolve(path)}`, `access:read ${resolve(path)}`);
  }
  if (program === 'git') needs.push(...gitNeeds(words, resolve));
  if (isInstall(stripInterpreter(words))) needs.push(...packageNeeds(stripInterpreter(words)));
  needs.push(`shape:${commandShape(command, root)}`);
  const creates = [...redirectTargets(command), ...createdPaths(program, words)].map(resolve);
  needs.push(...creates.map((path) => `access:write ${path}`), ...setupNeeds(words, head, resolve));
  return { needs, creates };
}

/** Programs that only look at or move files, or reach whatever host they are given. */
const SELF_CONTAINED: ReadonlySet<string> = new Set(
  'ls cp mv rm ln mkdir touch chmod chown test [ [[ which find fd diff sort uniq cut tr tee tar zip unzip du df ps kill curl wget http https nc ssh scp rsync ping telnet'.split(
    ' ',
  ),
);
/** Programs that run tasks of the project. They depend on nothing themselves; the tasks do. */
const TASK_RUNNERS: ReadonlySet<string> = new Set(
  'npm pnpm yarn bun deno make just task mise rake gradle gradlew composer nx turbo go cargo dotnet uv poetry'.split(
    ' ',
  ),
);
/** Subcommands of git that talk to another repository. */
const REMOTE_SUBCOMMANDS: ReadonlySet<string> = new Set('push pull fetch clone ls-remote'.split(' '));
/** With one of these, a command only describes itself. */
const DESCRIBES_ITSELF = /^(?:-h|-V|--help|--version|help|version|completion)$/;

/**
 * What the command depends on whatever its arguments are: the script, task or subcommand that it runs (`target`), what
 * the program talks to or is linked with (`service`), a folder that it can work in (`folder`).
 */
function setupNeeds(words: readonly string[], head: string, resolve: (path: string) => string): string[] {
  const [first = '', second = ''] = words;
  const program = programOf(words);
  if (READERS.has(program) || SELF_CONTAINED.has(program) || DESCRIBES_ITSELF.test(second)) return [];
  const needs: string[] = [];
  if (program === 'git') {
    const sub = gitSubcommand(words);
    const folder = words.includes('-C') ? words[words.indexOf('-C') + 1] : '.';
    if (folder !== undefined && !/^(?:|clone|config|ls-remote)$/.test(sub)) needs.push(`folder:git ${resolve(folder)}`);
    return REMOTE_SUBCOMMANDS.has(sub) ? [...needs, 'service:git'] : needs;
  }
  if (TASK_RUNNERS.has(program)) needs.push(`folder:${program} ${resolve('.')}`);
  const target = findTarget(words, head, resolve);
  if (target !== undefined) needs.push(`target:${target}`);
  const isTool = !INTERPRETERS.has(program) && !TASK_RUNNERS.has(program) && !first.includes('/');
  return isTool ? [...needs, `service:${program}`] : needs;
}

/** What a command runs: a script, a module, a task, or a program with its subcommand. Undefined for inline code. */
function findTarget(words: readonly string[], head: string, resolve: (path: string) => string): string | undefined {
  const [first = '', second = ''] = words;
  const program = programOf(words);
  // The interpreter of a virtual environment has modules of its own.
  const own = first.includes('/') ? `${resolve(first)} ` : '';
  if (INTERPRETERS.has(program) && second !== 'run') {
    const script = second === '-m' ? commandHead(words.slice(2)) : readPaths(program, words).map(resolve)[0];
    return script && `${own}${script}`;
  }
  if (words.includes('--break-system-packages')) return undefined;
  const name = own.trim() || program;
  const sub = head.split(' ')[1];
  if (sub !== 'run' && sub !== 'run-script') return sub === undefined ? name : `${name} ${sub}`;
  const task = words.slice(2).find((word) => !word.startsWith('-'));
  return `${name} run ${task?.includes('/') ? resolve(task) : (task ?? '')}`.trim();
}

const PREPARATIONS = /^(?:start|up|clone|use|link|activate|kill)$/;

/** Whether a command provides what its own program depends on: an account, a repository. */
export function isSelfPreparation(words: readonly string[]): boolean {
  return words.slice(1, 3).some((word) => /^(?:login|auth|configure|init)$/.test(word));
}

/** Whether a command provides what others depend on: it installs, signs in, starts a service, or sets variables. */
export function isPreparation(words: readonly string[]): boolean {
  const [first = '', ...rest] = words;
  if (first === 'source' || first === '.' || isInstall(stripInterpreter(words))) return true;
  const program = programOf(words);
  if (program === 'systemctl' || program === 'service' || program === 'launchctl' || program === 'open') return true;
  if (program === 'chmod' || program === 'chown' || program === 'usermod' || program === 'nvm') return true;
  return isSelfPreparation(words) || rest.slice(0, 2).some((word) => PREPARATIONS.test(word));
}

/** The program and its subcommands, which options belong to: `gh pr diff`. */
function commandHead(words: readonly string[]): string {
  const head = [programOf(words)];
  const rest = head[0] === 'git' ? [gitSubcommand(words)] : words.slice(1);
  for (const word of rest) {
    if (head.length === 3 || !/^[a-z][a-z0-9:_-]*$/.test(word)) break;
    head.push(word);
  }
  return head.join(' ');
}

/** The command without its options and their values, with the names of its environment variables. */
function commandShape(command: CanonicalCommand, root: string | undefined): string {
  const kept: string[] = [];
  for (let at = 0; at < command.words.length && kept.length < 8; at++) {
    const word = command.words[at] ?? '';
    if (!word.startsWith('-')) kept.push(word.startsWith('/') ? relativePath(word, root) : word);
    else if (!word.includes('=') && at > 0 && !/^-(?:[a-z]|-(?:all|force|quiet|verbose))$/.test(word)) at++;
    else if (/^-[a-zA-Z]$/.test(word) && /[\s"'{]/.test(command.words[at + 1] ?? '')) at++;
  }
  const environment = command.circumstances.filter((item) => item.startsWith('env:')).sort();
  return maskVolatile([...environment, ...kept].join(' ')).slice(0, 300);
}

function readPaths(program: string, words: readonly string[]): string[] {
  if (program === 'find') {
    const end = words.findIndex((word, at) => at > 0 && word.startsWith('-'));
    return words.slice(1, end < 0 ? words.length : end).filter(isLiteralPath);
  }
  if (INTERPRETERS.has(program)) {
    const script = words[1];
    return script !== undefined && /\.\w+$/.test(script) && isLiteralPath(script) ? [script] : [];
  }
  const skipped = READERS.get(program);
  if (skipped === undefined) return [];
  let toSkip = skipped;
  const paths: string[] = [];
  for (let at = 1; at < words.length; at++) {
    const word = words[at] ?? '';
    if (SCRIPT_OPTIONS.has(word)) {
      toSkip = 0;
      at++;
    } else if (word.startsWith('-') && word !== '-') {
      if (OPTIONS_WITH_VALUE.has(word) && !(program === 'sed' && word === '-n')) at++;
    } else if (toSkip > 0) toSkip--;
    else if (isLiteralPath(word)) paths.push(word);
  }
  return paths;
}

/** The fields requested by `--json a,b`. */
function jsonFields(words: readonly string[]): string[] {
  const at = words.indexOf('--json');
  const list = at < 0 ? words.find((word) => word.startsWith('--json='))?.slice(7) : words[at + 1];
  return list !== undefined && /^\w+(?:,\w+)*$/.test(list) ? list.split(',') : [];
}

/** Parts of regular expressions that need an option: newlines and look-around. */
function findRegexTraps(words: readonly string[]): string[] {
  const traps: string[] = [];
  const has = (...options: readonly string[]): boolean => options.some((option) => words.includes(option));
  if (!has('-U', '--multiline') && words.some((word) => word.includes('\\n'))) traps.push('newline');
  if (!has('-P', '--pcre2') && words.some((word) => /\(\?<?[=!]/.test(word))) traps.push('look-around');
  return traps;
}

/** The packages to install, by name, and by version if there is one. */
function packageNeeds(words: readonly string[]): string[] {
  const packages = words
    .slice(2)
    .filter((word) => !word.startsWith('-') && isLiteralPath(word) && !/^(?:\.|\/|install$|add$|package$)/.test(word));
  const needs: string[] = [];
  for (const word of packages) {
    const name = word.replace(/(?<=.)(?:@|\[|[=<>~!^]=?).*$/, '');
    if (!/[a-z]/i.test(name)) continue;
    needs.push(`package:${name}`);
    if (name !== word && !word.endsWith(']')) needs.push(`version:${word}`);
  }
  return needs;
}

function gitNeeds(words: readonly string[], resolve: (path: string) => string): string[] {
  const needs: string[] = [];
  const folder = words.indexOf('-C');
  const path = folder > 0 ? words[folder + 1] : undefined;
  if (path !== undefined && isLiteralPath(path)) needs.push(`path:${resolve(path)}`);
  const sub = gitSubcommand(words);
  if (READS_REFS.test(sub) && !changesRefs(words))
    needs.push(...findRefs(words.slice(words.indexOf(sub) + 1)).map((ref) => `ref:${ref}`));
  if (sub === 'merge') {
    const merged = words.slice(words.indexOf(sub) + 1).find((word) => !word.startsWith('-') && isLiteralPath(word));
    if (merged !== undefined) needs.push(`merge:${merged}`);
  }
  if (sub === 'add' && !words.includes('-f') && !words.includes('--force')) {
    const added = words.slice(words.indexOf('add') + 1).filter((word) => !word.startsWith('-') && isLiteralPath(word));
    needs.push(...added.map((word) => `stage:${resolve(word)}`));
  }
  return needs;
}

/** Subcommands of git that take branches or commits. */
const READS_REFS = /^(?:log|diff|show|rev-list|merge|rebase|cherry-pick|checkout|switch|reset|blame)$/;

/** Whether a command creates or fetches branches or tags. */
export function changesRefs(words: readonly string[]): boolean {
  if (words[0] !== 'git') return false;
  const sub = gitSubcommand(words);
  if (/^(?:fetch|pull|branch|tag|remote|clone|init|worktree)$/.test(sub)) return true;
  return (sub === 'checkout' || sub === 'switch') && words.some((word) => /^(?:-[bBcC]|--create|--orphan)$/.test(word));
}

/** The names of branches, tags and commits in words of a git command: `main...HEAD`, `origin/main:README.md`. */
function findRefs(words: string | readonly string[]): string[] {
  const named = [words].flat().filter((word) => !word.startsWith('-') && isLiteralPath(word) && !/\s/.test(word));
  const refs = named.flatMap((word) => word.split(/\.{2,3}/)).map((ref) => ref.replace(/[~^:@].*$/s, ''));
  return refs.filter((ref) => ref !== '' && ref !== 'HEAD').slice(0, 6);
}

/** The files that the output is redirected to. */
function redirectTargets(command: CanonicalCommand): string[] {
  return command.redirections
    .filter(
      ({ operator, target }) => operator.includes('>') && isLiteralPath(target) && !/^(?:&|\d+$|\/dev\/)/.test(target),
    )
    .map(({ target }) => target);
}

function createdPaths(program: string, words: readonly string[]): string[] {
  const plain = words.slice(1).filter((word) => !word.startsWith('-') && isLiteralPath(word));
  switch (program) {
    case 'touch':
    case 'mkdir':
      return plain;
    case 'cp':
    case 'mv':
    case 'ln':
    case 'install':
      return plain.slice(-1);
    case 'sed':
      return words.some((word) => /^-[a-zA-Z]*i/.test(word)) ? plain.slice(1) : [];
    default:
      return [];
  }
}

/** Whether a word can be used as a path: it contains nothing that the shell would expand. */
function isLiteralPath(word: string): boolean {
  return word !== '' && word.length < 400 && !/[$`*?{}<>|\n]/.test(word.replace(/^\/(?:home|Users)\/\*\//, ''));
}

function resolvePath(path: string, folder: string | undefined, root: string | undefined): string {
  if (isAbsolute(path) || path.startsWith('~') || folder === undefined) return relativePath(path, root);
  return relativePath(posix.join(folder, path), root);
}

/**
 * Masks what differs from run to run: ids, hashes, times, ports, generated names of temporary files. Names chosen by a
 * person stay, so that different temporary files are told apart.
 */
export function maskVolatile(text: string): string {
  if (!/[0-9]|tmp/i.test(text) || !MAYBE_VOLATILE.test(text)) return text;
  return text
    .replace(UUID, '<uuid>')
    .replace(TIME, '<time>')
    .replace(TEMPORARY, maskTemporary)
    .replace(HASH, '<hash>')
    .replace(PORT, '$1:<port>')
    .replace(LONG_NUMBER, '<n>');
}

/** A cheap test that every volatile part passes. */
const MAYBE_VOLATILE = /[0-9a-f]{7}|\d{5}|\d{4}-\d\d-|:\d\d|\/tmp|\/var\//i;
const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
const TIME = /\b\d{4}-\d\d-\d\d[T ]\d\d[:-]\d\d(?:[:-]\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?/g;
const TEMPORARY = /(?:\/private)?(?:\/tmp|\/var\/folders|\/var\/tmp)\/[^\s'"`;|&)<>]*/g;
const HASH = /\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,64}\b/g;
const PORT = /\b(localhost|127\.0\.0\.1|0\.0\.0\.0):\d{2,5}/g;
const LONG_NUMBER = /\b\d{5,}\b/g;

function maskTemporary(path: string): string {
  return path
    .replace(/^\/private/, '')
    .replace(/^\/var\/folders\/[^/]+\/[^/]+\/T/, '/tmp')
    .split('/')
    .map((segment) => (isGenerated(segment) ? '<tmp>' : segment))
    .join('/');
}

/** Whether a program generated a name: `tmp.Xk29Qa`, `build-1738012345`. */
function isGenerated(segment: string): boolean {
  return (
    /^tmp[._-]?[A-Za-z0-9_]{5,}$/.test(segment) ||
    /\d{4,}/.test(segment) ||
    (/[A-Z]/.test(segment) && /[a-z]/.test(segment) && /\d/.test(segment) && segment.length >= 8)
  );
}
