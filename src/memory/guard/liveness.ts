import type { FailureBook } from './failure-book.ts';
import { type Hazard, isOpen, kindOf } from './hazard.ts';
import type { World } from './world.ts';

/** Within this after a failure in the same session, the agent has just acted on the error. */
const JUST_NOW_MS = 2 * 60_000;

/** A hazard as it looks to a call that is about to run. */
export interface Situation {
  readonly hazard: Hazard;
  readonly sessionId: string;
  readonly worktree: string;
  readonly agent: string;
  readonly branch?: string;
  readonly circumstances: readonly string[];
  /** The call's signature and family. */
  readonly signature: string;
  readonly family: string;
  readonly now: number;
}

/** Why a failure is no longer to be expected; undefined while it is. */
export function whyEnded(
  situation: Situation,
  book: FailureBook,
  world: World,
  lookbackMs: number,
): string | undefined {
  const { hazard, sessionId, now, worktree } = situation;
  const kind = kindOf(hazard.key);
  const name = hazard.key.slice(kind.length + 1);
  if (hazard.class === 'transient') return 'it passes by itself';
  if (now - hazard.lastAt > lookbackMs) return 'it is too long ago';
  if (kind !== 'rule' && !isOpen(hazard)) return 'it has worked since';
  if (hazard.sessions.at(-1) === sessionId && now - hazard.lastAt < JUST_NOW_MS)
    return 'it has just happened';
  if (hazard.detail !== undefined && hazard.detail !== situation.signature) return 'it was another edit';
  if ((kind === 'path' || kind === 'file') && world.exists(name) === (kind === 'path'))
    return 'it is there now';
  if (kind === 'text' && (world.changedAt(name) ?? 0) > hazard.lastAt) return 'the file has changed';
  if (kind === 'program' && world.hasProgram(name.split(' ', 1)[0] ?? '') === true) return 'it is there now';
  const ignoredAt = Math.max(world.changedAt('.gitignore') ?? 0, book.lastTime('gitignore', worktree));
  if (kind === 'stage' && ignoredAt > hazard.lastAt) return '.gitignore has changed';
  if (kind === 'merge' && book.lastTime('merged', worktree) > hazard.lastAt) return 'it was merged since';
  const installed = book.lastTime('install', worktree) > hazard.lastAt;
  if (installed && (kind === 'program' || kind === 'package' || hazard.class === 'missing')) {
    return kind === 'path' ? undefined : 'something was installed since';
  }
  return undefined;
}

/** Whether anything happened in the checkout since a failure that could have changed how the project behaves. */
export function isUntouched(situation: Situation, book: FailureBook, world: World): boolean | undefined {
  const { hazard, worktree } = situation;
  if (!hazard.worktrees.includes(worktree)) return undefined;
  const events = ['edit', 'install', 'checkout', 'commit'];
  if (events.some((event) => book.lastTime(event, worktree) > hazard.lastAt)) return false;
  const seen = world.checkedOutAt();
  return seen === undefined ? undefined : seen <= hazard.lastAt;
}
