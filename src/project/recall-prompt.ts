import type { Config } from '../config/index.ts';
import {
  type Choice,
  type Guard,
  type Hazard,
  isOpen,
  latestEvidence,
  type Recollection,
  recall,
  type SessionDigest,
  type StandingFailure,
  withRecallMemory,
} from '../memory/index.ts';

/** What {@link recallPrompt} needs to know. */
export interface RecallSurroundings {
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
  surroundings: RecallSurroundings,
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
function standingFailures(surroundings: RecallSurroundings): readonly StandingFailure[] {
  const { guard, now } = surroundings;
  const found: StandingFailure[] = [];
  for (const hazard of guard.newestHazards(now()).toReversed()) {
    const evidence = latestEvidence(hazard);
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
export function isLive(hazard: Hazard, choice: Choice): boolean {
  return choice === 'pin' || (choice === 'none' && isOpen(hazard) && hazard.class !== 'transient');
}

/** Whether it is not too long ago to warn of, or was pinned. */
export function isRecent(
  hazard: Hazard,
  { config, guard, now }: Pick<RecallSurroundings, 'config' | 'guard' | 'now'>,
): boolean {
  const lookbackMs = config.get('retrieval.failureLookbackDays') * DAY_MS;
  return now() - hazard.lastAt <= lookbackMs || guard.choice(hazard.key) === 'pin';
}
