import { isUnresolved, type KnownFailure, kindOf } from './hazard.ts';
import type { FailureLookup } from './known-failures.ts';
import type { MachineState } from './world.ts';

/** Within this after a failure in the same session, the agent has just acted on the error. */
export const JUST_NOW_MS: number = 2 * 60_000;
/** Clocks differ by less than this; a failure further ahead was recorded while a clock was wrong. */
const CLOCK_SKEW_MS = 60 * 60_000;

/** A hazard as it looks to a call that is about to run. */
export interface Situation {
  readonly hazard: KnownFailure;
  readonly sessionId: string;
  readonly worktree: string;
  readonly agent: string;
  readonly branch?: string;
  readonly circumstances: readonly string[];
  /** The call's signature. */
  readonly signature: string;
  readonly now: number;
}

/** Why a failure is no longer to be expected; undefined while it is. */
export function whyEnded(
  situation: Situation,
  book: FailureLookup,
  world: MachineState,
  lookbackMs: number,
): string | undefined {
  const { hazard, sessionId, now, worktree } = situation;
  const kind = kindOf(hazard.key);
  const name = hazard.key.slice(kind.length + 1);
  if (hazard.class === 'transient') return 'it passes by itself';
  if (now - hazard.lastAt > lookbackMs) return 'it is too long ago';
  if (!(hazard.lastAt - now < CLOCK_SKEW_MS)) return 'when it happened cannot be told';
  if (kind !== 'rule' && !isUnresolved(hazard)) return 'it has worked since';
  if (hazard.sessions.at(-1) === sessionId && now - hazard.lastAt < JUST_NOW_MS)
    return 'it has just happened';
  if (hazard.detail !== undefined && hazard.detail !== situation.signature) return 'it was another edit';
  if ((kind === 'path' || kind === 'file') && world.exists(name) === (kind === 'path'))
    return 'it is there now';
  if (kind === 'text' && (world.changedAt(name) ?? 0) > hazard.lastAt) return 'the file has changed';
  if (hazard.class === 'stale' && hasChanged(name, situation, book, world)) return 'the file has changed';
  const program = name.split(' ', 1)[0] ?? '';
  if (kind === 'program' && world.hasProgram(program) === true) return 'it is there now';
  const ignoredAt = Math.max(world.changedAt('.gitignore') ?? 0, book.lastTime('gitignore', worktree));
  if (kind === 'stage' && ignoredAt > hazard.lastAt) return '.gitignore has changed';
  if (kind === 'subcommand' && mayHaveBeenAdded(name, situation, book, world))
    return 'tasks may have changed';
  if (kind === 'merge' && book.lastTime('merged', worktree) > hazard.lastAt) return 'it was merged since';
  // Installing something else does not make a package exist, nor a path, nor a program that is known to be missing.
  const mayBeInstalled =
    kind === 'program'
      ? world.hasProgram(program) !== false
      : hazard.class === 'missing' && (kind === 'call' || kind === 'head');
  if (mayBeInstalled && book.lastTime('install', worktree) > hazard.lastAt)
    return 'something was installed since';
  return undefined;
}

/** Whether the file of an edit that failed has changed since; anything in the checkout, where the file cannot be seen. */
function hasChanged(
  signature: string,
  { hazard, worktree }: Situation,
  book: FailureLookup,
  world: MachineState,
): boolean {
  const path = /^edit (.+?) [a-z0-9]+(?: all)?$/.exec(signature)?.[1];
  if (path === undefined) return false;
  return (world.changedAt(path) ?? book.lastTime('edit', worktree)) > hazard.lastAt;
}

/** Programs whose subcommands are tasks of the project, and where those are written. */
const TASK_FILES: Readonly<Record<string, readonly string[]>> = {
  npm: ['package.json'],
  pnpm: ['package.json'],
  yarn: ['package.json'],
  bun: ['package.json'],
  make: ['Makefile', 'makefile', 'GNUmakefile'],
  just: ['justfile', 'Justfile'],
  task: ['Taskfile.yml', 'Taskfile.yaml'],
  mise: ['mise.toml', '.mise.toml'],
  rake: ['Rakefile'],
  gradle: ['build.gradle', 'build.gradle.kts'],
  gradlew: ['build.gradle', 'build.gradle.kts'],
  composer: ['composer.json'],
  deno: ['deno.json', 'deno.jsonc'],
  nx: ['project.json', 'nx.json'],
  turbo: ['turbo.json'],
};

/** A task that was missing may have been written since. */
function mayHaveBeenAdded(
  name: string,
  situation: Situation,
  book: FailureLookup,
  world: MachineState,
): boolean {
  const program = name.split(' ', 1)[0] ?? '';
  const files = Object.hasOwn(TASK_FILES, program) ? TASK_FILES[program] : undefined;
  if (files === undefined) return false;
  const { hazard, worktree } = situation;
  if (['edit', 'checkout'].some((event) => book.lastTime(event, worktree) > hazard.lastAt)) return true;
  return files.some((file) => (world.changedAt(file) ?? 0) > hazard.lastAt);
}

/** Whether anything happened in the checkout since a failure that could have changed how the project behaves. */
export function isUntouched(
  situation: Situation,
  book: FailureLookup,
  world: MachineState,
): boolean | undefined {
  const { hazard, worktree } = situation;
  if (!hazard.worktrees.includes(worktree)) return undefined;
  const events = ['edit', 'install', 'checkout', 'commit'];
  if (events.some((event) => book.lastTime(event, worktree) > hazard.lastAt)) return false;
  const times = [world.checkedOutAt(), ...(hazard.subjects ?? []).map((path) => world.changedAt(path))];
  if (times.some((time) => time !== undefined && time > hazard.lastAt)) return false;
  // A person may have edited anything: without a file to look at, nothing is known.
  return times.length > 1 && times.every((time) => time !== undefined) ? true : undefined;
}
