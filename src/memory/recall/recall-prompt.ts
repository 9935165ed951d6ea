import type { Config } from '../../config/config.ts';
import { omitUndefined } from '../../record/object.ts';
import type { SessionDigest } from '../digest/session-digest.ts';
import type { Guard } from '../guard/guard.ts';
import { latestOccurrence } from '../guard/known-failure.ts';
import { recall } from './recall.ts';
import { type ActiveFailure, withRecallMemory } from './recall-snapshot.ts';
import type { Recollection } from './recollection.ts';

/** What {@link recallPrompt} needs to know besides the prompt. */
export interface RecallContext {
  /** The folder that holds the project's logs. */
  readonly directory: string;
  readonly config: Config;
  readonly now: () => number;
  readonly guard: Guard;
  /** The digest of a session; called only when a session is relevant, which is rare. */
  readonly digest: (sessionId: string) => SessionDigest | undefined;
}

/** What an agent should be told before it works on a prompt; usually nothing. */
export function recallPrompt(
  prompt: string,
  context: RecallContext,
  options: { readonly sessionId?: string; readonly alreadyShown?: ReadonlySet<string> } = {},
): Recollection | undefined {
  const { directory, config, now } = context;
  return withRecallMemory(directory, context, listActiveFailures(context), (memory) =>
    recall(prompt, memory, {
      minConfidence: config.get('retrieval.minConfidence'),
      now: new Date(now()),
      ...omitUndefined({ currentSessionId: options.sessionId, alreadyShown: options.alreadyShown }),
    }),
  );
}

/** The newest active failures, newest last. */
function listActiveFailures({ guard, now }: RecallContext): readonly ActiveFailure[] {
  const found: ActiveFailure[] = [];
  for (const failure of guard.store.newestFailures(now()).toReversed()) {
    const occurrence = latestOccurrence(failure);
    if (occurrence === undefined || !guard.isActive(failure, now())) continue;
    found.push({
      at: new Date(occurrence.at).toISOString(),
      sessionId: failure.sessions.at(-1) ?? '',
      what: occurrence.what,
      error: occurrence.line,
      ...omitUndefined({ context: occurrence.context, resolution: failure.resolution?.what }),
    });
  }
  return found;
}
