import type { Config } from '../config/index.ts';
import {
  type FailureWarning,
  Guard,
  isOwnTool,
  type MachineState,
  type ToolCall,
  warningOf,
} from '../memory/index.ts';
import type { PendingCall } from './pending-call.ts';
import { pendingMatters } from './pending-matters.ts';
import { SessionRequests } from './session-requests.ts';

/** What a {@link Warner} needs to know. */
export interface WarnerOptions {
  /** The folder that holds the project's logs. */
  readonly directory: string;
  readonly config: Config;
  /** The folder of the checkout that is worked on. */
  readonly root: string;
  readonly isRecording: () => boolean;
  readonly machine: MachineState;
  /** The other projects to ask, when the setting `retrieval.crossProject` says so; most recently active first. */
  readonly others?: () => readonly { readonly name: string; readonly directory: string }[];
  /** For calls whose own time cannot be read. Default: the clock. */
  readonly now?: () => number;
  /** The process ends soon and another one tidies up after it, so that recording does not. Default false. */
  readonly isShortLived?: boolean;
}

/** A warning that was just recorded, and how it is to be given. */
export interface GivenNow {
  readonly warning: FailureWarning;
  readonly mode: 'denyOnce' | 'ask' | 'note';
}

/** What a call needs that has nothing to do with a project's files. */
const PORTABLE: ReadonlySet<string> = new Set([
  'option',
  'package',
  'version',
  'program',
  'field',
  'pattern',
  'setting',
]);
const MOST_OTHERS = 20;

/** Tells an agent before it repeats a failure: the check before a call, without what recording needs. */
export class Warner {
  readonly guard: Guard;
  readonly requests: SessionRequests;
  readonly #options: WarnerOptions;

  constructor(options: WarnerOptions) {
    const { config, directory, machine: world } = options;
    this.#options = options;
    this.requests = new SessionRequests(directory);
    this.guard = new Guard(directory, {
      failureLookbackDays: config.get('retrieval.failureLookbackDays'),
      minConfidence: config.get('retrieval.minConfidence'),
      machine: world,
    });
  }

  /** What {@link warn} would say. Changes nothing. */
  check(call: ToolCall): FailureWarning | undefined {
    const { config } = this.#options;
    if (isOwnTool(call.tool)) return undefined;
    if (!config.get('retrieval.enabled') || !config.get('retrieval.warnOnDuplicateFailure')) return undefined;
    const own = placed(call, this.#options);
    const request = (): string | undefined => this.requests.of(call.sessionId);
    return this.guard.check(own, { request }) ?? this.#elsewhere(own);
  }

  /**
   * The warning for a call that is about to run; the same call again gets none. `note` when it should only be noted
   * beside the call: by setting, or because two overrides in the session went well.
   */
  warn(call: ToolCall): GivenNow | undefined {
    const { config, isRecording } = this.#options;
    // A warning has to be written down before it is given.
    if (!isRecording()) return undefined;
    const warning = this.check(call);
    if (warning === undefined || !this.guard.give(placed(call, this.#options), warning)) return undefined;
    return {
      warning,
      mode: this.guard.isOverruled(call.sessionId) ? 'note' : config.get('retrieval.onDuplicate'),
    };
  }

  /**
   * The same while other calls wait to be analysed. `unclear` when these may change what is to be said: then they have to
   * be written down first.
   */
  warnAmid(pending: readonly PendingCall[], call: ToolCall): GivenNow | 'unclear' | undefined {
    const { config, others } = this.#options;
    if (pending.length === 0) return this.warn(call);
    if (isOwnTool(call.tool) || !config.get('retrieval.enabled')) return undefined;
    if (others !== undefined && config.get('retrieval.crossProject')) return 'unclear';
    const request = (): string | undefined => this.requests.of(call.sessionId);
    // Where they do not matter there is nothing to warn of: what the guard would have said is what makes them matter.
    return pendingMatters(pending, placed(call, this.#options), this.guard, request) ? 'unclear' : undefined;
  }

  /** What failed in another project and is not about its files. */
  #elsewhere(call: ToolCall): FailureWarning | undefined {
    const { config, others, machine: world } = this.#options;
    if (others === undefined || !config.get('retrieval.crossProject')) return undefined;
    const minConfidence = config.get('retrieval.minConfidence');
    const failureLookbackDays = config.get('retrieval.failureLookbackDays');
    for (const { name, directory } of others().slice(0, MOST_OTHERS)) {
      const guard = new Guard(directory, { failureLookbackDays, minConfidence, machine: world });
      const verdict = guard.judge(call, { kinds: PORTABLE });
      guard.close();
      if (verdict === undefined || verdict.confidence < minConfidence) continue;
      if (!this.guard.isRefuted(verdict.failure)) return warningOf(verdict, name);
    }
    return undefined;
  }
}

/** A call with the checkout it works on and a time that can be read: a record without one would be lost. */
export function placed(call: ToolCall, { root, now }: Pick<WarnerOptions, 'root' | 'now'>): ToolCall {
  return { ...call, root: call.root ?? root, timestamp: timeOf(call.timestamp, now) };
}

/** The time itself, or the present for one that cannot be read. */
export function timeOf(timestamp: string, now: () => number = Date.now): string {
  return Number.isNaN(Date.parse(timestamp)) ? new Date(now()).toISOString() : timestamp;
}
