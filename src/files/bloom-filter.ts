/** With 10 bits and 7 probes per key, about 1 % of unknown keys pass. */
const BITS_PER_KEY = 10;
const PROBES = 7;

/** A set of hashes that may report false positives, but never false negatives. */
export class BloomFilter {
  readonly bytes: Uint8Array;

  /** Wraps the `bytes` of an existing filter. */
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** An empty filter sized for that many keys. */
  static withCapacity(keys: number): BloomFilter {
    return new BloomFilter(new Uint8Array(Math.max(8, Math.ceil((keys * BITS_PER_KEY) / 8))));
  }

  /** `hash` is a {@link textHash}. */
  add(hash: number): void {
    for (let probe = 0; probe < PROBES; probe++) {
      const bit = this.#bit(hash, probe);
      this.bytes[bit >>> 3] = (this.bytes[bit >>> 3] ?? 0) | (1 << (bit & 7));
    }
  }

  mightContain(hash: number): boolean {
    for (let probe = 0; probe < PROBES; probe++) {
      const bit = this.#bit(hash, probe);
      if (((this.bytes[bit >>> 3] ?? 0) & (1 << (bit & 7))) === 0) return false;
    }
    return true;
  }

  #bit(hash: number, probe: number): number {
    const low = hash % 0x1_0000_0000;
    const step = (Math.floor(hash / 0x1_0000_0000) << 1) | 1;
    return (low + probe * (step >>> 0)) % (this.bytes.length * 8);
  }
}
