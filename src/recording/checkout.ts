import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Checkout, CommitClues } from '../facts/attempt/build-attempt.ts';
import { getOrAdd } from '../record/once.ts';
import type { Commit } from '../record/record.ts';
import { findRepository, type Repository, type RunGit } from '../registry/git-repository.ts';

/** The checkouts that calls ran in, as they are now. One that is gone has nothing. */
export class Checkouts {
  readonly #runGit: RunGit;
  readonly #known = new Map<string, Checkout>();

  constructor(runGit: RunGit) {
    this.#runGit = runGit;
  }

  /** The checkout with a root folder. */
  at(root: string): Checkout {
    return getOrAdd(this.#known, root, () => {
      const repository = existsSync(root) ? findRepository(root) : undefined;
      return {
        hasFile: (path) => existsSync(join(root, path)),
        findCommit: (clues) => repository && findCommit(repository, clues, this.#runGit),
      };
    });
  }
}

/** Of a commit with more files, the first are recorded. */
const MAX_FILES = 200;
const SECOND_MS = 1_000;
const NAMES_ONLY = '-r -z --root --name-only --no-commit-id --no-renames --no-ext-diff --no-textconv'.split(' ');

/**
 * Looks up a commit in its repository, by its hash or else by its time and message; what was amended or rebased since is
 * found in the reflogs. Undefined where git knows no such commit, or several.
 */
function findCommit({ gitDir }: Repository, clues: CommitClues, runGit: RunGit): Commit | undefined {
  const which = clues.hash === undefined ? madeBetween(clues) : ['--no-walk', clues.hash];
  const output = runGit(gitDir, ['log', '--no-show-signature', '--no-notes', '--format=%H %s', ...which, '--']) ?? '';
  const found = output.split('\n').flatMap((line) => {
    const [, hash, message = ''] = /^([0-9a-f]{40,64}) (.*)$/.exec(line) ?? [];
    const isMeant = clues.hash !== undefined || clues.hasMessage(message);
    return hash !== undefined && isMeant ? [{ hash, message }] : [];
  });
  const [commit] = found;
  if (commit === undefined || found.length > 1) return undefined;
  const names = runGit(gitDir, ['diff-tree', ...NAMES_ONLY, commit.hash, '--'])?.split('\0') ?? [];
  return { ...commit, files: names.filter((name) => name !== '').slice(0, MAX_FILES) };
}

/** Git counts seconds. */
function madeBetween({ from, to }: CommitClues): readonly string[] {
  const [earliest, latest] = [from - SECOND_MS, to].map((time) => Math.floor(time / SECOND_MS));
  return ['--all', '--reflog', `--max-age=${earliest}`, `--min-age=${latest}`];
}
