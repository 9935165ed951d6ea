import { posix } from 'node:path';
import type { CanonicalCommand } from '../shell/canonical-command.ts';
import { gitSubcommand, isInstall, programOf, withoutInterpreter } from './action.ts';
import { isAbsolute, relativePath } from './describe-call.ts';
import { maskVolatile } from './mask.ts';

/** What a command needs in order to work, what it makes, and which files it reads. */
export interface CommandNeeds {
  /** Keys such as `path:src/a.ts`, `program:go`, `option:gh pr diff --stat`. */
  readonly needs: readonly string[];
  /** Paths that exist after it went well. */
  readonly makes: readonly string[];
}

/** Programs that read the files they are given; the number of arguments before the first file. */
const READERS: Readonly<Record<string, number>> = {
  cat: 0,
  head: 0,
  tail: 0,
  less: 0,
  more: 0,
  nl: 0,
  wc: 0,
  bat: 0,
  tac: 0,
  od: 0,
  xxd: 0,
  strings: 0,
  source: 0,
  '.': 0,
  sed: 1,
  awk: 1,
  jq: 1,
  yq: 1,
  grep: 1,
  egrep: 1,
  fgrep: 1,
  rg: 1,
  ag: 1,
};
/** Of these, those that cannot read a folder. */
const FILE_READERS: ReadonlySet<string> = new Set([
  'cat',
  'head',
  'tail',
  'nl',
  'wc',
  'sed',
  'awk',
  'jq',
  'source',
]);
/** Programs that run the file they are given first: what one script does says nothing of another. */
export const INTERPRETERS: ReadonlySet<string> = new Set([
  ...[
    'bash',
    'sh',
    'zsh',
    'fish',
    'python',
    'python3',
    'node',
    'bun',
    'ruby',
    'perl',
    'php',
    'tsx',
    'ts-node',
  ],
]);
/** Options of readers that take a value of their own. */
const VALUED: ReadonlySet<string> = new Set([
  '-n',
  '-c',
  '-m',
  '-A',
  '-B',
  '-C',
  '-g',
  '-t',
  '-T',
  '--glob',
  '--type',
]);
const SCRIPT_OPTIONS: ReadonlySet<string> = new Set(['-e', '-f', '--expression', '--regexp', '--file']);
const MOST_WORDS = 60;

/** What one command of a command line needs. `root` is the project's folder. */
export function commandNeeds(command: CanonicalCommand, root: string | undefined): CommandNeeds {
  const words = command.words.slice(0, MOST_WORDS);
  const first = words[0];
  if (first === undefined) return { needs: [], makes: [] };
  const program = programOf(words);
  const place = (path: string): string => placeOf(path, command.folder, root);
  const needs: string[] = [];
  const wrappers = command.circumstances.filter((item) => !item.startsWith('env:'));
  if (first.includes('/')) needs.push(`path:${place(first)}`);
  else needs.push(`program:${[first, ...wrappers].join(' via ')}`);
  const head = headOf(words);
  needs.push(`head:${head}`);
  const options = words
    .filter((word) => /^--?[A-Za-z]/.test(word))
    .map((word) => word.split('=', 1)[0] ?? '');
  for (const item of command.circumstances) {
    if (item.startsWith('env:'))
      needs.push(`setting:${item.slice(4)} ${[head, ...options.toSorted()].join(' ')}`);
  }
  needs.push(...options.map((option) => `option:${head} ${option}`));
  needs.push(...fieldsIn(words).map((field) => `field:${head} ${field}`));
  if (program === 'rg' || program === 'grep')
    needs.push(...patternTraps(words).map((trap) => `pattern:${program} ${trap}`));
  const sub = words[1];
  if (sub !== undefined && /^[a-z][\w:-]*$/.test(sub)) needs.push(`subcommand:${program} ${sub}`);
  if ((sub === 'run' || sub === 'run-script') && /^[a-z][\w:.-]*$/.test(words[2] ?? ''))
    needs.push(`subcommand:${program} run ${words[2]}`);
  for (const path of readPaths(program, words)) {
    needs.push(`path:${place(path)}`);
    if (FILE_READERS.has(program)) needs.push(`file:${place(path)}`);
  }
  if (program === 'git') needs.push(...gitNeeds(words, place));
  if (isInstall(withoutInterpreter(words))) needs.push(...packageNeeds(withoutInterpreter(words)));
  needs.push(`shape:${shapeOf(command, root)}`);
  return { needs, makes: [...writtenBy(command), ...madePaths(program, words)].map(place) };
}

