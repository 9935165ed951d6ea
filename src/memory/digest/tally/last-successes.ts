import { signatureHash } from '../short-hash.ts';

const MOST = 800;

/** When commands last worked, by signature: the latest {@link MOST}. Answers whether a failure still stands. */
export class LastSuccesses {
  /** Epoch seconds by hash of the signature, the oldest first. */
  readonly #times: Map<number, number>;

  constructor(stored: readonly (readonly [hash: number, seconds: number])[] = []) {
    this.#times = new Map(stored);
  }

  /** Notes that a command worked. */
  note(signature: string, at: string): void {
    const hash = signatureHash(signature);
    const time = Math.floor(Date.parse(at) / 1000);
    const known = this.#times.get(hash);
    if (known !== undefined) this.#times.delete(hash);
    this.#times.set(hash, known !== undefined && known > time ? known : time);
    if (this.#times.size <= MOST) return;
    const [oldest] = this.#times.keys();
    if (oldest !== undefined) this.#times.delete(oldest);
  }

  /** Whether the command whose signature has that hash worked after a time. */
  hasWorkedSince(hash: number, at: string): boolean {
    const time = this.#times.get(hash);
    return time !== undefined && time > Date.parse(at) / 1000;
  }

  /** What is stored. */
  toJSON(): readonly (readonly [number, number])[] {
    return [...this.#times];
  }
}
