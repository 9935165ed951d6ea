import { accessSync, constants, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, relative } from 'node:path';
import type { MachineState } from '../ask/guard/candidates.ts';
import type { Environment } from '../registry/folders.ts';
import { findRepository } from '../registry/git-repository.ts';

/**
 * What can be seen of this machine from a checkout. `env` is the environment in which calls run; without a PATH, nothing
 * is known about programs.
 */
export function readMachineState(root: string, env: Environment = {}): MachineState {
  const inspect = <T>(path: string, read: (resolved: string) => T): T | undefined => {
    // Redacted paths are unknown: `~` may stand for the home folder of another user.
    if (path.includes('*') || path.startsWith('~')) return undefined;
    return undefinedOnError(() => read(isAbsolute(path) ? path : join(root, path)));
  };
  const exists = (path: string): boolean | undefined => inspect(path, isThere);
  const findProgram = (name: string): string | undefined =>
    (env.PATH ?? '').split(delimiter).find((folder) => folder !== '' && isExecutable(join(folder, name)));
  const hasProgram = (name: string): boolean | undefined =>
    env.PATH === undefined || name.includes('/') ? undefined : findProgram(name) !== undefined;

  const provides = (missing: string): boolean | undefined => {
    const colon = missing.indexOf(':');
    const [name = '', folder = '.'] = missing.slice(colon + 1).split(' ', 2);
    switch (missing.slice(0, colon)) {
      case 'python':
        return hasPythonModule(
          name,
          [root, join(root, 'src'), join(root, folder)],
          pythonPrefixes(root, env, findProgram),
        );
      case 'node':
        return parents(root, folder).some((parent) => isThere(join(parent, 'node_modules', name)));
      case 'program':
        return hasProgram(name) === true || TOOL_FOLDERS.some((tools) => isExecutable(join(root, tools, name)))
          ? true
          : hasProgram(name);
      case 'variable':
        return env.PATH === undefined ? undefined : (env[name] ?? '') !== '';
      case 'path':
        return exists(missing.slice(colon + 1));
      case 'socket':
        return name === '' ? undefined : inspect(name, (path) => isAllowed(path, constants.R_OK | constants.W_OK));
      case 'port':
        return isListening(Number(name));
      case 'free-port':
        return negate(isListening(Number(name)));
      case 'access':
        return inspect(missing.slice(missing.indexOf(' ') + 1), (path) => canUse(path, name));
      case 'folder':
        return inspect(missing.slice(missing.indexOf(' ') + 1), (path) => canWorkIn(path, name, root));
      default:
        return undefined;
    }
  };

  return {
    exists,
    hasProgram,
    provides,
    changedAt: (path) => inspect(path, readMtime),
    checkedOutAt() {
      const gitDir = undefinedOnError(() => findRepository(root)?.gitDir);
      if (gitDir === undefined) return undefined;
      const changedAt = (name: string) => undefinedOnError(() => readMtime(join(gitDir, name))) ?? 0;
      return Math.max(changedAt('HEAD'), changedAt('index'));
    },
  };
}

/** Where projects keep the programs that they install. */
const TOOL_FOLDERS = ['node_modules/.bin', '.venv/bin', 'venv/bin', 'vendor/bin', 'bin'];

/** The files that make a folder one that a program can work in; a parent of it may have them as well. */
const MANIFESTS: Readonly<Record<string, string>> = {
  cargo: 'Cargo.toml',
  go: 'go.mod',
  composer: 'composer.json',
  poetry: 'pyproject.toml',
  uv: 'pyproject.toml',
};

function canWorkIn(folder: string, program: string, root: string): boolean {
  if (program === 'git') return findRepository(folder) !== undefined;
  const manifest = MANIFESTS[program] ?? 'package.json';
  return parents(root, relative(root, folder)).some((parent) => isThere(join(parent, manifest)));
}

/** A folder of the checkout and those above it, up to the root. */
function parents(root: string, folder: string): string[] {
  const found = [join(root, folder)];
  for (let at = found[0] ?? root; at.startsWith(root) && at !== root; at = dirname(at)) found.push(dirname(at));
  return found;
}

/** Where the Pythons are installed that a call may use. */
function pythonPrefixes(root: string, env: Environment, findProgram: (name: string) => string | undefined): string[] {
  const installed = ['python3', 'python'].flatMap((name) => {
    const folder = findProgram(name);
    if (folder === undefined) return [];
    const real = undefinedOnError(() => dirname(realpathSync(join(folder, name)))) ?? folder;
    return [dirname(folder), dirname(real)];
  });
  const environments = [env.VIRTUAL_ENV, env.CONDA_PREFIX, env.HOME && join(env.HOME, '.local')];
  return [
    ...installed,
    ...environments.flatMap((prefix) => prefix ?? []),
    ...['.venv', 'venv', 'env'].map((name) => join(root, name)),
    ...['/usr/local', '/usr'],
  ];
}

/** Whether a module is in the sources or installed; undefined when there is no Python to look at. */
function hasPythonModule(module: string, sources: readonly string[], prefixes: readonly string[]): boolean | undefined {
  const list = (folder: string): readonly string[] => undefinedOnError(() => readdirSync(folder)) ?? [];
  const libraries = [...new Set(prefixes)].flatMap((prefix) =>
    list(join(prefix, 'lib'))
      .filter((name) => /^python3/.test(name))
      .map((name) => join(prefix, 'lib', name)),
  );
  const installed = libraries.flatMap((folder) =>
    ['site-packages', 'dist-packages', '.'].map((name) => join(folder, name)),
  );
  // A package, a file, an extension, or a link to the sources of a package.
  const isModule = new RegExp(`^(?:__editable__[._]+)?${module}(?:\\.|-|$)`, 'i');
  if ([...sources, ...installed].some((folder) => list(folder).some((name) => isModule.test(name)))) return true;
  return libraries.length === 0 ? undefined : false;
}

/** Whether a process listens on a local port; undefined where the system does not tell. */
function isListening(port: number): boolean | undefined {
  const tables = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap(
    (path) => undefinedOnError(() => readFileSync(path, 'utf8')) ?? [],
  );
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const isOpen = (line: string): boolean => {
    const [, local = '', , state] = line.trim().split(/\s+/);
    return state === '0A' && local.endsWith(suffix);
  };
  return tables.length === 0 ? undefined : tables.some((table) => table.split('\n').some(isOpen));
}

function negate(value: boolean | undefined): boolean | undefined {
  return value === undefined ? undefined : !value;
}

/** Whether a path may be read, written or run. A file that does not exist can be written if its folder can. */
function canUse(path: string, use: string): boolean {
  const mode = use === 'write' ? constants.W_OK : use === 'run' ? constants.X_OK : constants.R_OK;
  return isAllowed(use === 'write' && !isThere(path) ? dirname(path) : path, mode);
}

function isThere(path: string): boolean {
  return readMtime(path) !== undefined;
}

function readMtime(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}

function isAllowed(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

function isExecutable(path: string): boolean {
  return isAllowed(path, constants.X_OK) && undefinedOnError(() => statSync(path).isFile()) === true;
}

function undefinedOnError<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
