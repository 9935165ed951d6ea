import type { Config } from '../../config/index.ts';
import {
  type ActiveFailure,
  type FailureChoice,
  type Guard,
  isUnresolved,
  type KnownFailure,
  latestOccurrence,
  type Recollection,
  recall,
  type SessionDigest,
  withRecallMemory,
} from '../index.ts';

/** What {@link recallPrompt} needs to know. */
export interface RecallContext {
  /** The folder that holds the project's logs. */
  readonly directory: string;
  readonly config: Config;
  readonly now: () => number;
  readonly guard: Guard;
  /** The digest of a session; asked for only when one fits, which is rarely. */
  readonly digest: (sessionId: string) => SessionDigest | undefined;
}

const DAY_MS = 86_400_000;

/** What is worth saying before work starts on a prompt; mostly nothing. */
export function recallPrompt(
  prompt: string,
  surroundings: RecallContext,
  options: { readonly sessionId?: string; readonly alreadyShown?: ReadonlySet<string> } = {},
): Recollection | undefined {
  const { directory, config, now } = surroundings;
  return withRecallMemory(directory, surroundings, standingFailures(surroundings), (memory) =>
    recall(prompt, memory, {
      minConfidence: config.get('retrieval.minConfidence'),
      now: new Date(now()),
      ...(options.sessionId === undefined ? {} : { currentSessionId: options.sessionId }),
      ...(options.alreadyShown === undefined ? {} : { alreadyShown: options.alreadyShown }),
    }),
  );
}

/** Failures that would happen again, the newest last. */
function standingFailures(surroundings: RecallContext): readonly ActiveFailure[] {
  const { guard, now } = surroundings;
  const found: ActiveFailure[] = [];
  for (const hazard of guard.newestFailures(now()).toReversed()) {
    const evidence = latestOccurrence(hazard);
    if (evidence === undefined || !isRecent(hazard, surroundings)) continue;
    if (!isLive(hazard, guard.choice(hazard.key))) continue;
    found.push({
      at: new Date(evidence.at).toISOString(),
      sessionId: hazard.sessions.at(-1) ?? '',
      what: evidence.what,
      error: evidence.line,
      ...(evidence.context === undefined ? {} : { context: evidence.context }),
      ...(hazard.resolution === undefined ? {} : { resolution: hazard.resolution.what }),
    });
  }
  return found;
}

/** Whether it may happen again and the user has not said that this is of no interest. */
export function isLive(hazard: KnownFailure, choice: FailureChoice): boolean {
  return choice === 'pin' || (choice === 'none' && isUnresolved(hazard) && hazard.class !== 'transient');
}

/** Whether it is not too long ago to warn of, or was pinned. */
export function isRecent(
  hazard: KnownFailure,
  { config, guard, now }: Pick<RecallContext, 'config' | 'guard' | 'now'>,
): boolean {
  const lookbackMs = config.get('retrieval.failureLookbackDays') * DAY_MS;
  return now() - hazard.lastAt <= lookbackMs || guard.choice(hazard.key) === 'pin';
}