/** The program and the subcommands after it: what an option belongs to. */
export function headOf(words: readonly string[]): string {
  const head = [programOf(words)];
  const rest = head[0] === 'git' ? [gitSubcommand(words)] : words.slice(1);
  for (const word of rest) {
    if (head.length === 3 || !/^[a-z][a-z0-9:_-]*$/.test(word)) break;
    head.push(word);
  }
  return head.join(' ');
}

/** The command without the values of its options: what it does, to what, in which environment. */
function shapeOf(command: CanonicalCommand, root: string | undefined): string {
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
    return words.slice(1, end < 0 ? words.length : end).filter(isPlain);
  }
  if (INTERPRETERS.has(program)) {
    const script = words[1];
    return script !== undefined && /\.\w+$/.test(script) && isPlain(script) ? [script] : [];
  }
  const skipped = Object.hasOwn(READERS, program) ? READERS[program] : undefined;
  if (skipped === undefined) return [];
  let toSkip = skipped;
  const paths: string[] = [];
  for (let at = 1; at < words.length; at++) {
    const word = words[at] ?? '';
    if (SCRIPT_OPTIONS.has(word)) {
      toSkip = 0;
      at++;
    } else if (word.startsWith('-') && word !== '-') {
      if (VALUED.has(word) && !(program === 'sed' && word === '-n')) at++;
    } else if (toSkip > 0) toSkip--;
    else if (isPlain(word)) paths.push(word);
  }
  return paths;
}

/** The fields asked for by `--json a,b`. */
function fieldsIn(words: readonly string[]): string[] {
  const at = words.indexOf('--json');
  const list = at < 0 ? words.find((word) => word.startsWith('--json='))?.slice(7) : words[at + 1];
  return list !== undefined && /^\w+(?:,\w+)*$/.test(list) ? list.split(',') : [];
}

/** What search patterns hold that not every search program understands without being told to. */
function patternTraps(words: readonly string[]): string[] {
  const traps: string[] = [];
  const has = (...options: readonly string[]): boolean => options.some((option) => words.includes(option));
  if (!has('-U', '--multiline') && words.some((word) => word.includes('\\n'))) traps.push('newline');
  if (!has('-P', '--pcre2') && words.some((word) => /\(\?<?[=!]/.test(word))) traps.push('look-around');
  return traps;
}

/** Packages to install by name, and those of a certain version. */
function packageNeeds(words: readonly string[]): string[] {
  const packages = words
    .slice(2)
    .filter(
      (word) => !word.startsWith('-') && isPlain(word) && !/^(?:\.|\/|install$|add$|package$)/.test(word),
    );
  const needs: string[] = [];
  for (const word of packages) {
    const name = word.replace(/(?<=.)(?:@|\[|[=<>~!^]=?).*$/, '');
    if (!/[a-z]/i.test(name)) continue;
    needs.push(`package:${name}`);
    if (name !== word && !word.endsWith(']')) needs.push(`version:${word}`);
  }
  return needs;
}

function gitNeeds(words: readonly string[], place: (path: string) => string): string[] {
  const needs: string[] = [];
  const folder = words.indexOf('-C');
  const path = folder > 0 ? words[folder + 1] : undefined;
  if (path !== undefined && isPlain(path)) needs.push(`path:${place(path)}`);
  const sub = gitSubcommand(words);
  if (sub === 'merge') {
    const merged = words.slice(words.indexOf(sub) + 1).find((word) => !word.startsWith('-') && isPlain(word));
    if (merged !== undefined) needs.push(`merge:${merged}`);
  }
  if (sub === 'add' && !words.includes('-f') && !words.includes('--force')) {
    const added = words
      .slice(words.indexOf('add') + 1)
      .filter((word) => !word.startsWith('-') && isPlain(word));
    needs.push(...added.map((word) => `stage:${place(word)}`));
  }
  return needs;
}

/** The files that output is redirected to. */
function writtenBy(command: CanonicalCommand): string[] {
  return command.redirections
    .filter(
      ({ operator, target }) =>
        operator.includes('>') && isPlain(target) && !/^(?:&|\d+$|\/dev\/)/.test(target),
    )
    .map(({ target }) => target);
}

function madePaths(program: string, words: readonly string[]): string[] {
  const plain = words.slice(1).filter((word) => !word.startsWith('-') && isPlain(word));
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

/** A word that is a path as it stands: nothing in it that the shell would replace. */
function isPlain(word: string): boolean {
  return (
    word !== '' && word.length < 400 && !/[$`*?{}<>|\n]/.test(word.replace(/^\/(?:home|Users)\/\*\//, ''))
  );
}

function placeOf(path: string, folder: string | undefined, root: string | undefined): string {
  if (isAbsolute(path) || path.startsWith('~') || folder === undefined) return relativePath(path, root);
  return relativePath(posix.join(folder, path), root);
}
