import { compareText } from '../../text/compare-text.ts';
import { signatureHash } from './aggregate/activity.ts';
import type { SessionDigest } from './session-digest.ts';

/** What worked instead of a call, by hash of its signature or else its text, and when the call had failed. */
export type StoredResolutions = readonly (readonly [call: number, at: string, what: string])[];

const MAX_RESOLUTIONS = 300;

/**
 * What worked instead of calls that failed, over all sessions of a project, whenever that was. A resolution stays when
 * the call fails again and nobody solves it; only a later one replaces it. Guard and knowledge both look it up here.
 */
export class Resolutions {
  readonly #byCall: Map<number, { readonly at: string; readonly what: string }>;

  constructor(stored: StoredResolutions = []) {
    this.#byCall = new Map(stored.map(([call, at, what]) => [call, { at, what }]));
  }

  /** Adds the resolutions that were found in a session. */
  add({ failures }: Pick<SessionDigest, 'failures'>): void {
    for (const { signature, what, resolution, at } of failures) {
      if (resolution === undefined) continue;
      const call = signatureHash(signature ?? what);
      const known = this.#byCall.get(call);
      if (known === undefined || at >= known.at) this.#byCall.set(call, { at, what: resolution });
    }
    if (this.#byCall.size <= 2 * MAX_RESOLUTIONS) return;
    const oldest = this.toJSON().slice(0, -MAX_RESOLUTIONS);
    for (const [call] of oldest) this.#byCall.delete(call);
  }

  /** What worked instead of the first of these calls for which that is known: signatures, their hashes, or texts. */
  find(...calls: readonly (string | number | undefined)[]): string | undefined {
    for (const call of calls) {
      const hash = typeof call === 'string' ? signatureHash(call) : call;
      const found = hash === undefined ? undefined : this.#byCall.get(hash);
      if (found !== undefined) return found.what;
    }
    return undefined;
  }

  /** The oldest first. */
  toJSON(): StoredResolutions {
    return Array.from(this.#byCall, ([call, { at, what }]) => [call, at, what] as const).sort(
      ([a, at], [b, other]) => compareText(at, other) || a - b,
    );
  }
}
