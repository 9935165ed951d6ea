import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { YoreError } from '../../src/record/index.ts';
import { createGitRunner } from '../../src/registry/git-repository.ts';
import { Registry, type RegistryOptions } from '../../src/registry/registry.ts';
import { temporaryFolder } from '../temp-folder.ts';
import { createRepository } from './git.ts';

export const GIT = createGitRunner(process.env);
export const NOW = Date.parse('2025-11-12T10:00:00Z');

/** A home that does not exist yet. */
export function home(): string {
  return join(temporaryFolder(), 'home');
}

/** The registry of a home, as another process would open it. */
export function open(path: string, options: RegistryOptions = {}): Registry {
  return Registry.open(path, { git: GIT, now: () => NOW, ...options });
}

/** A folder without git. */
export function folder(name = 'app'): string {
  const path = join(temporaryFolder(), name);
  mkdirSync(path, { recursive: true });
  return path;
}

/** A repository with one commit. */
export function repository(name = 'app', message?: string): string {
  return createRepository(join(temporaryFolder(), name), message);
}

/** The error that `work` throws. */
export function errorOf(work: () => unknown): YoreError {
  try {
    work();
  } catch (error) {
    if (error instanceof YoreError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
