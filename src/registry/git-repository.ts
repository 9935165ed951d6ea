import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { resolveLinks, tryReadText } from '../files/file-access.ts';
import { omitUndefined } from '../record/object.ts';
import { type Environment, selfAndAncestors } from './folders.ts';

/** A git repository as described by its files, without running git. */
export interface Repository {
  /** Root of this worktree, or the folder of a bare repository. */
  readonly root: string;
  /** Root of the main worktree; `root` if there is none. */
  readonly mainRoot: string;
  readonly displayName: string;
  /** The git directory of this worktree. */
  readonly gitDir: string;
  /** The git directory that all worktrees share. */
  readonly commonDir: string;
  readonly isBare: boolean;
  /** Normalised URL of the remote. */
  readonly remote?: string;
}

/**
 * The repository that contains `folder`, a canonical path. A submodule is a repository of its own. A bare repository
 * among the files of another one is not: a clone may bring it, with settings of its author's choice.
 */
export function findRepository(folder: string): Repository | undefined {
  let bare: string | undefined;
  for (const current of selfAndAncestors(folder)) {
    const isInside = basename(current) === '.git';
    const gitDir = findGitDir(current) ?? (isInside && isGitDir(current) ? current : undefined);
    if (gitDir === undefined) bare ??= isGitDir(current) ? current : undefined;
    else if (bare === undefined || !isWithin(bare, gitDir)) {
      return describeRepository(isInside ? dirname(current) : current, gitDir, false);
    } else break;
  }
  return bare === undefined ? undefined : describeRepository(bare, bare, true);
}

function isWithin(folder: string, other: string): boolean {
  return folder === other || folder.startsWith(`${other}${sep}`);
}

/** Whether `folder` itself is the root of a worktree or a bare repository. */
export function isRepositoryRoot(folder: string): boolean {
  return findGitDir(folder) !== undefined || isGitDir(folder);
}

/**
 * The inode of `.git` (of `objects` in a bare repository), which distinguishes a repository from another one at the
 * same path. Undefined when there is no repository.
 */
export function readMarker(folder: string): string | undefined {
  return readInode(join(folder, '.git')) ?? readInode(join(folder, 'objects'));
}

/** The inode of a path; undefined when it does not exist. */
export function readInode(path: string): string | undefined {
  try {
    return statSync(path, { bigint: true }).ino.toString();
  } catch {
    return undefined;
  }
}

/** Whether the root commit can be found: there are commits and it is not a shallow clone. */
export function hasFullHistory({ gitDir, commonDir }: Repository): boolean {
  if (readOrEmpty(join(commonDir, 'shallow')).trim() !== '') return false;
  const head = readOrEmpty(join(gitDir, 'HEAD')).trim();
  const reference = /^ref:\s*(\S+)$/.exec(head)?.[1];
  if (reference === undefined) return head !== '';
  if (existsSync(join(commonDir, 'reftable'))) return true;
  return (
    existsSync(join(commonDir, reference)) || readOrEmpty(join(commonDir, 'packed-refs')).includes(` ${reference}\n`)
  );
}

function findGitDir(folder: string): string | undefined {
  const path = join(folder, '.git');
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return isGitDir(path) ? path : undefined;
  if (!found?.isFile()) return undefined;
  const target = /^gitdir:\s*(.+)$/m.exec(readOrEmpty(path))?.[1]?.trim();
  return target === undefined ? undefined : resolve(folder, target);
}

function isGitDir(folder: string): boolean {
  return ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(folder, name)));
}

function describeRepository(root: string, gitDir: string, isBare: boolean): Repository {
  const commonDir = findCommonDir(gitDir);
  const isMain = basename(commonDir) === '.git';
  const mainRoot = isMain ? dirname(commonDir) : root;
  const address = parseRemoteUrl(readOrEmpty(join(commonDir, 'config')));
  const remote = address && normaliseRemoteUrl(address, mainRoot);
  const bareDir = isMain || commonDir === resolveLinks(gitDir) ? undefined : commonDir;
  const displayName = chooseDisplayName(mainRoot, bareDir);
  return { root, mainRoot, displayName, gitDir, commonDir, isBare, ...omitUndefined({ remote }) };
}

/** Also for a worktree whose main repository was moved away: then the path where it was. */
function findCommonDir(gitDir: string): string {
  const named = readOrEmpty(join(gitDir, 'commondir')).trim();
  if (named !== '') return resolveLinks(resolve(gitDir, named));
  return resolveLinks(existsSync(gitDir) ? gitDir : gitDir.replace(/[\\/]worktrees[\\/][^\\/]+$/, ''));
}

/** A worktree of a bare repository is named after that (`app.git`), or after the folder that contains it as `.bare`. */
function chooseDisplayName(root: string, bareDir: string | undefined): string {
  const folder = bareDir === undefined ? root : basename(bareDir).startsWith('.') ? dirname(bareDir) : bareDir;
  return basename(folder).replace(/\.git$/, '') || folder;
}

function readOrEmpty(path: string): string {
  return tryReadText(path) ?? '';
}

