import { dirname } from 'node:path';
import type { Environment } from './home-folder.ts';

/** Runs git on a git folder; what it printed, or undefined when it is missing, failed or took too long. */
export type RunGit = (gitDir: string, args: readonly string[]) => string | undefined;

/** How {@link gitRunner} runs git. */
export interface GitOptions {
  /** Default `git`, found by the PATH of the environment. */
  readonly program?: string;
  /** Default 5,000. */
  readonly timeoutMs?: number;
}

/**
 * A way to run git that no repository and no environment can bend: variables that point git elsewhere are
 * dropped, nothing is fetched, asked or locked, and no hook or other program of the repository is started.
 * Naming the git folder makes git answer also where it distrusts the owner of a repository.
 */
export function gitRunner(environment: Environment, options: GitOptions = {}): RunGit {
  const { program = 'git', timeoutMs = 5000 } = options;
  return (gitDir, args) => {
    // Here, too: to go through an environment takes as long as to find a project.
    const clean = Object.entries(environment).filter(([name]) => !/^GIT_/i.test(name));
    const env = { ...Object.fromEntries(clean), ...QUIET };
    // Loaded here: most runs of yore know their project and never need it.
    const { spawnSync } = process.getBuiltinModule('node:child_process');
    const { status, stdout } = spawnSync(program, [`--git-dir=${gitDir}`, ...SAFE, ...args], {
      env,
      // Not the repository: Windows looks for programs in the current folder first.
      cwd: dirname(process.execPath),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      windowsHide: true,
    });
    return status === 0 ? stdout : undefined;
  };
}

const QUIET = { GIT_TERMINAL_PROMPT: '0', GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: 'none' };
const SAFE = [
  '--no-pager',
  '--no-optional-locks',
  '--no-replace-objects',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.hooksPath=',
];
