import { execFileSync } from 'node:child_process';
import { devNull } from 'node:os';
import { createGitRunner, type GitOptions, type RunGit } from '../../src/registry/git-repository.ts';

const SETTINGS = {
  'user.name': 'Test',
  'user.email': 'test@example.com',
  'init.defaultBranch': 'main',
  'commit.gpgSign': 'false',
  'protocol.file.allow': 'always',
  'advice.detachedHead': 'false',
};

const ENVIRONMENT = {
  PATH: process.env.PATH,
  GIT_CONFIG_GLOBAL: devNull,
  GIT_CONFIG_NOSYSTEM: '1',
};

/** Runs git in a folder, independent of the machine's git configuration. */
export function git(folder: string, ...args: string[]): string {
  const settings = Object.entries(SETTINGS).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  return execFileSync('git', [...settings, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: ENVIRONMENT,
  }).trim();
}

/** Creates a repository with one commit, whose time makes its id unique. */
export function createRepository(folder: string, message = 'first'): string {
  execFileSync('git', ['init', '-q', folder], { env: ENVIRONMENT });
  git(folder, 'commit', '-q', '--allow-empty', '-m', message);
  return folder;
}

/** A git runner that counts its calls. */
export function countingGit(options?: GitOptions): { readonly run: RunGit; readonly count: () => number } {
  const run = createGitRunner(process.env, options);
  let count = 0;
  return {
    run: (gitDir, args) => {
      count++;
      return run(gitDir, args);
    },
    count: () => count,
  };
}
