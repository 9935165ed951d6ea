import type { FailureRows } from '../../ask/guard/failure-rows.ts';
import type { ProjectGuard } from '../../ask/guard/guard.ts';
import {
  type FailedRequest,
  type FailureOccurrence,
  isPortable,
  type KnownFailure,
  latestOccurrence,
} from '../../ask/guard/known-failure.ts';
import type { Config } from '../../config/config.ts';
import { teamFolder } from '../../log/segments.ts';
import { omitUndefined } from '../../record/object.ts';
import type { SessionDigest } from '../digest/session-digest.ts';
import { type RecallOptions, recall } from './recall.ts';
import { type ActiveFailure, withRecallMemory } from './recall-snapshot.ts';
import type { Recollection } from './recollection.ts';

/** What {@link recallPrompt} needs to know besides the prompt. */
export interface RecallContext {
  /** The folder that holds the project's logs. */
  readonly directory: string;
  readonly config: Config;
  readonly now: () => number;
  readonly guard: ProjectGuard;
  /** The digest of a session by the folder of its project's logs; called only when a session is relevant, which is rare. */
  readonly digest: (directory: string, sessionId: string) => SessionDigest | undefined;
}

/** Options of {@link recallPrompt}. */
export interface RecallPromptOptions {
  /** The session of the prompt, which is not recalled itself. */
  readonly sessionId?: string;
  /** Ids of recollections that were shown in this session. */
  readonly alreadyShown?: ReadonlySet<string>;
  /** Instead of the setting `retrieval.minConfidence`, for someone who asks. */
  readonly minConfidence?: number;
}

/**
 * What an agent should be told before it works on a prompt; usually nothing. Other projects are asked when this one has
 * nothing to say, if the settings allow it.
 */
export function recallPrompt(
  prompt: string,
  context: RecallContext,
  { sessionId, alreadyShown, minConfidence }: RecallPromptOptions = {},
): Recollection | undefined {
  if (!context.config.get('retrieval.enabled')) return undefined;
  const origin = omitUndefined({ currentSessionId: sessionId, minConfidence });
  const own = recallFrom(prompt, context, listActiveFailures(context, context.guard.own), origin);
  const found = own ?? recallFromTeam(prompt, context, origin) ?? recallFromOthers(prompt, context, origin);
  return found !== undefined && alreadyShown?.has(found.id) ? undefined : found;
}

/** What colleagues have done in this project, as far as they share it. */
function recallFromTeam(prompt: string, context: RecallContext, origin: Origin): Recollection | undefined {
  const team = { ...context, directory: teamFolder(context.directory) };
  const isWanted = (request: FailedRequest): boolean =>
    isPortable(request) && context.guard.own.choice(request.key) !== 'dismiss';
  const failures = listActiveFailures(team, context.guard.team, isWanted);
  return recallFrom(prompt, team, failures, { ...origin, isTeam: true });
}

/** The recollection of other projects with the highest confidence. */
function recallFromOthers(prompt: string, context: RecallContext, origin: Origin): Recollection | undefined {
  let best: Recollection | undefined;
  for (const { name, directory, guard } of context.guard.otherProjects()) {
    const other = { ...context, directory, guard };
    const found = recallFrom(prompt, other, listActiveFailures(other, guard.own, isPortable), {
      ...origin,
      project: name,
    });
    if (found !== undefined && found.confidence > (best?.confidence ?? 0)) best = found;
  }
  return best;
}

type Origin = Pick<RecallOptions, 'currentSessionId' | 'project' | 'isTeam'> &
  Partial<Pick<RecallOptions, 'minConfidence'>>;

function recallFrom(
  prompt: string,
  { directory, config, now, digest }: RecallContext,
  failures: readonly ActiveFailure[],
  origin: Origin,
): Recollection | undefined {
  const digests = { digest: (sessionId: string) => digest(directory, sessionId) };
  return withRecallMemory(directory, digests, failures, (memory) =>
    recall(prompt, memory, {
      minConfidence: config.get('retrieval.minConfidence'),
      now: new Date(now()),
      ...origin,
    }),
  );
}

/** The newest failures, newest last. */
function listActiveFailures(
  { guard, now }: Pick<RecallContext, 'guard' | 'now'>,
  failures: FailureRows,
  isWanted: (request: FailedRequest) => boolean = () => true,
): readonly ActiveFailure[] {
  return failures
    .newestRequests()
    .filter(isWanted)
    .map((request) => new RequestFailure(request, failures, (failure) => guard.isActive(failure, now())))
    .reverse();
}

/** A failure of which all but its request is looked up only if that matches the prompt: few do. */
class RequestFailure implements ActiveFailure {
  readonly what: string;
  readonly context: string;
  readonly #key: string;
  readonly #failures: FailureRows;
  readonly #isActive: (failure: KnownFailure) => boolean;

  constructor(
    { key, what, context }: FailedRequest,
    failures: FailureRows,
    isActiveNow: (failure: KnownFailure) => boolean,
  ) {
    this.what = what;
    this.context = context;
    this.#key = key;
    this.#failures = failures;
    this.#isActive = isActiveNow;
  }

  get at(): string {
    return new Date(this.#occurrence?.at ?? 0).toISOString();
  }

  get error(): string {
    return this.#occurrence?.line ?? '';
  }

  get sessionId(): string {
    return this.#failure?.sessions.at(-1) ?? '';
  }

  get isActive(): boolean {
    return this.#failure !== undefined && this.#isActive(this.#failure);
  }

  get resolution(): string | undefined {
    return this.#failure?.fix;
  }

  get #occurrence(): FailureOccurrence | undefined {
    return this.#failure && latestOccurrence(this.#failure);
  }

  /** Undefined when it has been dropped since. */
  get #failure(): KnownFailure | undefined {
    return this.#failures.failure(this.#key);
  }
}
