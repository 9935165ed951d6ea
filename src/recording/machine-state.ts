import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import type { MachineState } from '../memory/guard/candidates.ts';
import { findRepository } from '../registry/git-repository.ts';

/**
 * What can be seen of this machine from a checkout. `searchPath` is the PATH with which calls run; without it, nothing
 * is known about programs.
 */
export function readMachineState(root: string, searchPath?: string): MachineState {
  const inspect = <T>(path: string, read: (resolved: string) => T): T | undefined => {
    // Redacted paths are unknown: `~` may stand for the home folder of another user.
    if (path.includes('*') || path.startsWith('~')) return undefined;
    return undefinedOnError(() => read(isAbsolute(path) ? path : join(root, path)));
  };
  return {
    exists: (path) => inspect(path, (resolved) => readMtime(resolved) !== undefined),
    changedAt: (path) => inspect(path, readMtime),
    hasProgram(name) {
      if (searchPath === undefined || name.includes('/')) return undefined;
      return searchPath.split(delimiter).some((folder) => folder !== '' && isExecutable(join(folder, name)));
    },
    checkedOutAt() {
      const gitDir = undefinedOnError(() => findRepository(root)?.gitDir);
      if (gitDir === undefined) return undefined;
      const changedAt = (name: string) => undefinedOnError(() => readMtime(join(gitDir, name))) ?? 0;
      return Math.max(changedAt('HEAD'), changedAt('index'));
    },
  };
}

function readMtime(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function undefinedOnError<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