/** The URL of `origin`, or else of the first remote, from the text of a git `config`. Included files are not read. */
export function parseRemoteUrl(config: string): string | undefined {
  const urls = new Map<string, string>();
  let remote: string | undefined;
  for (const line of config.replace(/\\\r?\n/g, '').split(/\r?\n/)) {
    const section = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line);
    if (section) {
      remote = section[1]?.toLowerCase() === 'remote' ? unescapeText(section[2] ?? '') : undefined;
      continue;
    }
    const value = /^\s*url\s*=\s*(.*)$/i.exec(line)?.[1];
    if (remote === undefined || value === undefined || urls.has(remote)) continue;
    const url = parseConfigValue(value);
    if (url !== '') urls.set(remote, url);
  }
  return urls.get('origin') ?? urls.values().next().value;
}

/** Removes quotes, escapes and a trailing comment. */
function parseConfigValue(value: string): string {
  let text = '';
  for (const [part, quoted] of value.matchAll(/"((?:[^"\\]|\\.)*)"|[;#].*$|(?:[^"\\;#]|\\.)+/g)) {
    if (/^[;#]/.test(part)) break;
    text += quoted ?? part;
  }
  return unescapeText(text).trim();
}

function unescapeText(text: string): string {
  return text.replace(/\\(.)/g, '$1');
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { ssh: '22', https: '443', http: '80', git: '9418' };

/**
 * Normalises the URL of a git remote to `host/path`, without protocol, credentials, default port, `.git` and trailing
 * slashes, and with a lower-case host. A local remote becomes `file:` and its path, resolved against `base`.
 */
export function normaliseRemoteUrl(url: string, base: string): string {
  const text = url.trim();
  const [, helper, behind = ''] = /^([a-z][a-z0-9+.-]*)::(.*)$/is.exec(text) ?? [];
  if (helper !== undefined) return `${helper}::${normaliseRemoteUrl(behind, base)}`;
  const [, protocol, rest = ''] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is.exec(text) ?? [];
  if (protocol?.toLowerCase() === 'file') return normalisePath(rest.replace(/^localhost(?=\/)/i, ''), base);
  if (protocol !== undefined) return normaliseAddress(protocol.toLowerCase().replace(/^git\+|\+git$/, ''), rest);
  // A single letter before the colon is a Windows drive.
  const [, host, path] = /^([^/\\:]{2,}):(.*)$/s.exec(text) ?? [];
  return host === undefined ? normalisePath(text, base) : normaliseAddress('ssh', `${host}/${path}`);
}

function normaliseAddress(protocol: string, rest: string): string {
  const slash = rest.search(/[/?#]/);
  const authority = slash < 0 ? rest : rest.slice(0, slash);
  const path = slash < 0 ? '' : rest.slice(slash).replace(/[?#].*$/s, '');
  const host = authority.slice(authority.lastIndexOf('@') + 1).toLowerCase();
  const port = DEFAULT_PORTS[protocol];
  const shortHost = port !== undefined && host.endsWith(`:${port}`) ? host.slice(0, -port.length - 1) : host;
  return trimEnd(`${shortHost}/${path.replace(/^\/+/, '')}`);
}

function normalisePath(path: string, base: string): string {
  const full = resolve(base, path).replaceAll('\\', '/');
  return `file:${trimEnd(full.replace(/\/\.git$/, ''))}`;
}

/** Begins only at the first of several slashes, so that a text of many slashes takes linear time. */
const SLASHES_AT_END = /(?<!\/)\/+$/;

function trimEnd(text: string): string {
  return text
    .replace(SLASHES_AT_END, '')
    .replace(/\.git$/i, '')
    .replace(SLASHES_AT_END, '');
}

/** Runs git on a git directory. Returns its output, or undefined when git is missing, fails or takes too long. */
export type RunGit = (gitDir: string, args: readonly string[]) => string | undefined;

/** Options of {@link createGitRunner}. */
export interface GitOptions {
  /** Default `git`, found via the PATH of the environment. */
  readonly program?: string;
  /** Default 5,000. */
  readonly timeoutMs?: number;
}

/**
 * Runs git safely in untrusted repositories: `GIT_*` variables are dropped, nothing is fetched, prompted for or locked,
 * and no hook or other program of the repository is started. Because the git directory is passed explicitly, it also
 * works where git distrusts the owner of the repository.
 */
export function createGitRunner(environment: Environment, options: GitOptions = {}): RunGit {
  const { program = 'git', timeoutMs = 5000 } = options;
  return (gitDir, args) => {
    // Not earlier: copying the environment takes as long as looking up a project.
    const clean = Object.entries(environment).filter(([name]) => !/^GIT_/i.test(name));
    const env = { ...Object.fromEntries(clean), ...QUIET };
    // Loaded on demand, since most processes find their project without git.
    const { spawnSync } = process.getBuiltinModule('node:child_process');
    const { status, stdout } = spawnSync(program, [`--git-dir=${gitDir}`, ...SAFE, ...args], {
      env,
      // Not the repository, because Windows searches the current folder for programs first.
      cwd: dirname(process.execPath),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: timeoutMs,
      maxBuffer: MAX_OUTPUT_BYTES,
      killSignal: 'SIGKILL',
      windowsHide: true,
    });
    return status === 0 ? stdout : undefined;
  };
}

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
const QUIET = { GIT_TERMINAL_PROMPT: '0', GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: 'none' };
const SAFE = [
  '--no-pager --no-optional-locks --no-replace-objects',
  '-c core.fsmonitor=false -c core.hooksPath= -c log.showSignature=false',
].flatMap((options) => options.split(' '));
