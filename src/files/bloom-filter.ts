/** Bits per key and probes per key: about one in a hundred unknown keys passes. */
const BITS_PER_KEY = 10;
const PROBES = 7;

/** Says of a hash whether it was surely never added. */
export class BloomFilter {
  readonly bytes: Uint8Array;

  /** Over bytes that were filled before. */
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** An empty filter with room for that many keys. */
  static for(keys: number): BloomFilter {
    return new BloomFilter(new Uint8Array(Math.max(8, Math.ceil((keys * BITS_PER_KEY) / 8))));
  }

  /** `hash` is a {@link textHash}. */
  add(hash: number): void {
    for (let probe = 0; probe < PROBES; probe++) {
      const bit = this.#bit(hash, probe);
      this.bytes[bit >>> 3] = (this.bytes[bit >>> 3] ?? 0) | (1 << (bit & 7));
    }
  }

  /** False: never added. True: most likely added. */
  mayHave(hash: number): boolean {
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
