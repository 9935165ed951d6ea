import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import type { MachineState } from '../memory/index.ts';
import { findRepository } from '../registry/repository.ts';

/**
 * What can be seen of this machine from a checkout. `searchPath` is the PATH of the environment in which calls run;
 * without it nothing is said about programs.
 */
export function readMachineState(root: string, searchPath?: string): MachineState {
  const mtime = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  const place = (path: string): string | undefined => {
    // A redacted home folder could be anybody's.
    if (path.includes('*') || path.startsWith('~')) return undefined;
    return isAbsolute(path) ? path : join(root, path);
  };
  return {
    exists(path) {
      const found = place(path);
      return found === undefined ? undefined : quietly(() => mtime(found) !== undefined);
    },
    changedAt(path) {
      const found = place(path);
      return found === undefined ? undefined : quietly(() => mtime(found));
    },
    hasProgram(name) {
      if (searchPath === undefined || name.includes('/')) return undefined;
      return searchPath.split(delimiter).some((folder) => folder !== '' && isExecutable(join(folder, name)));
    },
    checkedOutAt() {
      const folder = quietly(() => findRepository(root)?.gitDir);
      if (folder === undefined) return undefined;
      const times = ['HEAD', 'index'].map((name) => quietly(() => mtime(join(folder, name))) ?? 0);
      return Math.max(...times);
    },
  };
}

function isExecutable(path: string): boolean {
  const check = (): boolean => {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  };
  return quietly(check) ?? false;
}

/** What cannot be seen is not known. */
function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
